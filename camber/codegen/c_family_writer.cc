#include "camber/codegen/c_family_writer.h"

#include <utility>

#include "camber/codegen/write_tables.h"
#include "camber/core/require.h"

namespace camber::codegen::internal {

CFamilyWriter::CFamilyWriter(const Program& program, const WriteOptions& options,
                             symbolic::CodeSyntax syntax, const Spelling& spelling)
    : SourceWriter(program, options, std::move(syntax), spelling.reserved), spelling_(spelling) {}

std::string CFamilyWriter::body(const ChunkText& chunk) const {
  std::string text;
  for (const std::string& statement : chunk.lines) {
    text += symbolic::wrap_statement(concat(spelling_.indent, statement), spelling_.language,
                                     spelling_.continued) +
            "\n";
  }
  return text;
}

std::string CFamilyWriter::user_functions() {
  std::string text;
  bool has_search = false;
  for (const CallSite* site : distinct_calls()) {
    const std::string function = function_name(*site);
    if (!is_table(*site)) {
      text += declare_code(*site, function, spelling_.language) + "\n";
      continue;
    }
    text += has_search ? "" : write_cell_search("find_cell", spelling_.language) + "\n";
    has_search = true;
    text += write_table(*site, function, "find_cell", spelling_.language) + "\n";
  }
  return text;
}

std::string CFamilyWriter::element(const std::string& array, int index) const {
  return concat(array, "[", index, "]");
}

std::string CFamilyWriter::output_element(int output, int index) const {
  return program().outputs()[output].shape == Output::Shape::kScalar
             ? "*" + output_name(output)
             : element(output_name(output), index);
}

std::string CFamilyWriter::define(const std::string& name, bool is_condition,
                                  const std::string& value) const {
  return concat("const ", is_condition ? spelling_.condition : spelling_.scalar, " ", name, " = ",
                value, ";");
}

std::string CFamilyWriter::assign(const std::string& target, const std::string& value) const {
  return concat(target, " = ", value, ";");
}

std::string CFamilyWriter::check(const GuardedValue& guard, int number, const std::string& value,
                                 bool in_order) const {
  const std::string status = (is_split() ? "*" : "") + status_name();
  const std::string_view zero = spelling_.zero;
  const std::string ok = guard.kind == Guard::kPositive
                             ? concat(value, " > ", zero)
                             : concat(value, " < ", zero, " || ", value, " > ", zero);
  return concat(
      "if (",
      in_order ? status + " == 0" : concat("(", status, " == 0 || ", status, " > ", number, ")"),
      " && !", spelling_.holds, "(", ok, ")) ", status, " = ", number, ";");
}

}  // namespace camber::codegen::internal
