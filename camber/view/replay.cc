#include "camber/view/replay.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber::view {
namespace {

using Json = nlohmann::ordered_json;

std::size_t find_stride(std::span<const double> times, double rate) {
  if (times.size() < 2 || !(times.back() > times.front())) return 1;
  const double own =
      static_cast<double>(times.size() - 1) / (times.back() - times.front());  // [Hz]
  return static_cast<std::size_t>(std::max(1.0, std::floor(own / rate + 1e-6)));
}

}  // namespace

Replay::Replay(const std::vector<std::string>& folders) {
  require(!folders.empty(), "Replay: no run is given");
  require(folders.size() <= kMaxRuns, "Replay: ", folders.size(), " runs, at most ", kMaxRuns);
  for (const std::string& folder : folders) runs_.push_back(std::make_unique<RecordedRun>(folder));
  const run::Simulation* main = runs_.front()->simulation();
  stage_ = main != nullptr ? std::make_unique<Stage>(main->built())
                           : std::make_unique<Stage>(runs_.front()->find_floor());
  for (const auto& run : runs_) stage_->add_run(run->describe(&stage_->meshes()));
}

std::vector<std::string> Replay::notes() const {
  std::vector<std::string> all;
  for (const auto& run : runs_) all.insert(all.end(), run->notes().begin(), run->notes().end());
  return all;
}

Answer Replay::answer(std::string_view target) {
  const std::optional<Address> address = parse_address(target);
  if (!address) return refuse(400, "this is not an address");
  const std::vector<std::string>& parts = address->parts;
  if (parts.size() == 2 && parts[0] == "api") {
    if (parts[1] == "hello")
      return {200, "application/json",
              hello(program_).dump(-1, ' ', false, Json::error_handler_t::replace)};
    if (parts[1] == "slice") return answer_slice(*address);
    if (parts[1] == "clip") return answer_clip(*address);
    if (parts[1] == "goal") return {204, "application/json", {}};
  }
  if (parts.size() == 3 && parts[0] == "api" && (parts[1] == "scan" || parts[1] == "image"))
    return answer_sensor(*address);
  return stage_->answer(*address);
}

Answer Replay::answer_sensor(const Address& address) {
  const std::string* text = address.find("at");
  const auto time = text == nullptr ? std::optional(1e12) : parse_number(*text, -1e12, 1e12);
  if (!time) return refuse(400, "at: expected a time in s");
  const RecordedScans* scans = runs_.front()->scans();
  if (scans == nullptr) return refuse(404, "no such sensor");
  return address.parts[1] == "scan" ? scans->answer_scan(address.parts[2], *time)
                                    : scans->answer_image(address.parts[2], *time);
}

Answer Replay::answer_slice(const Address& address) {
  const auto number = [&](const char* name, double otherwise) -> std::optional<double> {
    const std::string* text = address.find(name);
    return text == nullptr ? otherwise : parse_number(*text, -1e12, 1e12);
  };
  const std::string *run_text = address.find("run"), *points_text = address.find("points"),
                    *column_text = address.find("column");
  const auto run = run_text == nullptr
                       ? 0
                       : parse_integer(*run_text, 0, static_cast<std::int64_t>(runs_.size()) - 1);
  if (!run) return refuse(400, concat("run: expected 0 to ", runs_.size() - 1));
  RecordedRun& from_run = *runs_[static_cast<std::size_t>(*run)];
  const auto columns =
      column_text == nullptr
          ? std::nullopt
          : parse_integers(*column_text, 0, static_cast<std::int64_t>(from_run.column_count()) - 1,
                           kMaxColumns);
  if (!columns)
    return refuse(400, concat("column: expected up to ", kMaxColumns, " numbers from 0 to ",
                              from_run.column_count() - 1, ": column=3,4"));
  const auto points = points_text == nullptr
                          ? 1000
                          : parse_integer(*points_text, 2, static_cast<std::int64_t>(kMaxPoints));
  if (!points) return refuse(400, concat("points: expected 2 to ", kMaxPoints));
  const auto from = number("from", from_run.times().front());
  const auto to = number("to", from_run.times().back());
  if (!from || !to) return refuse(400, "from, to: expected times in s");
  std::string out;
  for (const std::int64_t k : *columns)
    append_slice(from_run.times(), from_run.column(static_cast<std::size_t>(k)), *from, *to,
                 static_cast<std::size_t>(*points), &out);
  return {200, "application/octet-stream", std::move(out)};
}

Answer Replay::answer_clip(const Address& address) {
  const std::string* run_text = address.find("run");
  const auto run = run_text == nullptr
                       ? 0
                       : parse_integer(*run_text, 0, static_cast<std::int64_t>(runs_.size()) - 1);
  if (!run) return refuse(400, concat("run: expected 0 to ", runs_.size() - 1));
  RecordedRun& from_run = *runs_[static_cast<std::size_t>(*run)];
  const auto number = [&](const char* name, double otherwise, double low,
                          double high) -> std::optional<double> {
    const std::string* text = address.find(name);
    return text == nullptr ? otherwise : parse_number(*text, low, high);
  };
  const auto from = number("from", from_run.times().front(), -1e12, 1e12);
  if (!from) return refuse(400, "from: expected a time in s");
  const auto to = number("to", *from + kMaxClip, -1e12, 1e12);
  const auto rate = number("rate", 60, 0.1, 1e6);
  if (!to || !rate) return refuse(400, "to, rate: expected a time in s and a rate in Hz");
  if (*to > *from + kMaxClip + 1e-6)
    return refuse(400, concat("to: expected at most ", kMaxClip, " s after from"));
  return {200, "application/octet-stream",
          from_run.make_clip(static_cast<int>(*run), *from, *to,
                             find_stride(from_run.times(), *rate), 1)};
}

}  // namespace camber::view
