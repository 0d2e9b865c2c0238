#include "camber/live/live_page.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/driveline/driveline.h"
#include "camber/server/web_socket.h"

namespace camber::live {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "messages are read as they come");

/// The number of this machine's steering wheel among the clients: connections count from 1.
constexpr server::ClientId kWheelClient = 0xffffffff;
constexpr float kWheelTurn = 0.05f, kPedalPress = 0.1f;  // that mean driving

constexpr std::size_t kInputBytes = 32, kAcknowledgementBytes = 8, kControlBytes = 16;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const char* word_of(LiveEvent::Kind kind) {
  constexpr const char* kWords[] = {"paused", "running", "speed",    "reset", "back",
                                    "gear",   "lift",    "contact",  "hit",   "failed",
                                    "ended",  "late",    "behavior", "scan"};
  return kWords[static_cast<std::size_t>(kind)];
}

/// A little-endian number of a message.
template <class T>
T read_number(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

LivePage::LivePage(run::Simulation* simulation, LiveDrive* drive, const std::string& program)
    : drive_(drive),
      views_(&drive->sensor_views()),
      stage_(*simulation),
      hello_(stage_.hello("live", program)),
      history_(drive->layout()),
      maker_([this](std::string_view target) { return make(target); }) {
  hello_["you"] = {{"id", 0}};
  hello_["driver"] = 0;
  const Lease::Times times;
  hello_["limits"] = {{"frames_under_way", 3},
                      {"frame_rate", 120},
                      {"input_rate", 20},
                      {"silence_hold", times.hold},
                      {"silence_brake", times.brake},
                      {"silence_end", times.end}};
  Json& run = hello_["runs"][0];
  const bool is_full = simulation->scenario().vehicle.level == scenario::VehicleLevel::kFull;
  const driveline::Driveline& driveline =
      scenario::parts_of(simulation->built(), 0).equipment.driveline;
  run["controls"] = {{"gears", is_full},
                     {"ranges", is_full && driveline.transfer_low != driveline.transfer_high},
                     {"reverse", true},
                     {"parking_brake", true},
                     {"lock", drive->limits().lock},
                     {"assist", 1}};
}

LivePage::~LivePage() = default;

void LivePage::set_wheel(WheelDevice* wheel) {
  wheel_ = wheel;
  wheel_rest_ = wheel->read().steer;
  hello_["wheel"] = {
      {"id", kWheelClient}, {"name", wheel->name()}, {"has_force", wheel->has_force()}};
}

// ---------------------------------------------------------------------------------------- HTTP --

std::string LivePage::make_hello(server::ClientId client) const {
  Json hello = hello_;
  hello["you"]["id"] = client;
  hello["driver"] = lease_.driver();
  return to_text(hello);
}

void LivePage::get(server::RequestId request, std::string_view target) {
  if (target == "/api/hello") {
    server_->answer(request, {200, "application/json; charset=utf-8", make_hello(0)});
  } else {
    maker_.ask(server_, request, target);
  }
}

server::Answer LivePage::make(std::string_view target) const {
  const std::optional<view::Address> address = view::parse_address(target);
  if (!address) return {400, "text/plain; charset=utf-8", "not an address\n"};
  if (address->parts.size() == 2 && address->parts[1] == "clip")
    return history_.answer_clip(*address);
  if (address->parts.size() == 2 && address->parts[1] == "slice")
    return history_.answer_slice(*address);
  if (address->parts.size() == 2 && address->parts[1] == "goal") return views_->answer_goal();
  if (address->parts.size() == 3 && address->parts[1] == "scan")
    return views_->answer_scan(address->parts[2]);
  if (address->parts.size() == 3 && address->parts[1] == "image")
    return views_->answer_image(address->parts[2]);
  view::Answer answer = stage_.answer(*address);
  return {answer.status, std::move(answer.type), std::move(answer.body)};
}

// -------------------------------------------------------------------------------------- socket --

void LivePage::open(server::ClientId client) {
  last_inputs_[client] = 0;
  views_->set_watched(true);
  server_->send_text(client, make_hello(client));
}

void LivePage::close(server::ClientId client) {
  last_inputs_.erase(client);
  views_->set_watched(!last_inputs_.empty());
  lease_.leave(client, now());
}

void LivePage::message(server::ClientId client, std::string_view bytes) {
  bool is_good = bytes.size() >= 2 && bytes[1] == 1;
  if (is_good && bytes[0] == 1 && bytes.size() == kInputBytes) {
    is_good = take_input(client, bytes);
  } else if (is_good && bytes[0] == 2 && bytes.size() == kAcknowledgementBytes) {
    server_->acknowledge(client, read_number<std::uint32_t>(bytes, 4));
  } else if (is_good && bytes[0] == 3 && bytes.size() == kControlBytes) {
    is_good = take_control(client, bytes);
  } else {
    is_good = false;
  }
  if (!is_good) server_->drop(client, server::kClosePolicy, "not a message of camber.v1");
}

bool LivePage::take_input(server::ClientId client, std::string_view bytes) {
  const auto device = read_number<std::uint16_t>(bytes, 2);
  const auto number = read_number<std::uint32_t>(bytes, 4);
  const auto steer = read_number<float>(bytes, 16), throttle = read_number<float>(bytes, 20),
             brake = read_number<float>(bytes, 24);
  const auto buttons = read_number<std::uint32_t>(bytes, 28);
  if (device >= kDeviceCount || std::isnan(steer) || std::isnan(throttle) || std::isnan(brake))
    return false;
  std::uint32_t& last = last_inputs_[client];
  if (static_cast<std::int32_t>(number - last) <= 0) return true;  // an old one
  last = number;
  const bool drives = lease_.hear({.is_driven = true,
                                   .device = static_cast<Device>(device),
                                   .client = client,
                                   .number = number,
                                   .steer = std::clamp(steer, -1.0f, 1.0f),
                                   .throttle = std::clamp(throttle, 0.0f, 1.0f),
                                   .brake = std::clamp(brake, 0.0f, 1.0f),
                                   .buttons = buttons & 0xff},
                                  now());
  if (drives) drive_->set_input(lease_.input());  // not at the next tick: every millisecond counts
  return true;
}

bool LivePage::take_control(server::ClientId client, std::string_view bytes) {
  const auto number = read_number<std::uint16_t>(bytes, 2);
  const auto argument = read_number<double>(bytes, 8);
  if (number < 1 || number > 10 || !std::isfinite(argument)) return false;
  const auto kind = static_cast<Control::Kind>(number);
  if (kind == Control::Kind::kTake) {
    if (lease_.driver() == client) return true;
    if (lease_.take(client, argument == 1, now())) {
      drive_->set_input(lease_.input());
      tell_lease(concat("connection ", client, " drives"));
      return true;
    }
  } else if (kind == Control::Kind::kRelease) {
    if (lease_.release(client)) {
      drive_->set_input(lease_.input());
      tell_lease("the scenario's driver drives");
    }
    return true;
  } else if (may_control(client)) {
    drive_->ask({kind, argument});
    return true;
  }
  server_->send_text(client,
                     to_text({{"type", "event"},
                              {"number", ++events_},
                              {"time", time_},
                              {"kind", "refused"},
                              {"text", concat("connection ", lease_.driver(), " drives")}}));
  return true;
}

// A steering wheel has no keys to pause with: whoever sits at it has a page beside it.
bool LivePage::may_control(server::ClientId client) const {
  return lease_.may_control(client) || lease_.driver() == kWheelClient;
}

void LivePage::turn_wheel() {
  const WheelReading now_read = wheel_->read();
  const bool drives = lease_.driver() == kWheelClient;
  wheel_->set_torque(drives && is_moving_ ? drive_->place().steering_torque : 0);
  if (!now_read.is_there) {
    if (drives) lease_.leave(kWheelClient, now());  // silent from now on
    wheel_ = nullptr;
    send_event({{"kind", "wheel"}, {"text", "the steering wheel was disconnected"}});
    return;
  }
  if (!drives) {
    const bool is_meant = std::abs(now_read.steer - wheel_rest_) > kWheelTurn ||
                          now_read.throttle > kPedalPress || now_read.brake > kPedalPress;
    if (lease_.driver() != 0) wheel_rest_ = now_read.steer;
    if (!is_meant || lease_.driver() != 0 || !lease_.take(kWheelClient, false, now())) return;
    tell_lease("the steering wheel drives");
  }
  wheel_rest_ = now_read.steer;
  lease_.hear({.is_driven = true,
               .device = Device::kWheel,
               .client = kWheelClient,
               .number = now_read.number,
               .steer = now_read.steer,
               .throttle = now_read.throttle,
               .brake = now_read.brake,
               .buttons = (now_read.parking_brake ? kButtonParkingBrake : 0u) |
                          static_cast<std::uint32_t>(now_read.selector) << 2},
              now());
  drive_->set_input(lease_.input());
}

// ---------------------------------------------------------------------------------------- tick --

void LivePage::tick() {
  if (wheel_ != nullptr) turn_wheel();
  const bool has_ended = lease_.pass(now());
  if (lease_.driver() != 0 || has_ended) drive_->set_input(lease_.input());
  if (has_ended) tell_lease("the driver is silent: the vehicle brakes, and nobody drives");
  LiveEvent event;
  while (drive_->take_event(&event)) send_event(event);
  if (const auto* ruts = drive_->ruts().read()) stage_.ground().take_ruts(*ruts);
  if (const std::vector<std::byte>* frame = drive_->newest_frame()) {
    const std::string_view bytes(reinterpret_cast<const char*>(frame->data()), frame->size());
    time_ = read_number<double>(bytes, 8);
    is_moving_ = (read_number<std::uint16_t>(bytes, 2) & (view::kPaused | view::kEnded)) == 0;
    history_.add(*frame);
    server_->offer_frame(read_number<std::uint32_t>(bytes, 4), bytes);
  }
  if (drive_->is_over() && !said_bye_) {
    said_bye_ = true;
    send_event({{"kind", "bye"}, {"text", "camber ends"}});
    server_->stop();
  }
}

void LivePage::send_event(nlohmann::ordered_json fields) {
  Json event{{"type", "event"}, {"number", ++events_}, {"time", time_}};
  event.update(fields);
  server_->send_text_to_all(to_text(event));
}

void LivePage::tell_lease(const std::string& text) {
  send_event({{"kind", "lease"}, {"driver", lease_.driver()}, {"text", text}});
}

void LivePage::send_event(const LiveEvent& event) {
  using Kind = LiveEvent::Kind;
  Json json{{"time", event.time}, {"kind", word_of(event.kind)}};
  switch (event.kind) {
    case Kind::kSpeed:
      json["factor"] = event.value;
      json["text"] = concat("speed ", short_text(event.value), " x");
      break;
    case Kind::kReset:
    case Kind::kBack:
      json["to"] = event.value;
      json["text"] = concat("back to t = ", short_text(event.value), " s");
      break;
    case Kind::kGear:
      json["gear"] = static_cast<int>(event.value);
      json["text"] = concat("gear ", static_cast<int>(event.value));
      break;
    case Kind::kLift:
    case Kind::kContact: {
      const int wheel = static_cast<int>(event.value);
      json["wheel"] = wheel;
      json["text"] = concat("wheel ", wheel, event.kind == Kind::kLift ? " lifted" : " is down");
      break;
    }
    case Kind::kLate:
      json["lost"] = event.value;
      json["text"] = event.text;
      break;
    case Kind::kBehavior:
      json["behavior"] = autonomy::kBehaviorWords[static_cast<std::size_t>(event.value)];
      json["text"] = event.text;
      break;
    case Kind::kScan:
      json["sensor"] = event.text;
      json["scan"] = static_cast<long>(event.value);
      break;
    case Kind::kPaused:
      json["text"] = "paused";
      break;
    case Kind::kRunning:
      json["text"] = "running";
      break;
    default:
      json["text"] = event.text;
  }
  send_event(std::move(json));
}

}  // namespace camber::live
