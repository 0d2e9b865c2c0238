// Drive.view and Drive.step by Python's own calling conventions: a controller in Python calls both at
// every step, and pybind11 would take longer than a tenth of the step itself.

#include <array>

#include "python/src/drive.h"

namespace camber::python {
namespace {

using autonomy::Command;

/// The drive inside of an object; null with a TypeError if __init__ was not called.
Drive* drive_of(PyObject* self) {
  const py::detail::value_and_holder holder =
      reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
  auto* drive = static_cast<Drive*>(holder.value_ptr());
  if (drive == nullptr) PyErr_SetString(PyExc_TypeError, "the drive was not made by Drive(...)");
  return drive;
}

PyObject* get_view(PyObject* self, void*) {
  try {
    Drive* drive = drive_of(self);
    return drive == nullptr ? nullptr : new_view(drive->use().world().vehicle(0).view());
  } catch (...) {
    set_python_error(std::current_exception());
    return nullptr;
  }
}

enum Keyword { kDt, kSteer, kThrottle, kBrake, kParkingBrake, kSelector, kGear, kVehicle, kCount };
constexpr const char* kNames[kCount] = {"dt",       "steer", "throttle", "brake", "parking_brake",
                                        "selector", "gear",  "vehicle"};
std::array<PyObject*, kCount> names;  // interned, never freed

/// Its place in kNames; kCount: it is none of them.
int find_keyword(PyObject* name) {
  for (int i = 0; i < kCount; ++i)
    if (name == names[static_cast<std::size_t>(i)]) return i;
  for (int i = 0; i < kCount; ++i)  // a name that is not interned
    if (PyUnicode_CompareWithASCIIString(name, kNames[i]) == 0) return i;
  return kCount;
}

/// The arguments of step(), by keyword; false with a TypeError if they do not fit.
bool read_arguments(PyObject* const* values, Py_ssize_t count, PyObject* keywords,
                    std::array<PyObject*, kCount>* found) {
  if (count > 1) {
    PyErr_Format(
        PyExc_TypeError,
        "step() takes dt; steer, throttle and brake have names: step(0.01, steer=...); got "
        "%zd values without a name",
        count);
    return false;
  }
  found->fill(nullptr);
  if (count == 1) (*found)[kDt] = values[0];
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* name = PyTuple_GET_ITEM(keywords, i);
    const int keyword = find_keyword(name);
    if (keyword == kCount) {
      PyErr_Format(PyExc_TypeError, "step() has no argument %R", name);
      return false;
    }
    PyObject*& place = (*found)[static_cast<std::size_t>(keyword)];
    if (place != nullptr) {
      PyErr_Format(PyExc_TypeError, "step() got dt twice");
      return false;
    }
    place = values[count + i];
  }
  if ((*found)[kDt] != nullptr) return true;
  PyErr_SetString(PyExc_TypeError, "step() needs dt [s]");
  return false;
}

/// Throws what Python raises for something that is not a number.
double to_double(PyObject* value) {
  const double number = PyFloat_AsDouble(value);
  if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return number;
}
int to_int(PyObject* value) {
  const long number = PyLong_AsLong(value);
  if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  require(number >= -1000 && number <= 1000, "selector, gear and vehicle are small numbers, got ",
          number);
  return static_cast<int>(number);
}
std::optional<double> to_optional(PyObject* value) {
  if (value == nullptr || value == Py_None) return {};
  return to_double(value);
}

PyObject* step(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* keywords) {
  try {
    std::array<PyObject*, kCount> found;
    Drive* drive = drive_of(self);
    if (drive == nullptr || !read_arguments(values, count, keywords, &found)) return nullptr;
    const double dt = to_double(found[kDt]);
    CommandWish wish{.steer = to_optional(found[kSteer]),
                     .throttle = to_optional(found[kThrottle]),
                     .brake = to_optional(found[kBrake]),
                     .parking_brake = to_optional(found[kParkingBrake])};
    if (found[kSelector] != nullptr && found[kSelector] != Py_None)
      wish.selector = to_int(found[kSelector]);
    if (found[kGear] != nullptr && found[kGear] != Py_None) wish.gear = to_int(found[kGear]);
    const int vehicle = found[kVehicle] == nullptr ? 0 : to_int(found[kVehicle]);
    require(dt >= 0, "dt: must be >= 0 s, got ", dt);
    if (!wish.empty()) {
      find_vehicle(drive, vehicle);
      run::Simulation& simulation = drive->use();
      const Command held =
          simulation.is_commanded(vehicle) ? simulation.outside_command(vehicle) : Command{};
      simulation.command(wish.on(held), vehicle);
    }
    drive->step(dt);
    Py_RETURN_NONE;
  } catch (...) {
    set_python_error(std::current_exception());
    return nullptr;
  }
}

}  // namespace

void bind_quick_calls(py::handle drive_type) {
  static PyGetSetDef view = {
      "view", get_view, nullptr,
      "What the driver of the first vehicle sees, as of the last control interval.", nullptr};
  static PyMethodDef step_method = {
      "step", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(step)),
      METH_FASTCALL | METH_KEYWORDS,
      "step($self, dt, *, steer=None, throttle=None, brake=None, parking_brake=None, "
      "selector=None, gear=None, "
      "vehicle=0)\n--\n\n"
      "Goes on by dt [s]. Steer [rad, left +], throttle, brake and parking_brake [0 to 1] command "
      "the vehicle from now on in place of its driver; what is left out stays as it was."};
  for (std::size_t i = 0; i < kCount; ++i) names[i] = PyUnicode_InternFromString(kNames[i]);
  auto* type = reinterpret_cast<PyTypeObject*>(drive_type.ptr());
  drive_type.attr("view") = py::reinterpret_steal<py::object>(PyDescr_NewGetSet(type, &view));
  drive_type.attr("step") =
      py::reinterpret_steal<py::object>(PyDescr_NewMethod(type, &step_method));
}

}  // namespace camber::python
