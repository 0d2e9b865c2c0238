// Systems of bodies as an analyst describes them: frames, points, bodies, forces, constraints.

#include <pybind11/stl.h>

#include "camber/analysis/modes_analysis.h"
#include "camber/analysis/modes_report.h"
#include "camber/analysis/modes_text.h"
#include "camber/core/require.h"
#include "camber/lagrange/derivation_text.h"
#include "camber/lagrange/equations.h"
#include "camber/lagrange/geometry.h"
#include "camber/lagrange/model_file.h"
#include "camber/run/lagrangian_run.h"
#include "python/src/arrays.h"
#include "python/src/expressions.h"
#include "python/src/run_data.h"

namespace camber::python {
namespace {

using lagrange::Frame;
using lagrange::LagrangianModel;
using lagrange::Point;
using lagrange::Vector;
using lagrange::Vector3;
using symbolic::Expr;

Vector3 to_vector3(const py::iterable& given) {
  const std::vector<Expr> list = to_exprs(given);
  require(list.size() == 3, "expected three components, got ", list.size());
  return {list[0], list[1], list[2]};
}

std::vector<Expr> to_list(const Vector3& v) { return {v[0], v[1], v[2]}; }

lagrange::Axis axis_named(const std::string& name) {
  require(name == "x" || name == "y" || name == "z", "axis: \"", name, "\" is not one of x, y, z");
  return name == "x" ? lagrange::Axis::kX : name == "y" ? lagrange::Axis::kY : lagrange::Axis::kZ;
}

lagrange::Velocity velocity_named(const std::string& name) {
  using lagrange::Velocity;
  if (name == "absolute") return Velocity::kAbsolute;
  if (name == "relative") return Velocity::kRelative;
  require(name == "eulerian", "kind: \"", name, "\" is not one of absolute, relative, eulerian");
  return Velocity::kEulerian;
}

template <class Matrix>
std::vector<std::vector<Expr>> to_rows(const Matrix& m) {
  std::vector<std::vector<Expr>> rows;
  for (int i = 0; i < m.rows(); ++i) {
    rows.emplace_back();
    for (int j = 0; j < m.cols(); ++j) rows.back().push_back(m(i, j));
  }
  return rows;
}

/// NotImplemented for anything but an expression or a number.
py::object with_factor(const Vector& v, const py::object& factor) {
  const auto s = try_expr(factor);
  if (!s) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
  return py::cast(*s * v);
}

void bind_geometry(py::module_& m) {
  // All names first, so that signatures show them.
  py::class_<Frame> frame(m, "Frame",
                          "A reference frame, kept as the rigid motion from the ground.");
  py::class_<Vector> vector(m, "Vector",
                            "A free vector with components along the axes of a frame.");
  py::class_<Point> point(m, "Point", "A point with coordinates in a frame [m].");
  frame.def(py::init<>(), "The ground.")
      .def(
          "__mul__", [](const Frame& a, const Frame& b) { return a * b; }, py::is_operator())
      .def(
          "__eq__", [](const Frame& a, const Frame& b) { return a == b; }, py::is_operator())
      .def(
          "translate",
          [](const Frame& f, const py::object& x, const py::object& y, const py::object& z) {
            return f * lagrange::translate(to_expr(x), to_expr(y), to_expr(z));
          },
          py::arg("x"), py::arg("y"), py::arg("z"), "Moved along its own axes [m].")
      .def(
          "rotate",
          [](const Frame& f, const std::string& axis, const py::object& angle) {
            return f * lagrange::rotate(axis_named(axis), to_expr(angle));
          },
          py::arg("axis"), py::arg("angle"), "Turned about one of its own axes [rad].")
      .def_property_readonly(
          "inverse", [](const Frame& f) { return lagrange::inverse(f); },
          "The motion from this frame to the ground.")
      .def_property_readonly(
          "origin", [](const Frame& f) { return lagrange::origin(f); }, "Its origin as a point.")
      .def_property_readonly(
          "rotation", [](const Frame& f) { return to_rows(f.rotation()); },
          "Rows of the rotation matrix to the ground's axes.")
      .def_property_readonly(
          "matrix", [](const Frame& f) { return to_rows(f.matrix()); },
          "Rows of the 4x4 matrix of the motion.")
      .def_property_readonly(
          "angular_velocity", [](const Frame& f) { return lagrange::angular_velocity(f); },
          "Against the ground, in its own axes [rad/s].")
      .def(
          "point",
          [](const Frame& f, const py::object& x, const py::object& y, const py::object& z) {
            return Point{f, {to_expr(x), to_expr(y), to_expr(z)}};
          },
          py::arg("x"), py::arg("y"), py::arg("z"), "A point of the frame [m].")
      .def(
          "vector",
          [](const Frame& f, const py::object& x, const py::object& y, const py::object& z) {
            return Vector{f, {to_expr(x), to_expr(y), to_expr(z)}};
          },
          py::arg("x"), py::arg("y"), py::arg("z"), "A vector along the frame's axes.")
      .def_property_readonly(
          "anchored", [](const Frame& f) { return lagrange::anchored_at(f); },
          "The ground's axes at the origin of this frame, which moves there.");
  vector
      .def_property_readonly(
          "frame", [](const Vector& v) { return v.frame; }, "Whose axes it has.")
      .def_property_readonly(
          "components", [](const Vector& v) { return to_list(v.components); },
          "Along the axes of the frame.")
      .def_property_readonly(
          "x", [](const Vector& v) { return Expr(v.components[0]); }, "Along x.")
      .def_property_readonly(
          "y", [](const Vector& v) { return Expr(v.components[1]); }, "Along y.")
      .def_property_readonly(
          "z", [](const Vector& v) { return Expr(v.components[2]); }, "Along z.")
      .def(
          "__add__", [](const Vector& a, const Vector& b) { return a + b; }, py::is_operator())
      .def(
          "__sub__", [](const Vector& a, const Vector& b) { return a - b; }, py::is_operator())
      .def("__neg__", [](const Vector& a) { return -a; })
      .def(
          "__mul__", [](const Vector& a, const py::object& s) { return with_factor(a, s); },
          py::is_operator())
      .def(
          "__rmul__", [](const Vector& a, const py::object& s) { return with_factor(a, s); },
          py::is_operator())
      .def(
          "dot", [](const Vector& a, const Vector& b) { return lagrange::dot(a, b); },
          py::arg("other"), "Inner product.")
      .def(
          "cross", [](const Vector& a, const Vector& b) { return lagrange::cross(a, b); },
          py::arg("other"), "Vector product.")
      .def(
          "to", [](const Vector& v, const Frame& f) { return lagrange::project(v, f); },
          py::arg("frame"), "The same vector along the axes of another frame.")
      .def(
          "rate",
          [](const Vector& v, const std::string& kind) {
            return lagrange::velocity(v, velocity_named(kind));
          },
          py::arg("kind") = "absolute", "Its rate of change.");
  point
      .def_property_readonly(
          "frame", [](const Point& p) { return p.frame; }, "It is given in.")
      .def_property_readonly(
          "coordinates", [](const Point& p) { return to_list(p.coordinates); }, "In its frame [m].")
      .def(
          "__add__", [](const Point& a, const Vector& b) { return a + b; }, py::is_operator())
      .def(
          "__sub__", [](const Point& a, const Vector& b) { return a - b; }, py::is_operator())
      .def(
          "__sub__", [](const Point& a, const Point& b) { return a - b; }, py::is_operator())
      .def(
          "to", [](const Point& p, const Frame& f) { return lagrange::project(p, f); },
          py::arg("frame"), "The same point in another frame.")
      .def(
          "velocity",
          [](const Point& p, const std::string& kind, const std::optional<Frame>& axes) {
            return axes ? lagrange::velocity(p, velocity_named(kind), *axes)
                        : lagrange::velocity(p, velocity_named(kind));
          },
          py::arg("kind") = "absolute", py::arg("axes") = py::none(),
          "Its velocity [m/s]: \"absolute\", \"relative\" to its frame, or \"eulerian\".");
}

Frame find_body_frame(const LagrangianModel& model, const std::string& name) {
  if (name.empty() || name == "ground") return Frame();
  for (const lagrange::Body& body : model.system.bodies)
    if (body.name == name) return body.frame;
  throw std::invalid_argument(concat("there is no body \"", name, "\""));
}

lagrange::DerivationOptions::Method method_named(const std::string& name) {
  using Method = lagrange::DerivationOptions::Method;
  if (name == "momentum") return Method::kMomentum;
  if (name == "lagrangian") return Method::kLagrangian;
  require(name == "vakonomic", "method: \"", name,
          "\" is not one of momentum, lagrangian, vakonomic");
  return Method::kVakonomic;
}

/// A copy whose parameters have other values.
LagrangianModel with_values(LagrangianModel model, const std::map<std::string, double>& values) {
  for (const auto& [name, value] : values) {
    bool is_found = false;
    for (lagrange::Parameter& parameter : model.system.parameters) {
      if (parameter.symbol.name() != name) continue;
      parameter.value = value;
      is_found = true;
    }
    require(is_found, "there is no parameter \"", name, "\"");
  }
  return model;
}

void bind_system(py::module_& m) {
  using Values = std::map<std::string, double>;
  py::class_<LagrangianModel>(m, "SystemCore", "A system of bodies.")
      .def(py::init([](const std::string& name) {
             LagrangianModel model;
             model.system.name = name;
             return model;
           }),
           py::arg("name"))
      .def(
          "coordinate",
          [](LagrangianModel& s, const std::string& name) { return s.system.add_coordinate(name); },
          py::arg("name"))
      .def(
          "set_gravity",
          [](LagrangianModel& s, const py::iterable& g) { s.system.gravity = to_vector3(g); },
          py::arg("gravity"))
      .def(
          "parameter",
          [](LagrangianModel& s, const std::string& name, const py::object& value) {
            const Expr symbol = symbolic::symbol(name);
            s.system.parameters.push_back({symbol, to_expr(value)});
            return symbol;
          },
          py::arg("name"), py::arg("value"))
      .def(
          "input",
          [](LagrangianModel& s, const std::string& name) {
            const Expr variable = symbolic::variable(name);
            s.system.inputs.push_back(variable);
            return variable;
          },
          py::arg("name"))
      .def(
          "output",
          [](LagrangianModel& s, const std::string& name, const py::object& e) {
            s.system.outputs.push_back({name, to_expr(e)});
          },
          py::arg("name"), py::arg("expression"))
      .def(
          "body",
          [](LagrangianModel& s, const std::string& name, const Point& center,
             const py::object& mass, const py::iterable& inertia, const py::iterable& products) {
            const Vector3 I = to_vector3(inertia), C = to_vector3(products);
            s.system.bodies.push_back(lagrange::make_body(name, center, to_expr(mass), I[0], I[1],
                                                          I[2], C[0], C[1], C[2]));
          },
          py::arg("name"), py::arg("center"), py::arg("mass"), py::arg("inertia"),
          py::arg("products"))
      .def(
          "force",
          [](LagrangianModel& s, const std::string& name, const Vector& force, const Point& point,
             const std::string& acting, const std::string& reacting) {
            s.system.forces.push_back(
                {name, force, point, find_body_frame(s, acting), find_body_frame(s, reacting)});
          },
          py::arg("name"), py::arg("force"), py::arg("point"), py::arg("acting"),
          py::arg("reacting"))
      .def(
          "torque",
          [](LagrangianModel& s, const std::string& name, const Vector& torque,
             const std::string& acting, const std::string& reacting) {
            s.system.torques.push_back(
                {name, torque, find_body_frame(s, acting), find_body_frame(s, reacting)});
          },
          py::arg("name"), py::arg("torque"), py::arg("acting"), py::arg("reacting"))
      .def(
          "generalized_force",
          [](LagrangianModel& s, const std::string& name, const Expr& speed,
             const py::object& value) {
            s.system.generalized_forces.push_back({name, speed, to_expr(value)});
          },
          py::arg("name"), py::arg("speed"), py::arg("value"))
      .def(
          "potential",
          [](LagrangianModel& s, const std::string& name, const py::object& energy) {
            s.system.potentials.push_back({name, to_expr(energy)});
          },
          py::arg("name"), py::arg("energy"))
      .def(
          "constraint",
          [](LagrangianModel& s, const std::string& name, const py::object& e, bool is_holonomic,
             const py::object& rate) {
            using Kind = lagrange::Constraint::Kind;
            s.system.constraints.push_back({name, to_expr(e),
                                            is_holonomic ? Kind::kHolonomic : Kind::kNonholonomic,
                                            to_expr(rate)});
          },
          py::arg("name"), py::arg("expression"), py::arg("holonomic"), py::arg("rate"))
      .def(
          "extra",
          [](LagrangianModel& s, const std::string& name, const py::object& equation) {
            s.system.extra.push_back({symbolic::variable(name), to_expr(equation)});
          },
          py::arg("name"), py::arg("equation"))
      .def(
          "set_initial",
          [](LagrangianModel& s, const py::dict& values) { s.initial = to_substitution(values); },
          py::arg("values"))
      .def(
          "set_linearization",
          [](LagrangianModel& s, const py::dict& motion, const py::iterable& independent,
             const py::dict& moving_frame, const py::dict& relations) {
            lagrange::LinearizationSpec spec;
            spec.motion = to_substitution(motion);
            spec.independent = to_exprs(independent);
            for (const auto& [rate, e] : moving_frame)
              spec.moving_frame.push_back({to_expr(rate), to_expr(e)});
            spec.relations = to_substitution(relations);
            s.linearization = std::move(spec);
          },
          py::arg("motion"), py::arg("independent"), py::arg("moving_frame"), py::arg("relations"))
      .def(
          "derive",
          [](const LagrangianModel& s, const std::string& method) {
            const auto how = method_named(method);
            py::dict result;
            lagrange::Equations found;
            {
              const py::gil_scoped_release release;
              found = lagrange::derive(s.system, {how});
            }
            result["coordinates"] = found.coordinates;
            result["speeds"] = found.speeds;
            result["multipliers"] = found.multipliers;
            result["dynamics"] = found.dynamics;
            result["constraints"] = found.constraints;
            result["velocity_constraints"] = found.velocity_constraints;
            std::vector<Expr> extra;
            for (const auto& one : found.extra) extra.push_back(one.equation);
            result["extra"] = extra;
            return result;
          },
          py::arg("method"))
      .def(
          "text",
          [](const LagrangianModel& s, bool is_linear, bool is_latex) {
            const py::gil_scoped_release release;
            const lagrange::Equations equations = lagrange::derive(s.system);
            return to_text(is_linear ? describe_linear(s, equations) : describe(s, equations),
                           is_latex ? lagrange::Notation::kLatex : lagrange::Notation::kText);
          },
          py::arg("linear"), py::arg("latex"))
      .def("kinetic_energy",
           [](const LagrangianModel& s) {
             Expr sum = 0;
             for (const lagrange::Body& body : s.system.bodies)
               sum += lagrange::kinetic_energy(body);
             return sum;
           })
      .def("gravity_energy",
           [](const LagrangianModel& s) {
             Expr sum = 0;
             for (const lagrange::Body& body : s.system.bodies)
               sum += lagrange::gravity_energy(body, s.system.gravity);
             return sum;
           })
      .def(
          "modes",
          [](const LagrangianModel& s, const Values& values,
             const std::optional<std::pair<std::string, std::vector<double>>>& sweep,
             const std::optional<std::pair<std::string, std::vector<std::string>>>& response,
             const std::vector<double>& frequencies) {
            std::string json, text, page;
            {
              const py::gil_scoped_release release;
              analysis::ModesRequest request;
              Interrupts interrupts;
              if (sweep)
                request.sweep = analysis::ModesRequest::Sweep{sweep->first, sweep->second,
                                                              [&] { interrupts.check(); }};
              if (response)
                request.responses = analysis::ModesRequest::Responses{
                    response->first, response->second, frequencies};
              const auto found = analysis::analyze_modes(with_values(s, values), request);
              json = to_json(found);
              text = to_text(found);
              page = make_modes_report(found);
            }
            return py::make_tuple(json, text, page);
          },
          py::arg("values"), py::arg("sweep"), py::arg("response"), py::arg("frequencies"))
      .def(
          "linearize",
          [](const LagrangianModel& s, const Values& values) {
            std::optional<lagrange::StateSpaceProgram> program;
            lagrange::NumericStateSpace found;
            {
              const py::gil_scoped_release release;
              const LagrangianModel model = with_values(s, values);
              program.emplace(
                  make_state_space(make_linear_model(model.system, model.linearization)));
              found = program->evaluate(parameter_values(model.system));
            }
            py::dict result;
            result["E"] = to_matrix(found.E);
            result["A"] = to_matrix(found.A);
            result["B"] = to_matrix(found.B);
            result["C"] = to_matrix(found.C);
            result["D"] = to_matrix(found.D);
            result["states"] = program->state_names();
            result["inputs"] = program->input_names();
            result["outputs"] = program->output_names();
            return result;
          },
          py::arg("values"))
      .def(
          "run",
          [](const LagrangianModel& s, const Values& values, double duration,
             std::optional<double> sample, std::optional<double> tolerance,
             const std::string& folder) {
            run::RunOptions options{.duration = duration, .method = run::RunMethod::kDopri};
            options.sample_interval = sample.value_or(options.sample_interval);
            options.tolerance = tolerance.value_or(options.tolerance);
            std::unique_ptr<run::LagrangianRun> runnable;
            {
              const py::gil_scoped_release release;
              runnable = std::make_unique<run::LagrangianRun>(options, with_values(s, values));
            }
            const run::RunSource source{
                .model_file = s.system.name, .model_text = "", .program = program_name()};
            return run_to_end(source, runnable.get(), folder);
          },
          py::arg("values"), py::arg("duration"), py::arg("sample"), py::arg("tolerance"),
          py::arg("folder"));
}

}  // namespace

void bind_systems(py::module_& module) {
  py::module_ m = module.def_submodule("lagrange", "Frames, points, bodies, forces.");
  bind_geometry(m);
  bind_system(m);
}

}  // namespace camber::python
