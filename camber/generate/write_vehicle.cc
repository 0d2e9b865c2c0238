#include "camber/generate/write_vehicle.h"

#include <cctype>
#include <cstdio>

#include "camber/codegen/write.h"
#include "camber/core/require.h"

namespace camber::generate {

namespace {

using codegen::Language, codegen::Program;

std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string array_text(const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += concat(i % 4 == 0 ? "\n    " : " ", number_text(values[i]),
                   i + 1 < values.size() ? "," : "");
  return text;
}

class VehicleWriter {
 public:
  explicit VehicleWriter(const VehicleProgram& program)
      : program_(program), name_(identifier_of(program.name)) {}

  std::string write(const std::string& recipe) const {
    const int own = static_cast<int>(program_.parameters.size()) - program_.prologue_parameters -
                    program_.epilogue_parameters;
    std::string text =
        concat("// Accelerations of ", name_, ", generated: do not edit.\n// ", recipe, "\n// ",
               program_.count().total(), " operations in one evaluation, ", program_.uses.size(),
               " uses of ", program_.kernels.size(),
               " kernels.\n#pragma once\n\nnamespace generated {\n\n");
    // Kernels are used several times: one copy of each stays in the instruction cache.
    for (const Kernel& kernel : program_.kernels)
      text += concat("template <class T>\n[[gnu::noinline]] int ", kernel.program.name(),
                     "(const T* p, const T* x, const T* w, T* y);\n\n");
    text += "}  // namespace generated\n\n";
    for (const Program* part : parts())
      text += without_pragma(write_source(*part, Language::kCpp, {.chunk_size = 0})) + "\n";
    text += concat(
        "namespace generated {\n\ninline constexpr int ", name_, "_nq = ", program_.nq,
        ";\ninline constexpr int ", name_, "_nv = ", program_.nv, ";\ninline constexpr int ", name_,
        "_parameter_count = ", program_.parameters.size(), ";\ninline constexpr double ", name_,
        "_parameters[] = {", array_text(program_.parameters), "};\n\ntemplate <class T>\nint ",
        name_, "(const T* p, const T* q, const T* v, T* a) {\n");
    return text + body(own) + "}\n\n}  // namespace generated\n";
  }

 private:
  std::vector<const Program*> parts() const {
    std::vector<const Program*> all = {&program_.prologue};
    for (const Kernel& kernel : program_.kernels) all.push_back(&kernel.program);
    all.push_back(&program_.epilogue);
    return all;
  }

  static std::string without_pragma(std::string text) {
    const std::string pragma = "#pragma once\n\n";
    text.erase(text.find(pragma), pragma.size());
    return text;
  }

  std::string body(int own) const {
    std::string text, inputs, outputs;
    const auto& first = program_.prologue.outputs()[0];
    const bool has_z = first.name == "z";
    if (has_z) {
      text += concat("  T z[", first.values.size(), "];\n");
      inputs += ", z";
      outputs += ", z";
    }
    const bool is_free = program_.nq > program_.nv;
    if (!is_free) text += "  const T w[3] = {T(0.0), T(0.0), T(0.0)};\n";
    for (std::size_t i = 0; i < program_.uses.size(); ++i) {
      const Kernel& kernel = program_.kernels[program_.uses[i].kernel];
      text += concat("  T x", i, "[", kernel.inputs, "], y", i, "[", kernel.outputs, "];\n");
      inputs += concat(", x", i);
      outputs += concat(", y", i);
    }
    text +=
        concat("  int status = ", program_.prologue.name(), "(p + ", own, ", q, v", inputs, ");\n");
    for (std::size_t i = 0; i < program_.uses.size(); ++i) {
      const KernelUse& use = program_.uses[i];
      text += concat("  status |= ", program_.kernels[use.kernel].program.name(), "(p + ",
                     use.first_parameter, ", x", i, is_free ? ", v" : ", w", ", y", i, ");\n");
    }
    return text + concat("  return status | ", program_.epilogue.name(), "(p + ",
                         own + program_.prologue_parameters, ", q, v", outputs, ", a);\n");
  }

  const VehicleProgram& program_;
  std::string name_;
};

}  // namespace

std::string identifier_of(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    text += u < 128 && std::isalnum(u) != 0 ? c : '_';
  }
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_')
    text = "vehicle_" + text;
  return text;
}

std::string write_vehicle(const VehicleProgram& program, const std::string& recipe) {
  return VehicleWriter(program).write(recipe);
}

}  // namespace camber::generate
