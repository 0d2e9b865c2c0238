#include "apps/camber/study_view.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>

#include <nlohmann/json.hpp>

#include "apps/camber/drive_sample.h"
#include "camber/core/text.h"
#include "camber/study/merge.h"
#include "camber/study/study.h"
#include "camber/study/summary.h"
#include "camber/view/address.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSample = "/api/sample/";

std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json number_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(); }

}  // namespace

bool StudyView::is_study(const std::string& folder) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::path(folder) / "study.json", error);
}

StudyView::StudyView(const std::string& folder, std::string program)
    : folder_(study::StudyFolder::open(folder)), program_(std::move(program)) {}

// Read anew at each request: a study may go on while it is looked at.
std::string StudyView::list_samples() const {
  const study::Study& study = folder_.study();
  const study::Merged merged = study::merge_journals(folder_);
  Json hello{{"type", "hello"},      {"protocol", "camber.v1"}, {"program", program_},
             {"kind", "study"},      {"name", study.name},      {"about", study.about},
             {"runs", Json::array()}};
  hello["inputs"] = Json::array();
  for (const study::Input& input : study.inputs)
    hello["inputs"].push_back({{"name", input.name}, {"unit", input.unit}});
  hello["figures"] = Json::array();
  for (const study::FigureInfo& figure : folder_.facts().figures)
    hello["figures"].push_back({{"name", figure.name},
                                {"unit", figure.unit},
                                {"lower", figure.lower ? Json(*figure.lower) : Json()},
                                {"upper", figure.upper ? Json(*figure.upper) : Json()}});
  Json samples = Json::array();
  for (const auto& [k, result] : merged.results) {
    if (samples.size() == kMaxListed) break;
    Json inputs = Json::array(), figures = Json::array();
    for (std::size_t i = 0; i < study.inputs.size() && i < result.values.size(); ++i)
      inputs.push_back(study::value_text(study.inputs[i], result.values[i]));
    for (const double figure : result.figures) figures.push_back(number_or_null(figure));
    samples.push_back({k, std::string(name_of(result.status)), result.passed, std::move(inputs),
                       std::move(figures), result.reason});
  }
  hello["left_out"] = merged.results.size() - samples.size();
  hello["samples"] = std::move(samples);
  return to_text(hello);
}

view::Replay* StudyView::open(long k) {
  const auto found = std::ranges::find(open_, k, [](const auto& one) { return one.first; });
  if (found != open_.end()) {
    open_.splice(open_.begin(), open_, found);
  } else {
    auto replay =
        std::make_unique<view::Replay>(std::vector<std::string>{drive_sample(folder_, k)});
    replay->set_program(program_);
    for (const std::string& note : replay->notes()) std::cerr << "note: " << note << '\n';
    open_.emplace_front(k, std::move(replay));
    if (open_.size() > kOpen) open_.pop_back();
  }
  return open_.front().second.get();
}

server::Answer StudyView::answer(std::string_view target) {
  if (target == "/api/hello") return {200, "application/json; charset=utf-8", list_samples()};
  if (!target.starts_with(kSample)) return view::refuse(404, "no such address");
  const std::string_view rest = target.substr(kSample.size());
  const std::string_view number = rest.substr(0, rest.find('/'));
  const std::optional<std::int64_t> k = view::parse_integer(number, 0, 1'000'000'000);
  if (!k || number.size() == rest.size())
    return view::refuse(400, "expected /api/sample/K/ and what is wanted of it");
  view::Replay* replay = open(static_cast<long>(*k));
  server::Answer answer = replay->answer(concat("/api", rest.substr(number.size())));
  if (rest.substr(number.size()) != "/hello" || answer.status != 200) return answer;
  Json hello = Json::parse(answer.body);
  hello["study"] = folder_.study().name;
  hello["sample"] = *k;
  for (Json& run : hello["runs"]) run["name"] = concat(folder_.study().name, ", sample ", *k);
  answer.body = to_text(hello);
  return answer;
}

}  // namespace camber::app
