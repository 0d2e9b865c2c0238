#pragma once

// The middle line of a road of ASAM OpenDRIVE: pieces one after the other.

#include <array>
#include <variant>
#include <vector>

#include "camber/planning/geometry.h"

namespace camber::city {

/// A cubic from `s` on: a + b ds + c ds^2 + d ds^3.
struct Cubic {
  double s = 0, a = 0, b = 0, c = 0, d = 0;
  double at(double x) const {
    const double u = x - s;
    return a + u * (b + u * (c + u * d));
  }
};
/// The value of the last cubic that starts at or before s; 0 if there is none.
double eval(const std::vector<Cubic>& list, double s);

struct LinePiece {};
struct ArcPiece {
  double curvature = 0;  // [1/m]
};
/// A clothoid: curvature is linear in length.
struct SpiralPiece {
  double start = 0, end = 0;  // curvature [1/m]
};
/// v(u) in the axes of its start; length counts along the curve.
struct Poly3Piece {
  double a = 0, b = 0, c = 0, d = 0;
};
struct ParamPoly3Piece {
  std::array<double, 4> u = {}, v = {};
  bool is_normalized = true;  // p goes from 0 to 1, else from 0 to the length
};

struct Piece {
  double s = 0, x = 0, y = 0, heading = 0, length = 0;
  std::variant<LinePiece, ArcPiece, SpiralPiece, Poly3Piece, ParamPoly3Piece> shape = LinePiece{};

  /// Pose `ds` after its start.
  planning::Pose at(double ds) const;
  bool is_straight() const { return std::holds_alternative<LinePiece>(shape); }
};

/// Pose at length s along the pieces; beyond the last piece the line continues straight.
planning::Pose eval(const std::vector<Piece>& pieces, double s);

}  // namespace camber::city
