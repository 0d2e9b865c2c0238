#include "camber/live/wheel_device.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <linux/input.h>

#include "camber/live/live_page.h"
#include "camber/run/simulation.h"
#include "camber/server/server.h"

namespace camber::live {
namespace {

// A wheel whose pedals rest at the upper end of their ranges, as most do; one of them says 0 until it
// is first moved.
std::vector<WheelAxis> usual_axes() {
  return {{.code = ABS_X, .min = 0, .max = 65535, .value = 32768},
          {.code = ABS_Y, .min = 0, .max = 255, .value = 255},
          {.code = ABS_Z, .min = 0, .max = 255, .value = 0},
          {.code = ABS_RZ, .min = 0, .max = 255, .value = 255}};
}

std::vector<std::byte> bytes_of(std::initializer_list<std::array<int, 3>> events) {
  std::vector<std::byte> bytes;
  for (const auto& [type, code, value] : events) {
    input_event event = {};
    event.type = static_cast<std::uint16_t>(type);
    event.code = static_cast<std::uint16_t>(code);
    event.value = value;
    const auto* first = reinterpret_cast<const std::byte*>(&event);
    bytes.insert(bytes.end(), first, first + sizeof event);
  }
  return bytes;
}

constexpr std::array<int, 3> kReport{EV_SYN, SYN_REPORT, 0};

// The records of linux/input.h on a 64-bit machine, byte by byte: seconds and microseconds in 8
// bytes each, then type, code and value.
TEST(WheelDecoder, ReadsTheBytesOfAnEventDevice) {
  static_assert(sizeof(input_event) == 24);
  std::vector<std::byte> bytes(48);
  bytes[16] = std::byte{0x03};                               // EV_ABS
  bytes[18] = std::byte{0x00};                               // ABS_X
  bytes[20] = std::byte{0x00}, bytes[21] = std::byte{0x40};  // 16384 of 65535
  WheelDecoder wheel(usual_axes(), choose_axes(usual_axes(), {}));
  // In pieces that do not end where events do.
  for (std::size_t at = 0; at < bytes.size(); at += 7)
    wheel.take(std::span(bytes).subspan(at, std::min<std::size_t>(7, bytes.size() - at)));
  EXPECT_NEAR(wheel.reading().steer, 1 - 2 * 16384.0 / 65535, 1e-6);
  EXPECT_EQ(wheel.reading().number, 1u);
}

TEST(WheelDecoder, TakesPedalsAsFreeUntilTheyMove) {
  WheelDecoder wheel(usual_axes(), choose_axes(usual_axes(), {}));
  EXPECT_EQ(wheel.reading().throttle, 0);  // it says 0 of 255, which would be full
  EXPECT_EQ(wheel.reading().brake, 0);
  wheel.take(bytes_of({{EV_ABS, ABS_Z, 250}, kReport}));
  EXPECT_NEAR(wheel.reading().throttle, 0, 1e-6);  // within its first 2 %
  wheel.take(bytes_of({{EV_ABS, ABS_Z, 51}, {EV_ABS, ABS_RZ, 204}, kReport}));
  EXPECT_NEAR(wheel.reading().throttle, 0.8, 1e-6);
  EXPECT_NEAR(wheel.reading().brake, 0.2, 1e-6);
  // One that runs the other way.
  WheelDecoder other(usual_axes(), choose_axes(usual_axes(), {}));
  other.take(bytes_of({{EV_ABS, ABS_Z, 3}, kReport, {EV_ABS, ABS_Z, 255}, kReport}));
  EXPECT_NEAR(other.reading().throttle, 1, 1e-6);
}

TEST(WheelDecoder, KnowsPaddlesAndTheParkingBrake) {
  WheelDecoder wheel(usual_axes(), choose_axes(usual_axes(), {}));
  EXPECT_EQ(wheel.reading().selector, 0);
  wheel.take(bytes_of({{EV_KEY, BTN_GEAR_DOWN, 1}, {EV_KEY, BTN_TRIGGER, 1}, kReport}));
  EXPECT_EQ(wheel.reading().selector, 2);
  EXPECT_TRUE(wheel.reading().parking_brake);
  wheel.take(bytes_of({{EV_KEY, BTN_GEAR_DOWN, 0}, {EV_KEY, BTN_TRIGGER, 0}, kReport}));
  EXPECT_EQ(wheel.reading().selector, 2);
  EXPECT_TRUE(wheel.reading().parking_brake);
  wheel.take(bytes_of({{EV_KEY, BTN_TOP2, 1}, {EV_KEY, BTN_TRIGGER, 1}, kReport}));
  EXPECT_EQ(wheel.reading().selector, 1);
  EXPECT_FALSE(wheel.reading().parking_brake);
}

// The kernel says when its buffer ran over: what follows is half of a report.
TEST(WheelDecoder, ReadsItsAxesAnewAfterLostEvents) {
  WheelDecoder wheel(usual_axes(), choose_axes(usual_axes(), {}));
  wheel.take(bytes_of({{EV_SYN, SYN_DROPPED, 0}, {EV_ABS, ABS_X, 0}, kReport}));
  EXPECT_TRUE(wheel.has_lost_events());
  EXPECT_NEAR(wheel.reading().steer, 0, 1e-4);
  std::vector<WheelAxis> axes = usual_axes();
  axes[0].value = 65535;
  wheel.resume(axes);
  EXPECT_FALSE(wheel.has_lost_events());
  EXPECT_NEAR(wheel.reading().steer, -1, 1e-6);
}

TEST(WheelAxes, AreTheUsualOnesOrThoseThatAreAskedFor) {
  const WheelAxes usual = choose_axes(usual_axes(), {});
  EXPECT_EQ(usual.steer, ABS_X);
  EXPECT_EQ(usual.throttle, ABS_Z);
  EXPECT_EQ(usual.brake, ABS_RZ);
  const WheelAxes wish = parse_wheel_axes("throttle=y,brake=2");
  EXPECT_EQ(wish.steer, -1);
  EXPECT_EQ(choose_axes(usual_axes(), wish).throttle, ABS_Y);
  EXPECT_EQ(choose_axes(usual_axes(), wish).brake, ABS_Z);
  for (const char* bad : {"steer", "steer=q", "clutch=x", "steer=64", "steer=-1"})
    EXPECT_THROW(parse_wheel_axes(bad), std::invalid_argument) << bad;
  EXPECT_THROW(choose_axes(usual_axes(), {.steer = ABS_WHEEL}), std::invalid_argument);
  EXPECT_THROW(choose_axes({{.code = ABS_Z, .min = 0, .max = 9}}, {}), std::invalid_argument);
}

TEST(WheelPort, SaysWhatIsNoWheel) {
  for (const char* path : {"/dev/null", "/dev/input/event-that-is-not-there"}) {
    try {
      open_wheel_port(path);
      ADD_FAILURE() << path;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    }
  }
  EXPECT_FALSE(find_wheel("/var/empty-folder-of-no-machine").has_value());
}

/// A device in memory.
struct Bench {
  std::mutex lock;
  std::condition_variable wake;
  std::deque<std::vector<std::byte>> reports;
  std::vector<double> levels;  // that were pushed
  bool is_gone = false;

  void send(std::vector<std::byte> bytes) {
    const std::lock_guard hold(lock);
    reports.push_back(std::move(bytes));
  }
};

class BenchPort : public WheelPort {
 public:
  explicit BenchPort(std::shared_ptr<Bench> bench) : bench_(std::move(bench)) {}
  std::string name() const override { return "bench wheel"; }
  std::vector<WheelAxis> axes() const override { return usual_axes(); }
  bool has_constant_force() const override { return true; }
  int read(std::span<std::byte> bytes, int timeout) override {
    std::unique_lock hold(bench_->lock);
    if (bench_->reports.empty()) bench_->wake.wait_for(hold, std::chrono::milliseconds(timeout));
    if (bench_->is_gone) return -1;
    if (bench_->reports.empty()) return 0;
    const std::vector<std::byte> report = bench_->reports.front();
    bench_->reports.pop_front();
    std::memcpy(bytes.data(), report.data(), report.size());
    return static_cast<int>(report.size());
  }
  bool push(double level) override {
    const std::lock_guard hold(bench_->lock);
    bench_->levels.push_back(level);
    return true;
  }

 private:
  std::shared_ptr<Bench> bench_;
};

bool wait_for(const std::function<bool()>& holds) {
  for (int k = 0; k < 2000; ++k) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

// A driver who turns the simulated wheel to the left holds against a device that pushes to the
// right: 4 N m of 8 are half of its force. The force never jumps, and ends with the device.
TEST(WheelDevice, PushesAgainstTheDriverWithoutBlows) {
  const auto bench = std::make_shared<Bench>();
  {
    WheelDevice wheel(std::make_unique<BenchPort>(bench), {.gain = 1, .full_torque = 8});
    EXPECT_TRUE(wheel.has_force());
    EXPECT_EQ(wheel.name(), "bench wheel");
    bench->send(bytes_of({{EV_ABS, ABS_X, 0}, kReport}));
    EXPECT_TRUE(wait_for([&] { return wheel.read().number == 1; }));
    EXPECT_EQ(wheel.read().steer, 1);
    const auto last_level = [&] {
      const std::lock_guard hold(bench->lock);
      return bench->levels.empty() ? 0.0 : bench->levels.back();
    };
    wheel.set_torque(4);
    EXPECT_TRUE(wait_for([&] { return last_level() == -0.5; }));
    wheel.set_torque(-80);
    EXPECT_TRUE(wait_for([&] { return last_level() == 1; }));
    wheel.set_torque(std::nan(""));
    EXPECT_TRUE(wait_for([&] { return last_level() == 0; }));
    wheel.set_torque(4);
    EXPECT_TRUE(wait_for([&] { return last_level() == -0.5; }));
  }
  double before = 0;
  for (std::size_t k = 0; k + 1 < bench->levels.size(); ++k) {  // the last one lets go
    EXPECT_LE(std::abs(bench->levels[k] - before), 0.1 + 1e-12) << k;
    before = bench->levels[k];
  }
  EXPECT_EQ(bench->levels.back(), 0);
}

TEST(WheelDevice, SaysThatItIsGone) {
  const auto bench = std::make_shared<Bench>();
  const WheelDevice wheel(std::make_unique<BenchPort>(bench), {.gain = 0});
  EXPECT_FALSE(wheel.has_force());
  EXPECT_TRUE(wheel.read().is_there);
  {
    const std::lock_guard hold(bench->lock);
    bench->is_gone = true;
  }
  EXPECT_TRUE(wait_for([&] { return !wheel.read().is_there; }));
  EXPECT_TRUE(bench->levels.empty());
}

/// A drive and its page without connections: the test is the network and the writer of the log.
class WheelAtADrive : public testing::Test {
 protected:
  WheelAtADrive() {
    page_.set_wheel(&wheel_);
    page_.set_server(&server_);
    loop_ = std::thread([this] { drive_.run(); });
  }
  ~WheelAtADrive() override {
    drive_.end();
    loop_.join();
  }

  /// What the log has of a tick after this call: driven, then the raw values of docs/manual/live.md.
  /// The loop may be in the middle of a tick: the third one from now has seen it.
  std::vector<double> tick() {
    page_.tick();
    for (int k = 0; k < 3; ++k) {
      drive_.ask({Control::Kind::kStep, 20});
      const double before = time_;
      while (time_ <= before + 0.005) {
        if (!drive_.take_record(&record_)) {
          std::this_thread::yield();
        } else if (record_.kind == LogRecord::kInputs) {
          time_ = record_.time;
          row_ = record_.values;
        }
      }
    }
    return row_;
  }
  void turn(int value) {
    const std::uint32_t before = wheel_.read().number;
    bench_->send(bytes_of({{EV_ABS, ABS_X, value}, kReport}));
    EXPECT_TRUE(wait_for([&] { return wheel_.read().number > before; }));
  }
  void control(server::ClientId client, Control::Kind kind, double argument) {
    std::string bytes("\x03\x01", 2);
    bytes.resize(16);
    const auto word = static_cast<std::uint16_t>(kind);
    std::memcpy(bytes.data() + 2, &word, sizeof word);
    std::memcpy(bytes.data() + 8, &argument, sizeof argument);
    page_.message(client, bytes);
  }

  std::shared_ptr<Bench> bench_ = std::make_shared<Bench>();
  WheelDevice wheel_{std::make_unique<BenchPort>(bench_), {}};
  run::Simulation simulation_ = run::Simulation::load("scenarios/step-steer.toml",
                                                      Overrides({"run.duration=60", "figures=[]"}));
  LiveDrive drive_{&simulation_, {.is_paused = true, .keeps_time = false}};
  LivePage page_{&simulation_, &drive_, "camber test"};
  server::Server server_{{}, &page_};
  std::thread loop_;
  LogRecord record_;
  double time_ = -1;
  std::vector<double> row_;
};

constexpr std::size_t kDriven = 0, kSteer = 1, kDevice = 5, kSilence = 6, kClient = 8;
double value_of(const std::vector<double>& row, std::size_t place) { return row.at(place); }

TEST_F(WheelAtADrive, TakesItOnceItIsTurnedAndNobodyElseDrives) {
  EXPECT_EQ(value_of(tick(), kDriven), 0);
  turn(33000);  // a hand rests on it
  EXPECT_EQ(value_of(tick(), kDriven), 0);
  turn(16384);
  std::vector<double> row = tick();
  EXPECT_EQ(value_of(row, kDriven), 1);
  EXPECT_EQ(value_of(row, kDevice), static_cast<double>(Device::kWheel));
  EXPECT_NEAR(value_of(row, kSteer), 0.5, 1e-4);
  EXPECT_GT(value_of(row, kClient), 1e9);
  // A page takes it, and the wheel does not take it back.
  control(7, Control::Kind::kTake, 1);
  turn(60000);
  EXPECT_EQ(value_of(tick(), kClient), 7);
  control(7, Control::Kind::kRelease, 0);
  EXPECT_EQ(value_of(tick(), kDriven), 0);
  turn(20000);
  EXPECT_EQ(value_of(tick(), kDriven), 1);
}

TEST_F(WheelAtADrive, IsBrakedWhenItIsPulledOut) {
  turn(0);
  EXPECT_EQ(value_of(tick(), kSteer), 1);
  {
    const std::lock_guard hold(bench_->lock);
    bench_->is_gone = true;
  }
  EXPECT_TRUE(wait_for([&] { return !wheel_.read().is_there; }));
  EXPECT_TRUE(wait_for([&] { return value_of(tick(), kSilence) == 2; }));
  EXPECT_EQ(value_of(tick(), kDriven), 1);
}

}  // namespace
}  // namespace camber::live
