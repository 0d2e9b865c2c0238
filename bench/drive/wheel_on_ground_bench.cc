// What a wheel on the ground costs; items are wheels.
//   BM_Tire/model                one tire without its geometry
//   BM_Wheels/mode/ground/speed  the four wheels of a car, one after the other
//   BM_WheelsTogether/...        the same by calc_wheels_on_ground()
//   BM_SoilWheel/tire            one wheel on a grid of soil, a stage; 0 rigid, 1 soft

#include "camber/dynamics/wheel_on_ground.h"

#include <array>
#include <cmath>

#include <benchmark/benchmark.h>

#include "camber/dynamics/ground.h"
#include "camber/tire/test/hmmwv_tires.h"
#include "camber/tire/tir_file.h"

namespace camber::bench {
namespace {

using namespace dynamics;  // NOLINT(google-build-using-namespace): a file of one subject
using tire::TireState;

tire::RollingTire make_tire(std::int64_t model) {
  tire::RollingTire tire = tire::load_hmmwv_tire();
  if (model == 1) tire.steady = tire::kTestBrush;
  if (model == 2) tire.steady = tire::load_hmmwv_fiala();
  if (model == 3) tire.steady = tire::load_tir("models/tires/hmmwv.tir").tire;
  return tire;
}

terrain::Terrain make_ground(std::int64_t kind) {
  terrain::Terrain ground;
  ground.base = terrain::Plane{0, 0.02, -0.01};
  if (kind == 1) {
    terrain::HeightGrid grid{201, 201, 0.5, -50, -50, std::vector<float>(std::size_t{201} * 201)};
    for (int j = 0; j < 201; ++j)
      for (int i = 0; i < 201; ++i)
        grid.heights[201 * j + i] = static_cast<float>(0.05 * std::sin(0.4 * i + 0.2 * j));
    ground.base = terrain::ElevationMap(grid);
  }
  return ground;
}

struct Car {
  std::array<WheelMotion<double>, 4> wheels;
  std::array<TireState<double>, 4> states;
  std::array<WheelForces<double>, 4> forces;
};

Car make_car(const terrain::Terrain& ground, terrain::TerrainCache* cache, double speed) {
  Car car;
  for (int i = 0; i < 4; ++i) {
    const double x = i < 2 ? 1.65 : -1.65, y = i % 2 == 0 ? 0.91 : -0.91;
    car.wheels[i] = {.center = {x, y, ground.sample(x, y, cache).h + 0.439},
                     .axis = {-0.01 * i, std::sqrt(1 - 0.0001 * i * i - 0.0004), 0.02},
                     .velocity = {speed, 0.02 * speed, 0.01 * i},
                     .hub_turn_rate = {0.01, -0.02, 0.1},
                     .spin = 1.01 * speed / 0.46};
    car.states[i] = {0.003, 0.007};
  }
  return car;
}

void BM_Tire(benchmark::State& state) {
  const tire::RollingTire tire = make_tire(state.range(0));
  tire::WheelContact<double> contact{.deflection = 0.031,
                                     .deflection_rate = 0.01,
                                     .Vx = static_cast<double>(state.range(1)),
                                     .Vy = 0.1,
                                     .omega = 21};
  TireState<double> deflection{0.003, 0.007};
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(contact);
    const auto r = calc_tire(tire, contact, deflection);
    benchmark::DoNotOptimize(r);
  }
}
BENCHMARK(BM_Tire)->ArgsProduct({{0, 1, 2, 3}, {10}})->Args({0, 1});

void BM_Wheels(benchmark::State& state) {
  const tire::RollingTire tire = make_tire(0);
  const terrain::Terrain ground = make_ground(state.range(1));
  terrain::TerrainCache cache = ground.make_cache();
  const ContactOptions options{.mode = static_cast<ContactMode>(state.range(0))};
  Car car = make_car(ground, &cache, static_cast<double>(state.range(2)));
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(car);
    for (int i = 0; i < 4; ++i)
      car.forces[i] =
          calc_wheel_on_ground(tire, options, ground, &cache, car.wheels[i], car.states[i]);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(4 * state.iterations());
}
BENCHMARK(BM_Wheels)->ArgsProduct({{0, 1}, {0, 1}, {1, 10}})->Args({2, 0, 10});

void BM_WheelsTogether(benchmark::State& state) {
  const tire::RollingTire tire = make_tire(0);
  const terrain::Terrain ground = make_ground(state.range(1));
  terrain::TerrainCache cache = ground.make_cache();
  const ContactOptions options{.mode = static_cast<ContactMode>(state.range(0))};
  Car car = make_car(ground, &cache, static_cast<double>(state.range(2)));
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(car);
    calc_wheels_on_ground(tire, options, ground, &cache, car.wheels, car.states, car.forces);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(4 * state.iterations());
}
BENCHMARK(BM_WheelsTogether)->ArgsProduct({{0, 1}, {0, 1}, {1, 10}})->Args({2, 0, 10});

void BM_SoilWheel(benchmark::State& state) {
  terrain::Terrain sand;
  sand.soils = {terrain::find_soil("LETE_sand")};
  SoilGround model;
  if (state.range(0) == 1) model.tire = make_tire(0).vertical;
  Ground ground(&sand, model, 1);
  WheelMotion<double> wheel{.center = {0, 0, state.range(0) == 1 ? 0.429 : 0.449},
                            .axis = {0, 1, 0},
                            .velocity = {1, 0, -0.01},
                            .hub_turn_rate = {},
                            .spin = 2.2};
  const TireState<double> none;
  WheelForces<double> forces;
  for (int i = 0; i < 200; ++i) {
    ground.commit({&wheel, 1}, {&none, 1}, {.dt = 1e-3, .fresh = 1e-3}, {&forces, 1});
    wheel.center += Vec3<double>(1e-3, 0, 0);
  }
  for ([[maybe_unused]] auto _ : state) {
    ground.calc({&wheel, 1}, {&none, 1}, {.dt = 1e-3, .fresh = 1e-3}, {&forces, 1});
    benchmark::DoNotOptimize(forces);
  }
  state.counters["load_N"] = forces.Fz;
}
BENCHMARK(BM_SoilWheel)->Arg(0)->Arg(1);

}  // namespace
}  // namespace camber::bench

BENCHMARK_MAIN();
