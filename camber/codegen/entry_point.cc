#include "camber/codegen/entry_point.h"

#include "camber/core/require.h"

namespace camber::codegen {

std::string write_entry_point(const Program& program, Language language) {
  std::string types;
  std::string arguments;
  const auto add = [&](const std::string& type, const std::string& argument) {
    types += (types.empty() ? "" : ", ") + type;
    arguments += (arguments.empty() ? "" : ", ") + argument;
  };
  for (const Input& input : program.inputs()) {
    add(input.is_array ? "const double *" : "double",
        input.is_array ? concat("in + ", input.first) : concat("in[", input.first, "]"));
  }
  for (const Output& output : program.outputs()) {
    add("double *", concat("out + ", output.first));
  }
  const std::string& name = program.name();
  const std::string unused = "  (void)in;\n  (void)out;\n";
  const std::string head = "int entry_point(const double *in, double *out)";
  switch (language) {
    case Language::kC99:
      return concat(head, ";\n", head, " {\n", unused, "  return ", name, "(", arguments,
                    ");\n}\n");
    case Language::kCpp:
      return concat("extern \"C\" ", head, " {\n", unused, "  return generated::", name,
                    "<double>(", arguments, ");\n}\n");
    case Language::kFortran:
      add("int *", "&status");
      return concat("void ", name, "(", types, ");\n", head, ";\n", head,
                    " {\n  int status = -1;\n", unused, "  ", name, "(", arguments,
                    ");\n  return status;\n}\n");
  }
  return "";
}

}  // namespace camber::codegen
