// Functions of expressions: interpreted or compiled, over arrays.

#include <memory>
#include <mutex>

#include <pybind11/stl.h>

#include "camber/codegen/interpreter.h"
#include "camber/codegen/write.h"
#include "camber/core/file.h"
#include "camber/core/process.h"
#include "camber/core/shared_object.h"
#include "camber/core/temporary_folder.h"
#include "python/src/arrays.h"
#include "python/src/expressions.h"

namespace camber::python {
namespace {

using symbolic::Expr;

constexpr const char* kEntry = "camber_function";

/// Outputs from inputs, all numbers one after the other. One per thread: a lock keeps others out.
class Function {
 public:
  Function(std::string name, const std::vector<Expr>& inputs, const std::vector<Expr>& outputs,
           bool is_optimized)
      : name_(std::move(name)),
        inputs_(inputs),
        outputs_(outputs),
        options_{.optimize = is_optimized},
        program_(make_program(name_)),
        interpreter_(program_) {}

  const std::string& name() const { return name_; }
  std::size_t input_count() const { return inputs_.size(); }
  std::size_t output_count() const { return outputs_.size(); }
  std::uint64_t operations() const { return program_.count().total(); }
  bool is_compiled() const { return batch_ != nullptr; }

  std::string write(codegen::Language language) const {
    return codegen::write_source(program_, language);
  }

  /// (n, inputs) -> (n, outputs).
  void run(std::size_t n, const double* in, double* out) {
    const std::lock_guard lock(mutex_);
    if (batch_ != nullptr) {
      batch_(static_cast<long>(n), in, out);
      return;
    }
    Interrupts interrupts;
    for (std::size_t i = 0; i < n; ++i) {
      interpreter_.run(std::span(in + i * input_count(), input_count()),
                       std::span(out + i * output_count(), output_count()));
      if (i % 4096 == 0) interrupts.check();
    }
  }

  void compile(const std::string& compiler) {
    const std::lock_guard lock(mutex_);
    if (batch_ != nullptr) return;
    const TemporaryFolder folder;
    std::string source = codegen::write_source(make_program(kEntry), codegen::Language::kC99) +
                         "\nvoid camber_batch(long n, const double *in, double *out) {\n"
                         "  for (long i = 0; i < n; ++i, in += " +
                         std::to_string(input_count()) +
                         ", out += " + std::to_string(output_count()) + ")\n    " + kEntry +
                         "(in, out);\n}\n";
    const std::string file = (folder.path() / "function.c").string(),
                      library = (folder.path() / "function.so").string();
    write_file_atomically(file, source);
    const ProcessResult result = run_process({compiler, "-std=c99", "-O2", "-ffp-contract=off",
                                              "-fPIC", "-shared", file, "-o", library, "-lm"},
                                             ErrorOutput::kWithOutput);
    if (result.status != 0)
      throw std::runtime_error(concat("cannot compile \"", name_, "\" with \"", compiler,
                                      "\" (status ", result.status, "):\n", result.output));
    library_ = std::make_unique<SharedObject>(library);
    batch_ = reinterpret_cast<Batch*>(library_->symbol("camber_batch"));
  }

 private:
  using Batch = void(long, const double*, double*);

  /// All inputs are one array, all outputs another.
  codegen::Program make_program(const std::string& name) const {
    codegen::ProgramBuilder builder(name);
    builder.add_input("in", inputs_).add_output("out", std::span<const Expr>(outputs_));
    return builder.build(options_);
  }

  std::string name_;
  std::vector<Expr> inputs_, outputs_;
  codegen::BuildOptions options_;
  codegen::Program program_;
  codegen::Interpreter<double> interpreter_;
  std::mutex mutex_;
  std::unique_ptr<SharedObject> library_;
  Batch* batch_ = nullptr;
};

py::array call(Function& f, const Numbers& rows) {
  require(rows.ndim() == 2 && static_cast<std::size_t>(rows.shape(1)) == f.input_count(), f.name(),
          ": needs rows of ", f.input_count(), " numbers");
  const auto n = static_cast<std::size_t>(rows.shape(0));
  std::vector<double> out(n * f.output_count());
  const double* in = rows.data();
  {
    const py::gil_scoped_release release;
    f.run(n, in, out.data());
  }
  return to_array(std::move(out),
                  {static_cast<py::ssize_t>(n), static_cast<py::ssize_t>(f.output_count())});
}

}  // namespace

void bind_functions(py::module_& module) {
  auto m = module.attr("symbolic").cast<py::module_>();
  py::class_<Function>(m, "Program", "Outputs from inputs, over rows of numbers.")
      .def(py::init([](const std::string& name, const py::iterable& inputs,
                       const py::iterable& outputs, bool optimize) {
             return std::make_unique<Function>(name, to_exprs(inputs), to_exprs(outputs), optimize);
           }),
           py::arg("name"), py::arg("inputs"), py::arg("outputs"), py::arg("optimize") = true)
      .def("__call__", &call, py::arg("rows"), "(n, inputs) gives (n, outputs).")
      .def_property_readonly("operations", &Function::operations, "Of one evaluation.")
      .def_property_readonly("compiled", &Function::is_compiled, "Whether compile() was called.")
      .def(
          "compile",
          [](Function& f, const std::string& compiler) {
            const py::gil_scoped_release release;
            f.compile(compiler);
          },
          py::arg("compiler") = "cc", "Compiles it with the system's C compiler.")
      .def(
          "c99", [](const Function& f) { return f.write(codegen::Language::kC99); },
          "The function in C99.")
      .def(
          "cpp", [](const Function& f) { return f.write(codegen::Language::kCpp); },
          "The function as a C++ template over its scalar.")
      .def(
          "fortran", [](const Function& f) { return f.write(codegen::Language::kFortran); },
          "The function in Fortran 2008.");
}

}  // namespace camber::python
