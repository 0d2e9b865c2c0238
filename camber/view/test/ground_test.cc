#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "camber/terrain/terrain_file.h"
#include "camber/view/address.h"
#include "camber/view/ground_tiles.h"
#include "camber/view/stage.h"

namespace camber::view {
namespace {

struct Tile {
  float z0 = 0, scale = 0;
  std::vector<std::uint16_t> heights = std::vector<std::uint16_t>(35 * 35);

  double at(int i, int j) const {  // node of the rim: i = -1
    return static_cast<double>(z0) +
           static_cast<double>(scale) * heights[static_cast<std::size_t>((j + 1) * 35 + i + 1)];
  }
};

Tile read_tile(const std::string& bytes) {
  Tile tile;
  EXPECT_EQ(bytes.size(), 2458U);
  if (bytes.size() != 2458) return tile;
  std::memcpy(&tile.z0, bytes.data(), 4);
  std::memcpy(&tile.scale, bytes.data() + 4, 4);
  std::memcpy(tile.heights.data(), bytes.data() + 8, 2450);
  return tile;
}

std::shared_ptr<const terrain::Terrain> load(const std::string& name) {
  return std::make_shared<const terrain::Terrain>(terrain::load_terrain("terrains/" + name));
}

/// What is on wheels' side of the ground, at the nodes of tiles that both have.
void expect_wheels_ground(const std::shared_ptr<const terrain::Terrain>& terrain) {
  const GroundTiles ground(terrain, {});
  terrain::TerrainCache cache = terrain->make_cache();
  const auto json = ground.describe();
  const double x0 = json["origin"][0], y0 = json["origin"][1];
  const double cell = json["cell"];
  const auto middle_of = [&](double low, double high) {
    return static_cast<std::int64_t>(std::floor(0.5 * (high - low) / (32 * cell)));
  };
  const std::int64_t I = middle_of(ground.extent().x0, ground.extent().x1);
  const std::int64_t J = middle_of(ground.extent().y0, ground.extent().y1);
  const Tile tile = read_tile(ground.make_tile(0, I, J));
  const Tile right = read_tile(ground.make_tile(0, I + 1, J));
  const Tile up = read_tile(ground.make_tile(0, I, J + 1));
  for (int j = -1; j <= 33; ++j)
    for (int i = -1; i <= 33; ++i) {
      const double x = x0 + cell * static_cast<double>(32 * I + i);
      const double y = y0 + cell * static_cast<double>(32 * J + j);
      EXPECT_NEAR(tile.at(i, j), terrain->sample(x, y, &cache).h,
                  0.5001 * static_cast<double>(tile.scale));
    }
  for (int k = 0; k <= 32; ++k) {
    const double quantum = static_cast<double>(std::max({tile.scale, right.scale, up.scale}));
    if (tile.scale == right.scale) {
      EXPECT_EQ(tile.at(32, k), right.at(0, k)) << k;
    } else {
      EXPECT_NEAR(tile.at(32, k), right.at(0, k), quantum) << k;
    }
    EXPECT_NEAR(tile.at(k, 32), up.at(k, 0), quantum) << k;
  }
}

TEST(GroundTiles, AreWhatWheelsFeel) {
  for (const char* name : {"hills.toml", "off-road.toml", "proving-ground.toml"}) {
    SCOPED_TRACE(name);
    expect_wheels_ground(load(name));
  }
}

TEST(GroundTiles, ShowBumpsOfAPlane) {
  auto terrain = std::make_shared<terrain::Terrain>();
  terrain->bumps.push_back({.shape = terrain::BumpShape::kHalfRound, .x = 3, .radius = 0.3});
  expect_wheels_ground(terrain);
  const GroundTiles ground(terrain, {});
  EXPECT_FALSE(ground.is_plane());
  EXPECT_TRUE(GroundTiles(std::make_shared<terrain::Terrain>(), {}).is_plane());
}

// Coarse levels leave out roughness, and so nothing more than roughness.
TEST(GroundTiles, OfCoarseLevelsAreTheHills) {
  const auto terrain = load("hills.toml");
  const GroundTiles ground(terrain, {});
  const int level = ground.levels() - 1;
  ASSERT_GE(level, 3);
  terrain::TerrainCache cache = terrain->make_cache();
  const double step = ground.cell() * std::ldexp(1.0, level);
  const Tile tile = read_tile(ground.make_tile(level, 0, 0));
  double worst = 0;
  for (int k = 1; k <= 8; ++k) {
    const double x = ground.extent().x0 + step * 3 * k, y = ground.extent().y0 + step * (2 * k + 1);
    worst = std::max(worst, std::abs(tile.at(3 * k, 2 * k + 1) - terrain->sample(x, y, &cache).h));
  }
  EXPECT_LT(worst, 0.25);  // [m]
  EXPECT_TRUE(ground.make_tile(level + 1, 0, 0).empty());
  EXPECT_TRUE(ground.make_tile(0, -5, 0).empty());
}

TEST(GroundTiles, HaveTheTreesOfTheirSquare) {
  const auto terrain = load("hills.toml");
  const GroundTiles ground(terrain, {});
  const double side = 128 * ground.cell();
  std::size_t count = 0;
  for (std::int64_t i = 2; i < 5; ++i)
    for (std::int64_t j = 2; j < 5; ++j) count += ground.make_trees(i, j).size() / 20;
  const terrain::Box2& e = ground.extent();
  EXPECT_EQ(
      count,
      terrain->find_obstacles({e.x0 + 2 * side, e.y0 + 2 * side, e.x0 + 5 * side, e.y0 + 5 * side})
          .size());
  EXPECT_GT(count, 0U);
}

TEST(GroundTiles, ShowRuts) {
  auto terrain = std::make_shared<terrain::Terrain>();
  GroundTiles ground(terrain, {.has_ruts = true, .rut_spacing = 0.05});
  const auto index =
      static_cast<std::int64_t>(std::floor((0 - ground.extent().x0) / (32 * ground.cell())));
  EXPECT_EQ(read_tile(ground.make_tile(0, index, index)).at(2, 2), 0);
  RutTile rut{.i = 0, .j = 0, .displacements = std::vector<float>(1024, -0.125F)};
  ground.take_ruts({rut});
  EXPECT_EQ(ground.describe_ruts()["version"], 1);
  EXPECT_EQ(ground.describe_ruts()["boxes"].size(), 1U);
  const Tile tile = read_tile(ground.make_tile(0, index, index));
  const double x0 = ground.extent().x0 + static_cast<double>(index) * 32 * ground.cell();
  for (int j = 0; j <= 32; ++j)
    for (int i = 0; i <= 32; ++i) {
      const double x = x0 + i * ground.cell(), y = x0 + j * ground.cell();
      const bool is_inside = x > -0.02 && x < 1.57 && y > -0.02 && y < 1.57;
      EXPECT_NEAR(tile.at(i, j), is_inside ? -0.125 : 0, 1e-6) << x << " " << y;
    }
}

TEST(Address, ReadsPartsAndParameters) {
  const auto address = parse_address("/api/slice?run=0&column=3%2C4");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->parts, (std::vector<std::string>{"api", "slice"}));
  ASSERT_NE(address->find("column"), nullptr);
  EXPECT_EQ(*address->find("column"), "3,4");
  EXPECT_EQ(address->find("points"), nullptr);
}

TEST(Address, RefusesWhatIsNone) {
  for (const char* target :
       {"", "api", "/api//x", "/a/b/c/d/e/f/g/h/i", "/api/%zz", "/api/%2", "/api/%00", "/x?a",
        "/x?a=1&a=2", "/x?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9&j=1&k=2&l=3&m=4&n=5&o=6&p=7&q=8"})
    EXPECT_FALSE(parse_address(target)) << target;
  EXPECT_FALSE(parse_address("/" + std::string(3000, 'a')));
}

TEST(Address, ReadsWholeNumbersInRange) {
  EXPECT_EQ(parse_integer("-7", -10, 10), -7);
  for (const char* text : {"", "7x", " 7", "+7", "11", "7.0", "99999999999999999999"})
    EXPECT_FALSE(parse_integer(text, -10, 10)) << text;
  EXPECT_EQ(parse_number("2.5e1", 0, 30), 25);
  for (const char* text : {"", "nan", "inf", "31", "1,", "0x10"})
    EXPECT_FALSE(parse_number(text, 0, 30)) << text;
  EXPECT_EQ(parse_integers("3,4,5", 0, 9, 3)->size(), 3U);
  for (const char* text : {"", "3,", ",3", "3,,4", "1,2,3,4", "3,10"})
    EXPECT_FALSE(parse_integers(text, 0, 9, 3)) << text;
}

}  // namespace
}  // namespace camber::view
