// The loop of a live drive without a page: its bits are those of `camber run`, whoever watches,
// pauses, goes back or repeats it.

#include "camber/live/live_drive.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "camber/core/hash.h"
#include "camber/core/text.h"
#include "camber/live/frame_history.h"
#include "camber/live/live_run.h"
#include "camber/record/run_folder.h"
#include "camber/run/record_run.h"
#include "camber/view/clip.h"

namespace camber::live {
namespace {

constexpr const char* kScenario = "scenarios/step-steer.toml";

run::Simulation load(const char* duration) {
  return run::Simulation::load(kScenario,
                               Overrides({std::string("run.duration=") + duration, "figures=[]"}));
}

std::string hash_of(const run::Simulation& simulation) {
  return hash_values(simulation.state_values());
}

/// Sits where page and log writer would.
class Remote {
 public:
  explicit Remote(LiveDrive* drive) : drive_(drive) {}

  LiveDrive* operator->() { return drive_; }
  void ask(Control::Kind kind, double argument = 0) { drive_->ask({kind, argument}); }
  /// Until a frame is at `time` or later, or the drive is over. False: over.
  bool wait(double time) {
    return wait_for([&] { return time_ >= time - 1e-9; });
  }
  /// Until a frame is before `time`.
  bool wait_before(double time) {
    return wait_for([&] { return time_ < time; });
  }
  void wait_for_end() {
    wait_for([] { return false; });
  }

 private:
  template <class Condition>
  bool wait_for(const Condition& holds) {
    while (!holds()) {
      const bool was_over = drive_->is_over();
      if (const auto* frame = drive_->newest_frame())
        std::memcpy(&time_, frame->data() + 8, sizeof time_);
      while (drive_->take_record(&record_)) {
      }
      if (was_over) return false;
      std::this_thread::yield();
    }
    return true;
  }

  LiveDrive* drive_;
  LogRecord record_;
  double time_ = 0;
};

/// A drive as fast as it goes, from a pause at its start; returns the hash of its end.
template <class Script>
std::string run_live(run::Simulation* simulation, const Script& script) {
  LiveDrive drive(simulation, {.is_paused = true, .keeps_time = false, .ends_with_run = true});
  std::thread loop([&] { drive.run(); });
  Remote remote(&drive);
  script(&remote);
  remote.wait_for_end();
  loop.join();
  return hash_of(*simulation);
}

using Kind = Control::Kind;

TEST(LiveDrive, EndsInTheBitsOfAPlainRunWhoeverWatches) {
  run::Simulation plain = load("1.5");
  plain.run();
  run::Simulation watched = load("1.5");
  EXPECT_EQ(run_live(&watched, [](Remote* remote) { remote->ask(Kind::kGoOn); }), hash_of(plain));
  // Pauses, single steps and other speeds change nothing either.
  run::Simulation paused = load("1.5");
  EXPECT_EQ(run_live(&paused,
                     [](Remote* remote) {
                       for (int k = 1; k <= 7; ++k) {
                         remote->ask(Kind::kStep, 107);
                         remote->wait(0.107 * k);
                         remote->ask(Kind::kSpeed, 0.25 * k);
                       }
                       remote->ask(Kind::kGoOn);
                     }),
            hash_of(plain));
}

TEST(LiveDrive, GoesBackExactly) {
  run::Simulation plain = load("1.5");
  plain.run();
  run::Simulation rewound = load("1.5");
  EXPECT_EQ(run_live(&rewound,
                     [](Remote* remote) {
                       remote->ask(Kind::kStep, 803);  // within an interval
                       EXPECT_TRUE(remote->wait(0.803));
                       remote->ask(Kind::kBack, 0.35);
                       EXPECT_TRUE(remote->wait_before(0.5));
                       remote->ask(Kind::kStep, 500);
                       EXPECT_TRUE(remote->wait(0.9));
                       remote->ask(Kind::kReset);
                       EXPECT_TRUE(remote->wait_before(0.1));
                       remote->ask(Kind::kStep, 1000);
                       EXPECT_TRUE(remote->wait(1));
                       remote->ask(Kind::kFromHere, 0.61);  // and it goes on
                     }),
            hash_of(plain));
}

HandInput make_input(std::uint32_t number, float steer, float throttle, float brake) {
  return {.is_driven = true,
          .device = Device::kKeys,
          .client = 2,
          .number = number,
          .steer = steer,
          .throttle = throttle,
          .brake = brake,
          .buttons = 0x10};
}

/// A folder that goes with the test.
struct Folder {
  Folder() {
    char name[] = "/tmp/camber-live-XXXXXX";
    path = ::mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path;
};

/// Drives by hand, tick by tick, with rewinding, into `folder`; returns the hash of the end.
std::string drive_by_hand(const std::string& folder, bool goes_back) {
  run::Simulation simulation = load("60");
  LiveDrive drive(&simulation, {.is_paused = true, .keeps_time = false});
  LiveRun recorded(&simulation, &drive);
  std::atomic<bool> is_ready = false;
  run::RunResult result;
  std::thread writer([&] {
    result = run::record_run({.model_file = kScenario, .model_text = "", .program = "test"},
                             record::RunFolder::make_at(folder), &recorded,
                             {.go_on = [&](double) { return is_ready = true; }});
  });
  while (!is_ready) std::this_thread::yield();
  std::thread loop([&] { drive.run(); });
  double time = 0;
  const auto wait = [&](const auto& holds) {
    while (!holds()) {
      if (const auto* frame = drive.newest_frame())
        std::memcpy(&time, frame->data() + 8, sizeof time);
      std::this_thread::yield();
    }
  };
  bool has_gone_back = !goes_back;
  for (std::uint32_t number = 1; time < 2.1; ++number) {
    const auto phase = static_cast<float>(std::sin(3 * time));
    HandInput input = make_input(number, phase, time < 1 ? 1.0f : 0.0f, time > 1.5 ? 0.5f : 0.0f);
    input.is_driven = time > 0.3 && !(time > 1.0 && time < 1.2);
    input.device = time > 0.7 ? Device::kPad : Device::kKeys;
    drive.set_input(input);
    const double next = time + 0.02;
    drive.ask({Control::Kind::kStep, 20});
    wait([&] { return time >= next - 1e-9; });
    if (time > 1.1 && !has_gone_back) {
      has_gone_back = true;
      drive.ask({Control::Kind::kBack, 0.52});
      wait([&] { return time < 0.7; });
    }
  }
  drive.end();
  loop.join();
  writer.join();
  EXPECT_EQ(result.status, run::RunStatus::kStopped);
  EXPECT_GT(result.time, 2);
  return hash_of(simulation);
}

class RepeatedDrive : public testing::TestWithParam<bool> {};

// What the folder recorded gives the same drive, also after going back; and the filters make the
// commands of the log from the raw inputs of the log.
TEST_P(RepeatedDrive, IsTheSameToTheBit) {
  const Folder folder;
  const std::string driven = drive_by_hand(folder.path + "/a", GetParam());
  run::Simulation simulation = load("60");
  run::DriveRun drive(&simulation);
  RecordedInputs inputs(folder.path + "/a");
  RepeatedRun repeated(&simulation, &drive, &inputs);
  run::record_run({.model_file = kScenario, .model_text = "", .program = "test"},
                  record::RunFolder::make_at(folder.path + "/b"), &repeated);
  EXPECT_TRUE(repeated.is_repeated());
  EXPECT_EQ(hash_of(simulation), driven);

  const record::Table first = record::read_table(folder.path + "/a/log.h5");
  const record::Table second = record::read_table(folder.path + "/b/log.h5");
  ASSERT_EQ(first.times, second.times);
  const std::vector<double>* a = first.find_values("chassis/position");
  const std::vector<double>* b = second.find_values("chassis/position");
  ASSERT_TRUE(a != nullptr && b != nullptr);
  EXPECT_EQ(*a, *b);
  const RecordedInputs again(folder.path + "/b");
  ASSERT_EQ(again.rows().size(), inputs.rows().size());
  int driven_rows = 0;
  for (std::size_t i = 0; i < again.rows().size(); ++i) {
    EXPECT_EQ(again.rows()[i].time, inputs.rows()[i].time);
    EXPECT_EQ(again.rows()[i].command.steer, inputs.rows()[i].command.steer);
    if (i > 0) {
      EXPECT_GT(again.rows()[i].time, again.rows()[i - 1].time);
    }
    driven_rows += again.rows()[i].is_driven ? 1 : 0;
  }
  EXPECT_GT(driven_rows, 100);
  EXPECT_LT(driven_rows, static_cast<int>(again.rows().size()));
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutGoingBack, RepeatedDrive, testing::Bool());

// Ten seconds are more than it takes to stop from 20 m/s.
TEST(LiveDrive, BrakesAVehicleWhoseDriverIsSilent) {
  run::Simulation simulation = load("10");
  run_live(&simulation, [](Remote* remote) {
    HandInput input = make_input(1, 0, 1, 0);
    input.silence = Silence::kBrake;
    (*remote)->set_input(input);
    remote->ask(Kind::kGoOn);
  });
  EXPECT_NEAR(simulation.time(), 10, 1e-9);
  EXPECT_NEAR(simulation.vehicle().velocity[0], 0, 0.05);
}

// Low range multiplies the torque at the wheels by the ratio of the transfer case; the lever does not
// move on the way.
TEST(LiveDrive, ShiftsTheTransferCaseAtRest) {
  const auto torque_after = [](std::uint32_t range, double speed) {
    run::Simulation simulation = run::Simulation::load(
        kScenario,
        Overrides({"run.duration=0.6", "figures=[]", concat("vehicle.start.speed=", speed)}));
    run_live(&simulation, [&](Remote* remote) {
      HandInput input = make_input(1, 0, 0.3f, speed == 0 ? 1.0f : 0.0f);
      input.buttons = range << 6;
      (*remote)->set_input(input);
      remote->ask(Kind::kGoOn);
    });
    double torque = 0;
    for (const auto& wheel : simulation.vehicle().wheels) torque += wheel.drive_torque;
    return torque;
  };
  const double high = torque_after(0, 0), low = torque_after(2, 0);
  EXPECT_GT(high, 300);
  // The brakes hold the wheels, so that the converter stalls in both.
  EXPECT_NEAR(low / high, 2.61, 0.02);
  EXPECT_EQ(torque_after(2, 10), torque_after(0, 10));
}

TEST(FrameHistory, HasClipsAndSlicesOfWhatWasNotGoneBackFrom) {
  run::Simulation simulation = load("1.5");
  view::StateFrame frame(&simulation);
  std::vector<std::byte> bytes(frame.size());
  FrameHistory history(frame.layout());
  const auto ask = [&](const char* target) {
    const auto address = view::parse_address(target);
    return address->parts[1] == "clip" ? history.answer_clip(*address)
                                       : history.answer_slice(*address);
  };
  EXPECT_EQ(ask("/api/clip").status, 204);
  const auto add = [&](run::Simulation* from, double time) {
    from->advance_to(time);
    frame.write({.number = 1}, from, bytes);
    history.add(bytes);
  };
  for (int k = 0; k <= 40; ++k) add(&simulation, 0.01 * k);
  EXPECT_EQ(history.size(), 41u);
  run::Simulation earlier = load("1.5");  // as if it had gone back
  add(&earlier, 0.25);
  EXPECT_EQ(history.size(), 26u);
  add(&earlier, 0.25);  // a pause
  EXPECT_EQ(history.size(), 26u);
  const view::Clip clip = view::decode_clip(ask("/api/clip?from=0&to=1&rate=1000").body);
  ASSERT_EQ(clip.columns.front().values.size(), 26u);
  EXPECT_NEAR(clip.columns.front().values.back(), 0.25, 1e-6);
  const view::Clip part = view::decode_clip(ask("/api/clip?from=0.1&to=0.2&rate=50").body);
  EXPECT_EQ(part.columns.front().values.size(), 6u);
  const server::Answer slice = ask("/api/slice?column=0,1&points=100");
  ASSERT_EQ(slice.status, 200);
  std::uint32_t count = 0;
  std::memcpy(&count, slice.body.data(), sizeof count);
  EXPECT_EQ(count, 26u);
  for (const char* bad : {"/api/clip?run=1", "/api/clip?from=x", "/api/clip?from=0&to=99",
                          "/api/slice", "/api/slice?column=-1", "/api/slice?column=0&points=1"})
    EXPECT_EQ(ask(bad).status, 400) << bad;
}

TEST(StateRing, KeepsTheStartAndTheLastMoments) {
  StateRing ring(100 * sizeof(double) * 10);
  for (int i = 0; i < 50; ++i) {
    const double time = 0.1 * i;
    EXPECT_TRUE(ring.is_due(time));
    ring.add({time, std::vector<double>(100, time)}, {});
    EXPECT_FALSE(ring.is_due(time + 0.05));
  }
  EXPECT_EQ(ring.size(), 11u);
  EXPECT_NEAR(ring.go_back(4.55).state.time, 4.5, 1e-12);
  EXPECT_NEAR(ring.go_back(4.5).state.time, 4.5, 1e-12);
  EXPECT_NEAR(ring.go_back(1).state.time, 0, 1e-12);  // only the start is left of that
}

// Two threads: what is read is always whole.
TEST(Exchange, HandsOverWholeValues) {
  struct Pair {
    std::uint64_t a = 0, b = 0, c = 0;
  };
  Seqlock<Pair> lock;
  TripleBuffer<std::vector<std::uint64_t>> buffer(std::vector<std::uint64_t>(64));
  Ring<std::uint64_t> ring(256);
  constexpr std::uint64_t kCount = 20000;
  std::thread writer([&] {
    for (std::uint64_t i = 1; i <= kCount; ++i) {
      lock.write({i, 2 * i, 3 * i});
      buffer.to_fill().assign(64, i);
      buffer.publish();
      while (!ring.push_one(i)) std::this_thread::yield();
    }
  });
  std::uint64_t last = 0, next = 1, value = 0;
  while (next <= kCount) {
    const Pair pair = lock.read();
    ASSERT_EQ(pair.b, 2 * pair.a);
    ASSERT_EQ(pair.c, 3 * pair.a);
    if (const auto* newest = buffer.read()) {
      ASSERT_EQ(newest->front(), newest->back());
      ASSERT_GE(newest->front(), last);
      last = newest->front();
    }
    while (ring.pop_one(&value)) {
      ASSERT_EQ(value, next);
      ++next;
    }
  }
  writer.join();
  if (const auto* newest = buffer.read()) last = newest->front();
  EXPECT_EQ(last, kCount);
}

}  // namespace
}  // namespace camber::live
