#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "camber/planning/geometry.h"
#include "camber/terrain/procedural.h"

namespace camber::city {

using planning::Point;
using planning::Polygon;
using Point3 = std::array<double, 3>;

/// Kind of a face of the city: determines material and class (surfaces.h).
enum class Surface : std::uint8_t {
  kAsphalt,
  kWhitePaint,
  kYellowPaint,
  kKerb,
  kSidewalk,
  kTactile,
  kPaving,
  kGrass,
  kCourtyard,
  kBrickRed,
  kBrickBrown,
  kPlasterWhite,
  kPlasterYellow,
  kPlasterGray,
  kSandstone,
  kOffice,
  kShopfront,
  kTrim,
  kFlatRoof,
  kTileRoof,
  kBark,
  kLeaves,
  kDarkLeaves,
  kMetal,
  kLamp,
  kCarRed,
  kCarBlue,
  kCarWhite,
  kCarSilver,
  kCarBlack,
  kCarGreen,
  kGlass,
  kRubber,
  kHeadlight,
  kTaillight,
  kSignRed,
  kSignBlue,
  kSignWhite,
  kBarrierOrange,
  kPostYellow,
  kWood,
  kCount
};

/// A triangle.
struct Facet {
  std::array<Point3, 3> corners = {};  // [m]
  Surface surface = Surface::kAsphalt;
  bool operator==(const Facet&) const = default;
};

enum class Roof : std::uint8_t { kFlat, kHipped };

/// Walls over a polygon without holes.
struct Building {
  Polygon footprint = {};       // counterclockwise
  double base = 0, height = 0;  // of the ground, and of the walls above it [m]
  int storeys = 1;
  double ground_floor = 0;  // height of a floor with shops; 0: none [m]
  Surface wall = Surface::kBrickRed;
  Roof roof = Roof::kFlat;
  bool is_drawn = true;  // else its faces are among those of the block
  bool operator==(const Building&) const = default;
};

enum class ThingKind : std::uint8_t {
  kCar,
  kTree,
  kLamp,
  kSign,
  kTrafficLight,
  kBollard,
  kBarrier,
  kCylinder,
  kBench,
  kBin,
  kHydrant,
  kCone,
  kVent,
  kCount
};

/// A thing of a known shape (things.h) on the ground; x forward.
struct Thing {
  ThingKind kind = ThingKind::kTree;
  double x = 0, y = 0, z = 0, yaw = 0;  // [m], [rad]
  double scale = 1;                     // of its size
  int variant = 0;
  bool operator==(const Thing&) const = default;
};

/// A part of the city that is made alone: a block, or half of two when their street is missing,
/// with the crossing at its low corner and the streets that go from there along x and y.
struct Block {
  int i = 0, j = 0;
  std::vector<Facet> ground = {};     // what wheels feel
  std::vector<Facet> faces = {};      // kerb faces and paint: for rays only
  std::vector<Polygon> islands = {};  // ground behind kerbs
  std::vector<Building> buildings = {};
  std::vector<Thing> things = {};
  bool operator==(const Block&) const = default;
};

/// Two triangles of a quadrilateral.
void add_quad(const Point3& a, const Point3& b, const Point3& c, const Point3& d, Surface surface,
              std::vector<Facet>* facets);

/// The rectangle of ground that a block covers; inverted if it is empty.
terrain::Box2 extent_of(const Block& block);

}  // namespace camber::city
