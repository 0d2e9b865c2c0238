// Mechanisms: accelerations, mass matrix, Jacobians, over batches of states.

#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include <pybind11/stl.h>

#include "camber/dynamics/standing_vehicle.h"
#include "camber/multibody/forces.h"
#include "camber/multibody/inverse_dynamics.h"
#include "camber/multibody/mass_matrix.h"
#include "python/src/arrays.h"
#include "python/src/models.h"

namespace camber::python {
namespace {

using multibody::Formulation;
using multibody::MechanismDynamics;

/// One mechanism in one formulation. Threads take turns: see for_each_state().
class Dynamics {
 public:
  Dynamics(const ModelText& model, const std::string& method, bool is_standing) : method_(method) {
    app::ModelSource source = open_source(model);
    if (!source.is_mechanism())
      source.refuse_kind("dynamics() takes mechanisms, vehicles and robots in URDF");
    if (method == "generated") {
      require(source.is_vehicle(), "method: generated is for vehicles");
      if (!is_standing) source.check_generated();
      const auto vehicle = source.read_vehicle_mechanism(is_standing);
      generated_ = std::make_unique<dynamics::StandingVehicle>(vehicle);
      const dynamics::GeneratedChassis& chassis = generated_->chassis();
      q_ = {chassis.initial_q().begin(), chassis.initial_q().end()};
      v_ = {chassis.initial_v().begin(), chassis.initial_v().end()};
      std::vector<std::string> names = chassis.names();
      for (std::string& name : names)  // "speed of front_left_spin" is front_left_spin here
        if (name.starts_with(kSpeedOf)) name.erase(0, kSpeedOf.size());
      q_names_.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(q_.size()));
      v_names_.assign(names.begin() + static_cast<std::ptrdiff_t>(q_.size()), names.end());
      return;
    }
    const auto mechanism = source.read_mechanism(is_standing);
    dynamics_.emplace(make_dynamics(source, mechanism, formulation_named(method)));
    const auto& q = dynamics_->initial_q();
    const auto& v = dynamics_->initial_v();
    q_.assign(q.data(), q.data() + q.size());
    v_.assign(v.data(), v.data() + v.size());
    q_names_ = dynamics_->coordinates().q_names;
    v_names_ = dynamics_->coordinates().v_names;
    for (const auto& body : dynamics_->tree().mechanism.bodies) bodies_.push_back(body.name);
  }

  const std::string& method() const { return method_; }
  std::size_t nq() const { return q_.size(); }
  std::size_t nv() const { return v_.size(); }
  const std::vector<double>& initial_q() const { return q_; }
  const std::vector<double>& initial_v() const { return v_; }
  const std::vector<std::string>& q_names() const { return q_names_; }
  const std::vector<std::string>& v_names() const { return v_names_; }
  const std::vector<std::string>& bodies() const { return bodies_; }
  int degrees_of_freedom() const {
    return dynamics_ ? dynamics_->mobility().degrees_of_freedom : static_cast<int>(nv());
  }

  void calc_accelerations(double t, std::span<const double> q, std::span<const double> v,
                          std::span<double> out) {
    const bool is_ok = generated_ ? generated_->calc_accelerations(t, q, v, out)
                                  : dynamics_->calc_accelerations(t, q, v, out);
    if (!is_ok)
      throw std::runtime_error(
          concat("accelerations: ", dynamics_ ? dynamics_->why() : std::string("a loop is open")));
  }
  void calc_jacobian(double t, std::span<const double> q, std::span<const double> v,
                     std::span<double> out) {
    require(dynamics_.has_value(), "jacobian: not for generated code; use ce");
    if (!dynamics_->calc_jacobian(t, q, v, out))
      throw std::runtime_error("jacobian: " + dynamics_->why());
  }
  void project(double t, std::span<double> q, std::span<double> v) {
    require(dynamics_.has_value(), "project: generated code has independent coordinates alone");
    if (!dynamics_->project(t, q, v)) throw std::runtime_error("project: " + dynamics_->why());
  }
  multibody::Observation observe(double t, std::span<const double> q, std::span<const double> v) {
    require(dynamics_.has_value(), "observe: not for generated code; use ce");
    multibody::Observation seen;
    dynamics_->observe(t, q, v, &seen);
    return seen;
  }
  /// Calls calc(i) for each state, without Python, which other threads may hold meanwhile. Ctrl-C
  /// ends it.
  template <class Calc>
  void for_each_state(std::size_t count, const Calc& calc) {
    const py::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    Interrupts interrupts;
    for (std::size_t i = 0; i < count; ++i) {
      calc(i);
      interrupts.check();
    }
  }
  const multibody::Model<double>& tree_model(const char* what) const {
    require(dynamics_.has_value() && dynamics_->formulation() != Formulation::kFa, what,
            ": is of the joints' coordinates; use ce, ta or uk");
    return dynamics_->model();
  }

 private:
  static constexpr std::string_view kSpeedOf = "speed of ";

  static Formulation formulation_named(const std::string& name) {
    for (const Formulation f :
         {Formulation::kCe, Formulation::kTa, Formulation::kFa, Formulation::kUk})
      if (name == to_text(f)) return f;
    throw std::invalid_argument(
        concat("method: \"", name, "\" is not one of ce, ta, fa, uk, generated"));
  }

  std::string method_;
  std::optional<MechanismDynamics> dynamics_;
  std::unique_ptr<dynamics::StandingVehicle> generated_;
  std::vector<double> q_, v_;
  std::vector<std::string> q_names_, v_names_, bodies_;
  std::mutex mutex_;  // of the workspaces
};

/// States that a caller hands over: one, or a batch of rows.
struct States {
  States(const Numbers& array, std::size_t row_width, const char* name) : values(span_of(array)) {
    const bool is_one = array.ndim() == 1;
    require((is_one || array.ndim() == 2) &&
                static_cast<std::size_t>(array.shape(array.ndim() - 1)) == row_width,
            name, ": must be (", row_width, ") or (n, ", row_width, "), got ", shape_text(array));
    count = is_one ? 1 : static_cast<std::size_t>(array.shape(0));
    is_batch = !is_one;
    width = row_width;
    require_finite(array, name);
  }
  static std::string shape_text(const Numbers& array) {
    std::string text = "(";
    for (int i = 0; i < array.ndim(); ++i)
      text += concat(i > 0 ? ", " : "", static_cast<long long>(array.shape(i)));
    return text + ")";
  }
  std::span<const double> row(std::size_t i) const { return values.subspan(i * width, width); }

  std::span<const double> values;
  std::size_t count = 0, width = 0;
  bool is_batch = false;
};

void require_time(double t) { require(std::isfinite(t), "t: must be finite [s], got ", t); }

void require_same(const States& q, const States& v) {
  require(q.count == v.count && q.is_batch == v.is_batch, "q has ", q.count, " states, v has ",
          v.count);
}

std::vector<py::ssize_t> shape_of(const States& states, std::vector<py::ssize_t> rest) {
  if (states.is_batch) rest.insert(rest.begin(), static_cast<py::ssize_t>(states.count));
  return rest;
}

VectorX<double> to_eigen(std::span<const double> values) {
  return Eigen::Map<const VectorX<double>>(values.data(), static_cast<Eigen::Index>(values.size()));
}

py::array accelerations(Dynamics& d, const Numbers& q_array, const Numbers& v_array, double t) {
  const States q(q_array, d.nq(), "q"), v(v_array, d.nv(), "v");
  require_same(q, v);
  require_time(t);
  std::vector<double> out(q.count * d.nv());
  d.for_each_state(q.count, [&](std::size_t i) {
    d.calc_accelerations(t, q.row(i), v.row(i), std::span(out).subspan(i * d.nv(), d.nv()));
  });
  return to_array(std::move(out), shape_of(q, {static_cast<py::ssize_t>(d.nv())}));
}

py::array jacobian(Dynamics& d, const Numbers& q_array, const Numbers& v_array, double t) {
  const States q(q_array, d.nq(), "q"), v(v_array, d.nv(), "v");
  require_same(q, v);
  require_time(t);
  const std::size_t rows = d.nv(), columns = d.nq() + d.nv();
  std::vector<double> out(q.count * rows * columns), J(rows * columns);
  d.for_each_state(q.count, [&](std::size_t i) {
    d.calc_jacobian(t, q.row(i), v.row(i), J);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) out[(i * rows + r) * columns + c] = J[c * rows + r];
  });
  return to_array(std::move(out),
                  shape_of(q, {static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)}));
}

py::array mass_matrix(Dynamics& d, const Numbers& q_array) {
  const States q(q_array, d.nq(), "q");
  const auto& model = d.tree_model("mass_matrix");
  const auto n = static_cast<std::size_t>(model.nv);
  std::vector<double> out(q.count * n * n);
  multibody::PositionKinematics<double> pos(model);
  MatrixX<double> M;
  d.for_each_state(q.count, [&](std::size_t i) {
    calc_position_kinematics(model, to_eigen(q.row(i)), &pos);
    calc_mass_matrix(model, pos, &M);
    std::copy(M.data(), M.data() + n * n, out.begin() + static_cast<std::ptrdiff_t>(i * n * n));
  });
  const auto size = static_cast<py::ssize_t>(n);
  return to_array(std::move(out), shape_of(q, {size, size}));
}

py::array bias(Dynamics& d, const Numbers& q_array, const Numbers& v_array) {
  const States q(q_array, d.nq(), "q"), v(v_array, d.nv(), "v");
  require_same(q, v);
  const auto& model = d.tree_model("bias");
  std::vector<double> out;
  multibody::PositionKinematics<double> pos(model);
  multibody::VelocityKinematics<double> vel(model);
  multibody::Forces<double> forces(model);
  const VectorX<double> rest = VectorX<double>::Zero(model.nv);
  VectorX<double> tau;
  std::vector<multibody::Spatial<double>> carried;
  d.for_each_state(q.count, [&](std::size_t i) {
    const auto q_i = to_eigen(q.row(i)), v_i = to_eigen(v.row(i));
    calc_position_kinematics(model, q_i, &pos);
    calc_velocity_kinematics(model, pos, v_i, &rest, &vel);
    forces.clear();
    calc_forces(model, pos, vel, q_i, v_i, &forces);
    calc_inverse_dynamics(model, pos, vel, forces, &carried, &tau);
    out.insert(out.end(), tau.data(), tau.data() + tau.size());
  });
  return to_array(std::move(out), shape_of(q, {static_cast<py::ssize_t>(model.nv)}));
}

py::tuple project(Dynamics& d, const Numbers& q_array, const Numbers& v_array, double t) {
  const States q(q_array, d.nq(), "q"), v(v_array, d.nv(), "v");
  require_same(q, v);
  require_time(t);
  std::vector<double> qs(q.values.begin(), q.values.end()), vs(v.values.begin(), v.values.end());
  d.for_each_state(q.count, [&](std::size_t i) {
    d.project(t, std::span(qs).subspan(i * d.nq(), d.nq()),
              std::span(vs).subspan(i * d.nv(), d.nv()));
  });
  return py::make_tuple(to_array(std::move(qs), shape_of(q, {static_cast<py::ssize_t>(d.nq())})),
                        to_array(std::move(vs), shape_of(v, {static_cast<py::ssize_t>(d.nv())})));
}

py::dict observe(Dynamics& d, const Numbers& q_array, const Numbers& v_array, double t) {
  const States q(q_array, d.nq(), "q"), v(v_array, d.nv(), "v");
  require_time(t);
  require(!q.is_batch && !v.is_batch, "observe: takes one state, not a batch");
  multibody::Observation seen;
  d.for_each_state(1, [&](std::size_t i) { seen = d.observe(t, q.row(i), v.row(i)); });
  py::dict result;
  const auto bodies = static_cast<py::ssize_t>(seen.poses.size() / 7);
  result["poses"] = to_array(seen.poses, {bodies, 7});
  if (!seen.reactions.empty())
    result["reactions"] =
        to_array(seen.reactions, {static_cast<py::ssize_t>(seen.reactions.size() / 6), 6});
  result["accelerations"] = to_array(seen.v_dot);
  result["position_error"] = seen.position_error;
  result["speed_error"] = seen.speed_error;
  result["kinetic_energy"] = seen.kinetic_energy;
  result["gravity_energy"] = seen.gravity_energy;
  result["elastic_energy"] = seen.elastic_energy;
  return result;
}

}  // namespace

void bind_mechanism(py::module_& module) {
  py::class_<Dynamics>(module, "Dynamics", "A mechanism in one formulation.")
      .def(py::init<const ModelText&, const std::string&, bool>(), py::arg("source"),
           py::arg("method"), py::arg("standing"), py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("method", &Dynamics::method, "\"ce\", \"ta\", \"fa\", ...")
      .def_property_readonly("nq", &Dynamics::nq, "Length of q.")
      .def_property_readonly("nv", &Dynamics::nv, "Length of v.")
      .def_property_readonly("degrees_of_freedom", &Dynamics::degrees_of_freedom,
                             "Independent speeds, driven ones not counted.")
      .def_property_readonly("q_names", &Dynamics::q_names, "Names of the coordinates.")
      .def_property_readonly("v_names", &Dynamics::v_names, "Names of the speeds.")
      .def_property_readonly("bodies", &Dynamics::bodies, "Names of the bodies; the world first.")
      .def_property_readonly(
          "initial_q", [](const Dynamics& d) { return to_array(d.initial_q()); },
          "Coordinates at the start, loops closed.")
      .def_property_readonly(
          "initial_v", [](const Dynamics& d) { return to_array(d.initial_v()); },
          "Speeds at the start.")
      .def("accelerations", &accelerations, py::arg("q"), py::arg("v"), py::arg("t"))
      .def("jacobian", &jacobian, py::arg("q"), py::arg("v"), py::arg("t"))
      .def("mass_matrix", &mass_matrix, py::arg("q"))
      .def("bias", &bias, py::arg("q"), py::arg("v"))
      .def("project", &project, py::arg("q"), py::arg("v"), py::arg("t"))
      .def("observe", &observe, py::arg("q"), py::arg("v"), py::arg("t"));
}

}  // namespace camber::python
