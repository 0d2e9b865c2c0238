#include "camber/terrain/bump.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/core/require.h"
#include "camber/math/scalar.h"

namespace camber::terrain {
namespace {

/// A function of one length with its derivatives.
struct Curve {
  double f = 0.0, d = 0.0, dd = 0.0;
};

/// max(s, 0), its kink rounded by a parabola over |s| < e.
Curve rounded_kink(double s, double e) {
  if (s <= -e) return {};
  if (s >= e) return {s, 1.0, 0.0};
  return {(s + e) * (s + e) / (4 * e), (s + e) / (2 * e), 1 / (2 * e)};
}

/// Rises from 0 at s = 0 to 1 at s = length; a jump if the length is 0.
Curve rounded_ramp(double s, double length, double e) {
  if (length <= 0) return {s >= 0 ? 1.0 : 0.0, 0.0, 0.0};
  if (s >= length + e) return {1.0, 0.0, 0.0};  // exact at any distance
  const Curve a = rounded_kink(s, e), b = rounded_kink(s - length, e);
  return {(a.f - b.f) / length, (a.d - b.d) / length, (a.dd - b.dd) / length};
}

Curve half_round(const Bump& b, double s) {
  const double base = b.radius - b.height;  // depth of the cylinder's axis
  const double z2 = b.radius * b.radius - s * s;
  if (z2 <= base * base || z2 <= 0) return {};
  const double z = std::sqrt(z2);
  return {z - base, -s / z, -b.radius * b.radius / (z2 * z)};
}

Curve ramp(const Bump& b, double s) {
  const Curve up = rounded_ramp(s, b.rise, b.blend);
  const Curve down = rounded_ramp(s - b.rise - b.top, b.fall, b.blend);
  return {b.height * (up.f - down.f), b.height * (up.d - down.d), b.height * (up.dd - down.dd)};
}

Curve step(const Bump& b, double s) {
  const Curve up = rounded_ramp(s, b.rise, b.blend);
  return {b.height * up.f, b.height * up.d, b.height * up.dd};
}

Curve sine(const Bump& b, double s) {
  if (s <= 0 || s >= b.length * b.count) return {};
  const double k = 2 * std::numbers::pi / b.length;
  double sine, cosine;
  math::sincos(k * s, &sine, &cosine);
  const double a = 0.5 * b.height;
  return {a * (1 - cosine), a * k * sine, a * k * k * cosine};
}

Curve profile(const Bump& b, double s) {
  switch (b.shape) {
    case BumpShape::kHalfRound:
      return half_round(b, s);
    case BumpShape::kRamp:
      return ramp(b, s);
    case BumpShape::kStep:
      return step(b, s);
    case BumpShape::kSine:
      return sine(b, s);
  }
  return {};
}

// Integrals of the same curves, from their start.

double integrate_kink(double s, double e) {
  if (s <= -e) return 0;
  if (s >= e) return 0.5 * s * s + e * e / 6;
  return (s + e) * (s + e) * (s + e) / (12 * e);
}

double integrate_ramp(double s, double length, double e) {
  if (length <= 0) return std::max(s, 0.0);
  if (s >= length + e) return s - 0.5 * length;  // exact at any distance
  return (integrate_kink(s, e) - integrate_kink(s - length, e)) / length;
}

double integrate_half_round(const Bump& b, double s) {
  const double base = b.radius - b.height, half = std::sqrt(b.radius * b.radius - base * base);
  const double at = std::clamp(s, -half, half);
  const double z = std::sqrt(b.radius * b.radius - at * at);
  return 0.5 * (at * z + b.radius * b.radius * std::asin(at / b.radius)) - base * at;
}

double integrate_sine(const Bump& b, double s) {
  const double k = 2 * std::numbers::pi / b.length, at = std::clamp(s, 0.0, b.length * b.count);
  return 0.5 * b.height * (at - std::sin(k * at) / k);
}

double integrate_profile(const Bump& b, double s) {
  switch (b.shape) {
    case BumpShape::kHalfRound:
      return integrate_half_round(b, s);
    case BumpShape::kRamp:
      return b.height * (integrate_ramp(s, b.rise, b.blend) -
                         integrate_ramp(s - b.rise - b.top, b.fall, b.blend));
    case BumpShape::kStep:
      return b.height * integrate_ramp(s, b.rise, b.blend);
    case BumpShape::kSine:
      return integrate_sine(b, s);
  }
  return 0;
}

/// 1 in the middle of the width, 0 outside.
Curve across(const Bump& b, double t) {
  if (b.width <= 0) return {1.0, 0.0, 0.0};
  const double inside = 0.5 * b.width - std::abs(t);
  Curve c = rounded_ramp(inside, b.edge, 0.5 * b.edge);
  if (t > 0) c.d = -c.d;
  return c;
}

double integrate_across(const Bump& b, double t) {
  if (b.width <= 0) return t;
  const double half = 0.5 * b.width, e = 0.5 * b.edge;
  const double part =
      integrate_ramp(half, b.edge, e) - integrate_ramp(half - std::abs(t), b.edge, e);
  return t < 0 ? -part : part;
}

/// Mean of a curve and its derivatives over a length w centered at s: differences of its integral,
/// of itself and of its slope.
template <class Function, class Integral>
Curve mean(const Function& curve, const Integral& integral, double s, double w) {
  constexpr double kPoint = 1e-6;  // [m]: below it differences have no digits
  if (w < kPoint) return curve(s);
  const double from = s - 0.5 * w, to = s + 0.5 * w;
  const Curve a = curve(from), b = curve(to);
  return {(integral(to) - integral(from)) / w, (b.f - a.f) / w, (b.d - a.d) / w};
}

/// Where a bump is level along its heading: zero before `start` and after `end`, and at its full
/// height between the other two, if they are in ascending order.
struct Levels {
  double start, top_start, top_end, end;
};
Levels find_levels(const Bump& b) {
  switch (b.shape) {
    case BumpShape::kHalfRound: {
      const double base = b.radius - b.height, half = std::sqrt(b.radius * b.radius - base * base);
      return {-half, HUGE_VAL, -HUGE_VAL, half};
    }
    case BumpShape::kRamp:
      return {-b.blend, b.rise + b.blend, b.rise + b.top - b.blend,
              b.rise + b.top + b.fall + b.blend};
    case BumpShape::kStep:
      return {-b.blend, b.rise + b.blend, HUGE_VAL, HUGE_VAL};
    case BumpShape::kSine:
      break;
  }
  return {0, HUGE_VAL, -HUGE_VAL, b.length * b.count};
}

/// f(s) g(t), given in the bump's own axes, rotated by its heading.
SurfaceSample turn(const Curve& f, const Curve& g, double ch, double sh) {
  const double fs = f.d * g.f, ft = f.f * g.d;
  const double fss = f.dd * g.f, fst = f.d * g.d, ftt = f.f * g.dd;
  return {.h = f.f * g.f,
          .hx = ch * fs - sh * ft,
          .hy = sh * fs + ch * ft,
          .hxx = ch * ch * fss - 2 * ch * sh * fst + sh * sh * ftt,
          .hxy = ch * sh * (fss - ftt) + (ch * ch - sh * sh) * fst,
          .hyy = sh * sh * fss + 2 * ch * sh * fst + ch * ch * ftt};
}

/// The bump changes no point farther from (x, y) than this.
double reach_of(const Bump& b) {
  if (b.width <= 0) return HUGE_VAL;
  switch (b.shape) {
    case BumpShape::kHalfRound:
      return b.radius + b.width;
    case BumpShape::kRamp:
      return b.rise + b.top + b.fall + b.blend + b.width;
    case BumpShape::kSine:
      return b.length * b.count + b.width;
    case BumpShape::kStep:
      break;
  }
  return HUGE_VAL;
}

}  // namespace

void check_bump(const Bump& b) {
  require(std::isfinite(b.x) && std::isfinite(b.y) && std::isfinite(b.heading),
          "bump: place and heading must be finite");
  require(std::isfinite(b.height), "bump: height must be finite, got ", b.height);
  require(b.width >= 0 && b.edge >= 0, "bump: width and edge must be >= 0 m, got ", b.width,
          " and ", b.edge);
  require(b.width == 0 || b.edge <= 0.5 * b.width, "bump: edge must be at most half the width ",
          b.width, " m, got ", b.edge);
  require(b.blend >= 0, "bump: blend must be >= 0 m, got ", b.blend);
  switch (b.shape) {
    case BumpShape::kHalfRound:
      require(b.height > 0 && b.radius >= b.height, "bump: a half-round needs 0 < height <= radius",
              ", got height ", b.height, " and radius ", b.radius);
      break;
    case BumpShape::kRamp:
      require(b.fall >= 0 && b.top >= 0, "bump: top and fall must be >= 0 m");
      require(2 * b.blend <= b.fall || b.fall == 0,
              "bump: blend must be at most fall/2 = ", b.fall / 2, " m, got ", b.blend);
      [[fallthrough]];
    case BumpShape::kStep:
      require(b.rise >= 0, "bump: rise must be >= 0 m, got ", b.rise);
      require(2 * b.blend <= b.rise || b.rise == 0,
              "bump: blend must be at most rise/2 = ", b.rise / 2, " m, got ", b.blend);
      break;
    case BumpShape::kSine:
      require(b.length > 0, "bump: length must be > 0 m, got ", b.length);
      require(b.count >= 1, "bump: count must be >= 1, got ", b.count);
      break;
  }
}

SurfaceSample sample_bump(const Bump& b, double x, double y) {
  const double dx = x - b.x, dy = y - b.y;
  const double reach = reach_of(b);
  if (dx * dx + dy * dy > reach * reach) return {};
  double sh, ch;
  math::sincos(b.heading, &sh, &ch);
  const double s = ch * dx + sh * dy, t = ch * dy - sh * dx;
  const Curve g = across(b, t);
  if (g.f == 0.0) return {};
  return turn(profile(b, s), g, ch, sh);
}

SurfaceSample sample_bump_mean(const Bump& b, double x, double y, double dx, double dy) {
  double sh, ch;
  math::sincos(b.heading, &sh, &ch);
  const double s = ch * (x - b.x) + sh * (y - b.y), t = ch * (y - b.y) - sh * (x - b.x);
  const double along = std::abs(ch * dx + sh * dy), aside = std::abs(ch * dy - sh * dx);
  const Levels levels = find_levels(b);
  if (s + along < levels.start || s - along > levels.end) return {};
  const Curve g = mean([&](double at) { return across(b, at); },
                       [&](double at) { return integrate_across(b, at); }, t, aside);
  if (g.f == 0.0) return {};
  const Curve f = mean([&](double at) { return profile(b, at); },
                       [&](double at) { return integrate_profile(b, at); }, s, along);
  return turn(f, g, ch, sh);
}

std::optional<double> find_level(const Bump& b, double x, double y, double reach) {
  const double dx = x - b.x, dy = y - b.y, farthest = reach_of(b) + reach;
  if (dx * dx + dy * dy > farthest * farthest) return 0;
  double sh, ch;
  math::sincos(b.heading, &sh, &ch);
  const double s = ch * dx + sh * dy, t = std::abs(ch * dy - sh * dx);
  const bool has_sides = b.width > 0;
  const Levels levels = find_levels(b);
  if (s + reach < levels.start || s - reach > levels.end ||
      (has_sides && t - reach > 0.5 * (b.width + b.edge)))
    return 0;
  if (s - reach > levels.top_start && s + reach < levels.top_end &&
      (!has_sides || t + reach < 0.5 * b.width - 1.5 * b.edge))
    return b.height;
  return std::nullopt;
}

}  // namespace camber::terrain
