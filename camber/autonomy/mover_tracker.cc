// With the direction d from the radar to an object, n across it, and the radar's own velocity u, a
// detection of range r, direction and range rate q says of the object's place p and velocity v
//   d . p = d . p_radar + r,   n . p = n . p_radar,   d . v = q + d . u                          (1)
// All three are linear in (p, v) as d is measured: three scalar corrections of a Kalman filter, which
// predicts a constant velocity with white accelerations. An object stands if |d . v| by (1) is less than
// kStill. What stands starts no track, but continues one that is near: something that crosses at a right
// angle has no velocity along the line of sight.

#include "camber/autonomy/mover_tracker.h"

#include <algorithm>
#include <cmath>

namespace camber::autonomy {
namespace {

constexpr double kStill = 0.8;          // [m/s]
constexpr double kRangeSigma = 0.8;     // of a point on an object of some meters [m]
constexpr double kAzimuthSigma = 0.02;  // [rad]
constexpr double kRateSigma = 0.4;      // [m/s]
constexpr double kAcceleration = 1.5;   // white, [m/s^2/sqrt(Hz)]
constexpr double kGate = 11.3;          // chi-squared, 3 degrees of freedom, 1 %
constexpr double kForget = 1.0;         // [s]
constexpr double kMoving = 0.6;         // slower tracks are not listed [m/s]
constexpr int kConfirmed = 3;           // detections
constexpr std::size_t kMaxTracks = 64;

using Four = std::array<double, 4>;

double dot4(const Four& a, const Four& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

Four times(const std::array<Four, 4>& P, const Four& h) {
  return {dot4(P[0], h), dot4(P[1], h), dot4(P[2], h), dot4(P[3], h)};
}

}  // namespace

void MoverTracker::predict(double time, Track* track) {
  const double t = time - track->time;
  track->time = time;
  if (t == 0) return;
  Four& x = track->x;
  x[0] += t * x[2];
  x[1] += t * x[3];
  auto& P = track->P;
  for (int j = 0; j < 4; ++j) P[0][j] += t * P[2][j], P[1][j] += t * P[3][j];
  for (int i = 0; i < 4; ++i) P[i][0] += t * P[i][2], P[i][1] += t * P[i][3];
  const double q = kAcceleration * kAcceleration * std::abs(t);
  for (int a = 0; a < 2; ++a) {
    P[a][a] += q * t * t / 3;
    P[a][a + 2] += q * t / 2;
    P[a + 2][a] += q * t / 2;
    P[a + 2][a + 2] += q;
  }
}

void MoverTracker::correct(const Four& H, double innovation, double variance, Track* track) {
  const Four PH = times(track->P, H);
  const double s = dot4(H, PH) + variance;
  for (int i = 0; i < 4; ++i) {
    track->x[i] += PH[i] / s * innovation;
    for (int j = 0; j < 4; ++j) track->P[i][j] -= PH[i] * PH[j] / s;
  }
}

void MoverTracker::take(const RadarScan& scan, const PlacementTrack& track) {
  if (track.empty()) return;
  constexpr double kSpan = 0.05;  // that the own velocity is taken over [s]
  const auto place = [&](double time) {
    const Placement at = track.at(time);
    const Mat3<double> R = make_rotation(at);
    return Vec3<double>(at.x, at.y, at.z) + R * scan.place.position;
  };
  const Placement now = track.at(scan.time);
  const Vec3<double> here = place(scan.time), before = place(scan.time - kSpan);
  const double ux = (here[0] - before[0]) / kSpan, uy = (here[1] - before[1]) / kSpan;
  const Mat3<double> R = make_rotation(now) * scan.place.rotation;
  for (Track& t : tracks_) predict(scan.time, &t);
  std::vector<char> is_used(tracks_.size(), 0);
  for (const RadarObject& object : scan.objects) {
    const Vec3<double> line =
        R * Vec3<double>(std::cos(object.azimuth), std::sin(object.azimuth), 0);
    const double flat = std::hypot(line[0], line[1]);
    if (!(flat > 0.5) || !(object.range > 0)) continue;
    const Four along{line[0] / flat, line[1] / flat, 0, 0}, across{-along[1], along[0], 0, 0},
        rate{0, 0, along[0], along[1]};
    const double own = here[0] * along[0] + here[1] * along[1],
                 beside = here[0] * across[0] + here[1] * across[1];
    const double range = object.range * flat,
                 over_ground = object.rate + ux * along[0] + uy * along[1];
    const double side_variance = std::pow(kRangeSigma, 2) + std::pow(kAzimuthSigma * range, 2);
    struct Row {
      Four H;
      double value, variance;
    };
    const Row rows[] = {{along, own + range, kRangeSigma * kRangeSigma},
                        {across, beside, side_variance},
                        {rate, over_ground, kRateSigma * kRateSigma}};
    std::size_t nearest = tracks_.size();
    double least = kGate;
    for (std::size_t k = 0; k < is_used.size(); ++k) {
      if (is_used[k] != 0) continue;
      double distance = 0;
      for (const Row& row : rows) {
        const double off = row.value - dot4(row.H, tracks_[k].x);
        distance += off * off / (dot4(row.H, times(tracks_[k].P, row.H)) + row.variance);
      }
      if (distance < least) least = distance, nearest = k;
    }
    if (nearest < tracks_.size()) {
      is_used[nearest] = 1;
      Track& t = tracks_[nearest];
      for (const Row& row : rows) correct(row.H, row.value - dot4(row.H, t.x), row.variance, &t);
      t.seen = scan.time;
      ++t.hits;
      continue;
    }
    if (std::abs(over_ground) < kStill || tracks_.size() >= kMaxTracks) continue;
    Track t{.time = scan.time, .seen = scan.time, .hits = 1};
    t.x = {here[0] + range * along[0], here[1] + range * along[1], over_ground * along[0],
           over_ground * along[1]};
    constexpr double kAcross = 6;  // sigma of the velocity that was not measured [m/s]
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        t.P[i][j] =
            kRangeSigma * kRangeSigma * along[i] * along[j] + side_variance * across[i] * across[j];
        t.P[i + 2][j + 2] = kRateSigma * kRateSigma * along[i] * along[j] +
                            kAcross * kAcross * across[i] * across[j];
      }
    }
    tracks_.push_back(t);
  }
}

void MoverTracker::update(double time) {
  std::erase_if(tracks_, [&](const Track& t) { return time - t.seen > kForget; });
  movers_.clear();
  for (const Track& t : tracks_) {
    if (t.hits < kConfirmed) continue;
    const double late = time - t.time;
    const Mover mover{{t.x[0] + late * t.x[2], t.x[1] + late * t.x[3]}, t.x[2], t.x[3], 2.0};
    if (mover.speed() > kMoving) movers_.push_back(mover);
  }
}

void MoverTracker::save(StateWriter* out) const {
  std::vector<double> values;
  for (const Track& t : tracks_) {
    values.insert(values.end(), {t.time, t.seen, static_cast<double>(t.hits)});
    values.insert(values.end(), t.x.begin(), t.x.end());
    for (const Four& row : t.P) values.insert(values.end(), row.begin(), row.end());
  }
  out->write_list(values);
  values.clear();
  for (const Mover& m : movers_)
    values.insert(values.end(), {m.at.x, m.at.y, m.vx, m.vy, m.radius});
  out->write_list(values);
}

void MoverTracker::restore(StateReader* in) {
  constexpr std::size_t kSize = 3 + 4 + 16;
  std::vector<double> values = in->read_list();
  tracks_.clear();
  for (std::size_t k = 0; k + kSize <= values.size(); k += kSize) {
    const double* v = &values[k];
    Track t{.time = v[0], .seen = v[1], .hits = static_cast<int>(v[2])};
    for (std::size_t i = 0; i < 4; ++i) {
      t.x[i] = v[3 + i];
      for (std::size_t j = 0; j < 4; ++j) t.P[i][j] = v[7 + 4 * i + j];
    }
    tracks_.push_back(t);
  }
  values = in->read_list();
  movers_.clear();
  for (std::size_t k = 0; k + 5 <= values.size(); k += 5)
    movers_.push_back({{values[k], values[k + 1]}, values[k + 2], values[k + 3], values[k + 4]});
}

}  // namespace camber::autonomy
