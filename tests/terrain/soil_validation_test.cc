// Soil models against measurements. What docs/validation/soil.md publishes is made here: the test
// compares, and with CAMBER_UPDATE_DOCS=1 in the environment it writes tables and pictures anew.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/report/plot.h"
#include "camber/terrain/rigid_wheel.h"
#include "camber/terrain/soil_laws.h"
#include "camber/terrain/test/csv.h"

namespace camber::terrain {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
const std::string kDocument = "docs/validation/soil.md";

bool updating() { return std::getenv("CAMBER_UPDATE_DOCS") != nullptr; }

std::string format(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

/// The lines between two marks of the document: the same as `table`, or made so.
void publish(const std::string& mark, const std::string& table) {
  std::string text = read_file(kDocument, 1 << 20);
  const std::string begin = "<!-- " + mark + " -->\n", end = "<!-- end -->";
  const std::size_t from = text.find(begin);
  ASSERT_NE(from, std::string::npos) << mark;
  const std::size_t at = from + begin.size(), to = text.find(end, at);
  ASSERT_NE(to, std::string::npos) << mark;
  if (!updating()) {
    EXPECT_EQ(text.substr(at, to - at), table);
    return;
  }
  text.replace(at, to - at, table);
  write_file_atomically(kDocument, text);
}

void publish(const std::string& path, const report::Plot& plot) {
  if (updating()) write_file_atomically(path, to_svg(plot) + "\n");
}

// --- Plates ---

struct PlatePoint {
  double diameter, z, p;  // [m], [m], [Pa]
};

std::vector<PlatePoint> read_plates() {
  std::vector<PlatePoint> points;
  for (const CsvRow& row : read_table("measured_plate_sinkage_sand.csv")) {
    points.push_back({1e-3 * std::stod(row[1]), 1e-3 * std::stod(row[2]), 1e3 * std::stod(row[3])});
  }
  return points;
}

TEST(SoilValidation, PlatesOnDrySand) {
  const Soil& soil = find_soil("sand_box_CMU_60_100mm_plates");
  const std::vector<PlatePoint> points = read_plates();
  // Bekker's b of a round plate is its radius.
  const auto model = [&](double diameter, double z) {
    return virgin_pressure(soil, calc_modulus(soil, diameter / 2), z);
  };
  double mean = 0, spread = 0, residual = 0;
  for (const PlatePoint& q : points) mean += q.p / static_cast<double>(points.size());
  std::string table = "| plate | points | rms error | largest error | at pressures up to |\n";
  table += "| --- | --- | --- | --- | --- |\n";
  report::Plot plot{.title = "Plates on dry sand: measured (points) and fit (lines)",
                    .x = {.label = "sinkage [mm]"},
                    .y = {.label = "pressure [kPa]"}};
  int color = 0;
  for (const double d : {0.06, 0.08, 0.10}) {
    int count = 0;
    double sum = 0, worst = 0, top = 0, deepest = 0;
    report::Series measured{.label = format("%.0f mm", 1e3 * d),
                            .style = report::Series::Style::kPoints,
                            .color = color};
    report::Series fit{.color = color};
    for (const PlatePoint& q : points) {
      if (q.diameter != d) continue;
      const double error = model(d, q.z) - q.p;
      ++count, sum += error * error, worst = std::max(worst, std::abs(error));
      top = std::max(top, q.p), deepest = std::max(deepest, q.z);
      spread += (q.p - mean) * (q.p - mean), residual += error * error;
      measured.x.push_back(1e3 * q.z), measured.y.push_back(1e-3 * q.p);
    }
    for (int k = 0; k <= 80; ++k) {
      const double z = deepest * k / 80;
      fit.x.push_back(1e3 * z), fit.y.push_back(1e-3 * model(d, z));
    }
    plot.series.push_back(measured);
    plot.series.push_back(fit);
    ++color;
    const double rms = std::sqrt(sum / count);
    EXPECT_LT(rms, 2.5e3);
    table += format("| %.0f mm |", 1e3 * d) + format(" %.0f |", count) +
             format(" %.1f kPa |", 1e-3 * rms) + format(" %.1f kPa |", 1e-3 * worst) +
             format(" %.0f kPa |\n", 1e-3 * top);
  }
  const double r2 = 1 - residual / spread;
  EXPECT_GT(r2, 0.98);
  table += "\nR² over all plates: " + format("%.3f", r2) + ".\n";
  publish("plates", table);
  publish("docs/pictures/soil-plates.svg", plot);
}

// --- A wheel on the same sand ---

struct WheelPoint {
  std::string wheel;
  double beta, slip, Fx, Fy, Fz, z;  // [rad], forces over Fz, [N], [m]
};

std::vector<WheelPoint> read_wheels() {
  std::vector<WheelPoint> points;
  for (const CsvRow& row : read_table("measured_single_wheel_sand.csv")) {
    const double Fz = std::stod(row[9]);
    points.push_back({row[0], std::stod(row[1]) * kDegree, std::stod(row[4]),
                      std::stod(row[5]) / Fz, std::stod(row[7]) / Fz, Fz,
                      1e-3 * std::stod(row[11])});
  }
  return points;
}

/// Values fitted to the smooth wheel at beta = 0, s >= 0, and to nothing else.
Soil make_sand() {
  Soil sand;
  sand.n = 1.30, sand.k_c = 0, sand.k_phi = 8.3e6;
  sand.cohesion = 0, sand.friction_angle = 29 * kDegree, sand.shear_modulus = 0.010;
  sand.unit_weight = 13.05e3;
  return sand;
}
RigidWheel make_wheel(bool bulldozing) {
  RigidWheel w;
  w.radius = 0.058, w.width = 0.050;
  w.c1 = 0.8, w.c2 = -0.1, w.exit0 = 0.94, w.exit1 = -0.5;
  w.slip_sinkage = SlipSinkage::kExponent, w.n_1 = 0.17;
  w.bulldozing = bulldozing;
  return w;
}
/// The classical model: no exit angle, values of the plates.
RigidWheel make_classical_wheel() {
  RigidWheel w;
  w.radius = 0.058, w.width = 0.050;
  w.c1 = 0.4, w.c2 = 0.2;
  return w;
}

// Validation check 9.
TEST(SoilValidation, WheelStraightOnDrySand) {
  const Soil sand = make_sand();
  Soil plates = find_soil("sand_box_CMU_60_100mm_plates");
  plates.k_phi = calc_modulus(plates, 0.05), plates.k_c = 0;
  std::string table =
      "| slip | Fx/Fz measured | model | with bulldozing | classical | sinkage measured [mm] | "
      "model | classical |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  report::Plot force{.title = "Pull of a smooth wheel on dry sand",
                     .x = {.label = "slip"},
                     .y = {.label = "Fx/Fz"}};
  report::Plot depth{
      .title = "Its sinkage", .x = {.label = "slip"}, .y = {.label = "sinkage [mm]"}};
  using Style = report::Series::Style;
  report::Series fm{.label = "measured", .style = Style::kPoints}, f1{.label = "model"};
  report::Series f2{.label = "with bulldozing", .style = Style::kDashed}, zm = fm, z1 = f1;
  double least = 1, least_slip = -9;
  for (const WheelPoint& p : read_wheels()) {
    if (p.wheel != "smooth" || p.beta != 0) continue;
    const auto solve = [&](const RigidWheel& w, const Soil& s) {
      return solve_wheel_load(w, s, p.Fz, {.s = p.slip}).forces;
    };
    const auto model = solve(make_wheel(false), sand), pushed = solve(make_wheel(true), sand);
    const auto classical = solve(make_classical_wheel(), plates);
    if (p.slip > -0.01) {
      EXPECT_NEAR(model.Fx / p.Fz, p.Fx, 0.05) << p.slip;
      EXPECT_NEAR(model.sinkage, p.z, 0.006) << p.slip;
    }
    if (std::abs(p.slip + 0.5) < 0.01) {
      EXPECT_NEAR(model.Fx / p.Fz, p.Fx, 0.25);
    }
    if (model.sinkage < least) least = model.sinkage, least_slip = p.slip;
    table += format("| %.2f |", p.slip + 1e-9) + format(" %.3f |", p.Fx) +
             format(" %.3f |", model.Fx / p.Fz) + format(" %.3f |", pushed.Fx / p.Fz) +
             format(" %.3f |", classical.Fx / p.Fz) + format(" %.1f |", 1e3 * p.z) +
             format(" %.1f |", 1e3 * model.sinkage) + format(" %.1f |\n", 1e3 * classical.sinkage);
    fm.x.push_back(p.slip), fm.y.push_back(p.Fx);
    zm.x.push_back(p.slip), zm.y.push_back(1e3 * p.z);
  }
  EXPECT_LT(std::abs(least_slip), 0.25);
  for (int k = 0; k < 98; ++k) {
    const double s = -0.999 + 0.02 * k;
    const auto a = solve_wheel_load(make_wheel(false), sand, 24, {.s = s}).forces;
    const auto b = solve_wheel_load(make_wheel(true), sand, 24, {.s = s}).forces;
    f1.x.push_back(s), f1.y.push_back(a.Fx / 24), z1.x.push_back(s),
        z1.y.push_back(1e3 * a.sinkage);
    f2.x.push_back(s), f2.y.push_back(b.Fx / 24);
  }
  force.series = {fm, f1, f2};
  depth.series = {zm, z1};
  publish("wheel", table);
  publish("docs/pictures/soil-wheel-force.svg", force);
  publish("docs/pictures/soil-wheel-sinkage.svg", depth);
}

// Nothing was fitted to these: drifting wheels, with soil pushed aside.
TEST(SoilValidation, WheelDriftingOnDrySand) {
  const Soil sand = make_sand();
  std::string table =
      "| slip angle | points | Fx/Fz rms error | Fy/Fz measured, mean | Fy/Fz rms error | sinkage "
      "rms error |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const double beta : {15.0, 30.0, 45.0, 60.0, 75.0}) {
    double fx = 0, fy = 0, z = 0, mean = 0;
    int n = 0;
    for (const WheelPoint& p : read_wheels()) {
      if (p.wheel != "smooth" || std::abs(p.beta - beta * kDegree) > 1e-9 || p.slip < -0.25)
        continue;
      const auto f =
          solve_wheel_load(make_wheel(true), sand, p.Fz, {.s = p.slip, .beta = p.beta}).forces;
      // The table's side force is positive, whichever side it comes from.
      fx += std::pow(f.Fx / p.Fz - p.Fx, 2), fy += std::pow(-f.Fy / p.Fz - p.Fy, 2);
      z += std::pow(f.sinkage - p.z, 2), mean += p.Fy, ++n;
    }
    if (n == 0) continue;
    fx = std::sqrt(fx / n), fy = std::sqrt(fy / n), z = std::sqrt(z / n);
    if (beta <= 45) {
      EXPECT_LT(fy, 0.12) << beta;
    }
    table += format("| %.0f° |", beta) + format(" %.0f |", n) + format(" %.3f |", fx) +
             format(" %.2f |", mean / n) + format(" %.3f |", fy) + format(" %.1f mm |\n", 1e3 * z);
  }
  publish("drift", table);
}

}  // namespace
}  // namespace camber::terrain
