#include "camber/scenario/measurement_feed.h"

#include <cmath>
#include <numbers>

#include "camber/sensors/point_cloud.h"

namespace camber::scenario {

using autonomy::Measurement, math::Vec3;

void MeasurementFeed::deliver(const sensors::SensorSuite& sensors, double now,
                              autonomy::Pilot* pilot) {
  last_.resize(sensors.size(), -1);
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const sensors::Sensor& sensor = sensors.sensor(i);
    const sensors::Sample* latest = sensor.find_latest(now);
    if (latest == nullptr) continue;
    while (last_[i] < latest->number) {
      const sensors::Sample* next = sensor.find(++last_[i]);
      if (next != nullptr) hand_over(sensor, *next, pilot);
    }
  }
}

void MeasurementFeed::hand_over(const sensors::Sensor& sensor, const sensors::Sample& sample,
                                autonomy::Pilot* pilot) {
  const std::vector<double>& v = sample.values;
  const sensors::Pose& mount = sensor.spec().mount.pose;
  const Vec3<double> position = setup_.origin + mount.position;
  const sensors::SensorKind& kind = sensor.spec().kind;
  if (const auto* gnss = std::get_if<sensors::GnssSpec>(&kind)) {
    autonomy::GnssFix fix{.time = sample.measured, .has_fix = v[11] != 0, .antenna = position};
    if (fix.has_fix) {
      const double c = std::cos(gnss->heading), s = std::sin(gnss->heading);
      fix.x = v[6];
      fix.y = v[7];
      fix.z = v[8];
      fix.vx = c * v[3] + s * v[4];
      fix.vy = c * v[4] - s * v[3];
      fix.sigma = v[9];
      fix.velocity_sigma = std::max(gnss->velocity, 1e-3);
    }
    pilot->take(fix);
  } else if (std::holds_alternative<sensors::ImuSpec>(kind)) {
    pilot->take(autonomy::ImuSample{sample.measured,
                                    mount.rotation * Vec3<double>(v[0], v[1], v[2]),
                                    mount.rotation * Vec3<double>(v[3], v[4], v[5])});
  } else if (const auto* odometry = std::get_if<sensors::OdometrySpec>(&kind)) {
    // Ticks of all wheels, then their speeds, speed and yaw rate.
    const std::size_t wheels = (v.size() - 2) / 2;
    const double radius = odometry->radius > 0 ? odometry->radius : setup_.rolling_radius;
    const double ticks = wheels > 1 ? 0.5 * (v[wheels - 1] + v[wheels - 2]) : v[0];
    pilot->take(autonomy::OdometrySample{sample.measured,
                                         ticks * 2 * std::numbers::pi / odometry->ticks * radius});
  } else if (std::holds_alternative<sensors::BusSpec>(kind)) {
    pilot->take(
        autonomy::BusSample{sample.measured, v[0] / setup_.steering_ratio, static_cast<int>(v[4])});
  } else if (const auto* radar = std::get_if<sensors::RadarSpec>(&kind)) {
    // Columns of the values, each as long as the number of objects there may be.
    const auto most = static_cast<std::size_t>(radar->max_objects);
    autonomy::RadarScan scan{.time = sample.measured, .place = {position, mount.rotation}};
    for (std::size_t k = 0; k < static_cast<std::size_t>(v[0]); ++k)
      scan.objects.push_back({v[1 + k], v[1 + most + k], v[1 + 2 * most + k]});
    pilot->take(scan);
  } else if (const sensors::PointCloud* cloud = sensor.cloud(sample)) {
    auto& scan = std::get<autonomy::LidarScan>(scan_);
    scan.time = cloud->begin;
    scan.duration = sensor.duration();
    scan.place = {position, mount.rotation};
    scan.points.resize(cloud->points.size());
    for (std::size_t k = 0; k < cloud->points.size(); ++k) {
      const Vec3<double> p = cloud->position(k);
      scan.points[k] = {static_cast<float>(p[0]), static_cast<float>(p[1]),
                        static_cast<float>(p[2]),
                        static_cast<float>(cloud->time(k) - cloud->begin)};
    }
    pilot->take(scan_);
  }
}

void MeasurementFeed::save(StateWriter* out) const {
  const std::vector<double> numbers(last_.begin(), last_.end());
  out->write_list(numbers);
}

void MeasurementFeed::restore(StateReader* in) {
  last_.clear();
  for (const double number : in->read_list()) last_.push_back(static_cast<long>(number));
}

}  // namespace camber::scenario
