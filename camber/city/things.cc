#include "camber/city/things.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace camber::city {
namespace {

using scene::Mesh;

/// Composes a thing of boxes, cylinders and crowns.
class Sculptor {
 public:
  Sculptor() : mesh_(make_surface_mesh(Vector3::Zero())) {}

  void add(const Mesh& part, const Vector3& at, Surface surface, double yaw = 0) {
    const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
    const double c = std::cos(yaw), s = std::sin(yaw);
    for (std::uint32_t k = 0; k < part.vertices.size(); ++k) {
      const Vector3 p = part.vertex(k);
      mesh_.vertices.push_back({static_cast<float>(at.x() + c * p.x() - s * p.y()),
                                static_cast<float>(at.y() + s * p.x() + c * p.y()),
                                static_cast<float>(at.z() + p.z())});
    }
    for (const auto& [a, b, d] : part.triangles) {
      mesh_.triangles.push_back({first + a, first + b, first + d});
      mesh_.surface_of.push_back(static_cast<std::uint16_t>(surface));
    }
  }
  /// A box on z = `bottom`.
  void box(const Vector3& size, double x, double y, double bottom, Surface surface,
           double yaw = 0) {
    add(scene::make_box_mesh(size), {x, y, bottom + 0.5 * size.z()}, surface, yaw);
  }
  void pole(double radius, double height, double x, double y, double bottom, Surface surface,
            int sides = 8) {
    add(scene::make_cylinder_mesh(radius, height, sides), {x, y, bottom}, surface);
  }
  /// A cylinder that lies along y.
  void wheel(double radius, double width, double x, double y, double z) {
    Mesh disc = scene::make_cylinder_mesh(radius, width, 12);
    for (auto& v : disc.vertices) v = {v[0], v[2] - static_cast<float>(0.5 * width), v[1]};
    add(disc, {x, y, z}, Surface::kRubber);
  }
  /// A prism across y whose side view is a polygon of (x, z), with one surface for all faces or
  /// glass for those marked.
  void prism(const std::vector<std::array<double, 2>>& outline, double width, double top_width,
             double z0, double z1, Surface body, const std::vector<bool>& is_glass, Surface sides) {
    const auto at = [&](std::size_t k, int side) -> Point3 {
      const double t = (outline[k][1] - z0) / (z1 - z0);
      return {outline[k][0], side * 0.5 * (width + t * (top_width - width)), outline[k][1]};
    };
    const std::size_t n = outline.size();
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t m = (k + 1) % n;
      const Surface s = is_glass[k] ? Surface::kGlass : body;
      add_facet({{at(k, 1), at(m, 1), at(m, -1)}, s}, &mesh_);
      add_facet({{at(k, 1), at(m, -1), at(k, -1)}, s}, &mesh_);
    }
    for (const int side : {1, -1}) {
      for (std::size_t k = 1; k + 1 < n; ++k)
        add_facet({{at(0, side), at(k, side), at(k + 1, side)}, sides}, &mesh_);
    }
  }
  Mesh take() { return std::move(mesh_); }

 private:
  Mesh mesh_;
};

struct CarShape {
  double length, width, height, hood, rear;  // [m]; where cabin begins and ends from the middle
  double belt;                               // height of the body below the windows [m]
};
constexpr CarShape kCars[] = {{4.45, 1.80, 1.45, 0.95, -1.55, 0.88},   // sedan
                              {4.05, 1.75, 1.50, 1.00, -1.85, 0.90},   // hatchback
                              {4.75, 1.92, 1.78, 1.15, -2.20, 1.02}};  // SUV

Mesh make_car(int variant) {
  const CarShape& c = kCars[variant % 3];
  const auto paint = static_cast<Surface>(static_cast<int>(Surface::kCarRed) + (variant / 3) % 6);
  Sculptor s;
  const double h = 0.5 * c.length, low = 0.26;
  // Body: bumper, hood, belt line.
  s.prism({{-h, low},
           {h - 0.1, low},
           {h, 0.5},
           {h - 0.06, 0.66},
           {c.hood, c.belt},
           {c.rear + 0.25, c.belt},
           {-h + 0.06, c.belt - (variant % 3 == 0 ? 0.02 : 0)},
           {-h, 0.6}},
          c.width, c.width, low, c.belt, paint, std::vector<bool>(8, false), paint);
  // Cabin.
  s.prism(
      {{c.rear, c.belt}, {c.hood, c.belt}, {c.hood - 0.75, c.height}, {c.rear + 0.45, c.height}},
      c.width - 0.06, c.width - 0.42, c.belt, c.height, paint, {false, true, false, true},
      Surface::kGlass);
  const double r = variant % 3 == 2 ? 0.36 : 0.315;
  for (const double x : {h - 0.85, -h + 0.80}) {
    for (const int side : {1, -1}) s.wheel(r, 0.22, x, side * (0.5 * c.width - 0.10), r);
  }
  for (const int side : {1, -1}) {
    s.box({0.06, 0.34, 0.13}, h - 0.05, side * (0.5 * c.width - 0.24), 0.56, Surface::kHeadlight);
    s.box({0.06, 0.26, 0.14}, -h + 0.01, side * (0.5 * c.width - 0.17), 0.68, Surface::kTaillight);
    s.box({0.12, 0.16, 0.11}, c.hood - 0.25, side * (0.5 * c.width + 0.05), c.belt, paint);
  }
  s.box({0.02, 0.5, 0.11}, h + 0.005, 0, 0.42, Surface::kSignWhite);
  s.box({0.02, 0.5, 0.11}, -h - 0.005, 0, 0.52, Surface::kSignWhite);
  return s.take();
}

/// A trunk under blobs of leaves; the surface of a blob is wavy.
Mesh make_tree(int variant) {
  Sculptor s;
  const double height = variant == 2 ? 8.5 : 7.0;
  s.pole(0.14, variant == 2 ? 1.6 : 3.0, 0, 0, -0.1, Surface::kBark, 7);
  const auto blob = [&](double radius, double x, double y, double z, double tall, int number) {
    Mesh ball = scene::make_sphere_mesh(radius, 2);
    for (auto& v : ball.vertices) {
      const double wave = 1 + 0.13 * std::sin(7.1 * v[0] + 3.3 * v[2] + number) *
                                  std::cos(6.3 * v[1] + 5.2 * v[2] + 2.0 * number);
      v = {static_cast<float>(v[0] * wave), static_cast<float>(v[1] * wave),
           static_cast<float>(v[2] * wave * tall)};
    }
    s.add(ball, {x, y, z}, (number + variant) % 3 == 0 ? Surface::kDarkLeaves : Surface::kLeaves);
  };
  if (variant == 2) {  // a slender one
    blob(1.25, 0, 0, 0.55 * height, 2.6, 0);
    return s.take();
  }
  blob(1.9, 0.1, 0, 4.6, 0.9, 1);
  blob(1.4, 0.9, 0.6, 5.3, 0.85, 2);
  blob(1.35, -0.9, 0.5, 5.2, 0.85, 3);
  blob(1.3, 0.1, -0.95, 5.4, 0.9, 4);
  if (variant == 1) blob(1.2, 0, 0.1, 6.3, 0.9, 5);
  return s.take();
}

Mesh make_sign(int variant) {
  Sculptor s;
  s.pole(0.035, 2.9, 0, 0, 0, Surface::kMetal, 6);
  Mesh plate = scene::make_cylinder_mesh(0.32, 0.03, variant == 0 ? 16 : variant == 1 ? 8 : 4);
  for (auto& v : plate.vertices) {  // upright, facing x
    const double turn = variant == 2 ? std::numbers::pi / 4 : std::numbers::pi / 8;
    const double y = v[0] * std::cos(turn) - v[1] * std::sin(turn),
                 z = v[0] * std::sin(turn) + v[1] * std::cos(turn);
    v = {v[2] + 0.03F, static_cast<float>(y), static_cast<float>(z)};
  }
  s.add(plate, {0, 0, 2.55}, variant == 2 ? Surface::kSignBlue : Surface::kSignRed);
  s.box({0.01, 0.36, variant == 0 ? 0.09 : 0.16}, 0.066, 0, 2.48, Surface::kSignWhite);
  return s.take();
}

Mesh make_small(ThingKind kind) {
  Sculptor s;
  switch (kind) {
    case ThingKind::kLamp:
      s.pole(0.09, 0.9, 0, 0, 0, Surface::kMetal);
      s.pole(0.06, 6.8, 0, 0, 0.9, Surface::kMetal);
      s.box({1.5, 0.07, 0.07}, 0.7, 0, 7.62, Surface::kMetal);
      s.box({0.6, 0.22, 0.10}, 1.5, 0, 7.55, Surface::kLamp);
      break;
    case ThingKind::kTrafficLight:
      s.pole(0.08, 3.4, 0, 0, 0, Surface::kMetal);
      s.box({0.22, 0.30, 0.9}, 0.14, 0, 2.45, Surface::kCarBlack);
      for (int k = 0; k < 3; ++k) {
        s.box({0.04, 0.17, 0.17}, 0.26, 0, 2.53 + 0.28 * k,
              k == 2   ? Surface::kTaillight
              : k == 1 ? Surface::kPostYellow
                       : Surface::kLeaves);
      }
      break;
    case ThingKind::kBollard:
      s.pole(0.07, 0.95, 0, 0, 0, Surface::kMetal);
      s.pole(0.075, 0.1, 0, 0, 0.78, Surface::kSignWhite);
      break;
    case ThingKind::kBarrier:
      s.box({2.0, 0.10, 0.24}, 0, 0, 0.82, Surface::kBarrierOrange);
      s.box({2.0, 0.10, 0.24}, 0, 0, 0.40, Surface::kBarrierOrange);
      for (const double x : {-0.66, 0.0, 0.66}) {
        s.box({0.28, 0.11, 0.24}, x, 0, 0.82, Surface::kSignWhite);
        s.box({0.28, 0.11, 0.24}, x, 0, 0.40, Surface::kSignWhite);
      }
      for (const double x : {-0.85, 0.85}) {
        s.box({0.08, 0.08, 1.06}, x, 0, 0, Surface::kMetal);
        s.box({0.30, 0.50, 0.10}, x, 0, 0, Surface::kRubber);
      }
      break;
    case ThingKind::kCylinder:
      s.pole(0.40, 1.1, 0, 0, 0, Surface::kPostYellow, 20);
      break;
    case ThingKind::kBench:
      s.box({0.45, 1.6, 0.06}, 0, 0, 0.42, Surface::kWood);
      s.box({0.06, 1.6, 0.40}, -0.22, 0, 0.5, Surface::kWood);
      for (const double y : {-0.65, 0.65}) s.box({0.40, 0.06, 0.42}, 0, y, 0, Surface::kMetal);
      break;
    case ThingKind::kBin:
      s.pole(0.24, 0.95, 0, 0, 0, Surface::kCarGreen, 10);
      break;
    case ThingKind::kHydrant:
      s.pole(0.11, 0.62, 0, 0, 0, Surface::kSignRed, 8);
      s.pole(0.15, 0.08, 0, 0, 0.48, Surface::kSignRed, 8);
      break;
    case ThingKind::kCone: {
      Mesh cone = scene::make_cylinder_mesh(0.14, 0.7, 10);
      for (auto& v : cone.vertices) {
        if (v[2] > 0) v = {0.2F * v[0], 0.2F * v[1], v[2]};
      }
      s.add(cone, {0, 0, 0.03}, Surface::kBarrierOrange);
      s.box({0.38, 0.38, 0.04}, 0, 0, 0, Surface::kRubber);
      break;
    }
    case ThingKind::kVent:
      s.box({2.4, 1.6, 1.3}, 0, 0, 0, Surface::kMetal);
      s.pole(0.45, 0.2, 0, 0, 1.3, Surface::kRubber, 10);
      break;
    default:
      break;
  }
  return s.take();
}

}  // namespace

ThingSize size_of(ThingKind kind, int variant) {
  switch (kind) {
    case ThingKind::kCar: {
      const CarShape& c = kCars[variant % 3];
      return {c.length, c.width, c.height};
    }
    case ThingKind::kTree:
      return {0.28, 0.28, 7, true};
    case ThingKind::kLamp:
      return {0.18, 0.18, 7.7, true};
    case ThingKind::kSign:
      return {0.07, 0.07, 2.9, true};
    case ThingKind::kTrafficLight:
      return {0.16, 0.16, 3.4, true};
    case ThingKind::kBollard:
      return {0.14, 0.14, 0.95, true};
    case ThingKind::kBarrier:
      return {2.0, 0.5, 1.06};
    case ThingKind::kCylinder:
      return {0.8, 0.8, 1.1, true};
    case ThingKind::kBench:
      return {0.5, 1.6, 0.9};
    case ThingKind::kBin:
      return {0.48, 0.48, 0.95, true};
    case ThingKind::kHydrant:
      return {0.30, 0.30, 0.62, true};
    case ThingKind::kCone:
      return {0.38, 0.38, 0.73, true};
    case ThingKind::kVent:
      return {2.4, 1.6, 1.5};
    case ThingKind::kCount:
      break;
  }
  return {};
}

const char* name_of(ThingKind kind) {
  constexpr const char* kNames[] = {"parked car", "tree",    "lamp",     "sign",  "traffic light",
                                    "bollard",    "barrier", "cylinder", "bench", "bin",
                                    "hydrant",    "cone",    "vent"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(ThingKind::kCount));
  return kNames[static_cast<std::size_t>(kind)];
}

int variant_count(ThingKind kind) {
  return kind == ThingKind::kCar    ? kCarVariants
         : kind == ThingKind::kTree ? kTreeVariants
         : kind == ThingKind::kSign ? kSignVariants
                                    : 1;
}

Mesh make_thing_mesh(ThingKind kind, int variant) {
  Mesh mesh = kind == ThingKind::kCar    ? make_car(variant)
              : kind == ThingKind::kTree ? make_tree(variant)
              : kind == ThingKind::kSign ? make_sign(variant)
                                         : make_small(kind);
  mesh.name = name_of(kind);
  return mesh;
}

}  // namespace camber::city
