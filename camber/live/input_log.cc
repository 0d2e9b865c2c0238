#include "camber/live/input_log.h"

#include <algorithm>
#include <cmath>

#include "camber/core/file.h"
#include "camber/driveline/range_lever.h"
#include "camber/record/log_reader.h"

namespace camber::live {
namespace {

constexpr double kTolerance = 1e-9;  // of times that count as equal [s]
constexpr double kStandingBrake = 0.6;
constexpr std::size_t kRaw = 8, kCommand = 5;

}  // namespace

record::Series make_input_series() {
  record::Series series{.group = kInputSeries, .channels = {}};
  series.chunk_samples = 256;
  series.channels.push_back(
      {.name = "driven", .units = {"1"}, .description = "1 while somebody drives by hand"});
  series.channels.push_back(
      {.name = "raw",
       .shape = {kRaw},
       .units = {"1"},
       .names = {"steer", "throttle", "brake", "buttons", "device", "silence", "number", "client"},
       .description =
           "What the device said: steer -1 to 1, pedals 0 to 1, bits of buttons, kind of "
           "device, silence of the driver (1 hold, 2 brake), number of the message and "
           "of who sent it"});
  series.channels.push_back(
      {.name = "command",
       .shape = {kCommand},
       .units = {"rad", "1", "1", "1", "1"},
       .names = {"steer", "throttle", "brake", "parking_brake", "selector"},
       .description = "What the filters made of it: the command that was given"});
  return series;
}

void append_input_values(const HandInput& input, const autonomy::Command& command,
                         std::vector<double>* values) {
  values->insert(values->end(),
                 {input.is_driven ? 1.0 : 0.0, input.steer, input.throttle, input.brake,
                  static_cast<double>(input.buttons), static_cast<double>(input.device),
                  static_cast<double>(input.silence), static_cast<double>(input.number),
                  static_cast<double>(input.client), command.steer, command.throttle, command.brake,
                  command.parking_brake, static_cast<double>(command.selector)});
}

void apply_input(bool is_driven, const autonomy::Command& command, run::Simulation* simulation) {
  if (is_driven) {
    simulation->command(command);
  } else if (simulation->built().drivers.front() == nullptr) {
    simulation->command({.brake = kStandingBrake});
  } else if (simulation->is_commanded()) {
    simulation->release();
  }
}

RecordedInputs::RecordedInputs(const std::string& folder) {
  const record::LogReader log(folder + "/log.h5");
  if (log.find_series(kInputSeries) == nullptr)
    throw FileError(log.path(), "it has no inputs: only drives by `camber drive` have");
  const std::vector<double> times = log.read_series(kInputSeries, "time");
  const std::vector<double> driven = log.read_series(kInputSeries, "driven");
  const std::vector<double> raw = log.read_series(kInputSeries, "raw");
  const std::vector<double> command = log.read_series(kInputSeries, "command");
  const std::size_t count =
      std::min({times.size(), driven.size(), raw.size() / kRaw, command.size() / kCommand});
  rows_.reserve(count);
  // A log is a file as any other: numbers that no drive has are refused.
  const auto within = [&](double value, double low, double high) {
    if (!(value >= low && value <= high))
      throw FileError(log.path(), "it has inputs that no driver gave");
    return value;
  };
  constexpr double kAny = 4294967295.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double* r = raw.data() + i * kRaw;
    const double* c = command.data() + i * kCommand;
    Row row;
    row.time = within(times[i], 0, 1e9);
    row.is_driven = driven[i] != 0;
    row.input.is_driven = row.is_driven;
    row.input.steer = static_cast<float>(within(r[0], -1, 1));
    row.input.throttle = static_cast<float>(within(r[1], 0, 1));
    row.input.brake = static_cast<float>(within(r[2], 0, 1));
    row.input.buttons = static_cast<std::uint32_t>(within(r[3], 0, kAny));
    row.input.device = static_cast<Device>(within(r[4], 0, kDeviceCount - 1));
    row.input.silence = static_cast<Silence>(within(r[5], 0, 2));
    row.input.number = static_cast<std::uint32_t>(within(r[6], 0, kAny));
    row.input.client = static_cast<std::uint32_t>(within(r[7], 0, kAny));
    row.command.steer = within(c[0], -10, 10);
    row.command.throttle = within(c[1], 0, 1);
    row.command.brake = within(c[2], 0, 1);
    row.command.parking_brake = within(c[3], 0, 1);
    row.command.selector = static_cast<int>(within(c[4], -1, driveline::kLowRange));
    rows_.push_back(row);
  }
  const std::vector<double> log_times = log.read("time");
  end_ = log_times.empty() ? 0 : log_times.back();
}

bool RecordedInputs::apply(run::Simulation* simulation) {
  const double time = simulation->time();
  while (next_ < rows_.size() && rows_[next_].time < time - kTolerance) ++next_;
  if (next_ < rows_.size() && rows_[next_].time <= time + kTolerance) {
    apply_input(rows_[next_].is_driven, rows_[next_].command, simulation);
    ++next_;
  }
  return time < end_ - kTolerance;
}

}  // namespace camber::live
