// The rig, modes and linear models.

#include <cmath>
#include <numbers>

#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include "apps/camber/model_modes.h"
#include "camber/analysis/modes_analysis.h"
#include "camber/analysis/modes_report.h"
#include "camber/analysis/modes_text.h"
#include "camber/analysis/rig_text.h"
#include "python/src/arrays.h"
#include "python/src/models.h"

namespace camber::python {
namespace {

using analysis::ModesAnalysis;
using Range = std::optional<std::vector<double>>;

vehicle::RigRange to_range(const std::vector<double>& range, const char* name, double usual_step,
                           double unit) {
  require(range.size() == 2 || range.size() == 3, name,
          ": must be (first, last) or (first, last, step)");
  const double step = range.size() == 3 ? range[2] : usual_step;
  require(range[0] < range[1] && step > 0, name, ": needs first < last and a step > 0");
  require((range[1] - range[0]) / step < 10'000, name, ": more than 10000 values");
  return {range[0] * unit, range[1] * unit, step * unit};
}

py::tuple run_rig(const ModelText& model, const Range& travel, const Range& steer,
                  const std::optional<double>& radius, const std::string& reference) {
  std::string json, text, page;
  {
    const py::gil_scoped_release release;
    app::ModelSource source = open_source(model);
    if (!source.is_vehicle()) source.refuse_kind("rig() moves the wheels of vehicles");
    analysis::RigStudy study;
    study.car = source.read_vehicle();
    Interrupts interrupts;
    vehicle::RigRequest request;
    request.between = [&] { interrupts.check(); };
    if (travel) request.travel = to_range(*travel, "travel", 0.005, 1);
    if (radius) {
      require(*radius > 0, "radius: must be > 0 m, got ", *radius);
      request.loaded_radius = *radius;
    }
    if (steer) {
      require(study.car.steering.has_value(), "steer: vehicle \"", study.car.name,
              "\" has no steering");
      const bool is_pitman = study.car.steering->type == vehicle::SteeringType::kPitman;
      request.steering = is_pitman ? to_range(*steer, "steer", 1, std::numbers::pi / 180)
                                   : to_range(*steer, "steer", 2, 1e-3);
    }
    study.result = vehicle::run_rig(study.car, request);
    if (!reference.empty())
      study.comparisons =
          analysis::compare_with_table(reference, study.car, study.result, &study.result.notes);
    json = to_json(study);
    text = to_text(study);
    page = make_rig_report(study);
  }
  return py::make_tuple(json, text, page);
}

using Sweep = std::optional<std::pair<std::string, std::vector<double>>>;
using Response = std::optional<std::pair<std::string, std::vector<std::string>>>;

using Number = std::optional<double>;

py::tuple run_modes(const ModelText& model, bool at_equilibrium, bool is_standing,
                    const Sweep& sweep, const Response& response,
                    const std::vector<double>& frequencies, Number speed,
                    Number lateral_acceleration, Number radius) {
  std::string json, text, page;
  {
    const py::gil_scoped_release release;
    app::ModesChoices choices{.at_equilibrium = at_equilibrium,
                              .is_standing = is_standing,
                              .speed = speed,
                              .lateral_acceleration = lateral_acceleration,
                              .radius = radius};
    Interrupts interrupts;
    if (sweep)
      choices.request.sweep =
          analysis::ModesRequest::Sweep{sweep->first, sweep->second, [&] { interrupts.check(); }};
    if (response)
      choices.request.responses =
          analysis::ModesRequest::Responses{response->first, response->second, frequencies};
    app::ModelSource source = open_source(model);
    const ModesAnalysis found =
        app::analyze_model_modes(choices, Overrides(model.overrides), &source);
    json = to_json(found);
    text = to_text(found);
    page = make_modes_report(found);
  }
  return py::make_tuple(json, text, page);
}

/// E x' = A x + B u, y = C x + D u of a Lagrangian model, or of a scenario's vehicle.
py::dict linearize(const ModelText& model, Number speed, Number lateral_acceleration,
                   Number radius) {
  ModesAnalysis found;
  {
    const py::gil_scoped_release release;
    app::ModelSource source = open_source(model);
    found = app::analyze_model_modes({.speed = speed,
                                      .lateral_acceleration = lateral_acceleration,
                                      .radius = radius,
                                      .request = {.has_matrices = true}},
                                     Overrides(model.overrides), &source);
  }
  const ModesAnalysis::Matrices& m = found.matrices.value();
  const Eigen::Index n = m.A.rows();
  py::dict result;
  result["E"] = to_matrix(m.E.size() == 0 ? Eigen::MatrixXd::Identity(n, n).eval() : m.E);
  result["A"] = to_matrix(m.A);
  result["B"] = to_matrix(m.B);
  result["C"] = to_matrix(m.C);
  result["D"] = to_matrix(m.D);
  result["states"] = found.states;
  result["inputs"] = m.inputs;
  result["outputs"] = m.outputs;
  return result;
}

}  // namespace

void bind_analysis(py::module_& module) {
  module.def("run_rig", &run_rig, py::arg("source"), py::arg("travel") = py::none(),
             py::arg("steer") = py::none(), py::arg("radius") = py::none(),
             py::arg("reference") = "", "What `camber rig` prints: as JSON, as text, as a page.");
  module.def("run_modes", &run_modes, py::arg("source"), py::arg("equilibrium") = false,
             py::arg("standing") = false, py::arg("sweep") = py::none(),
             py::arg("response") = py::none(), py::arg("frequencies") = std::vector<double>{},
             py::arg("speed") = py::none(), py::arg("lateral_acceleration") = py::none(),
             py::arg("radius") = py::none(),
             "What `camber modes` prints: as JSON, as text, as a page.");
  module.def(
      "linearize", &linearize, py::arg("source"), py::arg("speed") = py::none(),
      py::arg("lateral_acceleration") = py::none(), py::arg("radius") = py::none(),
      "E x' = A x + B u, y = C x + D u of a Lagrangian model, or of a scenario's vehicle about "
      "a steady state.");
}

}  // namespace camber::python
