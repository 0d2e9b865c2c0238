#include <algorithm>

#include "camber/codegen/c_family_writer.h"
#include "camber/codegen/languages.h"
#include "camber/codegen/write_functions.h"
#include "camber/core/require.h"

namespace camber::codegen::internal {
namespace {

constexpr std::string_view kReserved[] = {"find_cell"};

class CWriter final : public CFamilyWriter {
 public:
  CWriter(const Program& program, const WriteOptions& options)
      : CFamilyWriter(program, options, symbolic::CodeSyntax(Language::kC99),
                      {.language = Language::kC99,
                       .scalar = "double",
                       .condition = "int",
                       .zero = "0.0",
                       .holds = "",
                       .indent = "    ",
                       .continued = "        ",
                       .reserved = kReserved}) {}

 private:
  std::vector<std::string> define_row(const Row& row) override {
    return define_row_in_arrays(row, "double", "");
  }
  std::string_view own_arctangent() const override { return "arctangent"; }
  std::string assemble(const std::vector<ChunkText>& chunks) override {
    std::string text =
        concat(head(), "\n", has_own_functions() ? "#include <float.h>\n" : "",
               "#include <math.h>\n", has_own_functions() ? "#include <stdint.h>\n" : "", "\n",
               has_own_functions() ? declare_functions() : "", user_functions());
    text += signature() + ";\n\n";
    for (int c = 0; is_split() && c < static_cast<int>(chunks.size()); ++c) {
      text += concat(part_head(c, chunks[c]), "\n{\n", body(chunks[c]), "}\n\n");
    }
    text += signature() + "\n{\n";
    for (int i = 0; i < static_cast<int>(program().inputs().size()); ++i) {
      bool is_used = false;
      for (const ChunkText& chunk : chunks) {
        is_used = is_used || chunk.uses_input[i];
      }
      text += is_used ? "" : concat("    (void)", input_name(i), ";\n");
    }
    if (!program().guards().empty()) {
      text += concat("    int ", status_name(), " = 0;\n");
    }
    if (is_split()) {
      text += concat("    double ", work_name(), "[", std::max(1, plan().work_size), "];\n");
      for (int c = 0; c < static_cast<int>(chunks.size()); ++c) {
        text += part_call(c, chunks[c]);
      }
    } else {
      text += body(chunks[0]);
    }
    text += concat("    return ", program().guards().empty() ? "0" : status_name(), ";\n}\n");
    return has_own_functions() ? concat(text, "\n", write_functions(Language::kC99)) : text;
  }

  std::string signature() const {
    std::vector<std::string> arguments;
    for (int i = 0; i < static_cast<int>(program().inputs().size()); ++i) {
      arguments.push_back(input_type(i) + input_name(i));
    }
    for (int o = 0; o < static_cast<int>(program().outputs().size()); ++o) {
      arguments.push_back("double *restrict " + output_name(o));
    }
    return with_list(concat("int ", name(), "("), or_void(std::move(arguments)), ")", "        ");
  }

  std::string input_type(int input) const {
    return program().inputs()[input].is_array ? "const double *restrict " : "double ";
  }

  static std::vector<std::string> or_void(std::vector<std::string> arguments) {
    return arguments.empty() ? std::vector<std::string>{"void"} : std::move(arguments);
  }

  std::string part_head(int part, const ChunkText& chunk) const {
    return with_list(concat("static void ", part_name(part), "("),
                     or_void(part_arguments(chunk, &kPartTypes)), ")", "        ");
  }
  std::string part_call(int part, const ChunkText& chunk) const {
    return with_list(concat("    ", part_name(part), "("), part_arguments(chunk, nullptr), ");\n",
                     "        ");
  }

  static constexpr PartTypes kPartTypes = {"const double *restrict ", "double ",
                                           "double *restrict ", "int *restrict "};
};

}  // namespace

std::string write_c(const Program& program, const WriteOptions& options) {
  return CWriter(program, options).write();
}

}  // namespace camber::codegen::internal
