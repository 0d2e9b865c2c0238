#include "camber/sensors/sensor.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "camber/core/require.h"

namespace camber::sensors {

Sensor::Sensor(SensorSpec spec, const RandomStream& stream, std::vector<Quantity> quantities)
    : spec_(std::move(spec)), stream_(stream), quantities_(std::move(quantities)) {
  const Timing& t = spec_.timing;
  require(t.rate > 0 && t.latency >= 0 && t.jitter >= 0, "sensor \"", name(), "\": rate ", t.rate,
          " Hz, latency ", t.latency, " s, jitter ", t.jitter, " s");
  if (is_ideal()) spec_.timing.latency = spec_.timing.jitter = 0;
  for (const Quantity& quantity : quantities_) value_count_ += quantity.size();
  // Samples that may be under way at once, the one that arrived last, and one to write into.
  const double most = std::ceil((t.latency + t.jitter) * t.rate) + 2;
  samples_.resize(static_cast<std::size_t>(std::min(most, 1e4)));
  for (Sample& sample : samples_) sample.values.resize(value_count_);
}

const Sample& Sensor::take(const Readings& in) {
  Sample& sample = samples_[static_cast<std::size_t>(next_) % samples_.size()];
  RandomStream random = stream_.substream("sample", static_cast<std::uint64_t>(next_));
  sample.number = next_;
  sample.measured = next_time();
  // Samples do not overtake each other.
  RandomStream delay = random.substream("delay");
  sample.available = due() + spec_.timing.latency + spec_.timing.jitter * delay.uniform();
  sample.available = last_available_ = std::max(sample.available, last_available_);
  measure(in, &random, &sample);
  ++next_;
  return sample;
}

const Sample* Sensor::last() const {
  return next_ == 0 ? nullptr : &samples_[static_cast<std::size_t>(next_ - 1) % samples_.size()];
}

const Sample* Sensor::find(long number) const {
  if (number < 0) return nullptr;
  const Sample& sample = samples_[static_cast<std::size_t>(number) % samples_.size()];
  return sample.number == number ? &sample : nullptr;
}

const Sample* Sensor::find_latest(double now) const {
  constexpr double kTolerance = 1e-9;  // [s]
  const Sample* latest = nullptr;
  for (const Sample& sample : samples_)
    if (sample.number >= 0 && sample.available <= now + kTolerance &&
        (latest == nullptr || sample.number > latest->number))
      latest = &sample;
  return latest;
}

void Sensor::save(StateWriter* out) const {
  out->write(static_cast<double>(next_));
  out->write(last_available_);
  for (const Sample& sample : samples_) {
    out->write(static_cast<double>(sample.number));
    out->write(sample.measured);
    out->write(sample.available);
    out->write(sample.values);
  }
  save_own(out);
}

void Sensor::restore(StateReader* in) {
  next_ = in->read_int();
  last_available_ = in->read();
  for (Sample& sample : samples_) {
    sample.number = in->read_int();
    sample.measured = in->read();
    sample.available = in->read();
    in->read(sample.values);
  }
  restore_own(in);
}

std::unique_ptr<Sensor> make_sensor(const SensorSpec& spec, const Carrier& carrier,
                                    std::uint64_t seed) {
  constexpr decltype(&make_imu) kMakers[] = {make_imu,   make_gnss,   make_odometry, make_bus,
                                             make_lidar, make_camera, make_radar};
  static_assert(std::size(kMakers) == std::variant_size_v<SensorKind>);
  const RandomStream stream = RandomStream(seed).substream("sensor " + spec.name);
  return kMakers[spec.kind.index()](spec, carrier, stream);
}

}  // namespace camber::sensors
