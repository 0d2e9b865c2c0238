#pragma once

// Recorded runs behind the page: `camber view RUN [RUN ...]`.
//
//   Replay replay({"runs/step-steer-001", "runs/step-steer-002"});
//   replay.hello("camber 0.1.0")
//   replay.answer("/api/clip?run=0&from=0&to=10&rate=60")
//
// The first run gives ground and surroundings; others are ghosts on it. One thread at a time.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "camber/view/answer.h"
#include "camber/view/page_text.h"
#include "camber/view/recorded_run.h"
#include "camber/view/stage.h"

namespace camber::view {

class Replay {
 public:
  static constexpr std::size_t kMaxRuns = 16, kMaxColumns = 64, kMaxPoints = 20'000;
  static constexpr double kMaxClip = 60;  // [s]

  /// Throws std::invalid_argument for folders that are not those of runs.
  explicit Replay(const std::vector<std::string>& folders);

  nlohmann::ordered_json hello(std::string_view program) const {
    return stage_->hello("replay", program);
  }
  /// Notes for the user, of all runs.
  std::vector<std::string> notes() const;

  /// Any address of section 7, and /api/hello.
  Answer answer(std::string_view target);
  void set_program(std::string program) { program_ = std::move(program); }

  std::size_t run_count() const { return runs_.size(); }
  RecordedRun& run(std::size_t i) { return *runs_[i]; }
  const Stage& stage() const { return *stage_; }

 private:
  Answer answer_sensor(const Address& address);
  Answer answer_slice(const Address& address);
  Answer answer_clip(const Address& address);

  std::vector<std::unique_ptr<RecordedRun>> runs_;
  std::unique_ptr<Stage> stage_;
  std::string program_ = "camber";
};

/// One HTML file that shows the runs without a server (section 8). Clips have at most `rate` samples
/// per second.
std::string make_html(Replay* replay, std::string_view program, const PageText& page,
                      double rate = 50);

}  // namespace camber::view
