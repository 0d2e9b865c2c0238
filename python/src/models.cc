// Models of all kinds: what they are, whether they are sound, what they do over time.

#include "python/src/models.h"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include "apps/camber/check_file.h"
#include "apps/camber/model_run.h"
#include "camber/codegen/write.h"
#include "camber/core/require.h"
#include "camber/figures/key_figures.h"
#include "camber/lagrange/derivation_text.h"
#include "camber/mechanism_code/write_vehicle.h"
#include "camber/scenario/build_scenario.h"
#include "python/src/fresh_parts.h"
#include "python/src/run_data.h"

namespace camber::python {

app::ModelSource open_source(const ModelText& model) {
  const Overrides overrides(model.overrides);
  return model.text ? app::ModelSource(model.path, *model.text, overrides)
                    : app::ModelSource(model.path, overrides);
}

namespace {

using Json = nlohmann::ordered_json;

/// Reads it, and everything that a scenario names. Throws ModelFileError.
void validate(const ModelText& model, const std::shared_ptr<FreshParts>& parts) {
  const py::gil_scoped_release release;
  app::ModelSource source = open_source(model);
  source.require_known_kind();
  const std::string& kind = source.kind();
  if (kind == "scenario") {
    parts->build(source.read_scenario());  // in some 20 ms, which a run then saves
  } else if (source.is_mechanism()) {
    source.read_mechanism();
  } else if (kind == "lagrangian") {
    source.read_lagrangian();
  } else if (kind == "rolling_wheel") {
    source.read_wheel();
  } else if (kind == "terrain") {
    source.read_terrain();
  } else if (kind == "tire") {
    source.read_tire();
  } else if (kind == "equipment") {
    source.read_equipment();
  } else if (kind == "plan") {
    source.read_plan();
  }
}

RunData run_model(const ModelText& model, const std::string& folder, const app::RunChoices& choices,
                  std::vector<std::string>* notes) {
  app::ModelRun made;
  {
    const py::gil_scoped_release release;
    app::ModelSource source = open_source(model);
    made = app::make_model_run(choices, model.overrides, &source);
  }
  *notes = made.notes;
  return run_to_end(made.source, made.run.get(), folder);
}

lagrange::DerivationOptions::Method method_named(const std::string& name) {
  using Method = lagrange::DerivationOptions::Method;
  if (name == "momentum") return Method::kMomentum;
  if (name == "lagrangian") return Method::kLagrangian;
  require(name == "vakonomic", "method: \"", name,
          "\" is not one of momentum, lagrangian, vakonomic");
  return Method::kVakonomic;
}

py::tuple derive(const ModelText& model, const std::string& method, bool is_linear,
                 const std::string& notation, const std::string& language) {
  require(notation == "text" || notation == "latex", "notation: \"", notation,
          "\" is not one of text, latex");
  require(language.empty() || language == "c" || language == "cpp" || language == "fortran",
          "code: \"", language, "\" is not one of c, cpp, fortran");
  std::string json, text, code;
  {
    const py::gil_scoped_release release;
    app::ModelSource source = open_source(model);
    if (source.kind() != "lagrangian")
      source.refuse_kind("derive() takes models of kind \"lagrangian\", generate() vehicles");
    const lagrange::LagrangianModel read = source.read_lagrangian();
    const lagrange::Equations equations = lagrange::derive(read.system, {method_named(method)});
    const lagrange::Derivation derivation =
        is_linear ? describe_linear(read, equations) : describe(read, equations);
    const auto how = notation == "latex" ? lagrange::Notation::kLatex : lagrange::Notation::kText;
    using symbolic::Language;
    if (!language.empty())
      code = codegen::write_source(derivation.program, language == "c"     ? Language::kC99
                                                       : language == "cpp" ? Language::kCpp
                                                                           : Language::kFortran);
    json = to_json(derivation, how, code);
    text = to_text(derivation, how);
  }
  return py::make_tuple(json, text, code);
}

py::tuple generate(const ModelText& model) {
  const py::gil_scoped_release release;
  app::ModelSource source = open_source(model);
  if (!source.is_mechanism())
    source.refuse_kind("generate() takes vehicles and mechanisms, derive() the others");
  source.check_generated();
  const mechanism_code::VehicleProgram program = mechanism_code::generate(source.read_mechanism());
  const std::string text = mechanism_code::write_vehicle(
      program, concat("camber generate: ", mechanism_code::identifier_of(program.name)));
  const auto operations = program.count().total();
  const py::gil_scoped_acquire acquire;
  return py::make_tuple(text, operations);
}

}  // namespace

void bind_models(py::module_& module) {
  py::class_<ModelText>(module, "Source",
                        "A model: the path of its file, or text under that name, and assignments "
                        "as after --set.")
      .def(py::init([](std::string path, std::optional<std::string> text,
                       std::vector<std::string> sets) {
             return ModelText{std::move(path), std::move(text), std::move(sets)};
           }),
           py::arg("path"), py::arg("text") = py::none(),
           py::arg("sets") = std::vector<std::string>{});
  module.def(
      "kind_of", [](const ModelText& model) { return open_source(model).kind(); },
      py::arg("source"), "The kind that a file gives; \"urdf\" or \"tire\" by its ending.");
  module.def(
      "text_of", [](const ModelText& model) { return open_source(model).text(); },
      py::arg("source"), "The text of the file.");
  py::class_<FreshParts, std::shared_ptr<FreshParts>>(
      module, "FreshParts",
      "Vehicle, tires and ground that the uses of one model share while their files stay as they "
      "are.")
      .def(py::init<>());
  module.def("validate", &validate, py::arg("source"), py::arg("parts"),
             "Raises camber.Error if the model has mistakes that show without running it.");
  module.def(
      "check",
      [](const ModelText& model) {
        const py::gil_scoped_release release;
        return app::to_json(
            {app::check_file(model.path, {.text = model.text, .overrides = model.overrides})});
      },
      py::arg("source"), "What `camber check --json` prints.");
  module.def(
      "run_model",
      [](const ModelText& model, const std::string& folder, std::optional<double> duration,
         const std::string& formulation, const std::string& method, std::optional<double> step,
         std::optional<double> sample, std::optional<double> tolerance,
         const std::string& stabilization, bool standing) {
        app::RunChoices choices;
        choices.duration = duration;
        choices.formulation = formulation;
        choices.method = method;
        choices.step = step;
        choices.sample = sample;
        choices.tolerance = tolerance;
        choices.stabilization = stabilization;
        choices.standing = standing;
        std::vector<std::string> notes;
        RunData data = run_model(model, folder, choices, &notes);
        return py::make_tuple(data, notes);
      },
      py::arg("source"), py::arg("folder") = "", py::arg("duration") = py::none(),
      py::arg("formulation") = "", py::arg("method") = "", py::arg("step") = py::none(),
      py::arg("sample") = py::none(), py::arg("tolerance") = py::none(),
      py::arg("stabilization") = "", py::arg("standing") = false,
      "Runs a model that is not a scenario, as `camber run` does; the run and notes.");
  module.def("derive", &derive, py::arg("source"), py::arg("method") = "momentum",
             py::arg("linear") = false, py::arg("notation") = "text", py::arg("code") = "",
             "What `camber derive` prints: as JSON, as text, and the code.");
  module.def("generate", &generate, py::arg("source"),
             "The C++ of `camber generate`, and how many operations it has.");
  module.def(
      "key_figures",
      [] {
        py::list list;
        for (const figures::KeyFigure& figure : figures::key_figures())
          list.append(py::make_tuple(figure.name, figure.unit, figure.definition));
        return list;
      },
      "Name, unit and definition of all key figures that a scenario may ask for.");
}

}  // namespace camber::python
