// C++ exceptions as camber.Error, with place and key; the class itself is in camber/_errors.py.

#include <new>
#include <stdexcept>
#include <utility>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/scenario/scenario_file.h"
#include "camber/symbolic/parse_error.h"
#include "python/src/common.h"

namespace camber::python {
namespace {

py::tuple to_mistake(const Position& where, const std::string& text, bool is_warning) {
  return py::make_tuple(where.file, where.line, where.column, where.key, text, is_warning);
}

void raise(const char* what, const py::list& mistakes) {
  const py::object type = py::module_::import("camber._errors").attr("Error");
  const py::object error = type(what, mistakes);
  PyErr_SetObject(type.ptr(), error.ptr());
}

void raise(const char* what) { raise(what, py::list()); }

void raise(const char* what, const Position& where, const std::string& text) {
  py::list mistakes;
  mistakes.append(to_mistake(where, text, false));
  raise(what, mistakes);
}

std::string path_of(const FileError& error) {
  const std::string what = error.what();
  return what.substr(0, what.size() - error.reason().size() - 2);
}

void translate(std::exception_ptr pointer) {
  if (!pointer) return;
  try {
    std::rethrow_exception(pointer);
  } catch (const ModelFileError& error) {
    py::list mistakes;
    for (const Diagnostic& d : error.diagnostics())
      mistakes.append(to_mistake(d.where, d.text, d.severity == Severity::kWarning));
    raise(error.what(), mistakes);
  } catch (const FileError& error) {
    raise(error.what(), Position{.file = path_of(error)}, error.reason());
  } catch (const scenario::SettingError& error) {
    raise(error.what(), Position{.file = "", .key = error.key()}, error.text());
  } catch (const symbolic::ParseError& error) {
    raise(error.what(), error.where(), error.message());
  } catch (const py::builtin_exception&) {
    throw;  // pybind11's own: TypeError, IndexError
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::invalid_argument& error) {
    raise(error.what());
  } catch (const std::domain_error& error) {
    raise(error.what());
  } catch (const std::runtime_error& error) {
    raise(error.what());
  } catch (const std::logic_error& error) {
    raise(error.what());
  }
}

}  // namespace

void set_python_error(std::exception_ptr problem) {
  try {
    translate(std::move(problem));
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

void Interrupts::ask() {
  const py::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

void bind_errors(py::module_& module) {
  (void)module;
  py::register_exception_translator(translate);
}

}  // namespace camber::python
