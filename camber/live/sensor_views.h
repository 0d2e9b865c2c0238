#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "camber/autonomy/goal_view.h"
#include "camber/live/exchange.h"
#include "camber/run/simulation.h"
#include "camber/server/answer.h"

namespace camber::live {

/// Measurements of a drive's sensors and the plan of its pilot, for the page. The loop copies new
/// data while a page watches; one other thread makes answers from it.
class SensorViews {
 public:
  explicit SensorViews(const run::Simulation& simulation);

  /// Whether a page watches. Any thread.
  void set_watched(bool is_watched) { is_watched_.store(is_watched, std::memory_order_relaxed); }
  /// In the loop, at a tick. Calls `tell` with the name and number of each new scan or picture.
  void look(const run::Simulation& simulation,
            const std::function<void(std::string_view name, long number)>& tell);

  /// Answers to /api/scan/NAME, /api/image/NAME and /api/goal; 404 for an unknown sensor, 204
  /// before its first measurement.
  server::Answer answer_scan(std::string_view name);
  server::Answer answer_image(std::string_view name);
  server::Answer answer_goal();

 private:
  /// A scan in the protocol's format, or the pixels of a picture.
  struct View {
    int width = 0, height = 0;
    std::string bytes;
  };
  struct Watched {
    std::string name;
    bool is_camera = false;
    long number = -1;  // seen last
    TripleBuffer<View> views{View{}};
    const View* newest = nullptr;  // of who answers
  };
  struct Goal {
    autonomy::Behavior behavior = autonomy::Behavior::kWait;
    double x = 0, y = 0;  // target [m]
    double cell = 0;      // [m]
    std::vector<autonomy::Candidate> candidates;
    std::vector<planning::Point> seen;
  };
  Watched* find(std::string_view name, bool is_camera);
  void look_at_goal(const autonomy::GoalView& goal, double time);

  std::atomic<bool> is_watched_ = false;
  std::vector<std::unique_ptr<Watched>> sensors_;  // by number; null: nothing to look at
  TripleBuffer<Goal> goals_{Goal{}};
  bool has_goal_ = false;
  double goal_time_ = -1;  // [s]
  const Goal* newest_goal_ = nullptr;
};

}  // namespace camber::live
