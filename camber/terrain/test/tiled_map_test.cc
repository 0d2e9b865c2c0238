#include "camber/terrain/tiled_map.h"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/random.h"
#include "camber/core/temporary_folder.h"
#include "camber/terrain/terrain.h"
#include "camber/terrain/terrain_file.h"
#include "camber/terrain/tiles_ahead.h"

namespace camber::terrain {
namespace {

namespace fs = std::filesystem;

ProceduralSpec make_spec() {
  ProceduralSpec spec;
  spec.hills = {
      .seed = 17, .amplitude = 8, .wavelength = 120, .octaves = 5, .ridges = 0.3, .warp = 9};
  spec.roughness.density = iso8608_density('D');
  spec.roughness.seed = 5;
  return spec;
}

TEST(TiledMap, AgreesWithTheWholeMapAcrossSeams) {
  const int n = 200;  // four tiles in each direction
  const double spacing = 0.25;
  const ProceduralGround ground(make_spec(), spacing);
  HeightGrid grid{n, n, spacing, 3.0, -7.0, std::vector<float>(n * n)};
  ground.calc_block(0, 0, n, n, grid.heights.data());
  const ElevationMap whole(grid);
  const TiledMap tiled(ground, n, n, spacing, 3.0, -7.0);
  TileCache cache(3);  // fewer than there are: tiles come and go
  RandomStream random(1);
  for (int k = 0; k < 400; ++k) {
    // The rim of the whole map is extrapolated, that of the tiled one goes on.
    const double x = 3.0 + random.uniform(spacing, (n - 2) * spacing);
    const double y = -7.0 + random.uniform(spacing, (n - 2) * spacing);
    const SurfaceSample a = whole.sample(x, y), b = tiled.sample(x, y, &cache);
    EXPECT_EQ(a.h, b.h);
    EXPECT_EQ(a.hx, b.hx);
    EXPECT_EQ(a.hyy, b.hyy);
  }
  EXPECT_GT(cache.made(), 16);
}

// Eight points at once have the bits of eight single ones: in one cell, across cells and tiles, on
// nodes, and beyond the edges.
TEST(TiledMap, EightPointsAreEightSinglePoints) {
  const int n = 100;
  const double spacing = 0.25;
  const ProceduralGround ground(make_spec(), spacing);
  HeightGrid grid{n, n, spacing, 3.0, -7.0, std::vector<float>(n * n)};
  ground.calc_block(0, 0, n, n, grid.heights.data());
  Terrain whole, tiled;
  whole.base = ElevationMap(grid);
  tiled.base = TiledMap(ground, n, n, spacing, 3.0, -7.0);
  tiled.bumps = {{.shape = BumpShape::kHalfRound, .x = 9, .height = 0.1, .radius = 0.1}};
  RandomStream random(1);
  for (const Terrain* terrain : {&whole, &tiled}) {
    TerrainCache cache = terrain->make_cache();
    for (int k = 0; k < 60; ++k) {
      const double step = k % 3 == 0 ? spacing : random.uniform(0, 0.4);
      const double x0 = 3.0 + random.uniform(-2, 27), y0 = -7.0 + random.uniform(-2, 27);
      EightNumbers x, y;
      for (int i = 0; i < 8; ++i) {
        x.set_lane(i, (k % 3 == 0 ? std::round(x0 * 4) / 4 : x0) + step * i);
        y.set_lane(i, y0 + 0.3 * step * i);
      }
      const EightSlopes all = terrain->sample_mean(x, y, 0, 0, &cache);
      for (int i = 0; i < 8; ++i) {
        const SurfaceSample one = terrain->sample(x.lane(i), y.lane(i), &cache);
        EXPECT_EQ(all.h.lane(i), one.h) << x.lane(i) << ", " << y.lane(i);
        EXPECT_EQ(all.hx.lane(i), one.hx);
        EXPECT_EQ(all.hy.lane(i), one.hy);
      }
    }
  }
}

TEST(TiledMap, SeamsAreInvisible) {
  const TiledMap map(ProceduralGround(make_spec(), 0.25), 1000, 1000, 0.25, 0, 0);
  TileCache cache(8);
  RandomStream random(1);
  for (int seam = 1; seam < 15; ++seam) {
    const double x = seam * TiledMap::kCells * 0.25, y = random.uniform(1, 240);
    const SurfaceSample a = map.sample(x - 1e-13, y, &cache), b = map.sample(x, y, &cache);
    EXPECT_NEAR(a.h, b.h, 1e-12);
    EXPECT_NEAR(a.hx, b.hx, 1e-11);
    EXPECT_NEAR(a.hy, b.hy, 1e-12);
  }
}

// Four kilometers squared at 0.25 m are 1 GB of heights. Two threads drive through it in opposite
// directions, each with a cache of its own, and see the same ground.
TEST(TiledMap, IsTheSameForAnyOrderAndThread) {
  const int n = 16001;
  const TiledMap map(ProceduralGround(make_spec(), 0.25), n, n, 0.25, -2000, -2000);
  constexpr int kPoints = 60;
  std::vector<SurfaceSample> forward(kPoints), backward(kPoints);
  const auto place = [](int k) { return -1990.0 + 66.3 * k; };
  const auto drive = [&](std::vector<SurfaceSample>* out, bool back) {
    TileCache cache(4);
    for (int i = 0; i < kPoints; ++i) {
      const int k = back ? kPoints - 1 - i : i;
      (*out)[k] = map.sample(place(k), 0.7 * place(k) + 3, &cache);
    }
  };
  std::thread other([&] { drive(&backward, true); });
  drive(&forward, false);
  other.join();
  for (int k = 0; k < kPoints; ++k) {
    EXPECT_EQ(forward[k].h, backward[k].h);
    EXPECT_EQ(forward[k].hxy, backward[k].hxy);
  }
}

TEST(TiledMap, PrefetchedGroundIsNotMadeAgain) {
  const TiledMap map(ProceduralGround(make_spec(), 0.25), 1000, 1000, 0.25, 0, 0);
  TileCache cache(16);
  map.prefetch({40, 50, 70, 66}, &cache);
  const std::int64_t made = cache.made();
  for (int j = 0; j <= 32; ++j) {
    for (int i = 0; i <= 60; ++i) map.sample(40 + 0.5 * i, 50 + 0.5 * j, &cache);
  }
  EXPECT_EQ(cache.made(), made);
}

class RawFile : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream file(path_, std::ios::binary);
    for (int j = 0; j < kNy; ++j) {
      for (int i = 0; i < kNx; ++i) {
        const int v = value(i, j);
        file.put(static_cast<char>(v & 255)).put(static_cast<char>(v >> 8));
      }
    }
  }
  static int value(int i, int j) { return (i * 37 + j * 101 + i * j) % 65536; }
  RawHeightFile::Layout layout() const {
    return {.path = path_, .nx = kNx, .ny = kNy, .scale = 0.01, .offset = -3};
  }

  static constexpr int kNx = 150, kNy = 90;
  const TemporaryFolder folder_;
  const fs::path path_ = folder_.path() / "heights.bin";
};

TEST_F(RawFile, IsReadTileByTile) {
  const TiledMap map(RawHeightFile(layout()), kNx, kNy, 2.0, 0, 0);
  TileCache cache(2);
  RawHeightFile::Layout flipped = layout();
  flipped.north_up = true;
  const TiledMap upside_down(RawHeightFile(flipped), kNx, kNy, 2.0, 0, 0);
  TileCache other(2);
  for (int j = 0; j < kNy; j += 7) {
    for (int i = 0; i < kNx; i += 11) {
      const double expected = -3 + 0.01 * value(i, j);
      EXPECT_NEAR(map.sample(2.0 * i, 2.0 * j, &cache).h, expected,
                  1e-6 * (1 + std::abs(expected)));
      EXPECT_NEAR(upside_down.sample(2.0 * i, 2.0 * (kNy - 1 - j), &other).h, expected,
                  1e-6 * (1 + std::abs(expected)));
    }
  }
}

TEST_F(RawFile, SaysWhatIsWrong) {
  RawHeightFile::Layout wrong = layout();
  wrong.nx = 151;
  try {
    RawHeightFile file(wrong);
    FAIL();
  } catch (const FileError& e) {
    EXPECT_EQ(e.reason(), "has 27000 bytes; 151 x 90 heights of 2 bytes need 27180");
  }
  wrong.path = "/no/such/file.raw";
  EXPECT_THROW(RawHeightFile file(wrong), FileError);
}

// A file that loses its end while it is in use gives an error, and the cache stays valid.
TEST_F(RawFile, CanBreakWithoutHarm) {
  const TiledMap map(RawHeightFile(layout()), kNx, kNy, 2.0, 0, 0);
  TileCache cache(1);
  const double before = map.sample(10, 10, &cache).h;
  fs::resize_file(path_, 20000);
  EXPECT_THROW(map.sample(2.0 * (kNx - 2), 2.0 * (kNy - 2), &cache), FileError);
  EXPECT_EQ(map.sample(10, 10, &cache).h, before);
}

// A drive copies what another thread made, and the heights are the same.
TEST(TilesAhead, GivesTheTilesThatTheMapWouldMake) {
  const auto terrain = std::make_shared<const Terrain>(load_terrain("terrains/hills.toml"));
  TerrainCache plain = terrain->make_cache(), ahead_cache = terrain->make_cache();
  const auto points = [] {
    std::vector<Point2> list;
    for (int k = 0; k < 400; ++k) list.push_back({-60 + 0.31 * k, 45 - 0.17 * k});
    return list;
  }();
  std::vector<double> expected;
  for (const Point2& p : points) expected.push_back(terrain->sample(p.x, p.y, &plain).h);
  TilesAhead ahead(terrain);
  ASSERT_TRUE(ahead.is_active());
  const TilesAhead second(terrain);
  EXPECT_FALSE(second.is_active());
  const int made = ahead.make({-70, -30, 70, 50}, 1000);
  EXPECT_GE(made, 54);  // tiles of 16 m
  EXPECT_EQ(ahead.make({-70, -30, 70, 50}, 1000), 0);
  const auto& map = std::get<TiledMap>(terrain->base);
  std::vector<float> nodes(static_cast<std::size_t>(TiledMap::kNodes) * TiledMap::kNodes);
  const auto tile_of = [&](double at, double first) {
    return static_cast<std::int64_t>((at - first) / map.spacing()) / TiledMap::kCells;
  };
  EXPECT_TRUE(TilesAhead::take(map, tile_of(0, map.extent().y0) << 32 | tile_of(0, map.extent().x0),
                               nodes.data()));
  EXPECT_FALSE(TilesAhead::take(
      map, tile_of(900, map.extent().y0) << 32 | tile_of(0, map.extent().x0), nodes.data()));
  for (std::size_t k = 0; k < points.size(); ++k)
    EXPECT_EQ(terrain->sample(points[k].x, points[k].y, &ahead_cache).h, expected[k]) << k;
}

// One makes, one takes: nobody sees a tile that is half written.
TEST(TilesAhead, HandsOverWholeTiles) {
  const auto terrain = std::make_shared<const Terrain>(load_terrain("terrains/hills.toml"));
  TilesAhead ahead(terrain, 4);
  std::atomic<bool> ends = false;
  std::thread maker([&] {
    for (int k = 0; !ends; ++k) ahead.make({16.0 * (k % 9), 0, 16.0 * (k % 9) + 1, 1}, 4);
  });
  TerrainCache plain = terrain->make_cache();
  for (int k = 0; k < 60; ++k) {
    TileCache small(1);  // every tile is a miss
    const double x = 16.0 * (k % 9) + 0.3;
    EXPECT_EQ(std::get<TiledMap>(terrain->base).sample(x, 0.4, &small).h,
              terrain->sample(x, 0.4, &plain).h);
  }
  ends = true;
  maker.join();
}

}  // namespace
}  // namespace camber::terrain
