#include "camber/sensors/satellites.h"

#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace camber::sensors {
namespace {

constexpr double kEarthRate = 7.2921151467e-5;  // [rad/s]
constexpr double kEarthMu = 3.986004418e14;     // [m^3/s^2]

struct Constellation {
  int planes, per_plane, phasing;  // Walker's delta pattern
  double inclination, radius;      // [rad], [m]
};
constexpr Constellation kConstellations[] = {{6, 4, 1, 55 * std::numbers::pi / 180, 26559700},
                                             {3, 8, 1, 56 * std::numbers::pi / 180, 29600318}};

}  // namespace

std::vector<Vec3<double>> find_satellites(const LocalFrame& site, double time, double elevation) {
  std::vector<Vec3<double>> seen;
  const double turn = 2 * std::numbers::pi;
  for (const Constellation& c : kConstellations) {
    const double rate = std::sqrt(kEarthMu / (c.radius * c.radius * c.radius));
    for (int plane = 0; plane < c.planes; ++plane) {
      const double node = turn * plane / c.planes - kEarthRate * time;
      for (int k = 0; k < c.per_plane; ++k) {
        const double u = turn * k / c.per_plane +
                         turn * c.phasing * plane / (c.planes * c.per_plane) + rate * time;
        const double x = std::cos(u), y = std::sin(u) * std::cos(c.inclination);
        const Vec3<double> ecef(c.radius * (std::cos(node) * x - std::sin(node) * y),
                                c.radius * (std::sin(node) * x + std::cos(node) * y),
                                c.radius * std::sin(u) * std::sin(c.inclination));
        const Vec3<double> enu = site.from_ecef(ecef);
        const Vec3<double> unit = enu * (1 / std::sqrt(dot(enu, enu)));
        if (unit[2] >= std::sin(elevation)) seen.push_back(unit);
      }
    }
  }
  return seen;
}

namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

/// L of G^T G = L L^T; empty if the satellites are too few or in one plane.
std::optional<Matrix4> factor(std::span<const Vec3<double>> lines) {
  if (lines.size() < 4) return std::nullopt;
  Matrix4 A{}, L{};
  for (const Vec3<double>& line : lines) {
    const double g[4] = {line[0], line[1], line[2], 1};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) A[i][j] += g[i] * g[j];
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = A[i][j];
      for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      if (i != j) {
        L[i][j] = sum / L[j][j];
      } else {
        if (sum < 1e-9) return std::nullopt;
        L[i][i] = std::sqrt(sum);
      }
    }
  return L;
}

/// x of L x = b.
std::array<double, 4> solve_forward(const Matrix4& L, const std::array<double, 4>& b) {
  std::array<double, 4> x{};
  for (int i = 0; i < 4; ++i) {
    double sum = b[i];
    for (int k = 0; k < i; ++k) sum -= L[i][k] * x[k];
    x[i] = sum / L[i][i];
  }
  return x;
}

}  // namespace

// The diagonal of (G^T G)^-1 is that of L^-T L^-1.
Dilution find_dilution(std::span<const Vec3<double>> lines) {
  const std::optional<Matrix4> L = factor(lines);
  if (!L) return {};
  double Q[4] = {};
  for (int column = 0; column < 4; ++column) {
    std::array<double, 4> unit{};
    unit[column] = 1;
    for (const double x : solve_forward(*L, unit)) Q[column] += x * x;
  }
  return {true, std::sqrt(Q[0] + Q[1]), std::sqrt(Q[2])};
}

// A range that is too long by e pulls the position away from its satellite: e = -s . dx + clock.
Vec3<double> find_position_error(std::span<const Vec3<double>> lines,
                                 std::span<const double> range_errors) {
  const std::optional<Matrix4> L = factor(lines);
  if (!L) return {};
  std::array<double, 4> right{};
  for (std::size_t k = 0; k < lines.size(); ++k) {
    for (int i = 0; i < 3; ++i) right[i] += lines[k][i] * range_errors[k];
    right[3] += range_errors[k];
  }
  std::array<double, 4> x = solve_forward(*L, right);
  for (int i = 3; i >= 0; --i) {  // L^T x = right
    for (int k = i + 1; k < 4; ++k) x[i] -= (*L)[k][i] * x[k];
    x[i] /= (*L)[i][i];
  }
  return {-x[0], -x[1], -x[2]};
}

}  // namespace camber::sensors
