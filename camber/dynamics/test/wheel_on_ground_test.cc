// A wheel on ground that does not yield: geometry of the contact, forces, powers, kinds of number.

#include "camber/dynamics/wheel_on_ground.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/test/allocation_count.h"
#include "camber/dynamics/scalars.h"
#include "camber/tire/test/hmmwv_tires.h"
#include "camber/tire/tir_file.h"

namespace camber::dynamics {
namespace {

using terrain::Terrain;
using terrain::TerrainCache;
using tire::RollingTire;
using tire::TireState;

constexpr std::uint64_t kSeed = 20261116;
constexpr WheelSize kWheel{.radius = 0.47, .width = 0.32};

// Names a mode in messages.
struct NamedMode {
  std::string name;
  ContactMode mode;
};
const NamedMode kModes[] = {{"point", ContactMode::kPoint},
                            {"four_points", ContactMode::kFourPoints},
                            {"envelope", ContactMode::kEnvelope}};

Vec3<double> unit(const Vec3<double>& v) { return v * (1 / std::sqrt(dot(v, v))); }

Terrain make_slope(double slope_x, double slope_y, double height = 0) {
  Terrain terrain;
  terrain.base = terrain::Plane{height, slope_x, slope_y};
  return terrain;
}

// Waves that are long against the contact, across each other.
Terrain make_waves() {
  Terrain terrain = make_slope(0.07, -0.04, 0.3);
  terrain.bumps.push_back({.shape = terrain::BumpShape::kSine,
                           .x = -40,
                           .heading = 0.3,
                           .height = 0.25,
                           .length = 6,
                           .count = 20});
  terrain.bumps.push_back({.shape = terrain::BumpShape::kSine,
                           .x = -30,
                           .y = -30,
                           .heading = 1.6,
                           .height = 0.1,
                           .length = 4,
                           .count = 20});
  return terrain;
}

template <class T>
Vec3<T> lift(const Vec3<double>& v) {
  return {T(v[0]), T(v[1]), T(v[2])};
}

WheelMotion<double> draw_motion(const Terrain& terrain, TerrainCache* cache, RandomStream* random) {
  const double heading = random->uniform(-3, 3), camber = random->uniform(-0.12, 0.12);
  WheelMotion<double> m;
  m.axis = {-std::sin(heading) * std::cos(camber), std::cos(heading) * std::cos(camber),
            std::sin(camber)};
  const double x = random->uniform(-5, 5), y = random->uniform(-5, 5);
  m.center = {x, y, terrain.sample(x, y, cache).h + random->uniform(0.44, 0.46)};
  const auto speed = [&](double size) { return random->uniform(-size, size); };
  m.velocity = {speed(9), speed(9), speed(0.3)};
  m.hub_turn_rate = {speed(0.5), speed(0.5), speed(0.5)};
  m.spin = speed(20);
  return m;
}

TEST(GroundContact, IsTheSameOnPlanesForAllModes) {
  std::printf("seed %llu\n", static_cast<unsigned long long>(kSeed));
  RandomStream random(kSeed);
  for (int i = 0; i < 100; ++i) {
    const double slope_x = random.uniform(-0.5, 0.5), slope_y = random.uniform(-0.2, 0.2);
    const Terrain terrain = make_slope(slope_x, slope_y, random.uniform(-3, 3));
    TerrainCache cache = terrain.make_cache();
    const WheelMotion<double> m = draw_motion(terrain, &cache, &random);
    // Independent of the code: the distance to the plane, and the disc's reach along its normal.
    const Vec3<double> n = unit({-slope_x, -slope_y, 1});
    const Vec3<double> foot{m.center[0], m.center[1],
                            terrain.sample(m.center[0], m.center[1], &cache).h};
    const double above = dot(m.center - foot, n), lean = dot(m.axis, n);
    const double deflection = kWheel.radius * std::sqrt(1 - lean * lean) - above;
    for (const NamedMode& named : kModes) {
      SCOPED_TRACE(named.name);
      const auto c = find_contact(kWheel, {.mode = named.mode}, terrain, &cache, m.center, m.axis);
      // Where not all discs of the envelope touch, it is another tire.
      const double least = deflection - kWheel.width / 3 * std::abs(lean);
      if (named.mode == ContactMode::kEnvelope && least < 1e-3) continue;
      EXPECT_NEAR(c.deflection, deflection, 1e-6);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(c.normal[k], n[k], 1e-6);
      EXPECT_NEAR(dot(c.arm + m.center - foot, n), 0, 1e-6) << "the point is not on the ground";
      EXPECT_NEAR(dot(c.along, m.axis), 0, 1e-12);
      EXPECT_NEAR(dot(c.along, c.across), 0, 1e-12);
      EXPECT_NEAR(c.sin_camber, lean, 1e-6);
    }
  }
}

// A plane is met in closed form; waves of no height make it one that has to be sampled. Also where
// the wheel leans so much that not all discs touch.
TEST(GroundContact, EnvelopeOnAPlaneIsThatOfItsSamples) {
  RandomStream random(kSeed + 9);
  int leaning = 0;
  for (int i = 0; i < 200; ++i) {
    const double slope_x = random.uniform(-0.5, 0.5), slope_y = random.uniform(-0.2, 0.2);
    const Terrain terrain = make_slope(slope_x, slope_y, random.uniform(-3, 3));
    Terrain sampled = terrain;
    sampled.bumps.push_back(
        {.shape = terrain::BumpShape::kSine, .x = -20, .height = 1e-300, .length = 4, .count = 10});
    TerrainCache cache = terrain.make_cache();
    const WheelMotion<double> m = draw_motion(terrain, &cache, &random);
    const ContactOptions options{.mode = ContactMode::kEnvelope, .samples = 1000};
    const auto a = find_contact(kWheel, options, terrain, &cache, m.center, m.axis);
    const auto b = find_contact(kWheel, options, sampled, &cache, m.center, m.axis);
    const double least = b.deflection - kWheel.width / 3 * std::abs(b.sin_camber);
    leaning += b.deflection > 0 && least < 0 ? 1 : 0;
    EXPECT_NEAR(a.deflection, b.deflection, b.deflection > 0 ? 1e-8 : 1e-5);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(a.normal[k], b.normal[k], 1e-8);
      EXPECT_NEAR(a.arm[k], b.arm[k], b.deflection > 0 ? 1e-8 : 1e-5);
    }
  }
  EXPECT_GT(leaning, 10);
}

// On waves the contact point is the foot of the disc's lowest point, and the deflection goes with
// the hub's point: what makes the force conservative.
TEST(GroundContact, PointIsTheFootOnWaves) {
  const Terrain terrain = make_waves();
  TerrainCache cache = terrain.make_cache();
  RandomStream random(kSeed + 1);
  for (int i = 0; i < 100; ++i) {
    const WheelMotion<double> m = draw_motion(terrain, &cache, &random);
    const auto find = [&](double t) {
      const Vec3<double> axis = unit(m.axis + cross(m.hub_turn_rate, m.axis) * t);
      return find_contact<double>(kWheel, {}, terrain, &cache, m.center + m.velocity * t, axis);
    };
    const auto c = find(0);
    const Vec3<double> point = m.center + c.arm;
    const auto s = terrain.sample(point[0], point[1], &cache);
    EXPECT_NEAR(point[2], s.h, 2e-5);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(c.normal[k], s.normal()[k], 2e-4);
    const double h = 1e-5, rate = (find(h).deflection - find(-h).deflection) / (2 * h);
    EXPECT_NEAR(rate, -dot(c.normal, m.velocity + cross(m.hub_turn_rate, c.arm)), 5e-3);
  }
}

// Maps are splines whose slopes are continuous and whose second derivatives jump from cell to cell.
// The mean plane was looked for by them, so that the load jumped at the edges of cells, which costs
// steps their order. Now it only bends.
TEST(GroundContact, MeanPlaneDoesNotJumpBetweenCellsOfAMap) {
  RandomStream random(kSeed + 21);
  terrain::HeightGrid grid{.nx = 41, .ny = 41, .spacing = 0.25, .origin_x = -5, .origin_y = -5};
  for (int i = 0; i < grid.nx * grid.ny; ++i)
    grid.heights.push_back(static_cast<float>(random.uniform(-0.02, 0.02)));
  Terrain terrain;
  terrain.base = terrain::ElevationMap(grid);
  TerrainCache cache = terrain.make_cache();
  const double stiffness = 3e5;  // [N/m]
  double max_bend = 0;
  for (int i = 0; i < 200; ++i) {
    const WheelMotion<double> m = draw_motion(terrain, &cache, &random);
    // Over an edge of cells, which all sampled points come to sooner or later, too.
    const double edge = 0.25 * std::floor(m.center[0] / 0.25);
    const auto load_at = [&](double way) {
      const Vec3<double> center{edge + way, m.center[1], m.center[2]};
      const auto c = find_contact<double>(kWheel, {.mode = ContactMode::kFourPoints}, terrain,
                                          &cache, center, m.axis);
      return c.normal * (stiffness * c.deflection);
    };
    const Vec3<double> jump = load_at(1e-9) - load_at(-1e-9);
    const Vec3<double> around = load_at(1e-3) - load_at(-1e-3);
    EXPECT_LT(std::sqrt(dot(jump, jump)), 0.01);
    max_bend = std::max(max_bend, std::sqrt(dot(around, around)));
  }
  EXPECT_GT(max_bend, 100);
}

// Once around, over waves: a load with a potential in the deflection does no work.
TEST(GroundContact, LoadIsConservative) {
  const Terrain terrain = make_waves();
  TerrainCache cache = terrain.make_cache();
  const tire::VerticalLaw law = tire::load_hmmwv_tire().vertical;
  const Vec3<double> axis = unit({-0.3, 1, 0.05});
  const double height = terrain.sample(0, 0, &cache).h + 0.44, turn = 2 * std::acos(-1.0);
  const auto place = [&](double t) {
    const double x = 0.8 * std::cos(turn * t), y = 0.6 * std::sin(turn * t);
    return Vec3<double>(x, y, height + 0.06 * x - 0.05 * y + 0.01 * std::sin(3 * turn * t));
  };
  const int n = 4000;
  double work = 0, size = 0;
  for (int i = 0; i < n; ++i) {
    const double t = (i + 0.5) / n;
    const auto c = find_contact<double>(kWheel, {}, terrain, &cache, place(t), axis);
    const Vec3<double> way =
        place(static_cast<double>(i + 1) / n) - place(static_cast<double>(i) / n);
    const double part = calc_static_load(law, c.deflection) * dot(c.normal, way);
    work += part;
    size += std::abs(part);
  }
  EXPECT_GT(size, 100);
  EXPECT_LT(std::abs(work), 1e-3 * size);
}

// A free cylinder over a half-round of 0.1 m: the load is continuous and does not depend on the
// number of samples (check 17).
TEST(GroundContact, Check17HalfRound) {
  Terrain terrain = make_slope(0, 0);
  terrain.bumps.push_back(
      {.shape = terrain::BumpShape::kHalfRound, .x = 2, .height = 0.1, .radius = 0.1});
  TerrainCache cache = terrain.make_cache();
  const RollingTire tire = tire::load_hmmwv_tire();
  struct Crossing {
    double peak = 0, least = 1e9, jump = 0, back = 0, front = 0;
  };
  const auto cross_at = [&](int samples, double step) {
    Crossing crossing;
    double before = -1;
    for (int i = 0; i < std::lround(2 / step); ++i) {
      const double x = 1 + i * step;
      const WheelMotion<double> m{.center = {x, 0, tire.radius - 0.03},
                                  .axis = {0, 1, 0},
                                  .velocity = {},
                                  .hub_turn_rate = {}};
      const auto f = calc_wheel_on_ground<double>(
          tire, {.mode = ContactMode::kEnvelope, .samples = samples}, terrain, &cache, m, {});
      crossing.peak = std::max(crossing.peak, f.Fz);
      crossing.least = std::min(crossing.least, f.Fz);
      crossing.back = std::min(crossing.back, f.force[0]);
      crossing.front = std::max(crossing.front, f.force[0]);
      if (before >= 0) crossing.jump = std::max(crossing.jump, std::abs(f.Fz - before));
      before = f.Fz;
    }
    return crossing;
  };
  const Crossing coarse = cross_at(100, 1e-3), fine = cross_at(200, 1e-3);
  EXPECT_NEAR(coarse.peak, fine.peak, 0.05 * fine.peak);
  EXPECT_GT(fine.peak, 2 * fine.least);
  // Continuous, and more than that: a sixteenth of the way has a sixteenth of the step.
  EXPECT_LT(cross_at(100, 6.25e-5).jump, 0.07 * coarse.jump);
  // It is pushed back on the way up and forward on the way down, alike.
  EXPECT_LT(coarse.back, -1000);
  EXPECT_NEAR(coarse.front, -coarse.back, 0.02 * coarse.front);
}

// Forces of a wheel that is moved over the upright edges of a half-round are smooth: halving the
// way between two places divides second differences by 2^1.5 at least, as where columns come to an
// edge, or the tread to the round, with x^1.5; roots would divide them by 2^0.5. And there are no
// ripples of the columns, 8.9 mm apart: what second differences there are is the crossing's own.
TEST(GroundContact, EnvelopeIsSmoothOverUprightEdges) {
  Terrain terrain = make_slope(0, 0);
  terrain.bumps.push_back(
      {.shape = terrain::BumpShape::kHalfRound, .x = 2, .height = 0.1, .radius = 0.1});
  TerrainCache cache = terrain.make_cache();
  const Vec3<double> axis = unit({0.02, 1, 0.01});
  const double stiffness = 3e5;  // [N/m]
  // Greatest second differences of the force along and up [N].
  const auto find_bends = [&](int samples, double step) {
    std::array<double, 2> bends = {};
    std::array<Vec3<double>, 3> last;
    for (int i = 0; i < std::lround(1.2 / step); ++i) {
      const Vec3<double> center{1.4 + i * step, 0.01, kWheel.radius - 0.03};
      const auto c =
          find_contact<double>(kWheel, {.mode = ContactMode::kEnvelope, .samples = samples},
                               terrain, &cache, center, axis);
      last = {last[1], last[2], c.normal * (stiffness * c.deflection)};
      if (i < 2) continue;
      const Vec3<double> bend = last[2] - last[1] * 2.0 + last[0];
      bends = {std::max(bends[0], std::abs(bend[0])), std::max(bends[1], std::abs(bend[2]))};
    }
    return bends;
  };
  const auto coarse = find_bends(100, 5e-4), fine = find_bends(100, 1.25e-4);
  const auto more = find_bends(400, 5e-4);
  for (const int k : {0, 1}) {
    EXPECT_LT(fine[k], coarse[k] / 6);  // 4^1.5 = 8
    EXPECT_NEAR(coarse[k], more[k], 0.15 * more[k]);
  }
}

std::vector<RollingTire> all_tires() {
  std::vector<RollingTire> tires(4, tire::load_hmmwv_tire());
  tires[1].steady = tire::kTestBrush;
  tires[2].steady = tire::load_hmmwv_fiala();
  tires[3].steady = tire::load_tir("models/tires/hmmwv.tir").tire;
  return tires;
}

TEST(WheelOnGround, PowerIsLostOrStored) {
  const Terrain terrain = make_waves();
  TerrainCache cache = terrain.make_cache();
  RandomStream random(kSeed + 2);
  for (const RollingTire& tire : all_tires()) {
    for (int i = 0; i < 100; ++i) {
      WheelMotion<double> m = draw_motion(terrain, &cache, &random);
      if (i % 2 == 0) {  // near standstill
        m.velocity *= 0.05;
        m.spin *= 0.05;
      }
      const TireState<double> state{random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02)};
      const auto f = calc_wheel_on_ground(tire, {}, terrain, &cache, m, state);
      const double power =
          dot(f.force, m.velocity) + dot(f.torque, m.hub_turn_rate + m.axis * m.spin);
      EXPECT_NEAR(power, f.sliding_power + f.damping_power + f.rolling_power - f.stored_power,
                  1e-9 * (std::abs(power) + 1e4));
      EXPECT_LE(f.damping_power, 0);
    }
  }
}

TEST(WheelOnGround, OffTheGroundFeelsNothing) {
  const Terrain terrain = make_slope(0.1, 0);
  TerrainCache cache = terrain.make_cache();
  const WheelMotion<double> m{.center = {1, 2, 1},
                              .axis = {0, 1, 0},
                              .velocity = {3, 1, 0},
                              .hub_turn_rate = {},
                              .spin = 9};
  for (const NamedMode& named : kModes) {
    SCOPED_TRACE(named.name);
    const auto f = calc_wheel_on_ground<double>(tire::load_hmmwv_tire(), {.mode = named.mode},
                                                terrain, &cache, m, {0.02, -0.01});
    EXPECT_LT(f.deflection, 0);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(f.force[k], 0);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(f.torque[k], 0);
    EXPECT_LT(f.rates.u, 0);
    EXPECT_GT(f.rates.w, 0);
  }
}

TEST(WheelOnGround, DualIsTheDerivative) {
  using tire::Dual;
  const Terrain terrain = make_waves();
  TerrainCache cache = terrain.make_cache();
  const RollingTire tire = tire::load_hmmwv_tire();
  RandomStream random(kSeed + 3);
  for (const NamedMode& named : kModes) {
    SCOPED_TRACE(named.name);
    for (int i = 0; i < 10; ++i) {
      const WheelMotion<double> m = draw_motion(terrain, &cache, &random);
      const Vec3<double> step{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
      const TireState<double> state{0.003, -0.005};
      // Along `step` in place, and with it in speed, turn and spin.
      const auto forces_at = [&]<class T>(const T& t) {
        const Vec3<T> way = lift<T>(step) * t;
        const Vec3<T> turned = lift<T>(m.axis) + cross(way, lift<T>(m.axis));
        using std::sqrt;
        const WheelMotion<T> moved{.center = lift<T>(m.center) + way,
                                   .axis = turned * T(1.0 / sqrt(dot(turned, turned))),
                                   .velocity = lift<T>(m.velocity) + way,
                                   .hub_turn_rate = lift<T>(m.hub_turn_rate) + way,
                                   .spin = m.spin + t};
        return calc_wheel_on_ground(tire, {.mode = named.mode}, terrain, &cache, moved,
                                    TireState<T>{state.u + 0.01 * t, state.w - 0.02 * t});
      };
      const auto f = forces_at(Dual::variable(0, 0));
      const auto plain = forces_at(0.0);
      const double h = 1e-6;
      const auto ahead = forces_at(h), behind = forces_at(-h);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(f.force[k].value, plain.force[k], 1e-9 * 1e4);
        const double slope = (ahead.force[k] - behind.force[k]) / (2 * h);
        EXPECT_NEAR(f.force[k].partial(0), slope, 2e-3 * (std::abs(slope) + 1e4));
        const double turn = (ahead.torque[k] - behind.torque[k]) / (2 * h);
        EXPECT_NEAR(f.torque[k].partial(0), turn, 2e-3 * (std::abs(turn) + 1e4));
      }
    }
  }
}

TEST(WheelOnGround, LanesAreFourWheels) {
  using L = tire::Lanes4;
  RandomStream random(kSeed + 4);
  for (const Terrain& terrain : {make_slope(0.05, 0.02), make_waves()}) {
    TerrainCache cache = terrain.make_cache();
    for (const RollingTire& tire : all_tires()) {
      for (const NamedMode& named : kModes) {
        SCOPED_TRACE(named.name);
        std::array<WheelMotion<double>, 4> wheels;
        std::array<TireState<double>, 4> states;
        for (int i = 0; i < 4; ++i) {
          wheels[i] = draw_motion(terrain, &cache, &random);
          states[i] = {random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02)};
        }
        const auto gather = [&](auto member) {
          Vec3<L> all;
          for (int k = 0; k < 3; ++k)
            for (int i = 0; i < 4; ++i) all.e[k].set_lane(i, (wheels[i].*member)[k]);
          return all;
        };
        using M = WheelMotion<double>;
        WheelMotion<L> m{gather(&M::center), gather(&M::axis), gather(&M::velocity),
                         gather(&M::hub_turn_rate), L(0)};
        TireState<L> state;
        for (int i = 0; i < 4; ++i) {
          m.spin.set_lane(i, wheels[i].spin);
          state.u.set_lane(i, states[i].u);
          state.w.set_lane(i, states[i].w);
        }
        const auto f = calc_wheel_on_ground(tire, {.mode = named.mode}, terrain, &cache, m, state);
        std::array<WheelForces<double>, 4> together;
        calc_wheels_on_ground(tire, {.mode = named.mode}, terrain, &cache, wheels, states,
                              together);
        for (int i = 0; i < 4; ++i) {
          const auto one = calc_wheel_on_ground(tire, {.mode = named.mode}, terrain, &cache,
                                                wheels[i], states[i]);
          for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(f.force[k].lane(i), one.force[k], 1e-9 * 1e4);
            EXPECT_NEAR(together[i].torque[k], one.torque[k], 1e-9 * 1e4);
          }
          EXPECT_NEAR(together[i].rates.w, one.rates.w, 1e-10);
          EXPECT_NEAR(together[i].stored_power, one.stored_power, 1e-9 * 1e5);
        }
      }
    }
  }
}

TEST(WheelOnGround, AllocatesNothing) {
  const Terrain terrain = make_waves();
  TerrainCache cache = terrain.make_cache();
  const std::vector<RollingTire> tires = all_tires();
  RandomStream random(kSeed + 5);
  const WheelMotion<double> m = draw_motion(terrain, &cache, &random);
  const long before = allocation_count();
  for (const RollingTire& tire : tires)
    for (const NamedMode& named : kModes)
      calc_wheel_on_ground<double>(tire, {.mode = named.mode}, terrain, &cache, m, {});
  EXPECT_EQ(allocation_count(), before);
}

TEST(GroundContact, ModesHaveNames) {
  for (const NamedMode& named : kModes) EXPECT_EQ(parse_contact_mode(named.name), named.mode);
  try {
    parse_contact_mode("four_point");
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean \"four_points\"?"), std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace camber::dynamics
