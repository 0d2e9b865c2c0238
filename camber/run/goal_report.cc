#include "camber/run/goal_report.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/record/channel_names.h"

namespace camber::run {
namespace {

using Json = nlohmann::ordered_json;
using autonomy::Behavior, autonomy::GoalView;

std::string word_of(Behavior behavior) {
  return std::string(autonomy::kBehaviorWords[static_cast<std::size_t>(behavior)]);
}

double calc_length(const record::Table& log) {
  const std::vector<double>* p = log.find_values(record::channel::kPosition);
  double length = 0;
  if (p == nullptr) return 0;
  for (std::size_t i = 3; i + 2 < p->size(); i += 3)
    length += std::hypot((*p)[i] - (*p)[i - 3], (*p)[i + 1] - (*p)[i - 2]);
  return length;
}

/// Plans about every ten meters, so that their arcs do not cover each other.
std::vector<report::GroundLines> make_lines(const GoalView& view) {
  report::GroundLines seen{.label = "seen as obstacle", .color = 7, .is_dots = true};
  constexpr std::size_t kMaxDots = 4000;
  const std::size_t stride = 1 + view.seen.size() / kMaxDots;
  seen.lines.emplace_back();
  for (std::size_t k = 0; k < view.seen.size(); k += stride)
    seen.lines.back().push_back({view.seen[k].x, view.seen[k].y});
  report::GroundLines free{.label = "arcs that were free", .color = 2},
      blocked{.label = "arcs that were blocked", .color = 3},
      taken{.label = "arcs taken", .color = 1};
  constexpr double kSpacing = 12;  // [m]
  planning::Pose last{1e9, 1e9, 0};
  for (const autonomy::PlanView& picture : view.pictures) {
    if (std::hypot(picture.pose.x - last.x, picture.pose.y - last.y) < kSpacing) continue;
    last = picture.pose;
    for (std::size_t k = 0; k < picture.candidates.size(); ++k) {
      const autonomy::Candidate& arc = picture.candidates[k];
      if (!arc.is_taken && k % 3 != 0) continue;
      std::vector<report::GroundPoint> line;
      for (const planning::Point& p : arc.points) line.push_back({p.x, p.y});
      (arc.is_taken ? taken : arc.is_blocked ? blocked : free).lines.push_back(std::move(line));
    }
  }
  std::vector<report::GroundLines> lines;
  for (report::GroundLines* set : {&seen, &blocked, &free, &taken})
    if (!set->lines.empty() && !set->lines.front().empty()) lines.push_back(std::move(*set));
  return lines;
}

Json summarize_times(std::vector<float> times) {
  if (times.empty()) return {};
  std::ranges::sort(times);
  const auto at = [&](double share) {
    return 1e3 * times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  return {{"plans", times.size()}, {"median_ms", at(0.5)}, {"p99_ms", at(0.99)}, {"max_ms", at(1)}};
}

}  // namespace

void report_goal(const GoalView& view, const scenario::AutonomySetup& setup,
                 const record::Table& log, Json* summary, report::PageData* page) {
  const bool is_reached = view.behavior == Behavior::kArrived;
  const double length = calc_length(log);
  Json& goal = (*summary)["goal"];
  goal["reached"] = is_reached;
  goal["at"] = {setup.goal.x, setup.goal.y};
  goal["distance"] = view.distance;
  goal["time"] = is_reached && !log.times.empty() ? Json(log.times.back()) : Json();
  goal["length"] = length;
  goal["shortest"] = view.shortest;
  goal["length_over_shortest"] = view.shortest > 0 ? Json(length / view.shortest) : Json();
  Json changes = Json::array();
  for (const autonomy::BehaviorChange& change : view.changes) {
    changes.push_back({{"time", change.time},
                       {"behavior", word_of(change.behavior)},
                       {"reason", change.reason},
                       {"at", {change.at.x, change.at.y}}});
    page->events.push_back({short_text(change.time, 5), word_of(change.behavior), change.reason});
  }
  goal["behavior"] = std::move(changes);
  goal["planning"] = summarize_times(view.cycle_times);
  if (!is_reached) {
    auto warnings = summary->value("warnings", std::vector<std::string>{});
    warnings.push_back(
        concat("the goal is not reached: ", short_text(view.distance, 4), " m are left"));
    (*summary)["warnings"] = warnings;
  }
  for (report::GroundLines& set : make_lines(view)) page->plan.lines.push_back(std::move(set));
  page->plan.marks.push_back({{setup.goal.x, setup.goal.y}, "goal"});
  if (!view.cycle_times.empty()) {
    const Json& times = goal["planning"];
    page->settings.push_back({"planning time, median / 99 % / max",
                              concat(short_text(times["median_ms"].get<double>(), 3), " / ",
                                     short_text(times["p99_ms"].get<double>(), 3), " / ",
                                     short_text(times["max_ms"].get<double>(), 3)),
                              "ms"});
  }
}

}  // namespace camber::run
