#include <algorithm>

#include "camber/codegen/languages.h"
#include "camber/codegen/source_writer.h"
#include "camber/codegen/write_tables.h"
#include "camber/core/require.h"

namespace camber::codegen::internal {
namespace {

constexpr std::string_view kReserved[] = {"c_double",        "c_int",       "find_cell",
                                          "ieee_arithmetic", "ieee_is_nan", "iso_c_binding"};
constexpr std::size_t kNamesPerDeclaration = 10;

class FortranWriter final : public SourceWriter {
 public:
  FortranWriter(const Program& program, const WriteOptions& options)
      : SourceWriter(program, options, symbolic::CodeSyntax(Language::kFortran), kReserved) {}

 private:
  std::string element(const std::string& array, int index) const override {
    return concat(array, "(", index + 1, ")");
  }
  std::string output_element(int output, int index) const override {
    const Output& out = program().outputs()[output];
    switch (out.shape) {
      case Output::Shape::kScalar:
        return output_name(output);
      case Output::Shape::kVector:
        return element(output_name(output), index);
      case Output::Shape::kMatrix:
        return concat(output_name(output), "(", index % out.rows + 1, ", ", index / out.rows + 1,
                      ")");
    }
    return "";
  }
  std::string define(const std::string& name, bool /*is_condition*/,
                     const std::string& value) const override {
    return assign(name, value);
  }
  std::string assign(const std::string& target, const std::string& value) const override {
    return concat(target, " = ", value);
  }
  std::vector<std::string> define_row(const Row& row) override {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < row.angles.size(); ++i) {
      for (const auto& [name, function] :
           {std::pair(&row.sines[i], "sin("), {&row.cosines[i], "cos("}}) {
        if (!name->empty()) {
          lines.push_back(assign(*name, concat(function, row.angles[i], ")")));
        }
      }
    }
    return lines;
  }
  std::string check(const GuardedValue& guard, int number, const std::string& value,
                    bool in_order) const override {
    const std::string ok = guard.kind == Guard::kPositive
                               ? concat(value, " > 0.0d0")
                               : concat(value, " < 0.0d0 .or. ", value, " > 0.0d0");
    const std::string& status = status_name();
    return concat("if (",
                  in_order ? status + " == 0"
                           : concat("(", status, " == 0 .or. ", status, " > ", number, ")"),
                  " .and. .not. (", ok, ")) ", status, " = ", number);
  }
  std::string comment_mark() const override { return "!"; }
  bool refuses_functions_of_literals() const override { return true; }

  std::string assemble(const std::vector<ChunkText>& chunks) override {
    const std::string module = names().make(program().name() + "_module");
    std::string text = concat(
        head(), "\nmodule ", module, "\n  use, intrinsic :: iso_c_binding, only: c_double, c_int\n",
        has_tables() ? "  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan\n" : "",
        "  implicit none\n  private\n  public :: ", name(), "\n");
    std::string functions;
    add_user_functions(&text, &functions);
    text += "\ncontains\n\n";
    text += functions;
    for (int c = 0; is_split() && c < static_cast<int>(chunks.size()); ++c) {
      text += part(c, chunks[c]);
    }
    return text + whole(chunks) + "\nend module " + module + "\n";
  }

  bool has_tables() const {
    const auto calls = program().calls();
    return std::any_of(calls.begin(), calls.end(), is_table);
  }

  void add_user_functions(std::string* head, std::string* functions) {
    bool has_search = false;
    for (const CallSite* site : distinct_calls()) {
      const std::string function = function_name(*site);
      if (!is_table(*site)) {
        *head += declare_code(*site, function, Language::kFortran);
        continue;
      }
      *head += write_fortran_table_data(*site, function);
      *functions += has_search ? "" : write_cell_search("find_cell", Language::kFortran) + "\n";
      has_search = true;
      *functions += write_table(*site, function, "find_cell", Language::kFortran) + "\n";
    }
  }

  static std::string line(const std::string& statement) {
    return symbolic::wrap_statement("    " + statement, Language::kFortran, "        ") + "\n";
  }

  static std::string declarations(const ChunkText& chunk) {
    std::string text;
    for (const bool is_condition : {false, true}) {
      std::string list;
      std::size_t listed = 0;
      const auto flush = [&] {
        if (listed > 0) {
          text += line(concat(is_condition ? "logical :: " : "real(c_double) :: ", list));
        }
        list.clear();
        listed = 0;
      };
      for (const ChunkText::Local& local : chunk.locals) {
        if (local.is_condition == is_condition) {
          list += (listed == 0 ? "" : ", ") + local.name;
          if (++listed == kNamesPerDeclaration) {
            flush();
          }
        }
      }
      flush();
    }
    return text;
  }

  static std::string statements(const ChunkText& chunk) {
    std::string text;
    for (const std::string& statement : chunk.lines) {
      text += line(statement);
    }
    return text;
  }

  std::string input_declaration(int input) const {
    const Input& in = program().inputs()[input];
    return in.is_array ? concat("real(c_double), intent(in) :: ", input_name(input), "(",
                                in.leaves.size(), ")")
                       : concat("real(c_double), value :: ", input_name(input));
  }

  std::string output_declaration(int output, const char* intent) const {
    const Output& out = program().outputs()[output];
    std::string shape;
    if (out.shape == Output::Shape::kVector) {
      shape = concat("(", out.rows, ")");
    } else if (out.shape == Output::Shape::kMatrix) {
      shape = concat("(", out.rows, ", ", out.cols, ")");
    }
    return concat("real(c_double), intent(", intent, ") :: ", output_name(output), shape);
  }

  std::vector<std::string> part_arguments(const ChunkText& chunk) const {
    std::vector<std::string> arguments;
    for (int i = 0; i < static_cast<int>(program().inputs().size()); ++i) {
      if (chunk.uses_input[i]) {
        arguments.push_back(input_name(i));
      }
    }
    for (int o = 0; o < static_cast<int>(program().outputs().size()); ++o) {
      if (chunk.uses_output[o]) {
        arguments.push_back(output_name(o));
      }
    }
    if (chunk.uses_work) {
      arguments.push_back(work_name());
    }
    if (chunk.uses_status) {
      arguments.push_back(status_name());
    }
    return arguments;
  }

  std::string part(int index, const ChunkText& chunk) const {
    std::string text = with_list(concat("  subroutine ", part_name(index), "("),
                                 part_arguments(chunk), ")\n", "      ");
    for (int i = 0; i < static_cast<int>(program().inputs().size()); ++i) {
      text += chunk.uses_input[i] ? line(input_declaration(i)) : "";
    }
    for (int o = 0; o < static_cast<int>(program().outputs().size()); ++o) {
      text += chunk.uses_output[o] ? line(output_declaration(o, "inout")) : "";
    }
    if (chunk.uses_work) {
      text += line(
          concat("real(c_double), intent(inout) :: ", work_name(), "(", plan().work_size, ")"));
    }
    if (chunk.uses_status) {
      text += line(concat("integer(c_int), intent(inout) :: ", status_name()));
    }
    return concat(text, declarations(chunk), statements(chunk), "  end subroutine ",
                  part_name(index), "\n\n");
  }

  std::string whole(const std::vector<ChunkText>& chunks) const {
    std::vector<std::string> arguments;
    for (int i = 0; i < static_cast<int>(program().inputs().size()); ++i) {
      arguments.push_back(input_name(i));
    }
    for (int o = 0; o < static_cast<int>(program().outputs().size()); ++o) {
      arguments.push_back(output_name(o));
    }
    arguments.push_back(status_name());
    // Recursive, so that the compiler keeps the workspace on the stack: threads may call it at the
    // same time.
    std::string text =
        with_list(concat(is_split() ? "  recursive" : " ", " subroutine ", name(), "("), arguments,
                  concat(") &\n      bind(c, name=\"", name(), "\")\n"), "      ");
    for (int i = 0; i < static_cast<int>(program().inputs().size()); ++i) {
      text += line(input_declaration(i));
    }
    for (int o = 0; o < static_cast<int>(program().outputs().size()); ++o) {
      text += line(output_declaration(o, "out"));
    }
    text += line(concat("integer(c_int), intent(out) :: ", status_name()));
    if (is_split()) {
      text += plan().work_size > 0
                  ? line(concat("real(c_double) :: ", work_name(), "(", plan().work_size, ")"))
                  : "";
      text += line(status_name() + " = 0");
      for (int c = 0; c < static_cast<int>(chunks.size()); ++c) {
        text += with_list(concat("    call ", part_name(c), "("), part_arguments(chunks[c]), ")\n",
                          "        ");
      }
    } else {
      text += declarations(chunks[0]) + line(status_name() + " = 0") + statements(chunks[0]);
    }
    return concat(text, "  end subroutine ", name(), "\n");
  }
};

}  // namespace

std::string write_fortran(const Program& program, const WriteOptions& options) {
  return FortranWriter(program, options).write();
}

}  // namespace camber::codegen::internal
