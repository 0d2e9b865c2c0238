#pragma once

#include "camber/city/block.h"
#include "camber/scene/mesh.h"

namespace camber::city {

constexpr int kCarVariants = 18;  // three shapes in six colors
constexpr int kTreeVariants = 3, kSignVariants = 3;

/// Size of a thing of scale 1 on the ground: what a vehicle can hit.
struct ThingSize {
  double length = 0, width = 0, height = 0;  // [m]
  bool is_round = false;                     // then the length is its diameter
};
/// A tree is its trunk, a lamp its pole.
ThingSize size_of(ThingKind kind, int variant);
const char* name_of(ThingKind kind);

/// Whether it stands on the ground, in the way of vehicles and walkers.
inline bool is_obstacle(ThingKind kind) { return kind != ThingKind::kVent; }

/// Numbers of surfaces in the meshes below are those of Surface.
scene::Mesh make_thing_mesh(ThingKind kind, int variant);
/// How many shapes there are of a kind.
int variant_count(ThingKind kind);

/// Adds a building's walls and roof. Vertices of `mesh` are about its origin.
void add_building(const Building& building, scene::Mesh* mesh);
/// Adds a triangle.
void add_facet(const Facet& facet, scene::Mesh* mesh);
/// An empty mesh with a surface for each Surface.
scene::Mesh make_surface_mesh(const Vector3& origin);

}  // namespace camber::city
