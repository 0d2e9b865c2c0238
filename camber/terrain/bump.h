#pragma once

#include <optional>

#include "camber/terrain/surface_point.h"

namespace camber::terrain {

/// A plane through (x, y, z) = (0, 0, height).
struct Plane {
  double height = 0.0;                  // [m]
  double slope_x = 0.0, slope_y = 0.0;  // dh/dx, dh/dy [-]

  SurfaceSample sample(double x, double y) const {
    return {.h = height + slope_x * x + slope_y * y, .hx = slope_x, .hy = slope_y};
  }
};

/// Shape of a bump along its heading, from s = 0; it is added to the surface below it.
enum class BumpShape {
  kHalfRound,  // a segment of a cylinder that lies across, its middle at s = 0
  kRamp,       // up over `rise`, level over `top`, down over `fall`
  kStep,       // up over `rise`, then level
  kSine,       // `count` waves of height/2 (1 - cos(2 pi s/length)): a washboard or one hump
};

/// An obstacle given by formulas. Its kinks are rounded by parabolas over `blend` on both sides, so
/// that the surface is C1; blend = 0 keeps true edges. A half-round has edges of its own: where it
/// leaves the ground, the slope jumps.
struct Bump {
  BumpShape shape = BumpShape::kRamp;
  double x = 0.0, y = 0.0;                   // where s = 0 and the center line are [m]
  double heading = 0.0;                      // of the direction s, from x to the left [rad]
  double height = 0.1;                       // [m]
  double radius = 0.1;                       // of a half-round, >= height [m]
  double rise = 1.0, top = 0.0, fall = 1.0;  // of a ramp; a step has the first [m]
  double length = 1.0;                       // of one wave [m]
  int count = 1;                             // waves
  double blend = 0.0;                        // of ramps and steps, <= rise/2, fall/2 [m]
  double width = 0.0;                        // across the heading; 0: unlimited [m]
  double edge = 0.0;  // length over which it falls off at both sides, inside the width [m]
};

/// Throws std::invalid_argument for an invalid bump; the message names the field.
void check_bump(const Bump& bump);

/// Height and derivatives that the bump adds at (x, y). About 10 ns.
SurfaceSample sample_bump(const Bump& bump, double x, double y);

/// The mean of that over the segment (dx, dy) centered at (x, y), exact where the bump is level
/// across its heading: an edge, even a jump, enters gradually. About 50 ns.
SurfaceSample sample_bump_mean(const Bump& bump, double x, double y, double dx, double dy);

/// The height that the bump adds to every point within `reach` of (x, y), if it is the same for all
/// of them: beside the bump, and on top of it [m].
std::optional<double> find_level(const Bump& bump, double x, double y, double reach);

}  // namespace camber::terrain
