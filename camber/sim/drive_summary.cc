#include "camber/sim/drive_summary.h"

#include <bit>
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "camber/core/file.h"
#include "camber/sim/run_record.h"

namespace camber::sim {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const report::KeyFigure& figure) {
  Json json{{"name", figure.name}};
  json["value"] = std::isfinite(figure.value) ? Json(figure.value) : Json();
  json["unit"] = figure.unit;
  if (figure.lower) json["lower"] = *figure.lower;
  if (figure.upper) json["upper"] = *figure.upper;
  if (figure.is_judged()) json["passed"] = figure.passed;
  if (!figure.source.empty()) json["source"] = figure.source;
  return json;
}

std::string to_text(std::uint64_t hash) {
  char text[32];
  std::snprintf(text, sizeof text, "fnv1a64:%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace

std::uint64_t fnv1a64(std::span<const std::byte> bytes, std::uint64_t hash) {
  for (const std::byte byte : bytes) {
    hash ^= static_cast<std::uint64_t>(byte);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

std::string hash_state(std::span<const double> state) {
  std::vector<std::byte> bytes;
  for (const double value : state) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) {
      bytes.push_back(static_cast<std::byte>((bits >> shift) & 0xff));
    }
  }
  return to_text(fnv1a64(bytes));
}

std::string hash_file(const std::string& path) {
  std::uint64_t hash = fnv1a64({});
  read_file_in_pieces(path, [&](std::span<const std::byte> piece) { hash = fnv1a64(piece, hash); });
  return to_text(hash);
}

std::vector<report::SummaryValue> make_versions(const RunSource& source) {
#ifdef __clang__
  const char* compiler = "clang " __clang_version__;
#else
  const char* compiler = "gcc " __VERSION__;
#endif
  return {{"program", source.program}, {"compiler", compiler}};
}

std::string make_drive_summary(const RunSource& source, const DriveFacts& facts,
                               const RunResult& result,
                               const std::vector<report::KeyFigure>& figures,
                               std::span<const double> final_state) {
  Json summary{{"status", to_text(result.status)}};
  if (!result.reason.empty()) summary["reason"] = result.reason;
  summary["passed"] = result.status == RunStatus::kDone && report::all_passed(figures);
  summary["scenario"] = facts.scenario;
  if (!facts.about.empty()) summary["about"] = facts.about;
  summary["scenario_file"] = source.model_file;
  summary["overrides"] = facts.overrides;
  summary["vehicle"] = facts.vehicle;
  summary["tire"] = facts.tire;
  summary["ground"] = facts.ground;
  summary["formulation"] = facts.formulation;
  summary["method"] = facts.method;
  summary["step"] = facts.step;
  summary["seed"] = facts.seed;
  if (result.begin > 0) summary["restarted_at"] = result.begin;
  if (!facts.ended_by.empty()) summary["ended_by"] = facts.ended_by;
  internal::add_result(result, facts.duration, &summary);
  Json list = Json::array();
  for (const report::KeyFigure& figure : figures) list.push_back(to_json(figure));
  summary["key_figures"] = std::move(list);
  summary["warnings"] = facts.warnings;
  summary["final_state_hash"] = hash_state(final_state);
  summary["program"] = source.program;
  Json versions = Json::object();
  for (const report::SummaryValue& version : make_versions(source)) {
    versions[version.name] = version.value;
  }
  summary["versions"] = std::move(versions);
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace camber::sim
