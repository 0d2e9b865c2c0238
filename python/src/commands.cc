// The program `camber` inside Python.

#include <iostream>
#include <mutex>
#include <sstream>

#include <pybind11/stl.h>

#include "apps/camber/interrupt.h"
#include "apps/camber/program.h"
#include "python/src/common.h"

namespace camber::python {
namespace {

/// Turns a stream of the program into text for as long as it lives.
class Captured {
 public:
  explicit Captured(std::ostream* stream)
      : stream_(stream), before_(stream->rdbuf(text_.rdbuf())) {}
  ~Captured() { stream_->rdbuf(before_); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::ostream* stream_;
  std::streambuf* before_;
};

/// One at a time: the streams belong to the process. A command that Ctrl-C has ended closes its
/// files first; then Python hears of it.
py::tuple run_command(const std::vector<std::string>& arguments, bool is_captured,
                      const std::vector<std::string>& program) {
  std::vector<const char*> list = {"camber"};
  for (const std::string& argument : arguments) list.push_back(argument.c_str());
  int code = 0;
  std::string out, err;
  {
    const py::gil_scoped_release release;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    app::program_words() = program;
    app::InterruptGuard::forget();
    if (is_captured) {
      const Captured to_out(&std::cout), to_err(&std::cerr);
      code = app::run_program(static_cast<int>(list.size()), list.data());
      out = to_out.text();
      err = to_err.text();
    } else {
      code = app::run_program(static_cast<int>(list.size()), list.data());
      std::cout.flush();
      if (!std::cout && code == app::kOk) code = app::kRunFailed;
    }
  }
  if (is_captured && app::InterruptGuard::signal() == SIGINT) {
    PyErr_SetInterrupt();
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  return py::make_tuple(code, out, err);
}

}  // namespace

void bind_commands(py::module_& module) {
  module.def("run_command", &run_command, py::arg("arguments"), py::arg("captured") = true,
             py::arg("program") = std::vector<std::string>{},
             "Runs a command of the program: exit status, what it printed, its messages. `program` "
             "is what starts it anew, for workers.");
}

}  // namespace camber::python
