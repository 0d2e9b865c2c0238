// What Python sees of a vehicle at one moment: command, view, snapshot, state.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include <pybind11/stl.h>
#include <structmember.h>

#include "camber/core/text.h"
#include "python/src/arrays.h"
#include "python/src/drive.h"

namespace camber::python {

using autonomy::Command;
using autonomy::VehicleView;
using dynamics::VehicleSnapshot;
using run::SimulationState;

namespace {

double in_range(double x, double low, double high, const char* name) {
  require(x >= low && x <= high, name, ": must be ", low, " to ", high, ", got ", x);
  return x;
}

void bind_command(py::module_& module) {
  py::class_<Command>(module, "Command", "What a driver asks for.")
      .def(
          py::init([](double steer, double throttle, double brake, double parking_brake,
                      int selector, int gear) {
            return CommandWish{steer, throttle, brake, parking_brake, selector, gear}.on({});
          }),
          py::arg("steer") = 0.0, py::arg("throttle") = 0.0, py::arg("brake") = 0.0,
          py::arg("parking_brake") = 0.0, py::arg("selector") = 0, py::arg("gear") = 0,
          "Mean angle of the front wheels [rad], left is positive; pedals and parking brake from "
          "0 to 1; selector 1 D, -1 R, 2 N, 3 P, 0 as it is; gear to hold, 0: the gearbox chooses.")
      .def_readonly("steer", &Command::steer, "Mean angle of the front wheels, left + [rad].")
      .def_readonly("throttle", &Command::throttle, "0 to 1.")
      .def_readonly("brake", &Command::brake, "0 to 1.")
      .def_readonly("parking_brake", &Command::parking_brake, "0 to 1.")
      .def_readonly("selector", &Command::selector, "1 D, -1 R, 2 N, 3 P, 0: as it is.")
      .def_readonly("gear", &Command::gear,
                    "Forward gear that the driver asks to hold; 0: the gearbox chooses.")
      .def("__repr__",
           [](const Command& c) {
             return concat("Command(steer=", c.steer, ", throttle=", c.throttle,
                           ", brake=", c.brake, ", parking_brake=", c.parking_brake,
                           ", selector=", c.selector, ", gear=", c.gear, ")");
           })
      .def(py::pickle(
          [](const Command& c) {
            return py::make_tuple(c.steer, c.throttle, c.brake, c.parking_brake, c.selector, c.gear,
                                  c.clutch, c.steers_by_torque, c.steering_torque);
          },
          [](const py::tuple& t) {
            Command c;
            c.steer = t[0].cast<double>();
            c.throttle = t[1].cast<double>();
            c.brake = t[2].cast<double>();
            c.parking_brake = t[3].cast<double>();
            c.selector = t[4].cast<int>();
            c.gear = t[5].cast<int>();
            c.clutch = t[6].cast<double>();
            c.steers_by_torque = t[7].cast<bool>();
            c.steering_torque = t[8].cast<double>();
            return c;
          }));
}

/// A view is made at every step of a controller in Python: a type of Python's own, whose members are
/// read where they lie, costs a third of what one of pybind11 does.
struct ViewObject {
  PyObject ob_base;
  VehicleView view;
};

PyTypeObject* view_type = nullptr;  // made with the module, never freed

Py_ssize_t place_of(double VehicleView::*field) {
  // Members of a standard-layout class: the distance from its start is the same in every object.
  const VehicleView at;
  return static_cast<Py_ssize_t>(offsetof(ViewObject, view)) +
         (reinterpret_cast<const char*>(&(at.*field)) - reinterpret_cast<const char*>(&at));
}

PyObject* describe_view(PyObject* self) {
  const VehicleView& v = reinterpret_cast<ViewObject*>(self)->view;
  return py::str(concat("View(time=", short_text(v.time), ", x=", v.x, ", y=", v.y, ", yaw=", v.yaw,
                        ", speed=", v.speed, ", yaw_rate=", v.yaw_rate, ", steer=", v.steer, ")"))
      .release()
      .ptr();
}

constexpr double VehicleView::*kViewFields[] = {&VehicleView::time,
                                                &VehicleView::x,
                                                &VehicleView::y,
                                                &VehicleView::z,
                                                &VehicleView::yaw,
                                                &VehicleView::roll,
                                                &VehicleView::pitch,
                                                &VehicleView::speed,
                                                &VehicleView::lateral_speed,
                                                &VehicleView::yaw_rate,
                                                &VehicleView::acceleration,
                                                &VehicleView::steer,
                                                &VehicleView::grade};

/// How a view is pickled: what makes it, and its numbers. pickle finds functions of Python by name,
/// but not those of pybind11.
PyObject* reduce_view(PyObject* self, PyObject* /*no arguments*/) {
  try {
    py::list numbers;
    for (const auto field : kViewFields)
      numbers.append(reinterpret_cast<ViewObject*>(self)->view.*field);
    return py::make_tuple(py::module_::import("camber._drive").attr("make_view"),
                          py::tuple(numbers))
        .release()
        .ptr();
  } catch (...) {
    set_python_error(std::current_exception());
    return nullptr;
  }
}

py::object make_view(const std::vector<double>& numbers) {
  require(numbers.size() == std::size(kViewFields), "make_view: takes ", std::size(kViewFields),
          " numbers, got ", numbers.size());
  VehicleView view;
  for (std::size_t i = 0; i < numbers.size(); ++i) view.*kViewFields[i] = numbers[i];
  return py::reinterpret_steal<py::object>(new_view(view));
}

void free_view(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

void bind_view(py::module_& module) {
  static_assert(std::is_standard_layout_v<VehicleView>);
  static PyMemberDef members[] = {
      {"time", T_DOUBLE, place_of(&VehicleView::time), READONLY, "[s]"},
      {"x", T_DOUBLE, place_of(&VehicleView::x), READONLY,
       "Midway between the axles, in the world [m]."},
      {"y", T_DOUBLE, place_of(&VehicleView::y), READONLY,
       "Midway between the axles, in the world [m]."},
      {"z", T_DOUBLE, place_of(&VehicleView::z), READONLY, "Of the ground below that point [m]."},
      {"yaw", T_DOUBLE, place_of(&VehicleView::yaw), READONLY, "To the left, not wrapped [rad]."},
      {"roll", T_DOUBLE, place_of(&VehicleView::roll), READONLY, "Right side down + [rad]."},
      {"pitch", T_DOUBLE, place_of(&VehicleView::pitch), READONLY, "Nose down + [rad]."},
      {"speed", T_DOUBLE, place_of(&VehicleView::speed), READONLY, "Forward [m/s]."},
      {"lateral_speed", T_DOUBLE, place_of(&VehicleView::lateral_speed), READONLY,
       "To the left [m/s]."},
      {"yaw_rate", T_DOUBLE, place_of(&VehicleView::yaw_rate), READONLY, "[rad/s]"},
      {"acceleration", T_DOUBLE, place_of(&VehicleView::acceleration), READONLY,
       "Forward [m/s^2]."},
      {"steer", T_DOUBLE, place_of(&VehicleView::steer), READONLY,
       "Actual mean angle of the front wheels [rad]."},
      {"grade", T_DOUBLE, place_of(&VehicleView::grade), READONLY,
       "Rise over run of the ground ahead [1]."},
      {}};
  static const char about[] =
      "What a driver sees at the end of a control interval. It does not change when time goes on.";
  static PyMethodDef methods[] = {{"__reduce__", reduce_view, METH_NOARGS, nullptr}, {}};
  PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>(about)},
                         {Py_tp_members, members},
                         {Py_tp_methods, methods},
                         {Py_tp_repr, reinterpret_cast<void*>(describe_view)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(free_view)},
                         {0, nullptr}};
  PyType_Spec spec{.name = "camber._core.View",
                   .basicsize = sizeof(ViewObject),
                   .itemsize = 0,
                   .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                   .slots = slots};
  view_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (view_type == nullptr) throw py::error_already_set();
  module.add_object("View", py::handle(reinterpret_cast<PyObject*>(view_type)));
  module.def("make_view", &make_view, py::arg("numbers"),
             "The view that has these numbers, for pickle.");
}

void bind_snapshot(py::module_& module) {
  using Wheel = VehicleSnapshot::Wheel;
  py::class_<Wheel>(module, "Wheel", "One wheel at one moment; forces are those of the ground.")
      .def_property_readonly(
          "center", [](const Wheel& w) { return to_vector(w.center); }, "In W [m].")
      .def_property_readonly(
          "axis", [](const Wheel& w) { return to_vector(w.axis); },
          "Of its spin, pointing left, in W [1].")
      .def_property_readonly(
          "contact_point", [](const Wheel& w) { return to_vector(w.contact_point); }, "In W [m].")
      .def_property_readonly(
          "force", [](const Wheel& w) { return to_vector(w.force); },
          "Total force of the ground, in W [N].")
      .def_readonly("load", &Wheel::load, "Normal force [N].")
      .def_readonly("longitudinal_force", &Wheel::longitudinal_force, "[N]")
      .def_readonly("lateral_force", &Wheel::lateral_force, "[N]")
      .def_readonly("slip", &Wheel::slip, "Longitudinal; driving is positive [1].")
      .def_readonly("slip_angle", &Wheel::slip_angle, "[rad]")
      .def_readonly("camber", &Wheel::camber, "Top outward is positive [rad].")
      .def_readonly("steer", &Wheel::steer, "Of the wheel plane against the body, left + [rad].")
      .def_readonly("spin", &Wheel::spin, "Against the hub [rad/s].")
      .def_readonly("deflection", &Wheel::deflection, "Of the tire [m].")
      .def_readonly("sinkage", &Wheel::sinkage, "Into soft ground [m].")
      .def_readonly("drive_torque", &Wheel::drive_torque, "[N m]")
      .def_readonly("brake_pressure", &Wheel::brake_pressure, "At the brake, 0 to 1.")
      .def_readonly("brake_torque", &Wheel::brake_torque, "[N m]")
      .def_readonly("travel", &Wheel::travel, "Up against the body, from design [m].")
      .def_readonly("aligning_torque", &Wheel::aligning_torque,
                    "Of the ground about the contact's normal, left + [N m].")
      .def("__repr__", [](const Wheel& w) {
        return concat("Wheel(load=", w.load, ", longitudinal_force=", w.longitudinal_force,
                      ", lateral_force=", w.lateral_force, ", slip=", w.slip,
                      ", slip_angle=", w.slip_angle, ", spin=", w.spin, ", travel=", w.travel, ")");
      });
  py::class_<VehicleSnapshot>(module, "Snapshot",
                              "Everything about a vehicle at one moment. It does not change when "
                              "time goes on.")
      .def_readonly("time", &VehicleSnapshot::time, "[s]")
      .def_property_readonly(
          "position", [](const VehicleSnapshot& s) { return to_vector(s.position); },
          "Of the vehicle's frame in W [m].")
      .def_property_readonly(
          "rotation", [](const VehicleSnapshot& s) { return to_rotation(s.rotation); },
          "Rotation matrix R_WV from the vehicle's axes to those of W [1].")
      .def_readonly("roll", &VehicleSnapshot::roll, "[rad]")
      .def_readonly("pitch", &VehicleSnapshot::pitch, "[rad]")
      .def_readonly("yaw", &VehicleSnapshot::yaw, "Not wrapped [rad].")
      .def_property_readonly(
          "velocity", [](const VehicleSnapshot& s) { return to_vector(s.velocity); },
          "Forward, left, up along level axes that follow the yaw [m/s].")
      .def_property_readonly(
          "rates", [](const VehicleSnapshot& s) { return to_vector(s.rates); },
          "About the same axes [rad/s].")
      .def_property_readonly(
          "acceleration", [](const VehicleSnapshot& s) { return to_vector(s.acceleration); },
          "Of the center of mass along the same axes [m/s^2].")
      .def_readonly("sideslip", &VehicleSnapshot::sideslip, "At the center of mass, left + [rad].")
      .def_readonly("command", &VehicleSnapshot::command, "What the driver asks for.")
      .def_readonly("steering_position", &VehicleSnapshot::steering_position,
                    "Pitman angle [rad] or rack displacement [m].")
      .def_readonly("steering_wheel_angle", &VehicleSnapshot::steering_wheel_angle, "[rad]")
      .def_readonly("steering_wheel_torque", &VehicleSnapshot::steering_wheel_torque, "[N m]")
      .def_readonly("engine_speed", &VehicleSnapshot::engine_speed, "[rad/s]")
      .def_readonly("engine_torque", &VehicleSnapshot::engine_torque, "[N m]")
      .def_readonly("gear", &VehicleSnapshot::gear, "-1 reverse, 0 neutral.")
      .def_readonly("brake_pressure", &VehicleSnapshot::brake_pressure, "0 to 1.")
      .def_readonly("wheel_list", &VehicleSnapshot::wheels, "In the order of Drive.wheel_names.")
      .def("__repr__", [](const VehicleSnapshot& s) {
        const auto list = [](const auto& v) {
          return concat("(", short_text(v[0]), ", ", short_text(v[1]), ", ", short_text(v[2]), ")");
        };
        return concat("Snapshot(time=", short_text(s.time), ", position=", list(s.position),
                      ", yaw=", short_text(s.yaw), ", velocity=", list(s.velocity),
                      ", gear=", s.gear, ")");
      });
}

void bind_state(py::module_& module) {
  py::class_<SimulationState>(module, "State",
                              "A moment from which a drive of the same scenario continues bit for "
                              "bit. It can be pickled.")
      .def_readonly("time", &SimulationState::time, "[s]")
      .def_property_readonly(
          "values", [](const SimulationState& s) { return to_array(s.values); },
          "The state as plain numbers.")
      .def("__eq__",
           [](const SimulationState& a, const SimulationState& b) {
             return a.time == b.time && a.values == b.values;
           })
      .def("__repr__",
           [](const SimulationState& s) {
             return concat("State(time=", short_text(s.time), ", ", s.values.size(), " values)");
           })
      .def(py::pickle(
          [](const SimulationState& s) {
            return py::make_tuple(s.time, py::bytes(reinterpret_cast<const char*>(s.values.data()),
                                                    s.values.size() * sizeof(double)));
          },
          [](const py::tuple& t) {
            const std::string bytes = t[1].cast<py::bytes>();
            SimulationState state;
            state.time = t[0].cast<double>();
            state.values.resize(bytes.size() / sizeof(double));
            std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(state.values.data()));
            return state;
          }));
}

}  // namespace

PyObject* new_view(const VehicleView& view) {
  auto* made = PyObject_New(ViewObject, view_type);
  if (made == nullptr) return nullptr;
  made->view = view;
  return reinterpret_cast<PyObject*>(made);
}

py::array to_vector(const math::Vec3<double>& v) { return to_array<double>({v[0], v[1], v[2]}); }

py::array to_rotation(const math::Mat3<double>& R) {
  std::vector<double> values;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) values.push_back(R(i, j));
  return to_array(std::move(values), {3, 3});
}

Command CommandWish::on(Command held) const {
  if (steer) {
    require(std::isfinite(*steer) && std::abs(*steer) <= 1.5,
            "steer: must be -1.5 to 1.5 rad, got ", *steer);
    held.steer = *steer;
  }
  if (throttle) held.throttle = in_range(*throttle, 0, 1, "throttle");
  if (brake) held.brake = in_range(*brake, 0, 1, "brake");
  if (parking_brake) held.parking_brake = in_range(*parking_brake, 0, 1, "parking_brake");
  if (selector) held.selector = static_cast<int>(in_range(*selector, -1, 3, "selector"));
  if (gear) held.gear = static_cast<int>(in_range(*gear, 0, 20, "gear"));
  return held;
}

void bind_views(py::module_& module) {
  bind_command(module);
  bind_view(module);
  bind_snapshot(module);
  bind_state(module);
}

}  // namespace camber::python
