#include "camber/sensors/satellites.h"

#include <array>
#include <cmath>
#include <numbers>

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

// G^T G = L L^T; the diagonal of its inverse is that of L^-T L^-1.
Dilution find_dilution(std::span<const Vec3<double>> lines) {
  Dilution out;
  if (lines.size() < 4) return out;
  std::array<std::array<double, 4>, 4> A{}, L{};
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
        if (sum < 1e-9) return out;
        L[i][i] = std::sqrt(sum);
      }
    }
  double Q[4] = {};
  for (int column = 0; column < 4; ++column) {  // L x = e
    double x[4] = {};
    for (int i = column; i < 4; ++i) {
      double sum = i == column ? 1 : 0;
      for (int k = column; k < i; ++k) sum -= L[i][k] * x[k];
      x[i] = sum / L[i][i];
    }
    for (int i = column; i < 4; ++i) Q[column] += x[i] * x[i];
  }
  return {true, std::sqrt(Q[0] + Q[1]), std::sqrt(Q[2])};
}

}  // namespace camber::sensors
