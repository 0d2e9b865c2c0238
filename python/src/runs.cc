// Recorded runs: channels as arrays, the summary, folders; comparing runs.

#include <algorithm>
#include <filesystem>
#include <limits>

#include <pybind11/stl.h>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/temporary_folder.h"
#include "camber/record/log_reader.h"
#include "camber/report/compare_report.h"
#include "camber/report/folder_report.h"
#include "camber/report/load_run.h"
#include "camber/study/parquet.h"
#include "python/src/arrays.h"
#include "python/src/run_data.h"

namespace camber::python {
namespace {

using record::Channel;
using record::Table;

constexpr std::size_t kMaxSummary = 64 << 20;

py::array_t<double> channel_array(const RunData& data, const Table& table, std::size_t c) {
  std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(table.samples())};
  for (const std::size_t n : table.channels[c].shape) shape.push_back(static_cast<py::ssize_t>(n));
  return view_of(table.values[c].data(), std::move(shape), data.run);
}

std::size_t find_channel(const Table& table, const std::string& name) {
  const auto found = std::ranges::find(table.channels, name, &Channel::name);
  require(found != table.channels.end(), "there is no channel \"", name, "\"");
  return static_cast<std::size_t>(found - table.channels.begin());
}

const Table& find_series(const RunData& data, const std::string& group) {
  const auto& list = data.run->layout.series;
  const auto found = std::ranges::find(list, group, &record::Series::group);
  require(found != list.end(), "there is no series \"", group, "\"");
  return data.run->series[static_cast<std::size_t>(found - list.begin())];
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const Channel& channel : table.channels) names.push_back(channel.name);
  return names;
}

py::dict attributes_of(const RunData& data) {
  py::dict result;
  for (const auto& [name, value] : data.run->layout.attributes)
    std::visit([&, key = name](const auto& v) { result[py::str(key)] = py::cast(v); }, value);
  return result;
}

/// The folder of a run; one in memory is written to a folder inside `temporary`, under its name.
std::string folder_of(const RunData& data, const std::string& name,
                      const TemporaryFolder& temporary) {
  if (!data.folder.empty()) return data.folder;
  const std::string path = (temporary.path() / name).string();
  write_folder(*data.run, record::RunFolder::make_at(path));
  return path;
}

void write_run(const RunData& data, const std::string& path) {
  const py::gil_scoped_release release;
  write_folder(*data.run, record::RunFolder::make_at(path));
}

std::string make_report(const RunData& data) {
  const py::gil_scoped_release release;
  const TemporaryFolder temporary;
  return report::make_folder_report(folder_of(data, "run", temporary));
}

/// The log as a file, and the summary: all that a run is, without its folder.
py::tuple pack_run(const RunData& data) {
  std::string log;
  {
    const py::gil_scoped_release release;
    const TemporaryFolder temporary;
    const std::string path = (temporary.path() / "log.h5").string();
    write_log(*data.run, path);
    log = read_file(path, std::numeric_limits<std::size_t>::max());
  }
  return py::make_tuple(py::bytes(log), data.run->summary);
}

RunData unpack_run(const py::tuple& packed) {
  const auto log = packed[0].cast<std::string>(), summary = packed[1].cast<std::string>();
  const py::gil_scoped_release release;
  const TemporaryFolder temporary;
  write_file_atomically((temporary.path() / "log.h5").string(), log);
  if (!summary.empty())
    write_file_atomically((temporary.path() / "summary.json").string(), summary);
  return {open_run(temporary.path().string()).run};
}

void write_parquet(const std::string& path,
                   const std::vector<std::pair<std::string, Numbers>>& columns) {
  study::SamplesTable table;
  for (const auto& [name, values] : columns) {
    study::TableColumn column{.name = name};
    const std::span<const double> numbers = span_of(values);
    column.numbers.assign(numbers.begin(), numbers.end());
    require(table.columns.empty() || column.numbers.size() == table.rows, name, ": has ",
            column.numbers.size(), " numbers, other columns ", table.rows);
    table.rows = column.numbers.size();
    table.columns.push_back(std::move(column));
  }
  const py::gil_scoped_release release;
  write_file_atomically(path, study::to_parquet(table));
}

py::dict compare(const std::vector<RunData>& list, const std::vector<std::string>& names_given) {
  std::vector<report::ComparedRun> runs;
  report::Comparison comparison;
  std::string page;
  {
    const py::gil_scoped_release release;
    const TemporaryFolder temporary;
    for (std::size_t i = 0; i < list.size(); ++i) {
      runs.push_back(report::load_run(folder_of(list[i], concat("run-", i), temporary)));
      runs.back().name = names_given[i];
    }
    comparison = report::compare_runs(runs);
    page = report::make_compare_report(runs, comparison);
  }
  py::list names, columns, figures;
  for (const auto& run : runs) names.append(run.name);
  for (const auto& column : comparison.columns) {
    py::list differences;
    for (const auto& d : column.runs)
      differences.append(py::make_tuple(d.difference, d.time, d.first_value, d.value));
    columns.append(
        py::make_tuple(column.channel, column.column, column.unit, column.range, differences));
  }
  for (const auto& figure : comparison.figures)
    figures.append(py::make_tuple(figure.name, figure.unit, figure.values));
  py::dict result;
  result["names"] = names;
  result["first_time"] = comparison.first_time;
  result["last_time"] = comparison.last_time;
  result["notes"] = comparison.notes;
  result["columns"] = columns;
  result["figures"] = figures;
  result["page"] = page;
  return result;
}

}  // namespace

RunData open_run(const std::string& folder) {
  const std::string log = folder + "/log.h5";
  const record::LogReader reader(log);
  run::RecordedRun run;
  run.layout.channels = reader.channels();
  run.layout.attributes = reader.attributes();
  run.layout.series = reader.series();
  run.log = record::read_table(log);
  for (const record::Series& series : reader.series()) {
    Table table(series.channels);
    table.times = reader.read_series(series.group, "time");
    for (std::size_t c = 0; c < series.channels.size(); ++c)
      table.values[c] = reader.read_series(series.group, series.channels[c].name);
    run.series.push_back(std::move(table));
  }
  std::error_code problem;  // a run that was killed has no summary
  if (std::filesystem::exists(folder + "/summary.json", problem))
    run.summary = read_file(folder + "/summary.json", kMaxSummary);
  return {std::make_shared<const run::RecordedRun>(std::move(run)), folder};
}

RunData run_to_end(const run::RunSource& source, run::Runnable* run, const std::string& folder) {
  std::exception_ptr pending;  // it must go while Python is held
  RunData data;
  {
    const py::gil_scoped_release release;
    Interrupts interrupts;
    const run::RunHooks hooks{.go_on = [&](double) {
      try {
        interrupts.check();
      } catch (...) {
        pending = std::current_exception();
        return false;
      }
      return true;
    }};
    if (folder.empty()) {
      data.run = std::make_shared<const run::RecordedRun>(record_in_memory(source, run, hooks));
    } else {
      record_run(source, record::RunFolder::make_at(folder), run, hooks);
      if (!pending) data = open_run(folder);
    }
  }
  if (pending) std::rethrow_exception(pending);
  return data;
}

void bind_runs(py::module_& module) {
  py::class_<RunData>(module, "RunData", "A recorded run: channels over time, and its summary.")
      .def(py::pickle(&pack_run, &unpack_run))
      .def_property_readonly(
          "time",
          [](const RunData& data) {
            const auto& times = data.run->log.times;
            return view_of(times.data(), {static_cast<py::ssize_t>(times.size())}, data.run);
          },
          "Times of the samples [s].")
      .def_property_readonly(
          "channels", [](const RunData& data) { return names_of(data.run->log); },
          "Names of all channels.")
      .def(
          "values",
          [](const RunData& data, const std::string& name) {
            return channel_array(data, data.run->log, find_channel(data.run->log, name));
          },
          py::arg("channel"), "A channel as a read-only array (samples, ...).")
      .def(
          "about",
          [](const RunData& data, const std::string& name) {
            const Channel& c = data.run->log.channels[find_channel(data.run->log, name)];
            return py::make_tuple(c.units, c.names, c.row_names, c.description);
          },
          py::arg("channel"), "Units, names of columns, names of rows and description.")
      .def_property_readonly(
          "series",
          [](const RunData& data) {
            std::vector<std::string> groups;
            for (const auto& s : data.run->layout.series) groups.push_back(s.group);
            return groups;
          },
          "Groups of channels with times of their own.")
      .def(
          "series_channels",
          [](const RunData& data, const std::string& group) {
            return names_of(find_series(data, group));
          },
          py::arg("group"), "Names of the channels of a series.")
      .def(
          "series_time",
          [](const RunData& data, const std::string& group) {
            const Table& table = find_series(data, group);
            return view_of(table.times.data(), {static_cast<py::ssize_t>(table.samples())},
                           data.run);
          },
          py::arg("group"), "Times of the samples of a series [s].")
      .def(
          "series_values",
          [](const RunData& data, const std::string& group, const std::string& name) {
            const Table& table = find_series(data, group);
            return channel_array(data, table, find_channel(table, name));
          },
          py::arg("group"), py::arg("channel"), "A channel of a series as a read-only array.")
      .def(
          "series_about",
          [](const RunData& data, const std::string& group, const std::string& name) {
            const Table& table = find_series(data, group);
            const Channel& c = table.channels[find_channel(table, name)];
            return py::make_tuple(c.units, c.names, c.row_names, c.description);
          },
          py::arg("group"), py::arg("channel"),
          "Units, names of columns, names of rows and description.")
      .def_property_readonly("attributes", &attributes_of, "What the log says about itself.")
      .def_property_readonly(
          "summary", [](const RunData& data) { return data.run->summary; },
          "summary.json as text; empty for a run that was killed.")
      .def_property_readonly(
          "folder", [](const RunData& data) { return data.folder; },
          "Folder of the run; empty if it is in memory alone.")
      .def("report", &make_report, "The page of the run as HTML.")
      .def("write", &write_run, py::arg("folder"),
           "Writes log.h5, summary.json and report.html to a new or empty folder.");
  module.def(
      "open_run",
      [](const std::string& folder) {
        const py::gil_scoped_release release;
        return open_run(folder);
      },
      py::arg("folder"), "Reads the folder of a run.");
  module.def("write_parquet", &write_parquet, py::arg("path"), py::arg("columns"),
             "Writes columns of numbers, equally long, as a Parquet file.");
  module.def("compare", &compare, py::arg("runs"), py::arg("names"),
             "Compares runs; all numbers and a page.");
}

}  // namespace camber::python
