// What ground costs, per point asked for and per node pressed:
//   BM_Query/flat, /bumps, /map, /tiles_4km, /crg_road   height, slopes, curvature, friction and
//   soil, four at a time BM_Libm/pow                                           the reference:
//   std::pow of the same count BM_Tile/hills                                         a tile of 64 x
//   64 cells that a query misses BM_SoilStep/spacing_mm                                a wheel
//   rolling through soil, per node in contact

#include "camber/terrain/terrain.h"

#include <array>
#include <cmath>
#include <cstdint>

#include <benchmark/benchmark.h>

#include "camber/core/random.h"
#include "camber/terrain/soil_grid.h"

namespace camber::bench {
namespace {

using namespace terrain;  // NOLINT(google-build-using-namespace): a file of one subject

ProceduralSpec make_hills() {
  ProceduralSpec spec;
  spec.hills = {.seed = 20,
                .amplitude = 26,
                .wavelength = 420,
                .octaves = 7,
                .hurst = 1.0,
                .ridges = 0.35,
                .warp = 60};
  spec.roughness.density = iso8608_density('E');
  return spec;
}

Terrain make_flat() { return {}; }
Terrain make_bumps() {
  Terrain t;
  for (int k = 0; k < 4; ++k)
    t.bumps.push_back({.shape = BumpShape::kSine,
                       .x = 5.0 * k,
                       .height = 0.1,
                       .length = 2,
                       .width = 4,
                       .edge = 0.5});
  return t;
}
Terrain make_map() {
  HeightGrid grid{1025, 1025, 0.25, -128, -128, std::vector<float>(std::size_t{1025} * 1025)};
  ProceduralGround(make_hills(), 0.25).calc_block(0, 0, 1025, 1025, grid.heights.data());
  Terrain t;
  t.base = ElevationMap(grid);
  return t;
}
Terrain make_tiles() {
  Terrain t;
  t.base = TiledMap(ProceduralGround(make_hills(), 0.25), 16001, 16001, 0.25, -2000, -2000);
  return t;
}
Terrain make_crg() {
  CrgData d;
  d.u_step = 0.25;
  for (int i = 0; i < 4000; ++i) d.heading.push_back(0.3 * std::sin(0.002 * i));
  for (int i = -12; i <= 12; ++i) d.v.push_back(0.25 * i);
  for (int i = 0; i <= 4000; ++i) {
    for (const double v : d.v)
      d.heights.push_back(static_cast<float>(0.02 * std::sin(0.7 * i + v)));
  }
  Terrain t;
  t.base = CrgRoad(d);
  return t;
}

/// A vehicle's wheels driving ahead at 10 m/s in steps of 1 ms.
void BM_Query(benchmark::State& state, Terrain (*make)()) {
  const Terrain ground = make();
  TerrainCache cache = ground.make_cache();
  ground.prefetch({-10, -10, 110, 10}, &cache);
  std::array<Point2, 4> wheels;
  std::array<GroundPoint, 4> out;
  int k = 0;
  for ([[maybe_unused]] auto _ : state) {
    const double x = 0.01 * (k = (k + 1) % 10000);
    wheels = {Point2{x + 3.3, 0.9}, Point2{x + 3.3, -0.9}, Point2{x, 0.9}, Point2{x, -0.9}};
    ground.query(wheels, &cache, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * 4);
}
BENCHMARK_CAPTURE(BM_Query, flat, make_flat);
BENCHMARK_CAPTURE(BM_Query, bumps, make_bumps);
BENCHMARK_CAPTURE(BM_Query, map, make_map);
BENCHMARK_CAPTURE(BM_Query, tiles_4km, make_tiles);
BENCHMARK_CAPTURE(BM_Query, crg_road, make_crg);

void BM_Libm(benchmark::State& state) {
  double x[4] = {0.01, 0.02, 0.013, 0.017};
  for ([[maybe_unused]] auto _ : state) {
    for (double& value : x) benchmark::DoNotOptimize(std::pow(value, 0.793));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 4);
}
BENCHMARK(BM_Libm)->Name("BM_Libm/pow");

void BM_Tile(benchmark::State& state) {
  const ProceduralGround ground(make_hills(), 0.25);
  std::vector<float> nodes(std::size_t{TiledMap::kNodes} * TiledMap::kNodes);
  std::int64_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    ground.calc_block(++i * 64, 7, TiledMap::kNodes, TiledMap::kNodes, nodes.data());
    benchmark::DoNotOptimize(nodes.data());
  }
}
BENCHMARK(BM_Tile)->Name("BM_Tile/hills");

/// 6.6 kN or so on firm sand at 5 m/s, always over new ground.
void BM_SoilStep(benchmark::State& state) {
  Terrain ground;
  ground.soils = {find_soil("LETE_sand")};
  SoilGrid soil(&ground,
                {.spacing = 1e-3 * static_cast<double>(state.range(0)), .max_tiles = 1024});
  const WheelShape wheel;
  BodyMotion motion;
  motion.velocity = {5, 0, 0};
  motion.angular_velocity = {0, 5 / 0.45, 0};
  std::int64_t nodes = 0;
  double x = 0;
  for ([[maybe_unused]] auto _ : state) {
    x += 0.005;
    motion.center = {x, 0, 0.47 - 0.022};
    nodes += soil.advance(wheel, motion, 1e-3).nodes;
  }
  state.SetItemsProcessed(nodes);
  state.counters["nodes"] = static_cast<double>(nodes) / static_cast<double>(state.iterations());
}
BENCHMARK(BM_SoilStep)->Arg(10)->Arg(20)->Arg(40);

}  // namespace
}  // namespace camber::bench

BENCHMARK_MAIN();
