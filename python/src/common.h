#pragma once

// What all files of the bindings share. Each file binds one topic in a function of its own;
// module.cc calls them. Only what the compiler must see is here: files that hand out arrays include
// arrays.h.

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

namespace camber::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_expressions(py::module_& module);
void bind_functions(py::module_& module);
void bind_systems(py::module_& module);
void bind_models(py::module_& module);
void bind_commands(py::module_& module);
void bind_runs(py::module_& module);
void bind_views(py::module_& module);
void bind_drive(py::module_& module);
void bind_sensors(py::module_& module);
void bind_batch(py::module_& module);
void bind_studies(py::module_& module);
void bind_analysis(py::module_& module);
void bind_lagrangian(py::module_& module);
void bind_mechanism(py::module_& module);
void bind_terrain(py::module_& module);

/// "camber 0.1.0", as logs name their program.
std::string program_name();

/// A model that Python runs or looks at: a file, or text in memory under its name.
struct ModelText {
  std::string path;
  std::optional<std::string> text = {};     // empty: the file's
  std::vector<std::string> overrides = {};  // assignments as after --set
};

/// Sets the Python error of an exception that a function without pybind11 has caught.
void set_python_error(std::exception_ptr problem);

/// Lets Ctrl-C end a long call that has released the GIL.
class Interrupts {
 public:
  /// Every 50 ms it asks Python whether a signal has come; throws what the handler raised.
  void check() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + kInterval;
    ask();
  }

 private:
  static constexpr std::chrono::milliseconds kInterval{50};
  static void ask();
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + kInterval;
};

}  // namespace camber::python
