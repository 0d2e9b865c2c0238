#include <algorithm>

#include "camber/codegen/c_family_writer.h"
#include "camber/codegen/languages.h"
#include "camber/codegen/write_functions.h"
#include "camber/core/require.h"

namespace camber::codegen::internal {
namespace {

constexpr std::string_view kReserved[] = {"T", "all", "find_cell", "generated"};

// These functions are for double; those of other scalars are found by argument-dependent lookup. A
// scalar with many lanes has comparisons that return masks, select(mask, a, b) and all(mask);
// sincos(x, &s, &c) is used if it has one.
constexpr std::string_view kHelpers = R"(inline bool all(bool condition) { return condition; }

inline double select(bool condition, double a, double b) { return condition ? a : b; }

)";

constexpr std::string_view kUsing =
    "  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, "
    "std::exp;\n"
    "  using std::log, std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt, std::tan;\n"
    "  using std::tanh;\n";

class CppWriter final : public CFamilyWriter {
 public:
  CppWriter(const Program& program, const WriteOptions& options)
      : CFamilyWriter(program, options, symbolic::CodeSyntax(Language::kCpp, "T"),
                      {.language = Language::kCpp,
                       .scalar = "T",
                       .condition = "auto",
                       .zero = "T(0.0)",
                       .holds = "all",
                       .indent = "  ",
                       .continued = "      ",
                       .reserved = kReserved}) {}

 private:
  std::vector<std::string> define_row(const Row& row) override {
    return define_row_in_arrays(row, "T", "<T>");
  }
  std::string_view own_arctangent() const override { return "arctangent<T>"; }
  std::string assemble(const std::vector<ChunkText>& chunks) override {
    const std::string parts = names().make(program().name() + "_parts");
    std::string text = concat(
        head(), "\n#pragma once\n\n#include <algorithm>\n",
        has_own_functions() ? "#include <bit>\n#include <cfloat>\n" : "", "#include <cmath>\n",
        has_own_functions() ? "#include <cstdint>\n" : "",
        "#include <type_traits>\n\nnamespace generated {\n\nnamespace ", parts, " {\n\n", kHelpers,
        has_own_functions() ? write_functions(Language::kCpp) : "", user_functions());
    for (int c = 0; is_split() && c < static_cast<int>(chunks.size()); ++c) {
      text += concat("template <class T>\n", part_head(c, chunks[c]), " {\n", kUsing,
                     body(chunks[c]), "}\n\n");
    }
    text += concat("}  // namespace ", parts, "\n\ntemplate <class T>\n", signature(chunks),
                   " {\n  using namespace ", parts, ";\n");
    if (!program().guards().empty()) {
      text += concat("  int ", status_name(), " = 0;\n");
    }
    if (is_split()) {
      text += concat("  T ", work_name(), "[", std::max(1, plan().work_size), "];\n");
      for (int c = 0; c < static_cast<int>(chunks.size()); ++c) {
        text += part_call(c, chunks[c]);
      }
    } else {
      text += concat(kUsing, body(chunks[0]));
    }
    return text + concat("  return ", program().guards().empty() ? "0" : status_name(),
                         ";\n}\n\n}  // namespace generated\n");
  }

  std::string signature(const std::vector<ChunkText>& chunks) const {
    std::vector<std::string> arguments;
    for (int i = 0; i < static_cast<int>(program().inputs().size()); ++i) {
      const bool is_used = std::any_of(chunks.begin(), chunks.end(),
                                       [i](const ChunkText& c) { return c.uses_input[i]; });
      arguments.push_back(concat(is_used ? "" : "[[maybe_unused]] ", input_type(i), input_name(i)));
    }
    for (int o = 0; o < static_cast<int>(program().outputs().size()); ++o) {
      arguments.push_back(concat("T* ", output_name(o)));
    }
    return with_list(concat("int ", name(), "("), arguments, ")", "        ");
  }

  std::string input_type(int input) const {
    return program().inputs()[input].is_array ? "const T* " : "const T& ";
  }

  std::string part_head(int part, const ChunkText& chunk) const {
    return with_list(concat("void ", part_name(part), "("), part_arguments(chunk, &kPartTypes), ")",
                     "        ");
  }
  std::string part_call(int part, const ChunkText& chunk) const {
    return with_list(concat("  ", part_name(part), "<T>("), part_arguments(chunk, nullptr), ");\n",
                     "      ");
  }

  static constexpr PartTypes kPartTypes = {"const T* ", "const T& ", "T* ", "int* "};
};

}  // namespace

std::string write_cpp(const Program& program, const WriteOptions& options) {
  return CppWriter(program, options).write();
}

}  // namespace camber::codegen::internal
