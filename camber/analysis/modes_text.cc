#include "camber/analysis/modes_text.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <iomanip>
#include <sstream>

#include <nlohmann/json.hpp>

#include "camber/analysis/modes_report.h"
#include "camber/analysis/vehicle_modes.h"
#include "camber/core/text.h"

namespace camber::analysis {
namespace {

using Json = nlohmann::ordered_json;
using lagrange::Mode;

// --- JSON ---

Json complex_json(const std::complex<double>& value) { return {value.real(), value.imag()}; }

Json eigenvalues_json(const std::vector<Mode>& modes) {
  Json result = Json::array();
  for (const Mode& mode : modes) result.push_back(complex_json(mode.eigenvalue));
  return result;
}

Json mode_json(const ModesAnalysis& analysis, std::size_t k) {
  const Mode& mode = analysis.modes[k];
  Json shape;
  Json participation;
  for (std::size_t i = 0; i < analysis.states.size(); ++i) {
    const int row = static_cast<int>(i);
    shape[analysis.states[i]] = complex_json(mode.shape[row]);
    participation[analysis.states[i]] = analysis.participation(row, static_cast<int>(k));
  }
  Json json = {{"eigenvalue", complex_json(mode.eigenvalue)},
               {"frequency_hz", mode.frequency()},
               {"damping_ratio", mode.damping_ratio()},
               {"stability", stability_text(analysis, mode)}};
  if (!analysis.mode_names.empty()) json["name"] = analysis.mode_names[k];
  json["shape"] = shape;
  json["participation"] = participation;
  return json;
}

Json sweep_json(const ModesAnalysis::Sweep& sweep) {
  Json branches = Json::array();
  for (const auto& branch : sweep.locus.branches) branches.push_back(eigenvalues_json(branch));
  Json limits = Json::array();
  for (const auto& limit : sweep.limits) {
    limits.push_back({{sweep.parameter, limit.parameter},
                      {"becomes", !limit.becomes_stable     ? "unstable"
                                  : limit.is_neutral_beyond ? "neutral"
                                                            : "stable"},
                      {"undecided", limit.is_undecided},
                      {"eigenvalue", complex_json(limit.mode.eigenvalue)},
                      {"frequency_hz", limit.mode.frequency()},
                      {"branch", limit.branch}});
  }
  return {{"parameter", sweep.parameter},
          {"values", sweep.locus.parameter},
          {"branches", branches},
          {"stability_limits", limits}};
}

Json responses_json(const ModesAnalysis::Responses& responses) {
  Json outputs;
  for (std::size_t i = 0; i < responses.outputs.size(); ++i) {
    Json values = Json::array();
    for (const auto& value : responses.values[i]) values.push_back(complex_json(value));
    outputs[responses.outputs[i]] = values;
  }
  return {
      {"input", responses.input}, {"frequency_hz", responses.frequencies}, {"outputs", outputs}};
}

Json matrix_json(const Eigen::MatrixXd& matrix) {
  Json rows = Json::array();
  for (const auto& row : matrix.rowwise())
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  return rows;
}

Json matrices_json(const ModesAnalysis::Matrices& m) {
  Json json = {{"inputs", m.inputs}, {"outputs", m.outputs}};
  if (m.E.size() > 0) json["E"] = matrix_json(m.E);
  json["A"] = matrix_json(m.A);
  json["B"] = matrix_json(m.B);
  json["C"] = matrix_json(m.C);
  json["D"] = matrix_json(m.D);
  return json;
}

Json steady_json(const ModesAnalysis::Steady& steady) {
  const auto list = [](const std::vector<ModesAnalysis::Value>& values) {
    Json json = Json::object();
    for (const ModesAnalysis::Value& v : values)
      json[v.name] = {{"value", v.value}, {"unit", v.unit}};
    return json;
  };
  return {{"gear", steady.gear},
          {"inputs", list(steady.inputs)},
          {"outputs", list(steady.outputs)},
          {"states", list(steady.states)}};
}

}  // namespace

std::string to_json(const ModesAnalysis& analysis) {
  Json modes = Json::array();
  for (std::size_t k = 0; k < analysis.modes.size(); ++k) modes.push_back(mode_json(analysis, k));
  Json result{{"model", analysis.name},
              {"parameters", analysis.parameters},
              {"states", analysis.states},
              {"eigenvalues", eigenvalues_json(analysis.modes)},
              {"modes", modes}};
  if (analysis.sweep) result["sweep"] = sweep_json(*analysis.sweep);
  if (analysis.A.size() > 0) result["A"] = matrix_json(analysis.A);
  if (analysis.steady) result["steady_state"] = steady_json(*analysis.steady);
  if (analysis.matrices) result["state_space"] = matrices_json(*analysis.matrices);
  if (analysis.responses) result["frf"] = responses_json(*analysis.responses);
  result["notes"] = analysis.model.notes;
  return result.dump(2, ' ', false, Json::error_handler_t::replace);
}

// --- Text ---

namespace {

void write_modes(const ModesAnalysis& analysis, std::ostream* out) {
  const bool has_names = !analysis.mode_names.empty();
  int left_out = 0;
  if (has_names) *out << padded("mode", 20);
  *out << padded("eigenvalue [1/s]", 28) << padded("frequency [Hz]", 16)
       << padded("damping ratio", 15) << padded("", 10) << "states that take part\n";
  for (std::size_t k = 0; k < analysis.modes.size(); ++k) {
    const Mode& mode = analysis.modes[k];
    if (has_names && analysis.mode_names[k] == kRigidBodyMode) {
      ++left_out;
      continue;
    }
    if (mode.eigenvalue.imag() < 0.0) continue;
    if (has_names) *out << padded(analysis.mode_names[k], 20);
    *out << padded(eigenvalue_text(mode.eigenvalue), 28)
         << padded(mode.is_oscillatory() ? short_text(mode.frequency(), 5) : "", 16)
         << padded(damping_text(analysis, mode), 15) << padded(stability_text(analysis, mode), 10);
    const char* comma = "";
    for (std::size_t i = 0; i < analysis.states.size(); ++i) {
      const double part = analysis.participation(static_cast<int>(i), static_cast<int>(k));
      if (part < 0.1) continue;
      *out << comma << analysis.states[i] << ' ' << short_text(std::round(100 * part)) << " %";
      comma = ", ";
    }
    *out << '\n';
  }
  if (left_out > 0)
    *out << count_text(left_out, "eigenvalue")
         << " of the rigid body left out (--json lists them)\n";
}

void write_responses(const ModesAnalysis::Responses& responses, std::ostream* out) {
  *out << "\nresponse to " << responses.input << ": size, phase [deg]\n"
       << padded("frequency [Hz]", 16);
  for (const std::string& output : responses.outputs) *out << padded(output, 24);
  *out << '\n';
  // A screenful is enough to read; all of them are in --csv and --json.
  const std::size_t step = std::max<std::size_t>(1, responses.frequencies.size() / 20);
  for (std::size_t k = 0; k < responses.frequencies.size(); k += step) {
    *out << padded(short_text(responses.frequencies[k]), 16);
    for (const auto& values : responses.values) {
      const double degrees = std::arg(values[k]) * 180.0 / std::acos(-1.0);
      *out << padded(short_text(std::abs(values[k])) + ", " + short_text(degrees, 4), 24);
    }
    *out << '\n';
  }
}

void write_matrix(const char* name, const Eigen::MatrixXd& matrix,
                  const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                  std::ostream* out) {
  *out << '\n' << name << '\n';
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    *out << "  " << padded(rows[static_cast<std::size_t>(i)], 38);
    const char* comma = "";
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      if (matrix(i, j) == 0) continue;
      *out << comma << short_text(matrix(i, j), 6) << ' ' << columns[static_cast<std::size_t>(j)];
      comma = ", ";
    }
    *out << (*comma == 0 ? "0\n" : "\n");
  }
}

}  // namespace

std::string to_state_space_text(const ModesAnalysis& analysis) {
  if (!analysis.matrices) return "";
  const ModesAnalysis::Matrices& m = *analysis.matrices;
  std::vector<std::string> rates;
  for (const std::string& state : analysis.states) rates.push_back("rate of " + state);
  std::ostringstream out;
  const bool has_E = m.E.size() > 0;
  out << "\nState space " << (has_E ? "E x' = A x + B u" : "x' = A x + B u")
      << ", y = C x + D u: row, then entry and column; entries not listed are zero\n";
  if (has_E) write_matrix("E", m.E, rates, analysis.states, &out);
  write_matrix("A", m.A, rates, analysis.states, &out);
  write_matrix("B", m.B, rates, m.inputs, &out);
  write_matrix("C", m.C, m.outputs, analysis.states, &out);
  write_matrix("D", m.D, m.outputs, m.inputs, &out);
  return out.str();
}

std::vector<TextFile> make_state_space_csv(const ModesAnalysis& analysis) {
  std::vector<TextFile> files;
  if (!analysis.matrices) return files;
  const ModesAnalysis::Matrices& m = *analysis.matrices;
  const auto quoted = [](const std::string& name) {
    return name.find(',') == std::string::npos ? name : concat('"', name, '"');
  };
  const auto add = [&](const char* name, const Eigen::MatrixXd& matrix,
                       const std::vector<std::string>& rows,
                       const std::vector<std::string>& columns) {
    std::ostringstream out;
    out << std::setprecision(17) << "row";
    for (const std::string& column : columns) out << ',' << quoted(column);
    out << '\n';
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      out << quoted(rows[static_cast<std::size_t>(i)]);
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) out << ',' << matrix(i, j);
      out << '\n';
    }
    files.push_back({concat(name, ".csv"), out.str()});
  };
  if (m.E.size() > 0) add("E", m.E, analysis.states, analysis.states);
  add("A", m.A, analysis.states, analysis.states);
  add("B", m.B, analysis.states, m.inputs);
  add("C", m.C, m.outputs, analysis.states);
  add("D", m.D, m.outputs, m.inputs);
  return files;
}

std::string to_text(const ModesAnalysis& analysis) {
  std::ostringstream out;
  out << analysis.name << ": " << analysis.states.size() << " states";
  constexpr std::size_t kMaxListed = 12;
  const char* comma = " (";
  for (const std::string& state : analysis.states) {
    if (analysis.states.size() > kMaxListed) break;
    out << comma << state;
    comma = ", ";
  }
  out << (analysis.states.size() > kMaxListed ? " (--json lists them)\n" : ")\n");
  for (const std::string& note : analysis.model.notes) out << "note: " << note << '\n';
  out << '\n';
  write_modes(analysis, &out);
  if (analysis.sweep) {
    out << "\nstability limits, " << analysis.sweep->parameter << " from "
        << analysis.sweep->locus.parameter.front() << " to "
        << analysis.sweep->locus.parameter.back() << '\n';
    for (const auto& limit : analysis.sweep->limits) {
      out << limit_text(analysis, limit) << '\n';
    }
    if (analysis.sweep->limits.empty()) out << "none\n";
  }
  if (analysis.responses) write_responses(*analysis.responses, &out);
  return out.str();
}

// --- CSV ---

std::string make_modes_csv(const ModesAnalysis& analysis) {
  std::ostringstream out;
  out << std::setprecision(15);
  if (analysis.sweep) {
    const auto& locus = analysis.sweep->locus;
    out << analysis.sweep->parameter;
    for (std::size_t b = 1; b <= locus.branches.size(); ++b) out << ",re" << b << ",im" << b;
    out << '\n';
    for (std::size_t i = 0; i < locus.parameter.size(); ++i) {
      out << locus.parameter[i];
      for (const auto& branch : locus.branches) {
        out << ',' << branch[i].eigenvalue.real() << ',' << branch[i].eigenvalue.imag();
      }
      out << '\n';
    }
    return out.str();
  }
  const bool has_names = !analysis.mode_names.empty();
  out << (has_names ? "name," : "") << "re,im,frequency_hz,damping_ratio\n";
  for (std::size_t k = 0; k < analysis.modes.size(); ++k) {
    const Mode& mode = analysis.modes[k];
    if (has_names) out << analysis.mode_names[k] << ',';
    out << mode.eigenvalue.real() << ',' << mode.eigenvalue.imag() << ',' << mode.frequency() << ','
        << mode.damping_ratio() << '\n';
  }
  return out.str();
}

std::string make_responses_csv(const ModesAnalysis::Responses& responses) {
  std::ostringstream out;
  out << std::setprecision(15) << "frequency_hz";
  for (const std::string& output : responses.outputs) {
    out << ',' << output << "_re," << output << "_im";
  }
  out << '\n';
  for (std::size_t k = 0; k < responses.frequencies.size(); ++k) {
    out << responses.frequencies[k];
    for (const auto& values : responses.values) {
      out << ',' << values[k].real() << ',' << values[k].imag();
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace camber::analysis
