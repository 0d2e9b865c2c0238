// Tires that roll, stand and creep: the laws of a relaxation, of standstill and of a mirror.

#include "camber/tire/rolling_tire.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/symbolic/evaluate.h"
#include "camber/tire/scalars.h"
#include "camber/tire/test/hmmwv_tires.h"
#include "camber/tire/tir_file.h"

namespace camber::tire {
namespace {

struct Named {
  std::string name;
  RollingTire tire;
};

std::vector<Named> all_tires() {
  RollingTire tire = load_hmmwv_tire();
  std::vector<Named> tires{{"tmeasy", tire}};
  tire.steady = kTestBrush;
  tires.push_back({"brush", tire});
  tire.steady = load_hmmwv_fiala();
  tires.push_back({"fiala", tire});
  tire.steady = without_shifts(load_tir("models/tires/hmmwv.tir").tire);
  tires.push_back({"magic formula", tire});
  return tires;
}

TEST(VerticalLaw, GoesThroughItsPointsAndBack) {
  const VerticalLaw law = load_hmmwv_tire().vertical;
  for (std::size_t k = 0; k < law.deflection.size(); ++k)
    EXPECT_NEAR(calc_static_load(law, law.deflection[k]), law.force[k], 1e-9 * law.force.back());
  for (const double load : {0.0, 1234.5, 6562.0, 17000.0, 31000.0})
    EXPECT_NEAR(calc_static_load(law, find_deflection(law, load)), load, 1e-9 * 31000);
  // The HMMWV's front wheel: 31 mm at 6.56 kN (the data's own curve, computed elsewhere).
  EXPECT_NEAR(find_deflection(law, 6562), 0.031, 0.0005);
  EXPECT_THROW(find_deflection(law, -1), std::invalid_argument);
}

TEST(VerticalLaw, NeverPulls) {
  const RollingTire tire = load_hmmwv_tire();
  const auto load = [&](double deflection, double rate) {
    return calc_tire<double>(
               tire,
               {.deflection = deflection, .deflection_rate = rate, .Vx = 5, .Vy = 0, .omega = 11},
               {})
        .Fz;
  };
  EXPECT_EQ(load(0.01, -5), 0);
  EXPECT_EQ(load(-0.01, 5), 0);
  EXPECT_NEAR(load(0.03, 0.1) - load(0.03, 0), tire.vertical.damping * 0.1, 1e-9);
}

// A wheel that comes down fast, slipping: what jumped here cost landings their order.
TEST(RollingTire, LandsWithoutJumps) {
  const RollingTire tire = load_hmmwv_tire();
  const auto touch = [&](double deflection) {
    return calc_tire<double>(
        tire, {.deflection = deflection, .deflection_rate = 2.4, .Vx = 5, .Vy = 0.7, .omega = 14},
        {.u = 0, .w = 0});
  };
  for (const double deflection : {1e-9, 1e-7, 1e-5}) {
    const TireResult<double> r = touch(deflection);
    // The damper is no more than the spring.
    EXPECT_NEAR(r.Fz, 2 * calc_static_load(tire.vertical, deflection), 1e-9);
    EXPECT_LT(std::hypot(r.rates.u, r.rates.w), 600 * deflection);
  }
  const TireResult<double> down = touch(0.03);
  EXPECT_NEAR(down.Fz, calc_static_load(tire.vertical, 0.03) + 500 * 2.4, 1e-6);
  EXPECT_GT(std::hypot(down.rates.u, down.rates.w), 0.5);
}

// A tread that is still bent from before straightens in the air. When it stopped to do so at once
// where the wheel lands, by 20 u, each landing cost an error of first order: half-rounds had no
// order of 2.
TEST(RollingTire, LandsAndLeavesWithABentTreadWithoutJumps) {
  const RollingTire tire = load_hmmwv_tire();
  const TireState<double> bent{.u = 0.013, .w = -0.021};
  for (const double rate : {2.4, -1.7, 0.3}) {
    SCOPED_TRACE(rate);
    const auto rates_at = [&](double deflection) {
      return calc_tire<double>(tire,
                               {.deflection = deflection,
                                .deflection_rate = rate,
                                .Vx = 5,
                                .Vy = 0.7,
                                .omega = 14},
                               bent)
          .rates;
    };
    const TireState<double> air = rates_at(-1e-9), ground = rates_at(1e-9);
    EXPECT_NEAR(air.u, -20 * bent.u, 1e-12);
    EXPECT_NEAR(ground.u, air.u, 1e-5);
    EXPECT_NEAR(ground.w, air.w, 1e-5);
  }
}

struct Motion {
  double Vx, Vy, omega;
};

// Follows the deflections of a hub that moves steadily, by Heun's method.
TireState<double> follow(const RollingTire& tire, const Motion& m, double seconds, double dt,
                         TireState<double> state = {}) {
  const WheelContact<double> contact{
      .deflection = 0.03, .deflection_rate = 0, .Vx = m.Vx, .Vy = m.Vy, .omega = m.omega};
  const int steps = static_cast<int>(std::lround(seconds / dt));
  for (int i = 0; i < steps; ++i) {
    const TireState<double> a = calc_tire(tire, contact, state).rates;
    const TireState<double> b =
        calc_tire(tire, contact, TireState<double>{state.u + dt * a.u, state.w + dt * a.w}).rates;
    state.u += dt / 2 * (a.u + b.u);
    state.w += dt / 2 * (a.w + b.w);
  }
  return state;
}

TEST(RollingTire, ComesUpOverItsRelaxationLength) {
  const RollingTire tire = load_hmmwv_tire();
  for (const double Vx : {3.0, 20.0, -7.0}) {
    for (const double dt : {1e-4, 1e-3}) {
      SCOPED_TRACE(testing::Message() << Vx << " m/s, step " << dt);
      const double Re = tire.radius - 0.01, Vy = 0.01 * std::abs(Vx);
      const double steps = std::round(tire.relaxation_across / std::abs(Vx) / dt);
      const double way = steps * dt * std::abs(Vx);
      const TireState<double> state = follow(tire, {Vx, Vy, Vx / Re}, way / std::abs(Vx), dt);
      EXPECT_NEAR(state.w / tire.relaxation_across / 0.01,
                  1 - std::exp(-way / tire.relaxation_across), 0.01 * 0.632);
    }
  }
}

// After a long way the force is the steady model's, whatever the relaxation length.
TEST(RollingTire, EndsAtTheSteadyForce) {
  for (Named& named : all_tires()) {
    SCOPED_TRACE(named.name);
    for (const double sigma : {0.1, 0.7}) {
      named.tire.relaxation_along = named.tire.relaxation_across = sigma;
      const double Vx = 14, Re = named.tire.radius - 0.01, kappa = -0.06, tan_alpha = 0.05;
      const WheelContact<double> contact{.deflection = 0.03,
                                         .deflection_rate = 0,
                                         .Vx = Vx,
                                         .Vy = tan_alpha * Vx,
                                         .omega = (1 + kappa) * Vx / Re};
      const TireState<double> state = follow(named.tire, {Vx, contact.Vy, contact.omega}, 2, 1e-3);
      const TireResult<double> result = calc_tire(named.tire, contact, state);
      const Slip<double> slip{.kappa = kappa, .tan_alpha = tan_alpha, .Fz = result.Fz};
      const TireForce<double> steady =
          std::visit([&](const auto& m) { return calc_steady_force(m, slip); }, named.tire.steady);
      EXPECT_NEAR(result.force.Fx, steady.Fx, 1e-5 * result.Fz);
      EXPECT_NEAR(result.force.Fy, steady.Fy, 1e-5 * result.Fz);
    }
  }
}

TEST(RollingTire, IsTheSameBackwards) {
  for (const Named& named : all_tires()) {
    SCOPED_TRACE(named.name);
    const double Re = named.tire.radius - 0.01;
    const auto force = [&](double sign) {
      const WheelContact<double> contact{.deflection = 0.03,
                                         .deflection_rate = 0,
                                         .Vx = 9 * sign,
                                         .Vy = 0.4,
                                         .omega = 9 * sign / Re};
      return calc_tire(named.tire, contact,
                       follow(named.tire, {9 * sign, 0.4, contact.omega}, 1, 1e-3))
          .force;
    };
    EXPECT_NEAR(force(1).Fy, force(-1).Fy, 1e-9 * 6000);
    EXPECT_NEAR(force(1).My, -force(-1).My, 1e-9 * 6000);
    EXPECT_NEAR(force(1).Mz, -force(-1).Mz, 1e-9 * 6000);
  }
}

// A trail that changes ends in proportion to the speed is a damper of the steering, or the opposite
// of one, as the side force is. So a bent tread that stands has no such moment; one that rolls has
// its own, in both directions.
TEST(RollingTire, HasNoMomentInProportionToItsSpeedAtRest) {
  for (const Named& named : all_tires()) {
    SCOPED_TRACE(named.name);
    const TireState<double> bent{.u = 0, .w = 0.05 * named.tire.relaxation_across};
    const auto moment = [&](double Vx) {
      const double Re = calc_rolling_radius(named.tire, 0.03);
      return calc_tire<double>(
                 named.tire,
                 {.deflection = 0.03, .deflection_rate = 0, .Vx = Vx, .Vy = 0, .omega = Vx / Re},
                 bent)
          .force.Mz;
    };
    const double rolling = moment(7);
    ASSERT_GT(std::abs(rolling), 10);
    EXPECT_NEAR(moment(-7), -rolling, 1e-9 * std::abs(rolling));
    EXPECT_NEAR(moment(1) / rolling, 1, 0.02);
    for (const double Vx : {1e-3, -1e-3, 5e-3, -5e-3})
      EXPECT_LT(std::abs(moment(Vx) / rolling), 0.1 * std::abs(Vx)) << Vx;
  }
}

// Sliding, spinning and being dragged across at no speed of rolling: friction's limit, no more.
TEST(RollingTire, SlidesWithoutRolling) {
  for (const Named& named : all_tires()) {
    SCOPED_TRACE(named.name);
    for (const Motion& m :
         {Motion{5, 0, 0}, Motion{0, 3, 0}, Motion{0, 0, 30}, Motion{0.5, -4, -3}}) {
      const WheelContact<double> contact{
          .deflection = 0.03, .deflection_rate = 0, .Vx = m.Vx, .Vy = m.Vy, .omega = m.omega};
      const TireState<double> state = follow(named.tire, m, 4, 5e-4);
      ASSERT_TRUE(std::isfinite(state.u) && std::isfinite(state.w));
      EXPECT_LT(
          std::hypot(state.u / named.tire.relaxation_along, state.w / named.tire.relaxation_across),
          3.2);
      const TireResult<double> result = calc_tire(named.tire, contact, state);
      const double F = std::hypot(result.force.Fx, result.force.Fy) / result.Fz;
      EXPECT_GT(F, 0.4);
      EXPECT_LT(F, 1.1);
      EXPECT_LT(result.force.Fx * (m.Vx - m.omega * result.rolling_radius) + result.force.Fy * m.Vy,
                0);
    }
  }
}

// A quarter of a car with a locked wheel on a slope.
struct Block {
  double x = 0, v = 0;
  TireState<double> state;
};

// How far it goes in the last five sixths of the time [m].
double slide_for(const RollingTire& tire, double slope, double seconds, Block* block) {
  const double m = 650, g = 9.81, angle = std::atan(slope), dt = 5e-4;
  const double deflection = find_deflection(tire.vertical, m * g * std::cos(angle));
  double middle = 0;
  const int steps = static_cast<int>(seconds / dt);
  for (int i = 0; i < steps; ++i) {
    const auto rates = [&](const Block& b) {
      const TireResult<double> r = calc_tire<double>(
          tire, {.deflection = deflection, .deflection_rate = 0, .Vx = b.v, .Vy = 0, .omega = 0},
          b.state);
      return Block{b.v, r.force.Fx / m - g * std::sin(angle), r.rates};
    };
    const auto add = [](const Block& b, const Block& r, double h) {
      return Block{
          b.x + h * r.x, b.v + h * r.v, {b.state.u + h * r.state.u, b.state.w + h * r.state.w}};
    };
    const Block k1 = rates(*block), k2 = rates(add(*block, k1, dt));
    Block k = k1;
    k.x = (k1.x + k2.x) / 2;
    k.v = (k1.v + k2.v) / 2;
    k.state.u = (k1.state.u + k2.state.u) / 2;
    *block = add(*block, k, dt);
    if (i == steps / 6) middle = block->x;
  }
  return std::abs(block->x - middle);
}

TEST(RollingTire, HoldsACarOnASlope) {
  for (const Named& named : all_tires()) {
    SCOPED_TRACE(named.name);
    Block block;
    EXPECT_LT(slide_for(named.tire, 0.15, 60, &block), 2e-3);
    EXPECT_LT(std::abs(block.v), 1e-4);
  }
}

// From 1 m/s to rest: what the tread has taken up by then is what it springs back by (check 15).
TEST(RollingTire, StopsWithoutComingBack) {
  for (const Named& named : all_tires()) {
    SCOPED_TRACE(named.name);
    Block block{.x = 0, .v = 1, .state = {}};
    double farthest = 0, back = 0;
    for (int i = 0; i < 3000; ++i) {
      slide_for(named.tire, 0, 0.001, &block);
      farthest = std::max(farthest, block.x);
      back = std::max(back, farthest - block.x);
    }
    EXPECT_LT(back, 2e-3);
    EXPECT_LT(std::abs(block.v), 1e-4);
    // Friction has stopped it: 0.6 to 0.95 of the load over the way, and the tread's build-up.
    EXPECT_GT(farthest, 1 / (2 * 9.81));
    EXPECT_LT(farthest, 0.3 + 1 / (2 * 9.81 * 0.5));
  }
}

TEST(RollingTire, HasNoForceWithoutFriction) {
  for (const Named& named : all_tires()) {
    SCOPED_TRACE(named.name);
    for (const double Vx : {0.0, 0.3, 8.0}) {
      const WheelContact<double> contact{.deflection = 0.03,
                                         .deflection_rate = 0,
                                         .Vx = Vx,
                                         .Vy = 0.5,
                                         .omega = 3,
                                         .gamma = 0,
                                         .friction = 0};
      const TireResult<double> result = calc_tire<double>(named.tire, contact, {0.01, 0.02});
      EXPECT_LT(std::hypot(result.force.Fx, result.force.Fy), 2e-4 * result.Fz);
      EXPECT_TRUE(std::isfinite(result.rates.u) && std::isfinite(result.force.Mz));
    }
  }
}

TEST(RollingTire, RollsOutAtItsResistance) {
  const RollingTire tire = load_hmmwv_tire();
  // A free wheel at 10 m/s: the power at the hub is My omega - R_e omega Fx = 0 in steady rolling,
  // so the drag is My over the rolling radius.
  const WheelContact<double> contact{.deflection = 0.03,
                                     .deflection_rate = 0,
                                     .Vx = 10,
                                     .Vy = 0,
                                     .omega = 10 / (tire.radius - 0.01)};
  const TireResult<double> result = calc_tire(tire, contact, {});
  EXPECT_NEAR(-result.force.My / (result.Fz * result.rolling_radius), 0.015, 0.015 * 0.01);
}

template <class T>
WheelContact<T> make_creeping_contact() {
  return {.deflection = T(0.033),
          .deflection_rate = T(-0.02),
          .Vx = T(0.7),
          .Vy = T(-0.2),
          .omega = T(1.4),
          .gamma = T(0.02),
          .friction = T(0.8)};
}

TEST(RollingTire, IsTheSameOnAllKindsOfNumber) {
  using symbolic::Expr;
  const double u = 0.004, w = -0.011;
  for (const Named& named : all_tires()) {
    SCOPED_TRACE(named.name);
    const auto calc = [&]<class T>(const TireState<T>& state) {
      return calc_tire(named.tire, make_creeping_contact<T>(), state);
    };
    const TireResult<double> plain = calc(TireState<double>{u, w});
    const double h = 1e-7;
    Dual moved(u);
    moved.set_partial(0, 1);
    const TireResult<Dual> derived = calc(TireState<Dual>{moved, Dual(w)});
    EXPECT_DOUBLE_EQ(derived.force.Fy.value, plain.force.Fy);
    const double slope =
        (calc(TireState<double>{u + h, w}).force.Fx - calc(TireState<double>{u - h, w}).force.Fx) /
        (2 * h);
    EXPECT_NEAR(derived.force.Fx.partial(0), slope, 1e-5 * (std::abs(slope) + plain.Fz));
    EXPECT_NEAR(calc(TireState<Lanes>{Lanes(u), Lanes(w)}).force.Fx.lane(3), plain.force.Fx,
                1e-11 * plain.Fz);
    const Expr symbol = symbolic::symbol("u");
    EXPECT_NEAR(evaluate(calc(TireState<Expr>{symbol, Expr(w)}).force.Fx, {{symbol, u}}),
                plain.force.Fx, 1e-10 * plain.Fz);
  }
}

}  // namespace
}  // namespace camber::tire
