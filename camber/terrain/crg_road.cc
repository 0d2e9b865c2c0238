#include "camber/terrain/crg_road.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/math/scalar.h"
#include "camber/math/types.h"
#include "camber/terrain/elevation_map.h"

namespace camber::terrain {
namespace {

using Eigen::Vector2d;

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace

/// The road, prepared for queries. A point of piece i is p = P(t) + v' n(t), P along the piece and
/// n from the bisector at its start to the one at its end, so that neighbors share their lines.
struct CrgRoad::Road {
  struct Piece {
    Vector2d start, along, left, n0, n1;  // along: as long as the piece; left: unit
  };
  CrgData data;
  std::vector<Piece> pieces;
  std::vector<double> z;  // of the reference line at each row [m]
  double reach = 0.0;     // largest |v| [m]
  double slack = 1.0;     // max difference of t from that of the plain projection, on the road

  // A grid of cells over the road's surroundings: which pieces may hold a point in it.
  double cell = 1.0, x0 = 0.0, y0 = 0.0;
  int nx = 0, ny = 0;
  std::vector<int> first, members;

  void lay_line();
  void sort_into_cells();
  bool solve(int piece, const Vector2d& p, double* t, double* v) const;
  double distance2(int piece, const Vector2d& p, double* t) const;
  int nearest(const Vector2d& p) const;
  double height_at(int row, double v) const;
};

void CrgRoad::Road::lay_line() {
  const std::size_t n = data.heading.size();
  Vector2d p(data.x, data.y);
  double height = data.z;
  z.push_back(height);
  for (std::size_t i = 0; i < n; ++i) {
    double s, c;
    math::sincos(data.heading[i], &s, &c);
    pieces.push_back({p, data.u_step * Vector2d(c, s), Vector2d(-s, c), {}, {}});
    p += pieces.back().along;
    height += data.slope.empty() ? 0.0 : data.slope[i] * data.u_step;
    z.push_back(height);
  }
  // At a joint the line across is the bisector of the two pieces' normals.
  for (std::size_t i = 0; i < n; ++i) {
    const Vector2d before = pieces[i == 0 ? 0 : i - 1].left, here = pieces[i].left;
    const Vector2d after = pieces[i + 1 == n ? i : i + 1].left;
    pieces[i].n0 = (before + here).normalized();
    pieces[i].n1 = (here + after).normalized();
  }
  reach = std::max(std::abs(data.v.front()), std::abs(data.v.back()));
  double bend = 0.0;
  for (const Piece& s : pieces)
    bend = std::max({bend, (s.n0 - s.left).norm(), (s.n1 - s.left).norm()});
  slack = 1 + 2 * bend * reach / data.u_step;
}

void CrgRoad::Road::sort_into_cells() {
  cell = std::max(2 * reach, 8 * data.u_step);
  const double margin = 1.2 * reach + data.u_step;
  double x1 = -HUGE_VAL, y1 = -HUGE_VAL;
  x0 = y0 = HUGE_VAL;
  for (const Piece& p : pieces) {
    for (const Vector2d& q : {p.start, Vector2d(p.start + p.along)}) {
      x0 = std::min(x0, q.x() - margin), x1 = std::max(x1, q.x() + margin);
      y0 = std::min(y0, q.y() - margin), y1 = std::max(y1, q.y() + margin);
    }
  }
  // At most a few cells per piece, however winding the road is.
  while ((x1 - x0) / cell * ((y1 - y0) / cell) > 64.0 * static_cast<double>(pieces.size()) + 1e4) {
    cell *= 2;
  }
  nx = static_cast<int>((x1 - x0) / cell) + 1, ny = static_cast<int>((y1 - y0) / cell) + 1;
  std::vector<std::vector<int>> lists(static_cast<std::size_t>(nx) * ny);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Vector2d a = pieces[i].start, b = a + pieces[i].along;
    const auto index = [&](double q, double q0, int n) {
      return std::clamp(static_cast<int>((q - q0) / cell), 0, n - 1);
    };
    const int ia = index(std::min(a.x(), b.x()) - margin, x0, nx);
    const int ib = index(std::max(a.x(), b.x()) + margin, x0, nx);
    const int ja = index(std::min(a.y(), b.y()) - margin, y0, ny);
    const int jb = index(std::max(a.y(), b.y()) + margin, y0, ny);
    for (int cj = ja; cj <= jb; ++cj) {
      for (int ci = ia; ci <= ib; ++ci) {
        lists[static_cast<std::size_t>(cj) * nx + ci].push_back(static_cast<int>(i));
      }
    }
  }
  first.push_back(0);
  for (const auto& list : lists) {
    members.insert(members.end(), list.begin(), list.end());
    first.push_back(static_cast<int>(members.size()));
  }
}

/// Part of the piece whose line across goes through p:
///   cross(p - P(t), n0 + t (n1 - n0)) = 0, a quadratic in t; the root in 0..1.
bool CrgRoad::Road::solve(int piece, const Vector2d& p, double* t, double* v) const {
  const Piece& s = pieces[piece];
  const Vector2d q = p - s.start, dn = s.n1 - s.n0;
  // Most pieces of a cell are elsewhere.
  const double plain = q.dot(s.along), square = data.u_step * data.u_step;
  if (plain < -slack * square || plain > (1 + slack) * square) return false;
  const double a = -cross(s.along, dn), b = cross(q, dn) - cross(s.along, s.n0);
  const double c = cross(q, s.n0);
  const double root2 = b * b - 4 * a * c;
  if (root2 < 0) return false;
  // b < 0 on the road: the root that stays finite as the curve becomes straight.
  const double w = -b + std::sqrt(root2);
  if (w == 0) return false;
  *t = 2 * c / w;
  *v = (q - *t * s.along).dot(s.left);
  return *t >= -1e-12 && *t <= 1 + 1e-12;
}

double CrgRoad::Road::distance2(int piece, const Vector2d& p, double* t) const {
  const Piece& s = pieces[piece];
  const Vector2d q = p - s.start;
  *t = std::clamp(q.dot(s.along) / s.along.squaredNorm(), 0.0, 1.0);
  return (q - *t * s.along).squaredNorm();
}

/// The piece nearest to a point off the road: a coarse search, then a fine one around the best.
int CrgRoad::Road::nearest(const Vector2d& p) const {
  const int n = static_cast<int>(pieces.size());
  const int stride = std::max(1, static_cast<int>(std::sqrt(n)));
  double t, best = HUGE_VAL;
  int found = 0;
  const auto look = [&](int i) {
    const double d = distance2(i, p, &t);
    if (d < best) best = d, found = i;
  };
  for (int i = 0; i < n; i += stride) look(i);
  const int middle = found;
  for (int i = std::max(0, middle - stride); i <= std::min(n - 1, middle + stride); ++i) look(i);
  return found;
}

CrgRoad::CrgRoad(CrgData data) {
  const std::size_t rows = data.heading.size() + 1, columns = data.v.size();
  require(rows >= 2, "CRG road: needs at least two rows, got ", rows);
  require(columns >= 2, "CRG road: needs at least two long sections, got ", columns);
  require(data.u_step > 0 && std::isfinite(data.u_step), "CRG road: step must be > 0 m, got ",
          data.u_step);
  for (std::size_t k = 1; k < columns; ++k) {
    require(data.v[k] > data.v[k - 1], "CRG road: v must increase from section to section, got ",
            data.v[k - 1], " and ", data.v[k]);
  }
  require(data.heights.size() == rows * columns, "CRG road: ", data.heights.size(), " heights for ",
          rows, " rows of ", columns);
  require(data.slope.empty() || data.slope.size() == rows - 1, "CRG road: ", data.slope.size(),
          " slopes for ", rows - 1, " pieces");
  require(data.banking.empty() || data.banking.size() == rows, "CRG road: ", data.banking.size(),
          " bankings for ", rows, " rows");
  for (const auto* list : {&data.heading, &data.slope, &data.banking}) {
    for (const double value : *list) {
      require(std::isfinite(value), "CRG road: heading, slope and banking must be finite");
    }
  }
  // Beside the road its edge is extended: the height of the nearest section that has one.
  for (std::size_t r = 0; r < rows; ++r) {
    float* row = data.heights.data() + r * columns;
    const float* some = std::find_if(row, row + columns, [](float h) { return std::isfinite(h); });
    require(some != row + columns, "CRG road: row ", r + 1, " has no height");
    float last = *some;
    for (std::size_t k = 0; k < columns; ++k) {
      if (std::isfinite(row[k])) last = row[k];
      row[k] = last;
    }
  }
  const auto road = std::make_shared<Road>();
  road->data = std::move(data);
  road->lay_line();
  road->sort_into_cells();
  road_ = road;
}

CrgRoad::Place CrgRoad::locate(double x, double y) const {
  const Road& r = *road_;
  const Vector2d p(x, y);
  Place best;
  double nearest = HUGE_VAL;
  const double ci = std::floor((x - r.x0) / r.cell), cj = std::floor((y - r.y0) / r.cell);
  if (ci >= 0 && cj >= 0 && ci < r.nx && cj < r.ny) {
    const std::size_t at = static_cast<std::size_t>(cj) * r.nx + static_cast<std::size_t>(ci);
    for (int k = r.first[at]; k < r.first[at + 1]; ++k) {
      double t, v;
      if (!r.solve(r.members[k], p, &t, &v) || std::abs(v) >= nearest) continue;
      nearest = std::abs(v);
      best = {r.members[k], std::clamp(t, 0.0, 1.0), v, false};
    }
  }
  if (nearest == HUGE_VAL) {  // before the start, beyond the end, or far away
    best.piece = r.nearest(p);
    r.distance2(best.piece, p, &best.t);
    const Road::Piece& s = r.pieces[best.piece];
    best.v = (p - s.start - best.t * s.along).dot(s.left);
    return best;
  }
  best.inside = best.v >= r.data.v.front() && best.v <= r.data.v.back();
  return best;
}

const CrgData& CrgRoad::data() const { return road_->data; }

bool CrgRoad::contains(double x, double y) const { return locate(x, y).inside; }

// h(t, v) = z_ref(t) + banking(t) v + heights(t, v), all linear in t between rows; t_x and t_y from
// the equation that solve() solves, v_x and v_y are the piece's normal.
SurfaceSample CrgRoad::sample(double x, double y) const {
  const Road& r = *road_;
  const CrgData& d = r.data;
  const Place place = locate(x, y);
  const Road::Piece& s = r.pieces[place.piece];
  const double v = std::clamp(place.v, d.v.front(), d.v.back());
  const bool level_across = v != place.v;
  const auto above = std::upper_bound(d.v.begin() + 1, d.v.end() - 1, v);
  const auto k = static_cast<std::size_t>(above - d.v.begin()) - 1;
  const double dv = d.v[k + 1] - d.v[k], w = (v - d.v[k]) / dv;
  const std::size_t columns = d.v.size();
  const float* a = d.heights.data() + static_cast<std::size_t>(place.piece) * columns + k;
  const float* b = a + columns;
  const double ba = d.banking.empty() ? 0.0 : d.banking[place.piece];
  const double bb = d.banking.empty() ? 0.0 : d.banking[place.piece + 1];
  const double ha = r.z[place.piece] + ba * v + a[0] + w * (a[1] - a[0]);
  const double hb = r.z[place.piece + 1] + bb * v + b[0] + w * (b[1] - b[0]);
  const double va = ba + (a[1] - a[0]) / dv, vb = bb + (b[1] - b[0]) / dv;
  const double t = place.t, h_t = hb - ha, h_v = va + t * (vb - va), h_tv = vb - va;

  const Vector2d p(x, y), q = p - s.start, dn = s.n1 - s.n0, n = s.n0 + t * dn;
  const double F_t = cross(q - t * s.along, dn) - cross(s.along, n);
  const bool beyond = F_t == 0 || !(t > 0 && t < 1);
  const double t_x = beyond && !place.inside ? 0.0 : -n.y() / F_t;
  const double t_y = beyond && !place.inside ? 0.0 : n.x() / F_t;
  const double v_x = level_across ? 0.0 : s.left.x(), v_y = level_across ? 0.0 : s.left.y();
  return {.h = ha + t * h_t,
          .hx = h_t * t_x + h_v * v_x,
          .hy = h_t * t_y + h_v * v_y,
          .hxx = 2 * h_tv * t_x * v_x,
          .hxy = h_tv * (t_x * v_y + t_y * v_x),
          .hyy = 2 * h_tv * t_y * v_y};
}

std::vector<CrgRoad::LinePoint> CrgRoad::find_line(double spacing, double offset) const {
  require(spacing > 0, "CrgRoad::find_line: spacing must be > 0 m, got ", spacing);
  const std::size_t n = road_->pieces.size();
  const auto every = static_cast<std::size_t>(
      std::clamp(std::round(spacing / road_->data.u_step), 1.0, static_cast<double>(n)));
  std::vector<LinePoint> line;
  const auto add = [&](const Vector2d& at, const Vector2d& normal) {
    const Vector2d p = at + offset * normal;
    line.push_back({p.x(), p.y(), std::atan2(-normal.x(), normal.y())});
  };
  for (std::size_t i = 0; i < n; i += every) add(road_->pieces[i].start, road_->pieces[i].n0);
  const Road::Piece& last = road_->pieces.back();
  // A last short stretch would give the line a bend of its own.
  if (n % every != 0 && n % every < (every + 1) / 2 && line.size() > 2) line.pop_back();
  add(last.start + last.along, last.n1);
  return line;
}

Box2 CrgRoad::extent() const {
  Box2 box{HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (const double v : {road_->data.v.front(), road_->data.v.back()})
    for (const LinePoint& p : find_line(road_->data.u_step, v))
      box = {std::min(box.x0, p.x), std::min(box.y0, p.y), std::max(box.x1, p.x),
             std::max(box.y1, p.y)};
  return box;
}

}  // namespace camber::terrain
