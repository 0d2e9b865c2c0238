// Studies: distributions, folders with their results, statistics, searches for a minimum.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "camber/core/toml_reader.h"
#include "camber/study/cma_es.h"
#include "camber/study/coordinator.h"
#include "camber/study/plan.h"
#include "camber/study/samples_table.h"
#include "camber/study/slurm.h"
#include "camber/study/study_file.h"
#include "camber/study/study_report.h"
#include "python/src/arrays.h"

namespace camber::python {
namespace {

using study::StudyEnd, study::StudyFolder, study::StudyOutcome, study::StudySummary;

/// A study's folder and what there is of its results.
struct StudyData {
  StudyFolder folder;
  StudyOutcome outcome = {};
  StudySummary summary = {};

  explicit StudyData(StudyFolder given) : folder(std::move(given)) {}
};

using StudyPointer = std::shared_ptr<StudyData>;
using OnProgress = std::function<void(long done, long total, const std::string& note)>;

void write_outputs(StudyData* data) {
  data->summary = study::write_outputs(data->folder, data->outcome);
}

StudyPointer open_study(const std::string& path) {
  const py::gil_scoped_release release;
  auto data = std::make_shared<StudyData>(StudyFolder::open(path));
  data->outcome = study::read_study_outcome(data->folder);
  data->summary = study::summarize(data->folder, data->outcome.merged.results);
  return data;
}

/// A new folder for a study's file, or the folder of the same study.
StudyFolder make_folder(const ModelText& file, const std::string& path) {
  return StudyFolder::create(path, study::check_study(file.path, file.text),
                             study::find_maker(program_name()));
}

/// Drives what is missing. Ctrl-C, or an exception of `on_progress`, stops the study with everything
/// that was driven written, and arrives.
StudyPointer run_study(const std::optional<ModelText>& file, const std::string& path, int workers,
                       std::vector<std::string> program, const OnProgress& on_progress) {
  std::exception_ptr pending;  // it must go while Python is held
  StudyPointer data;
  {
    const py::gil_scoped_release release;
    data = std::make_shared<StudyData>(file ? make_folder(*file, path) : StudyFolder::open(path));
    const StudyFolder& folder = data->folder;
    std::filesystem::remove(folder.stop_path());
    for (const char* word : {"study", "work"}) program.emplace_back(word);
    program.push_back(folder.path());
    program.emplace_back("--pipe");
    const auto attempt = [&](const auto& call) {
      try {
        if (!pending) call();
      } catch (...) {
        pending = std::current_exception();
      }
    };
    study::RunStudyOptions options;
    options.workers = workers;
    options.worker_command = std::move(program);
    options.maker = study::find_maker(program_name());
    options.go_on = [&] {
      attempt([] {
        const py::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      });
      return !pending && !std::filesystem::exists(folder.stop_path());
    };
    if (on_progress)
      options.on_progress = [&](const study::Progress& p) {
        attempt([&] {
          const py::gil_scoped_acquire acquire;
          on_progress(p.done, p.total, p.note);
        });
      };
    data->outcome = study::run_study(folder, options);
    write_outputs(data.get());
  }
  if (pending) std::rethrow_exception(pending);
  return data;
}

const char* word_of(StudyEnd end) {
  switch (end) {
    case StudyEnd::kComplete:
      return "complete";
    case StudyEnd::kByRule:
      return "ended by its rule";
    case StudyEnd::kStopped:
      break;
  }
  return "stopped";
}

/// The table of samples: arrays of numbers, whole numbers and truth values, lists of words.
py::dict columns_of(const StudyData& data) {
  py::dict result;
  study::SamplesTable table = study::make_samples_table(data.folder, data.outcome.merged.results);
  using Kind = study::TableColumn::Kind;
  for (study::TableColumn& column : table.columns) {
    const py::str name(column.name);
    if (column.kind == Kind::kText) {
      result[name] = py::cast(column.texts);
    } else if (column.kind == Kind::kNumber) {
      result[name] = to_array(std::move(column.numbers));
    } else if (column.kind == Kind::kInteger) {
      result[name] = to_array(std::move(column.integers));
    } else {
      std::vector<std::uint8_t> flags(column.integers.begin(), column.integers.end());
      result[name] = to_array(std::move(flags)).attr("view")("bool");
    }
  }
  return result;
}

/// Times [s] and values (samples, times) of a curve, in the order of the table of samples; NaN where
/// a drive has ended or has none.
py::tuple curve_of(const StudyData& data, const std::string& name) {
  const auto& names = data.folder.facts().curve_names;
  const auto found = std::ranges::find(names, name);
  require(found != names.end(), "the study keeps no curve \"", name, "\"");
  const auto at = static_cast<std::size_t>(found - names.begin());
  const int points = data.folder.study().keep.curve_points;
  std::vector<double> times;
  for (int i = 0; i < points; ++i) times.push_back(data.folder.facts().duration * i / (points - 1));
  std::vector<float> values;
  for (const auto& [k, result] : data.outcome.merged.results) {
    std::vector<float> curve(static_cast<std::size_t>(points),
                             std::numeric_limits<float>::quiet_NaN());
    if (at < result.curves.size() && !result.curves[at].empty()) curve = result.curves[at];
    values.insert(values.end(), curve.begin(), curve.end());
  }
  const auto rows = static_cast<py::ssize_t>(data.outcome.merged.results.size());
  return py::make_tuple(to_array(std::move(times)),
                        to_array(std::move(values), {rows, static_cast<py::ssize_t>(points)}),
                        data.folder.facts().curve_units[at]);
}

py::list figures_of(const StudyData& data) {
  py::list list;
  for (const study::FigureInfo& figure : data.folder.facts().figures)
    list.append(py::make_tuple(figure.name, figure.unit, figure.lower, figure.upper));
  return list;
}

/// The scenario's file and the assignments of sample k: what `camber run` drives in the same way.
py::tuple sample_of(const StudyData& data, long k) {
  study::SampleMaker maker(&data.folder);
  require(k >= 0 && k < maker.size(), "sample ", k, ": the study has ", maker.size());
  const study::Sample sample = maker.sample(k);
  return py::make_tuple(
      data.folder.study().scenario,
      study::assignments_of(data.folder.study(), sample.values, sample.drive_seed));
}

std::string summary_of(const StudyData& data) {
  return study::to_json_text(
      data.folder, data.summary, data.outcome.merged,
      data.outcome.strategy ? data.outcome.strategy->to_json() : std::string());
}

py::tuple to_tuple(const study::Estimate& estimate) {
  return py::make_tuple(estimate.value, estimate.low, estimate.high);
}

void require_confidence(double confidence) {
  require(confidence > 0 && confidence < 1, "ci: must be above 0 and below 1, got ", confidence);
}

/// Values of a distribution, written as in a study's file, at numbers u from 0 to 1.
py::array_t<double> quantiles(const std::string& table, const Numbers& u) {
  TomlFile file = parse_toml("distribution = " + table, "distribution");
  const study::Distribution distribution = study::read_distribution(file.root().at("distribution"));
  file.finish();
  std::vector<double> values;
  for (const double x : span_of(u)) {
    require(x >= 0 && x <= 1, "quantiles: u must be 0 to 1, got ", x);
    values.push_back(study::quantile(distribution, x));
  }
  return to_array(std::move(values));
}

/// Names of the inputs and their values in all samples, before they are driven; of a choice, the
/// number of the value.
py::tuple planned_values(const ModelText& source) {
  const py::gil_scoped_release release;
  study::Study read;
  study::read_study(source.path, source.text, &read);
  require(!is_adaptive(read.plan.kind), "plan \"", name_of(read.plan.kind),
          "\" makes its samples as it goes");
  const study::Plan plan(&read);
  std::vector<double> values;
  for (long k = 0; k < plan.size(); ++k) {
    const study::Sample sample = plan.sample(k);
    values.insert(values.end(), sample.values.begin(), sample.values.end());
  }
  std::vector<std::string> names;
  for (const study::Input& input : read.inputs) names.push_back(input.name);
  const py::gil_scoped_acquire acquire;
  return py::make_tuple(names,
                        to_array(std::move(values), {static_cast<py::ssize_t>(plan.size()),
                                                     static_cast<py::ssize_t>(names.size())}));
}

/// First-order and total indices of a figure with their intervals, from f(A), f(B) and f(AB_i).
py::list sobol_indices(const Numbers& a, const Numbers& b, const Numbers& ab, double ci,
                       std::uint64_t seed) {
  require_confidence(ci);
  require(a.ndim() == 1 && b.size() == a.size() && ab.ndim() == 2 && ab.shape(1) == a.size(),
          "sobol_indices: a and b are (n), ab is (inputs, n)");
  std::vector<std::vector<double>> rows;
  for (py::ssize_t i = 0; i < ab.shape(0); ++i)
    rows.emplace_back(ab.data(i, 0), ab.data(i, 0) + ab.shape(1));
  py::list list;
  for (const study::SobolIndices& one :
       study::sobol_indices(span_of(a), span_of(b), rows, ci, seed))
    list.append(py::make_tuple(to_tuple(one.first), to_tuple(one.total)));
  return list;
}

/// A search in the unit box.
class Search {
 public:
  Search(int dimensions, bool is_nelder_mead, int population, double sigma, int restarts,
         std::uint64_t seed, double tolerance, std::vector<double> start)
      : dimensions_(dimensions) {
    require(dimensions >= 1 && dimensions <= 1000, "minimize: 1 to 1000 values, got ", dimensions);
    require(sigma > 0 && sigma <= 1, "sigma: must be above 0, at most 1, got ", sigma);
    require(tolerance > 0 && tolerance < 1, "tolerance: must be above 0 and below 1, got ",
            tolerance);
    require(population == 0 || (population >= 4 && population <= 100000),
            "population: must be 0 or 4 to 100000, got ", population);
    require(restarts >= 0 && restarts <= 20, "restarts: must be 0 to 20, got ", restarts);
    require(start.empty() || static_cast<int>(start.size()) == dimensions, "start: has ",
            start.size(), " values, not ", dimensions);
    for (const double x : start) require(x >= 0 && x <= 1, "start: is outside of the box");
    optimizer_ =
        is_nelder_mead
            ? study::make_nelder_mead(
                  dimensions, {.size = sigma, .tolerance_x = tolerance, .start = std::move(start)})
            : study::make_cma_es(dimensions, {.population = population,
                                              .sigma = sigma,
                                              .restarts = restarts,
                                              .tolerance_x = tolerance,
                                              .seed = seed,
                                              .start = std::move(start)});
  }
  py::array_t<double> ask() {
    const std::vector<std::vector<double>> points = optimizer_->ask();
    asked_ = points.size();
    std::vector<double> values;
    for (const std::vector<double>& point : points)
      values.insert(values.end(), point.begin(), point.end());
    return to_array(std::move(values), {static_cast<py::ssize_t>(points.size()),
                                        static_cast<py::ssize_t>(dimensions_)});
  }
  void tell(const Numbers& costs) {
    require(static_cast<std::size_t>(costs.size()) == asked_, "tell: ", costs.size(), " costs for ",
            asked_, " points");
    std::vector<study::Fitness> fitness;
    for (const double cost : span_of(costs)) {
      // Without a value: worse than everything that has one.
      const bool has_value = std::isfinite(cost);
      fitness.push_back({.violation = has_value ? 0.0 : 1.0, .value = has_value ? cost : 0.0});
    }
    optimizer_->tell(fitness);
    asked_ = 0;
  }

 private:
  int dimensions_;
  std::size_t asked_ = 0;
  std::unique_ptr<study::Optimizer> optimizer_;
};

std::string submit_study(const ModelText& file, const std::string& path,
                         const std::vector<std::string>& program, long chunks,
                         const std::string& partition, const std::string& account,
                         const std::string& time, const std::vector<std::string>& extra,
                         bool is_one_job) {
  const py::gil_scoped_release release;
  const StudyFolder folder = make_folder(file, path);
  std::filesystem::remove(folder.stop_path());
  return study::submit_to_slurm(folder,
                                {.chunks = chunks,
                                 .partition = partition,
                                 .account = account,
                                 .time = time,
                                 .extra = extra,
                                 .is_one_job = is_one_job},
                                program)
      .text;
}

void bind_study_data(py::module_& module) {
  py::class_<StudyData, StudyPointer>(module, "StudyData", "The folder of a study and its results.")
      .def_property_readonly(
          "folder", [](const StudyData& data) { return data.folder.path(); }, "Its folder.")
      .def_property_readonly(
          "end", [](const StudyData& data) { return word_of(data.outcome.end); },
          "\"complete\", \"ended by its rule\" or \"stopped\".")
      .def_property_readonly("summary", &summary_of, "summary.json as text.")
      .def_property_readonly(
          "inputs",
          [](const StudyData& data) {
            py::list list;
            for (const study::Input& input : data.folder.study().inputs)
              list.append(py::make_tuple(input.name, input.unit, input.keys));
            return list;
          },
          "Names, units and keys of all inputs.")
      .def_property_readonly("figures", &figures_of, "Names, units and bounds of all figures.")
      .def_property_readonly(
          "curves", [](const StudyData& data) { return data.folder.facts().curve_names; },
          "Names of the curves that were kept.")
      .def("columns", &columns_of, "The table of samples, a column for each name.")
      .def("curve", &curve_of, py::arg("name"),
           "Times [s], values (samples, times) and unit of a curve.")
      .def("sample", &sample_of, py::arg("number"),
           "The scenario's file and the assignments of a sample.")
      .def(
          "worst",
          [](const StudyData& data) { return study::find_worst(data.folder, data.summary); },
          "Samples that keep.runs of the study names.")
      .def(
          "rerun_folder",
          [](const StudyData& data, long k) {
            return concat(data.folder.path(), "/runs/sample-", k);
          },
          py::arg("number"), "Where a sample that is driven again has its log and report.")
      .def(
          "report",
          [](const StudyData& data) {
            const py::gil_scoped_release release;
            return study::make_study_report(data.folder, data.outcome, data.summary);
          },
          "The page of the study as HTML.")
      .def(
          "write",
          [](StudyData& data) {
            const py::gil_scoped_release release;
            write_outputs(&data);
          },
          "Writes samples.csv, samples.parquet, summary.json and report.html.");
}

}  // namespace

void bind_studies(py::module_& module) {
  bind_study_data(module);
  module.def(
      "check_study",
      [](const ModelText& source) {
        const py::gil_scoped_release release;
        study::check_study(source.path, source.text);
      },
      py::arg("source"),
      "Raises camber.Error with all mistakes of a study, before the first drive.");
  module.def("open_study", &open_study, py::arg("folder"), "Reads the folder of a study.");
  module.def("run_study", &run_study, py::arg("source"), py::arg("folder"), py::arg("workers"),
             py::arg("program"), py::arg("progress") = py::none(),
             "Drives what is missing of a study; without a source, of the folder's own.");
  module.def("submit_study", &submit_study, py::arg("source"), py::arg("folder"),
             py::arg("program"), py::arg("chunks") = 0, py::arg("partition") = "",
             py::arg("account") = "", py::arg("time") = "",
             py::arg("extra") = std::vector<std::string>{}, py::arg("one_job") = false,
             "Hands a study to Slurm; the numbers of the jobs.");
  module.def("quantiles", &quantiles, py::arg("distribution"), py::arg("u"),
             "Values of a distribution, written as in a study's file, at numbers from 0 to 1.");
  module.def(
      "planned_values", &planned_values, py::arg("source"),
      "Names of a study's inputs, and their values (samples, inputs) before they are driven.");
  module.def(
      "sobol_indices", &sobol_indices, py::arg("a"), py::arg("b"), py::arg("ab"),
      py::arg("ci") = 0.95, py::arg("seed") = 1,
      "Sobol' indices of each input, first order and total, with the ends of their intervals.");
  module.def(
      "mean_of",
      [](const Numbers& values, double ci) {
        require_confidence(ci);
        return to_tuple(study::mean_of(span_of(values), ci));
      },
      py::arg("values"), py::arg("ci"), "Mean, and the ends of its interval.");
  module.def(
      "quantile_of",
      [](const Numbers& sorted, double probability, double ci) {
        require_confidence(ci);
        require(probability >= 0 && probability <= 1, "quantile: must be 0 to 1, got ",
                probability);
        require(sorted.size() > 0, "quantile: there are no values");
        return to_tuple(study::quantile_of(span_of(sorted), probability, ci));
      },
      py::arg("sorted"), py::arg("probability"), py::arg("ci"),
      "Quantile of ascending values, and the ends of its interval.");
  module.def(
      "wilson",
      [](long successes, long trials, double ci) {
        require_confidence(ci);
        require(successes >= 0 && successes <= trials, "there are ", successes, " successes of ",
                trials);
        return to_tuple(study::wilson(successes, trials, ci));
      },
      py::arg("successes"), py::arg("trials"), py::arg("ci"),
      "Share of successes, and the ends of its interval.");

  py::class_<Search>(module, "Search", "A search for a minimum in the unit box.")
      .def(py::init<int, bool, int, double, int, std::uint64_t, double, std::vector<double>>(),
           py::arg("dimensions"), py::arg("nelder_mead") = false, py::arg("population") = 0,
           py::arg("sigma") = 0.3, py::arg("restarts") = 2, py::arg("seed") = 1,
           py::arg("tolerance") = 1e-6, py::arg("start") = std::vector<double>{})
      .def("ask", &Search::ask, "Points to be evaluated, (n, dimensions); none: it has ended.")
      .def("tell", &Search::tell, py::arg("costs"), "Their costs, in the same order.");
}

}  // namespace camber::python
