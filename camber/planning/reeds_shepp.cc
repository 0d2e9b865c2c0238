// [Reeds and Shepp 1990] section 8: 48 words, with the correction of CCCC by [Souères and Laumond
// 1996]. Lengths are in units of the radius, the goal is z = x + i y with heading phi.
//
// The words come in families of up to eight: as they are, with all directions of travel exchanged
// (time flip), with left and right exchanged (reflection), and read from the end. All of a family
// depend on the distance rho and the direction theta from one turning center of the start to one of
// the goal. With
//   a = z - i + i e^(i phi)   from left center to left center                                 (1)
//   c = z - i - i e^(i phi)   from left to right                                              (2)
// the time flip has (pi - theta, -phi), the reflection is the same with conj(z) and -phi, and the
// word read from its end has e^(i phi) conj(a) for a and e^(i phi) c' for c, where c' is c of the
// reflection (3). So four distances and four directions serve all 48 words, and what a family adds
// (an arcsine, an arctangent) is a function of rho alone: docs/theory/planning.md, section 3.

#include "camber/planning/reeds_shepp.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <utility>

#include "camber/core/require.h"

namespace camber::planning {
namespace {

constexpr double kPi = std::numbers::pi, kHalfPi = kPi / 2, kTwoPi = 2 * kPi;
constexpr double kTiny = 1e-12;  // angles this close to 0 or pi count as of either sign

/// In [-pi, pi].
inline double wrap(double angle) { return angle - kTwoPi * std::nearbyint(angle * (1 / kTwoPi)); }

/// An angle that must not be negative: -pi is pi, and what rounding made negative is 0.
inline double wrap_forward(double angle) {
  const double a = wrap(angle);
  return a < -kPi + kTiny ? a + kTwoPi : (a < 0 && a > -kTiny ? 0 : a);
}
/// An angle that must not be positive.
inline double wrap_backward(double angle) { return -wrap_forward(-angle); }

enum Family { kLSL, kLSR, kLRL, kLRLRForth, kLRLRBack, kLRSL, kLRSR, kLRSLR };

struct Best {
  double length = INFINITY;
  Family family = kLSL;
  bool is_flipped = false, is_reflected = false, is_reversed = false;
  double t = 0, u = 0, v = 0;
};

struct Direction {
  double theta, phi;
};

inline void try_word(Family family, double length, double t, double u, double v, bool flipped,
                     bool reflected, bool reversed, Best* best) {
  if (length < best->length) *best = {length, family, flipped, reflected, reversed, t, u, v};
}

/// Distance and direction between centers.
struct Centers {
  double rho2 = 0, rho = 0, theta = 0;
};
inline Centers make_centers(double x, double y) {
  const double rho2 = x * x + y * y;
  return {rho2, std::sqrt(rho2), std::atan2(y, x)};
}

/// Words whose first and last arc have the same sense: centers (1).
inline void try_same_sense(const Centers& a, double phi, bool reflected, Best* best) {
  const Direction ways[2] = {{a.theta, phi}, {kPi - a.theta, -phi}};
  for (int flip = 0; flip < 2; ++flip) {  // L+ S+ L+
    const double t = wrap_forward(ways[flip].theta);
    const double v = wrap_forward(ways[flip].phi - t);
    if (t >= 0 && v >= 0) {
      try_word(kLSL, t + a.rho + v, t, a.rho, v, flip, reflected, false, best);
    }
  }
  // Read from the end: (3).
  const Direction all[4] = {ways[0], ways[1], {phi - a.theta, phi}, {a.theta - phi - kPi, -phi}};
  if (a.rho <= 4) {  // L+ R- L+-
    const double u = -2 * std::asin(0.25 * a.rho);
    if (-u < best->length) {
      for (int way = 0; way < 4; ++way) {
        const double t = wrap_forward(all[way].theta + 0.5 * u + kPi);
        if (t < 0) continue;
        const double v = wrap(all[way].phi - t + u);
        try_word(kLRL, t - u + std::abs(v), t, u, v, way & 1, reflected, way >> 1, best);
      }
    }
  }
  if (a.rho2 >= 8) {  // L+ R-(pi/2) S- L-
    const double r = std::sqrt(a.rho2 - 4), u = 2 - r;
    if (kHalfPi - u < best->length) {
      const double turn = kHalfPi + std::atan2(2, r);
      for (int way = 0; way < 4; ++way) {
        const double t = wrap_forward(all[way].theta + turn);
        const double v = wrap_backward(all[way].phi - kHalfPi - t);
        if (t < 0 || v > 0) continue;
        try_word(kLRSL, t + kHalfPi - u - v, t, u, v, way & 1, reflected, way >> 1, best);
      }
    }
  }
}

/// Words whose first and last arc have opposite senses: centers (2). `end` has those of the
/// reflection, for words read from their end (3).
inline void try_opposite_senses(const Centers& c, const Centers& end, double phi, bool reflected,
                                Best* best) {
  const Direction ways[2] = {{c.theta, phi}, {kPi - c.theta, -phi}};
  if (c.rho2 >= 4) {
    const double s = std::sqrt(c.rho2 - 4);
    const double turn = std::atan2(2, s);
    if (s < best->length) {
      for (int flip = 0; flip < 2; ++flip) {  // L+ S+ R+
        const double t = wrap_forward(ways[flip].theta + turn);
        const double v = wrap_forward(t - ways[flip].phi);
        if (t < 0 || v < 0) continue;
        try_word(kLSR, t + s + v, t, s, v, flip, reflected, false, best);
      }
    }
    if (s >= 4 && kPi + s - 4 < best->length) {
      for (int flip = 0; flip < 2; ++flip) {  // L+ R-(pi/2) S- L-(pi/2) R+
        const double t = wrap_forward(ways[flip].theta + kHalfPi + turn);
        const double v = wrap_forward(t - ways[flip].phi);
        if (t < 0 || v < 0) continue;
        try_word(kLRSLR, t + kPi + s - 4 + v, t, 4 - s, v, flip, reflected, false, best);
      }
    }
  }
  for (int from_end = 0; from_end < 2; ++from_end) {  // L+ R-(pi/2) S- R-
    const double rho = from_end ? end.rho : c.rho;
    if (rho < 2 || kHalfPi + rho - 2 >= best->length) continue;
    const double theta = from_end ? phi + end.theta : c.theta;
    const Direction ends[2] = {{theta, phi}, {kPi - theta, -phi}};
    for (int flip = 0; flip < 2; ++flip) {
      const double t = wrap_forward(ends[flip].theta + kHalfPi);
      const double v = wrap_backward(t + kHalfPi - ends[flip].phi);
      if (t < 0 || v > 0) continue;
      try_word(kLRSR, t + kHalfPi + rho - 2 - v, t, 2 - rho, v, flip, reflected, from_end, best);
    }
  }
  if (c.rho <= 2) {  // L+ R+(u) L-(u) R-
    const double u = std::acos(std::min(0.25 * (2 + c.rho), 1.0));
    if (2 * u < best->length) {
      for (int flip = 0; flip < 2; ++flip) {
        const double t = wrap_forward(ways[flip].theta + kHalfPi + u);
        const double v = wrap_backward(t - 2 * u - ways[flip].phi);
        if (t < 0 || v > 0) continue;
        try_word(kLRLRForth, t + 2 * u - v, t, u, v, flip, reflected, false, best);
      }
    }
  }
  if (c.rho2 >= 4 && c.rho2 <= 20) {  // L+ R-(u) L-(u) R+
    const double cosine = (20 - c.rho2) / 16, u = -std::acos(cosine);
    if (-2 * u < best->length) {
      const double turn = -std::atan2(cosine - 2, -std::sqrt(1 - cosine * cosine));
      for (int flip = 0; flip < 2; ++flip) {
        const double t = wrap_forward(ways[flip].theta + turn);
        const double v = wrap_forward(t - ways[flip].phi);
        if (t < 0 || v < 0) continue;
        try_word(kLRLRBack, t - 2 * u + v, t, u, v, flip, reflected, false, best);
      }
    }
  }
}

/// The goal as the start sees it, in radii.
Pose to_local(const Pose& from, const Pose& to, double radius) {
  const double c = std::cos(from.heading), s = std::sin(from.heading);
  const double dx = (to.x - from.x) / radius, dy = (to.y - from.y) / radius;
  return {c * dx + s * dy, c * dy - s * dx, wrap(to.heading - from.heading)};
}

Best find_best_word(const Pose& goal) {
  const double c = std::cos(goal.heading), s = std::sin(goal.heading);
  Best best;
  const Centers left_left = make_centers(goal.x - s, goal.y - 1 + c);
  const Centers right_right = make_centers(goal.x + s, -goal.y - 1 + c);
  const Centers left_right = make_centers(goal.x + s, goal.y - 1 - c);
  const Centers right_left = make_centers(goal.x - s, -goal.y - 1 - c);
  try_same_sense(left_left, goal.heading, false, &best);
  try_same_sense(right_right, -goal.heading, true, &best);
  try_opposite_senses(left_right, right_left, goal.heading, false, &best);
  try_opposite_senses(right_left, left_right, -goal.heading, true, &best);
  return best;
}

void require_finite(const char* function, const Pose& from, const Pose& to, double radius) {
  require(radius > 0 && std::isfinite(radius), function, ": radius ", radius, " m must be > 0");
  require(std::isfinite(from.x + from.y + from.heading + to.x + to.y + to.heading), function,
          ": a pose is not finite");
}

void finish_path(double radius, CurvePath* path) {
  path->radius = radius;
  path->length = 0;
  for (int k = 0; k < path->count; ++k) {
    path->segments[k].length *= radius;
    path->length += std::abs(path->segments[k].length);
  }
}

}  // namespace

double calc_reeds_shepp_length(const Pose& from, const Pose& to, double radius) {
  require_finite("calc_reeds_shepp_length", from, to, radius);
  return radius * find_best_word(to_local(from, to, radius)).length;
}

CurvePath find_reeds_shepp_path(const Pose& from, const Pose& to, double radius) {
  require_finite("find_reeds_shepp_path", from, to, radius);
  const Best best = find_best_word(to_local(from, to, radius));
  const double t = best.t, u = best.u, v = best.v;
  constexpr int kL = 1, kS = 0, kR = -1;
  CurvePath path;
  const auto set = [&](std::initializer_list<CurvePath::Segment> segments) {
    for (const auto& segment : segments) path.segments[path.count++] = segment;
  };
  switch (best.family) {
    case kLSL:
      set({{kL, t}, {kS, u}, {kL, v}});
      break;
    case kLSR:
      set({{kL, t}, {kS, u}, {kR, v}});
      break;
    case kLRL:
      set({{kL, t}, {kR, u}, {kL, v}});
      break;
    case kLRLRForth:
      set({{kL, t}, {kR, u}, {kL, -u}, {kR, v}});
      break;
    case kLRLRBack:
      set({{kL, t}, {kR, u}, {kL, u}, {kR, v}});
      break;
    case kLRSL:
      set({{kL, t}, {kR, -kHalfPi}, {kS, u}, {kL, v}});
      break;
    case kLRSR:
      set({{kL, t}, {kR, -kHalfPi}, {kS, u}, {kR, v}});
      break;
    case kLRSLR:
      set({{kL, t}, {kR, -kHalfPi}, {kS, u}, {kL, -kHalfPi}, {kR, v}});
      break;
  }
  for (int k = 0; k < path.count; ++k) {
    if (best.is_flipped) path.segments[k].length = -path.segments[k].length;
    if (best.is_reflected) path.segments[k].steer = -path.segments[k].steer;
  }
  if (best.is_reversed) std::reverse(path.segments.begin(), path.segments.begin() + path.count);
  finish_path(radius, &path);
  return path;
}

// --- Dubins [Dubins 1957]: arcs to the left or right with a straight or a long arc between them ---

namespace {

inline double wrap_to_circle(double angle) {
  const double a = angle - kTwoPi * std::floor(angle * (1 / kTwoPi));
  return a > kTwoPi - kTiny ? 0 : a;  // a full circle that rounding made is none
}

struct DubinsWord {
  double length = INFINITY;
  int first = 1, middle = 0, last = 1;
  double t = 0, u = 0, v = 0;
};

DubinsWord find_dubins_word(const Pose& goal) {
  DubinsWord best;
  const auto try_arcs = [&](int first, int middle, int last, double t, double u, double v) {
    if (t + u + v < best.length) best = {t + u + v, first, middle, last, t, u, v};
  };
  for (const int side : {1, -1}) {  // -1: reflected
    const double y = side * goal.y, phi = side * goal.heading;
    const double c = std::cos(phi), s = std::sin(phi);
    {
      const Centers a = make_centers(goal.x - s, y - 1 + c);
      const double t = wrap_to_circle(a.theta);
      try_arcs(side, 0, side, t, a.rho, wrap_to_circle(phi - t));
      if (a.rho <= 4) {  // L R L, the middle arc more than half a circle
        const double u = kTwoPi - 2 * std::asin(0.25 * a.rho);
        const double first = wrap_to_circle(a.theta + 0.5 * u);
        try_arcs(side, -side, side, first, u, wrap_to_circle(phi - first + u));
      }
    }
    const Centers b = make_centers(goal.x + s, y - 1 - c);
    if (b.rho2 >= 4) {
      const double u = std::sqrt(b.rho2 - 4);
      const double t = wrap_to_circle(b.theta + std::atan2(2, u));
      try_arcs(side, 0, -side, t, u, wrap_to_circle(t - phi));
    }
  }
  return best;
}

}  // namespace

double calc_dubins_length(const Pose& from, const Pose& to, double radius) {
  require_finite("calc_dubins_length", from, to, radius);
  return radius * find_dubins_word(to_local(from, to, radius)).length;
}

CurvePath find_dubins_path(const Pose& from, const Pose& to, double radius) {
  require_finite("find_dubins_path", from, to, radius);
  const DubinsWord best = find_dubins_word(to_local(from, to, radius));
  CurvePath path;
  path.count = 3;
  path.segments[0] = {best.first, best.t};
  path.segments[1] = {best.middle, best.u};
  path.segments[2] = {best.last, best.v};
  finish_path(radius, &path);
  return path;
}

Pose calc_pose(const CurvePath& path, const Pose& from, double distance) {
  Pose at = from;
  for (int k = 0; k < path.count && distance > 0; ++k) {
    const double whole = path.segments[k].length, part = std::min(std::abs(whole), distance);
    at = drive(at, path.curvature(k), std::copysign(part, whole));
    distance -= part;
  }
  return at;
}

Pose calc_end(const CurvePath& path, const Pose& from) {
  Pose at = from;
  for (int k = 0; k < path.count; ++k) {
    at = drive(at, path.curvature(k), path.segments[k].length);
  }
  return at;
}

}  // namespace camber::planning
