#pragma once

// A drive in real time that people watch and steer. run() is the loop; it needs its own thread, and
// each other function may be called from one further thread, as listed. Between two of its waits
// the loop takes no lock and makes no system call except reading the clock.
//
//   network thread:  set_input(), ask(), newest_frame(), take_event()
//   log thread:      take_record(), is_over()

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "camber/live/exchange.h"
#include "camber/live/hand_driver.h"
#include "camber/live/rut_views.h"
#include "camber/live/sensor_views.h"
#include "camber/live/state_ring.h"
#include "camber/run/simulation.h"
#include "camber/view/state_frame.h"

namespace camber::live {

/// Request of a driver or a viewer; numbers are those of the protocol.
struct Control {
  enum class Kind : std::uint16_t {
    kNone = 0,
    kTake = 1,
    kRelease = 2,
    kPause = 3,
    kGoOn = 4,
    kStep = 5,
    kSpeed = 6,
    kReset = 7,
    kBack = 8,
    kFromHere = 9,
    kEnd = 10,
  } kind = Kind::kNone;
  double argument = 0;
};

struct LiveEvent {
  enum class Kind : std::uint8_t {
    kPaused,
    kRunning,
    kSpeed,
    kReset,
    kBack,
    kGear,
    kLift,
    kContact,
    kHit,
    kFailed,
    kEnded,
    kLate,
    kBehavior,
    kScan,
  } kind = Kind::kPaused;
  double time = 0;   // [s]
  double value = 0;  // factor, gear, wheel, time to go back to, time that was lost
  char text[232] = "";
};

/// A piece of the log for the writer.
struct LogRecord {
  enum Kind { kSample = 0, kInputs = 1, kRewind = 2, kSeries = 3 };
  int kind = kSample;
  int series = 0;  // of kSeries
  double time = 0;
  std::vector<double> values;
};

struct LiveOptions {
  bool is_paused = false;             // at the start
  bool keeps_time = true;             // false: as fast as it goes, for tests
  bool ends_with_run = false;         // the loop ends when the run does; otherwise it waits there
  double frame_interval = 1.0 / 120;  // of frames at most [s] of the clock
};

class LiveDrive {
 public:
  /// Keeps a pointer to the simulation, which is at its start.
  LiveDrive(run::Simulation* simulation, const LiveOptions& options);

  // --- The loop ---
  void run();
  /// Error of the loop itself; empty if there was none. To be read when it is over.
  const std::string& failure() const { return failure_; }
  bool is_over() const { return is_over_.load(std::memory_order_acquire); }

  // --- Network thread ---
  void set_input(const HandInput& input) { input_.write(input); }
  /// False: too many wait.
  bool ask(const Control& control) { return controls_.push_one(control); }
  /// The newest frame, or null if it was read before.
  const std::vector<std::byte>* newest_frame() { return frames_.read(); }
  bool take_event(LiveEvent* event) { return events_.pop_one(event); }

  /// Motion of the vehicle, for the thread that prepares the ground and for a wheel with forces.
  struct Place {
    double x = 0, y = 0;         // [m]
    double vx = 0, vy = 0;       // [m/s] of the clock: times the speed factor
    double steering_torque = 0;  // of the driver at the steering wheel, left + [N m]
  };
  Place place() const { return place_.read(); }

  /// From any thread: ends the run where it is.
  void end() { ends_.store(true, std::memory_order_relaxed); }

  // --- Log thread ---
  bool take_record(LogRecord* record);
  /// Hands samples of sensors to the log; in the loop's thread.
  void log_series(std::size_t series, double time, std::span<const double> values);

  SensorViews& sensor_views() { return views_; }
  RutViews& ruts() { return ruts_; }
  const view::FrameLayout& layout() const { return frame_.layout(); }
  const HandLimits& limits() const { return hand_.limits(); }
  /// CPU time of steps [us]: counts in bins of 1 us, the last one is open.
  const std::vector<std::uint32_t>& step_times() const { return step_times_; }
  std::uint64_t long_steps() const { return long_steps_; }
  std::uint64_t late_wakes() const { return late_wakes_; }

 private:
  struct Watched {
    int gear = 0;
    std::size_t changes = 0;  // of a pilot's behavior
    std::vector<char> lifted;
  };

  void loop();
  void obey(const Control& control);
  void act();
  void step();
  void after_step();
  void look_at_tick();
  void save_state();
  void go_to(double time, LiveEvent::Kind kind);
  void log(LogRecord::Kind kind, int series, double time, std::span<const double> values);
  void publish();
  void tell(LiveEvent::Kind kind, double value, std::string_view text);
  void set_paused(bool is_paused);
  void restart_clock();
  void wait_until_due();
  void measure_factor();
  bool is_moving() const { return !is_paused_ && !simulation_->is_done(); }

  run::Simulation* simulation_;
  LiveOptions options_;
  HandDriver hand_;
  bool starts_low_;  // range of the transfer case
  StateRing ring_;
  view::StateFrame frame_;
  SensorViews views_;
  RutViews ruts_;
  std::function<void(std::string_view, long)> tell_scan_;

  Seqlock<HandInput> input_;
  Seqlock<Place> place_;
  Ring<Control> controls_{64};
  Ring<LiveEvent> events_{256};
  Ring<double> records_{std::size_t{1} << 20};
  TripleBuffer<std::vector<std::byte>> frames_;
  std::atomic<bool> ends_ = false, is_over_ = false;

  // Only the loop:
  HandInput now_;         // what the last command was made from
  double acted_at_ = -1;  // [s] of simulated time
  bool was_driven_ = false;
  bool is_paused_ = false, was_done_ = false;
  int single_steps_ = 0;
  double factor_ = 1;
  double start_clock_ = 0;                 // [s] of the clock when the loop started
  double base_clock_ = 0, base_time_ = 0;  // where pacing counts from
  double last_frame_ = 0;                  // [s] of the clock
  double second_clock_ = 0, second_time_ = 0, actual_factor_ = 0;
  bool is_catching_up_ = false;
  std::uint32_t frame_number_ = 0, shown_input_ = 0;
  std::uint64_t long_steps_ = 0, late_wakes_ = 0;
  float longest_ = 0, longest_since_ = 0;  // [us]
  std::vector<std::uint32_t> step_times_;
  std::vector<double> row_;
  std::string failure_;
  Watched watched_;
};

/// Lock and wheelbase of the vehicle that is driven.
HandLimits find_hand_limits(const run::Simulation& simulation);

}  // namespace camber::live
