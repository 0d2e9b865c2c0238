#include "camber/live/wheel_device.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

#include <linux/input.h>
#include <poll.h>
#include <sys/ioctl.h>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::live {
namespace {

constexpr int kWait = 4;            // longest wait for an event: the force follows within it [ms]
constexpr double kLevelStep = 0.1;  // of the force at most, per round: no blows
constexpr double kLeastLevel = 0.002;  // smaller changes are not sent
constexpr double kMoved = 0.02;        // of a pedal's way, from which on it counts

constexpr std::pair<const char*, int> kAxisNames[] = {
    {"x", ABS_X},         {"y", ABS_Y},     {"z", ABS_Z},
    {"rx", ABS_RX},       {"ry", ABS_RY},   {"rz", ABS_RZ},
    {"wheel", ABS_WHEEL}, {"gas", ABS_GAS}, {"throttle", ABS_THROTTLE},
    {"brake", ABS_BRAKE}};

// Paddles: of newer drivers by name, of older ones by the fifth and sixth button.
constexpr unsigned kUpPaddles[] = {BTN_GEAR_UP, BTN_TOP2},
                   kDownPaddles[] = {BTN_GEAR_DOWN, BTN_PINKIE};
constexpr unsigned kBrakeButtons[] = {BTN_TRIGGER, BTN_SOUTH};

bool is_one_of(unsigned code, std::span<const unsigned> codes) {
  return std::ranges::find(codes, code) != codes.end();
}

bool has_axis(const std::vector<WheelAxis>& axes, int code) {
  return std::ranges::any_of(axes,
                             [&](const WheelAxis& a) { return a.code == code && a.max > a.min; });
}

int parse_axis(std::string_view name) {
  for (const auto& [known, code] : kAxisNames)
    if (name == known) return code;
  int code = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code);
  const bool is_number = error == std::errc() && end == name.data() + name.size();
  require(is_number && code >= 0 && code < ABS_CNT, "wheel axes: ", name,
          ": unknown axis; expected x, y, z, rx, ry, rz, wheel, gas, brake, throttle or a number "
          "below ",
          ABS_CNT);
  return code;
}

}  // namespace

WheelAxes parse_wheel_axes(const std::string& text) {
  WheelAxes axes;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const std::size_t sign = part.find('=');
    require(sign != std::string_view::npos, "wheel axes: ", part,
            ": expected NAME=AXIS, such as steer=x,throttle=z,brake=rz");
    const std::string_view name = part.substr(0, sign);
    int* axis = name == "steer"      ? &axes.steer
                : name == "throttle" ? &axes.throttle
                : name == "brake"    ? &axes.brake
                                     : nullptr;
    require(axis != nullptr, "wheel axes: ", name, ": expected steer, throttle or brake");
    *axis = parse_axis(part.substr(sign + 1));
  }
  return axes;
}

WheelAxes choose_axes(const std::vector<WheelAxis>& axes, const WheelAxes& wish) {
  const auto choose = [&](int wished, std::initializer_list<int> usual, const char* what) {
    if (wished >= 0) {
      require(has_axis(axes, wished), "wheel: ", what, ": the device has no axis ", wished);
      return wished;
    }
    for (const int code : usual)
      if (has_axis(axes, code)) return code;
    return -1;
  };
  const WheelAxes chosen{.steer = choose(wish.steer, {ABS_WHEEL, ABS_X}, "steer"),
                         .throttle = choose(wish.throttle, {ABS_GAS, ABS_Z}, "throttle"),
                         .brake = choose(wish.brake, {ABS_BRAKE, ABS_RZ}, "brake")};
  require(chosen.steer >= 0, "wheel: the device has no axis to steer with (ABS_WHEEL or ABS_X)");
  return chosen;
}

// ----------------------------------------------------------------------------------- WheelDecoder --

WheelDecoder::WheelDecoder(std::vector<WheelAxis> axes, const WheelAxes& chosen) : chosen_(chosen) {
  for (const WheelAxis& axis : axes) axes_.push_back({.data = axis});
  report();
  reading_.number = 0;
}

void WheelDecoder::take(std::span<const std::byte> bytes) {
  rest_.insert(rest_.end(), bytes.begin(), bytes.end());
  std::size_t at = 0;
  for (; rest_.size() - at >= sizeof(input_event); at += sizeof(input_event)) {
    input_event event;
    std::memcpy(&event, rest_.data() + at, sizeof event);
    take_event(event.type, event.code, event.value);
  }
  rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(at));
}

void WheelDecoder::take_event(unsigned type, unsigned code, int value) {
  if (type == EV_SYN && code == SYN_DROPPED) has_lost_ = true;
  if (has_lost_) return;  // half of a report means nothing
  if (type == EV_ABS) {
    take_axis(static_cast<int>(code), value);
  } else if (type == EV_KEY && value == 1) {
    if (is_one_of(code, kUpPaddles)) reading_.selector = 1;
    if (is_one_of(code, kDownPaddles)) reading_.selector = 2;
    if (is_one_of(code, kBrakeButtons)) reading_.parking_brake = !reading_.parking_brake;
  } else if (type == EV_SYN && code == SYN_REPORT) {
    report();
  }
}

// Pedals run either way, and some report a wrong value until they are first moved: the end that is
// nearer to the first value is the free one.
void WheelDecoder::take_axis(int code, int value) {
  for (Axis& axis : axes_) {
    if (axis.data.code != code || axis.data.max <= axis.data.min) continue;
    axis.data.value = std::clamp(value, axis.data.min, axis.data.max);
    if (!std::exchange(axis.has_moved, true)) axis.is_inverted = share(axis) > 0.5;
  }
}

double WheelDecoder::share(const Axis& axis) {
  const double range = static_cast<double>(axis.data.max) - axis.data.min;
  return range > 0 ? (static_cast<double>(axis.data.value) - axis.data.min) / range : 0;
}

void WheelDecoder::report() {
  const auto pedal = [](const Axis& axis) {
    if (!axis.has_moved) return 0.0;
    const double way = axis.is_inverted ? 1 - share(axis) : share(axis);
    return way < kMoved ? 0.0 : way;
  };
  for (const Axis& axis : axes_) {
    if (axis.data.code == chosen_.steer) reading_.steer = static_cast<float>(1 - 2 * share(axis));
    if (axis.data.code == chosen_.throttle) reading_.throttle = static_cast<float>(pedal(axis));
    if (axis.data.code == chosen_.brake) reading_.brake = static_cast<float>(pedal(axis));
  }
  ++reading_.number;
}

void WheelDecoder::resume(const std::vector<WheelAxis>& axes) {
  has_lost_ = false;
  for (const WheelAxis& now : axes)
    for (Axis& axis : axes_)
      if (axis.data.code == now.code && axis.data.value != now.value)
        take_axis(now.code, now.value);
  report();
}

// ------------------------------------------------------------------------------------ WheelDevice --

WheelDevice::WheelDevice(std::unique_ptr<WheelPort> port, const WheelOptions& options)
    : port_(std::move(port)),
      options_(options),
      name_(port_->name()),
      has_force_(port_->has_constant_force() && options.gain != 0),
      decoder_(port_->axes(), choose_axes(port_->axes(), options.axes)) {
  reading_.write(decoder_.reading());
  thread_ = std::thread([this] { work(); });
}

WheelDevice::~WheelDevice() {
  ends_.store(true, std::memory_order_relaxed);
  thread_.join();
}

void WheelDevice::work() {
  std::array<std::byte, 64 * sizeof(input_event)> bytes;
  while (!ends_.load(std::memory_order_relaxed)) {
    const int count = port_->read(bytes, kWait);
    if (count < 0) {
      WheelReading last = reading_.read();
      last.is_there = false;
      reading_.write(last);
      return;
    }
    if (count > 0) {
      decoder_.take(std::span(bytes).first(static_cast<std::size_t>(count)));
      if (decoder_.has_lost_events()) decoder_.resume(port_->axes());
      reading_.write(decoder_.reading());
    }
    push();
  }
  if (has_force_) port_->push(0);
}

// The hands feel what they hold against.
void WheelDevice::push() {
  if (!has_force_) return;
  const double torque = torque_.load(std::memory_order_relaxed);
  const double wanted = std::isfinite(torque)
                            ? std::clamp(-options_.gain * torque / options_.full_torque, -1.0, 1.0)
                            : 0;
  level_ += std::clamp(wanted - level_, -kLevelStep, kLevelStep);
  const bool is_end = level_ == wanted && level_ != pushed_;
  if (!is_end && std::abs(level_ - pushed_) < kLeastLevel) return;
  pushed_ = level_;
  if (!port_->push(level_)) has_force_ = false;
}

// --------------------------------------------------------------------------------- event devices --

namespace {

constexpr std::size_t kBits = 8 * sizeof(unsigned long);

template <std::size_t kCount>
struct BitField {
  std::array<unsigned long, (kCount + kBits - 1) / kBits> words = {};
  bool has(unsigned bit) const { return (words[bit / kBits] >> (bit % kBits) & 1) != 0; }
};

class EventPort : public WheelPort {
 public:
  EventPort(int file, bool may_write) : file_(file), may_write_(may_write) {
    ::ioctl(file_, EVIOCGBIT(EV_ABS, sizeof axes_.words), axes_.words.data());
    ::ioctl(file_, EVIOCGBIT(EV_FF, sizeof forces_.words), forces_.words.data());
    // The spring of its own that a driver gives a wheel would add to ours.
    if (has_constant_force() && forces_.has(FF_AUTOCENTER)) send(EV_FF, FF_AUTOCENTER, 0);
    if (has_constant_force() && forces_.has(FF_GAIN)) send(EV_FF, FF_GAIN, 0xffff);
  }
  ~EventPort() override {
    if (effect_.id >= 0) {
      send(EV_FF, static_cast<std::uint16_t>(effect_.id), 0);
      ::ioctl(file_, EVIOCRMFF, effect_.id);
    }
    ::close(file_);
  }
  EventPort(const EventPort&) = delete;
  EventPort& operator=(const EventPort&) = delete;

  std::string name() const override {
    char text[256] = "";
    if (::ioctl(file_, EVIOCGNAME(sizeof text - 1), text) < 0) return "steering wheel";
    return text;
  }

  std::vector<WheelAxis> axes() const override {
    std::vector<WheelAxis> list;
    for (unsigned code = 0; code < ABS_CNT; ++code) {
      input_absinfo info;
      if (axes_.has(code) && ::ioctl(file_, EVIOCGABS(code), &info) >= 0)
        list.push_back({.code = static_cast<int>(code),
                        .min = info.minimum,
                        .max = info.maximum,
                        .value = info.value});
    }
    return list;
  }

  bool has_constant_force() const override { return may_write_ && forces_.has(FF_CONSTANT); }

  int read(std::span<std::byte> bytes, int timeout) override {
    pollfd wait{.fd = file_, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&wait, 1, timeout);
    if (ready == 0 || (ready < 0 && errno == EINTR)) return 0;
    if (ready < 0 || (wait.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return -1;
    const ssize_t count = ::read(file_, bytes.data(), bytes.size());
    if (count > 0) return static_cast<int>(count);
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
  }

  bool push(double level) override {
    effect_.type = FF_CONSTANT;
    effect_.direction = 0x4000;  // left
    effect_.u.constant.level =
        static_cast<std::int16_t>(std::lround(32767 * std::clamp(level, -1.0, 1.0)));
    const bool is_new = effect_.id < 0;
    if (::ioctl(file_, EVIOCSFF, &effect_) < 0) return false;
    return !is_new || send(EV_FF, static_cast<std::uint16_t>(effect_.id), 1);
  }

 private:
  static ff_effect make_effect() {
    ff_effect effect = {};
    effect.id = -1;
    return effect;
  }
  bool send(std::uint16_t type, std::uint16_t code, int value) const {
    input_event event = {};
    event.type = type;
    event.code = code;
    event.value = value;
    return ::write(file_, &event, sizeof event) == sizeof event;
  }

  int file_;
  bool may_write_;
  BitField<ABS_CNT> axes_;
  BitField<FF_CNT> forces_;
  ff_effect effect_ = make_effect();
};

}  // namespace

std::unique_ptr<WheelPort> open_wheel_port(const std::string& path) {
  bool may_write = true;
  int file = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 && (errno == EACCES || errno == EROFS)) {
    may_write = false;
    file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  }
  require(file >= 0, path, ": cannot open the wheel: ", std::strerror(errno),
          errno == EACCES ? "; members of the group input may read it" : "");
  int version = 0;
  if (::ioctl(file, EVIOCGVERSION, &version) < 0) {
    ::close(file);
    require(false, path, ": is no event device; expected one as /dev/input/event3");
  }
  return std::make_unique<EventPort>(file, may_write);
}

std::optional<std::string> find_wheel(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with("event"))
      paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  for (const std::string& path : paths) {
    const int file = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) continue;
    BitField<ABS_CNT> axes;
    BitField<FF_CNT> forces;
    ::ioctl(file, EVIOCGBIT(EV_ABS, sizeof axes.words), axes.words.data());
    ::ioctl(file, EVIOCGBIT(EV_FF, sizeof forces.words), forces.words.data());
    ::close(file);
    // Sticks push, too, but have no pair of pedals.
    const bool has_pedal =
        axes.has(ABS_GAS) || axes.has(ABS_BRAKE) || (axes.has(ABS_Z) && axes.has(ABS_RZ));
    if (forces.has(FF_CONSTANT) && (axes.has(ABS_WHEEL) || (axes.has(ABS_X) && has_pedal)))
      return path;
  }
  return std::nullopt;
}

}  // namespace camber::live
