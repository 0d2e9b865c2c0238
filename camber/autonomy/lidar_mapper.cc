// Points are placed by where the vehicle was at the time of each ray, in steps of a millisecond.
// A cell keeps min, max, mean and variance of its heights. It is an obstacle if
//   its highest point is more than step_height above the lowest one of it and its 8 neighbors,  (1)
//   and more than one point says so, or
//   the means of its neighbors across it differ by more than max_slope.                         (2)
// Points higher than `height` above the lowest one of their cell are of an overhang: a vehicle
// drives below. [Goldberg, Maimone, Matthies 2002] fits planes; differences of means say the same
// about cells of a quarter meter and cost a tenth.

#include "camber/autonomy/lidar_mapper.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::autonomy {

using planning::Cell, planning::Point;

namespace {

constexpr double kBucket = 0.001;    // [s] of one pose
constexpr double kBodyMargin = 0.3;  // about the vehicle, points are its own [m]
constexpr float kStale = 1.0F;       // [s] after which a cell starts anew
constexpr double kSteepRoad = 0.15;  // rise over run
constexpr int kSeenAround = 2;       // cells about one that was hit that count as seen

/// std::hypot(x, y) > limit. The squares nearly always decide, and cost a tenth.
bool is_longer(double x, double y, double limit) {
  constexpr double kMargin = 1e-12;
  const double square = x * x + y * y, bound = limit * limit;
  if (square < bound * (1 - kMargin)) return false;
  if (square > bound * (1 + kMargin)) return true;
  return std::hypot(x, y) > limit;
}

}  // namespace

LidarMapper::LidarMapper(const MapSetup& setup) : ObstacleMapper(setup) {
  const std::size_t count = map_.index({0, map_.cells()});
  cells_.assign(count, {});
  stamp_.assign(count, 0);
}

void LidarMapper::take(const Measurement& measurement, const PlacementTrack& track) {
  if (const auto* scan = std::get_if<LidarScan>(&measurement)) add_scan(*scan, track);
}

void LidarMapper::move_window(Point place) {
  Cell shift;
  if (!map_.follow(place, &shift)) return;
  const int n = map_.cells();
  const std::vector<GroundCell> before =
      std::exchange(cells_, std::vector<GroundCell>(cells_.size()));
  for (int y = std::max(0, -shift.y); y < std::min(n, n - shift.y); ++y)
    for (int x = std::max(0, -shift.x); x < std::min(n, n - shift.x); ++x)
      cells_[map_.index({x, y})] = before[map_.index({x + shift.x, y + shift.y})];
  std::fill(stamp_.begin(), stamp_.end(), 0);
}

void LidarMapper::add_point(Cell c, float z, float time) {
  const std::size_t k = map_.index(c);
  GroundCell& cell = cells_[k];
  if (stamp_[k] != scan_) {
    stamp_[k] = scan_;
    touched_.push_back(c);
    if (time - cell.time > kStale) cell.hits = 0;
  }
  cell.time = time;
  const auto height = static_cast<float>(setup_.height);
  if (cell.hits > 0 && z > cell.min + height) return;
  if (cell.hits == 0 || z < cell.min - height) {  // what was there before is an overhang
    cell.min = cell.max = cell.mean = z;
    cell.m2 = 0;
    cell.high_time = time;
    cell.hits = 1;
    cell.high_hits = 0;
    return;
  }
  cell.min = std::min(cell.min, z);
  cell.max = std::max(cell.max, z);
  // What stood there has moved on: rays meet the ground again.
  const float high = cell.min + 0.5F * static_cast<float>(setup_.step_height);
  if (z > high) {
    if (time - cell.high_time > kStale) cell.high_hits = 0;
    cell.high_time = time;
    cell.high_hits = static_cast<std::uint16_t>(std::min(cell.high_hits + 1, 60000));
  } else if (cell.max > high && time - cell.high_time > kStale) {
    cell.max = z;
    cell.high_hits = 0;
  }
  cell.hits = static_cast<std::uint16_t>(std::min(cell.hits + 1, 60000));
  const float off = z - cell.mean;
  cell.mean += off / static_cast<float>(cell.hits);
  cell.m2 += off * (z - cell.mean);
}

/// Points in the smooth frame, without those of the vehicle itself and those outside of the window.
void LidarMapper::place_points(const LidarScan& scan, const PlacementTrack& track) {
  points_.clear();
  const planning::Footprint body = setup_.body.inflated(kBodyMargin);
  const Point origin = map_.obstacles().grid().origin();
  const double scale = 1 / map_.cell();
  const int n = map_.cells();
  int bucket = -1;
  Mat3<double> R, R_WS;
  Vec3<double> p, p_WS;
  for (const LidarPoint& point : scan.points) {
    const int now = static_cast<int>(point.time / kBucket);
    if (now != bucket) {
      bucket = now;
      const Placement at = track.at(scan.time + (now + 0.5) * kBucket);
      R = make_rotation(at);
      p = Vec3<double>(at.x, at.y, at.z);
      R_WS = R * scan.place.rotation;
      p_WS = p + R * scan.place.position;
    }
    const Vec3<double> q = p_WS + R_WS * Vec3<double>(point.x, point.y, point.z);
    const auto x = static_cast<int>(std::floor((q[0] - origin.x) * scale)),
               y = static_cast<int>(std::floor((q[1] - origin.y) * scale));
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) continue;
    const Vec3<double> off = q - p;
    // Above the vehicle and above every road that rises from here: an overhang.
    const double rise = off[2] - setup_.height;
    if (rise > 0 && rise * rise > kSteepRoad * kSteepRoad * (off[0] * off[0] + off[1] * off[1]))
      continue;
    if (off[0] * off[0] + off[1] * off[1] < 16) {  // near: is it the vehicle itself?
      const Vec3<double> own = transpose_times(R, off);
      if (own[0] < body.front && own[0] > -body.rear && own[1] < body.left && own[1] > -body.right)
        continue;
    }
    points_.push_back({static_cast<float>(q[0] - origin.x), static_cast<float>(q[1] - origin.y),
                       static_cast<float>(q[2] + offset_),
                       static_cast<float>(scan.time + point.time), x, y});
  }
}

// The estimate of height, roll and pitch is off by a little, and by another little in the next scan:
// enough to make a step where there is none. So a scan is laid on the ground that is known already,
// by the least squares of
//   r = z - mean of its cell = a + b x + c y                                                    (3)
// over points of flat cells, with a prior that a is small, and b and c are smaller.
void LidarMapper::align(Point place) {
  constexpr float kFlat = 0.08F, kNear = 25;                    // [m]
  constexpr double kNoise = 0.02, kOffset = 0.1, kTilt = 0.01;  // 1 sigma [m], [m], [rad]
  const Point origin = map_.obstacles().grid().origin();
  const auto px = static_cast<float>(place.x - origin.x),
             py = static_cast<float>(place.y - origin.y);
  double a = 0, b = 0, c = 0;
  for (const float clip : {0.3F, 0.1F}) {
    double N[6] = {}, g[3] = {};  // normal matrix by rows of its upper triangle, right side
    for (std::size_t k = 0; k < points_.size(); k += 3) {
      const PlacedPoint& p = points_[k];
      const GroundCell& cell = cells_[map_.index({p.cell_x, p.cell_y})];
      if (cell.hits < 2 || cell.max - cell.min > kFlat) continue;
      const float x = p.x - px, y = p.y - py;
      if (std::abs(x) > kNear || std::abs(y) > kNear) continue;
      const double r = p.z - cell.mean;
      if (std::abs(r - a - b * x - c * y) > clip) continue;
      N[0] += 1;
      N[1] += x;
      N[2] += y;
      N[3] += x * x;
      N[4] += x * y;
      N[5] += y * y;
      g[0] += r;
      g[1] += r * x;
      g[2] += r * y;
    }
    if (N[0] < 50) return;
    N[0] += std::pow(kNoise / kOffset, 2);
    N[3] += std::pow(kNoise / kTilt, 2);
    N[5] += std::pow(kNoise / kTilt, 2);
    // By the cross products of the columns of the normal matrix.
    const Vec3<double> u(N[0], N[1], N[2]), v(N[1], N[3], N[4]), w(N[2], N[4], N[5]),
        right(g[0], g[1], g[2]);
    const double determinant = dot(u, cross(v, w));
    a = dot(right, cross(v, w)) / determinant;
    b = dot(u, cross(right, w)) / determinant;
    c = dot(u, cross(v, right)) / determinant;
  }
  for (PlacedPoint& p : points_)
    p.z -= static_cast<float>(a + b * (p.x - px) + c * (p.y - py));  // (3)
  offset_ -= a;
}

void LidarMapper::add_scan(const LidarScan& scan, const PlacementTrack& track) {
  if (track.empty() || scan.points.empty()) return;
  const Placement last = track.at(scan.time + scan.duration);
  move_window({last.x, last.y});
  ++scan_;
  touched_.clear();
  place_points(scan, track);
  align({last.x, last.y});
  for (const PlacedPoint& p : points_) add_point({p.cell_x, p.cell_y}, p.z, p.time);
  // Cells beside those that were hit change with them.
  const std::size_t hits = touched_.size(), row = static_cast<std::size_t>(map_.cells());
  for (std::size_t k = 0; k < hits; ++k) {
    const Cell c = touched_[k];  // not at the rim of the window
    std::size_t first = map_.index(c) - row - 1;
    for (int dy = -1; dy <= 1; ++dy, first += row) {
      for (int dx = -1; dx <= 1; ++dx) {
        const std::size_t i = first + static_cast<std::size_t>(dx + 1);
        if (stamp_[i] == scan_ || cells_[i].hits == 0) continue;
        stamp_[i] = scan_;
        touched_.push_back({c.x + dx, c.y + dy});
      }
    }
  }
  for (const Cell c : touched_) judge(c);
  for (std::size_t k = 0; k < hits; ++k) {
    const Cell c = touched_[k];
    if (cells_[map_.index(c)].hits == 0) continue;
    map_.set_seen_around(c, kSeenAround);
  }
  scan_time_ = scan.time + scan.duration;
  forget(scan_time_, {last.x, last.y});
  map_.commit();
}

void LidarMapper::judge(Cell c) {
  const int n = map_.cells();
  if (c.x < 1 || c.y < 1 || c.x >= n - 1 || c.y >= n - 1) return;
  const std::size_t k = map_.index(c), row = static_cast<std::size_t>(n);
  GroundCell& own = cells_[k];
  const float half_step = 0.5F * static_cast<float>(setup_.step_height);
  float lowest = own.min;
  bool has_high_neighbor = false;
  for (const std::size_t i :
       {k - row - 1, k - row, k - row + 1, k - 1, k + 1, k + row - 1, k + row, k + row + 1}) {
    const GroundCell& near = cells_[i];
    if (near.hits == 0) continue;
    lowest = std::min(lowest, near.min);
    has_high_neighbor = has_high_neighbor || near.max > own.max - half_step;
  }
  // One point above the ground may be a drop of rain: all points of a cell stand out, or two do.
  const bool has_more =
      has_high_neighbor || own.high_hits > 1 || (own.hits > 1 && own.min > lowest + half_step);
  if (own.min > lowest + static_cast<float>(setup_.height)) {  // an overhang, its ground not seen
    own = {};
    map_.set_blocked(c, false);
    return;
  }
  bool is_blocked = has_more && own.max - lowest > setup_.step_height;  // (1)
  const auto slope = [&](const GroundCell& a, const GroundCell& b) {
    const bool is_ground =  // of both, not an overhang
        a.hits > 0 && b.hits > 0 && std::abs(a.mean - b.mean) < setup_.height;
    return is_ground ? (a.mean - b.mean) / (2 * map_.cell()) : 0.0;
  };
  const double along = slope(cells_[k + 1], cells_[k - 1]),
               across = slope(cells_[k + row], cells_[k - row]);
  is_blocked = is_blocked || is_longer(along, across, setup_.max_slope);  // (2)
  map_.set_blocked(c, is_blocked);
}

/// Obstacles that were not seen for long, unless they are where the scanner does not look.
void LidarMapper::forget(double now, Point place) {
  if (now - forgotten_ < 1) return;
  forgotten_ = now;
  const int n = map_.cells();
  const planning::OccupancyGrid& grid = map_.obstacles().grid();
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      if (!grid.is_blocked(x, y)) continue;
      GroundCell& cell = cells_[map_.index({x, y})];
      const Point c = grid.center({x, y});
      if (now - cell.time < setup_.decay || std::hypot(c.x - place.x, c.y - place.y) < setup_.near)
        continue;
      cell = {};
      map_.set_blocked({x, y}, false);
      map_.set_seen({x, y}, false);
    }
  }
}

void LidarMapper::update(const Estimate& estimate) {
  const Placement& at = estimate.smooth;
  if (!has_start_) {
    has_start_ = true;
    move_window({at.x, at.y});
    const int reach = static_cast<int>(setup_.start_radius / map_.cell());
    const Cell middle = map_.cell_of({at.x, at.y});
    for (int dy = -reach; dy <= reach; ++dy)
      for (int dx = -reach; dx <= reach; ++dx)
        if (dx * dx + dy * dy <= reach * reach && map_.is_inside({middle.x + dx, middle.y + dy}))
          map_.set_seen({middle.x + dx, middle.y + dy}, true);
  }
  problem_.clear();
  const double silent = estimate.time - std::max(scan_time_, 0.0);
  if (silent > setup_.silence) problem_ = concat("no LIDAR scan for ", short_text(silent, 2), " s");
}

double LidarMapper::roughness(Point p) const {
  const Cell c = map_.cell_of(p);
  if (!map_.is_inside(c)) return 0;
  const GroundCell& cell = cells_[map_.index(c)];
  return cell.hits < 3 ? 0 : std::sqrt(cell.m2 / static_cast<float>(cell.hits));
}

void LidarMapper::save(StateWriter* out) const {
  map_.save(out);
  for (const double value :
       {static_cast<double>(scan_), scan_time_, offset_, forgotten_, has_start_ ? 1.0 : 0.0})
    out->write(value);
  std::vector<double> known;
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    const GroundCell& c = cells_[k];
    if (c.hits == 0) continue;
    known.insert(known.end(),
                 {static_cast<double>(k), c.min, c.max, c.mean, c.m2, c.time, c.high_time,
                  static_cast<double>(c.hits), static_cast<double>(c.high_hits)});
  }
  out->write_list(known);
}

void LidarMapper::restore(StateReader* in) {
  map_.restore(in);
  scan_ = static_cast<std::uint32_t>(in->read_int());
  scan_time_ = in->read();
  offset_ = in->read();
  forgotten_ = in->read();
  has_start_ = in->read_bool();
  const std::vector<double> known = in->read_list();
  std::fill(cells_.begin(), cells_.end(), GroundCell{});
  std::fill(stamp_.begin(), stamp_.end(), 0);
  for (std::size_t i = 0; i + 8 < known.size(); i += 9) {
    require(known[i] >= 0 && known[i] < static_cast<double>(cells_.size()),
            "LidarMapper: a saved cell is outside of the map");
    cells_[static_cast<std::size_t>(known[i])] = {
        static_cast<float>(known[i + 1]),         static_cast<float>(known[i + 2]),
        static_cast<float>(known[i + 3]),         static_cast<float>(known[i + 4]),
        static_cast<float>(known[i + 5]),         static_cast<float>(known[i + 6]),
        static_cast<std::uint16_t>(known[i + 7]), static_cast<std::uint16_t>(known[i + 8])};
  }
}

}  // namespace camber::autonomy
