#pragma once

// A sensor: it measures a vehicle and its surroundings at its own times, and its samples become
// available after its latency.
//
//   if (const Sample* sample = sensor.find_latest(now)) use(sample->measured, sample->values);
//
// Sample number k is measured at phase + k / rate. All its random numbers come from a stream that
// is named by the sensor and k, so that they do not depend on other sensors, threads or order.

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "camber/core/random.h"
#include "camber/core/state_buffer.h"
#include "camber/math/types.h"
#include "camber/sensors/motion_track.h"
#include "camber/sensors/sensor_spec.h"
#include "camber/sensors/signal_track.h"

namespace camber::sensors {

class DriveScene;
struct PointCloud;
struct CameraImage;

/// One quantity of a sample: `names.size()` numbers, or one number if there are no names.
struct Quantity {
  std::string name;
  std::vector<std::string> units;       // one for all, or one for each number
  std::vector<std::string> names = {};  // of its numbers
  std::string description = {};

  std::size_t size() const { return names.empty() ? 1 : names.size(); }
};

struct Sample {
  long number = -1;
  double measured = 0;         // start of the measurement [s]
  double available = 0;        // [s]
  std::vector<double> values;  // of all quantities, one after the other
};

/// Data of the vehicle that carries a sensor.
struct Carrier {
  std::vector<std::string> wheels = {};            // names
  std::vector<Vec3<double>> wheel_positions = {};  // in the vehicle's frame [m]
  double rolling_radius = 0;                       // [m]
  double gravity = 9.81;                           // [m/s^2]
};

/// What sensors read.
struct Readings {
  const MotionTrack* motion = nullptr;  // of the body that carries the sensor
  const std::vector<VehicleMotion>* vehicles = nullptr;
  const SignalTrack* signals = nullptr;
  DriveScene* scene = nullptr;  // null without sensors that look
  int vehicle = 0;              // that carries the sensors
};

/// How much a sensor sees of the vehicle that carries it.
struct OwnView {
  double share = 0;  // of its rays that end there, in [0, 1]
  double nearest = std::numeric_limits<double>::infinity();  // [m]
};

class Sensor {
 public:
  virtual ~Sensor() = default;
  Sensor(const Sensor&) = delete;
  Sensor& operator=(const Sensor&) = delete;

  const SensorSpec& spec() const { return spec_; }
  const std::string& name() const { return spec_.name; }
  const std::vector<Quantity>& quantities() const { return quantities_; }
  std::size_t value_count() const { return value_count_; }
  bool is_ideal() const { return spec_.fidelity == Fidelity::kIdeal; }
  /// The body of the vehicle's own frame. In its frame the vehicle's shape does not move.
  bool is_on_chassis() const { return spec_.mount.body == kChassis; }
  /// Whether it sees the vehicle that carries it.
  virtual bool sees_own_vehicle() const { return false; }
  /// Whether it casts rays into a scene, and how far [m].
  virtual double reach() const { return 0; }
  virtual OwnView find_own_view(const DriveScene&) { return {}; }
  /// How long one measurement takes: a scan, the readout of a picture [s].
  virtual double duration() const { return 0; }

  /// When the next measurement starts, and when it is complete [s].
  double next_time() const { return time_of(next_); }
  double due() const { return next_time() + duration(); }
  /// Takes the next sample. The track must reach from next_time() to due().
  const Sample& take(const Readings& in);

  /// The newest sample that has arrived by `now`; null if none has. Valid until the next take().
  const Sample* find_latest(double now) const;
  /// A sample by its number while it is kept: one that has arrived stays until the next but one does.
  const Sample* find(long number) const;
  /// The sample that was taken last; null before the first.
  const Sample* last() const;
  /// The cloud or pictures of a sample that find_latest() or last() gave; null for other sensors.
  virtual const PointCloud* cloud(const Sample&) const { return nullptr; }
  virtual const CameraImage* image(const Sample&) const { return nullptr; }

  void save(StateWriter* out) const;
  void restore(StateReader* in);

 protected:
  /// `stream` is the sensor's own.
  Sensor(SensorSpec spec, const RandomStream& stream, std::vector<Quantity> quantities);

  RandomStream constants(std::string_view what) const { return stream_.substream(what); }
  double period() const { return 1 / spec_.timing.rate; }
  std::size_t slot_count() const { return samples_.size(); }
  static std::size_t slot_of(const Sample& sample, std::size_t slots) {
    return static_cast<std::size_t>(sample.number) % slots;
  }
  /// Fills sample.values; `random` is the stream of this sample.
  virtual void measure(const Readings& in, RandomStream* random, Sample* sample) = 0;
  virtual void save_own(StateWriter*) const {}
  virtual void restore_own(StateReader*) {}

 private:
  double time_of(long k) const {
    return spec_.timing.phase + static_cast<double>(k) / spec_.timing.rate;
  }

  SensorSpec spec_;
  RandomStream stream_;
  std::vector<Quantity> quantities_;
  std::size_t value_count_ = 0;
  std::vector<Sample> samples_;  // those that are under way, by number modulo size
  long next_ = 0;
  double last_available_ = 0;  // [s]
};

/// Throws std::invalid_argument for a sensor that does not fit its vehicle.
std::unique_ptr<Sensor> make_sensor(const SensorSpec& spec, const Carrier& carrier,
                                    std::uint64_t seed);

// The kinds, each in a file of its own.
std::unique_ptr<Sensor> make_imu(const SensorSpec&, const Carrier&, const RandomStream&);
std::unique_ptr<Sensor> make_gnss(const SensorSpec&, const Carrier&, const RandomStream&);
std::unique_ptr<Sensor> make_odometry(const SensorSpec&, const Carrier&, const RandomStream&);
std::unique_ptr<Sensor> make_bus(const SensorSpec&, const Carrier&, const RandomStream&);
std::unique_ptr<Sensor> make_lidar(const SensorSpec&, const Carrier&, const RandomStream&);
std::unique_ptr<Sensor> make_camera(const SensorSpec&, const Carrier&, const RandomStream&);
std::unique_ptr<Sensor> make_radar(const SensorSpec&, const Carrier&, const RandomStream&);

}  // namespace camber::sensors
