#pragma once

#include <cstdint>
#include <vector>

#include "camber/scene/mesh.h"
#include "camber/scene/packet.h"
#include "camber/scene/tree.h"

namespace camber::scene::internal {

/// A triangle as leaves hold it: vertices about the mesh's origin.
struct LeafTriangle {
  float v[3][3];
  std::int32_t number;    // in the mesh
  Mesh::Surface surface;  // that it belongs to
};

/// A mesh with its tree.
struct MeshTree {
  static constexpr int kLeaf = 4;  // triangles in a leaf, at most
  Tree tree;
  std::vector<LeafTriangle> triangles;  // in the order of the leaves

  explicit MeshTree(const Mesh& mesh);
  std::size_t memory() const {
    return tree.nodes.size() * sizeof(TreeNode) + triangles.size() * sizeof(LeafTriangle);
  }
};

/// Rays in the axes of a mesh, about its origin.
struct alignas(64) MeshRays {
  double o[3][kPacket], d[3][kPacket];
  // The axis along which a ray is longest, and the shear that turns the ray into that axis.
  double shear[3][kPacket];
  unsigned along[3] = {0, 0, 0};  // rays whose longest axis this is
  bool has_shear = false;

  void calc_shear();
};

/// The rays of a packet as floats, for the test that selects triangles.
struct LaneRays {
  Float16 o[3], d[3];
  float reach = 0;  // sum of the max absolute coordinates of the origins [m]

  void set(const float (*from)[kPacket], const float (*along)[kPacket]);
};

/// A triangle as that test needs it, in the axes of the rays.
struct FilterTriangle {
  float v[3], e1[3], e2[3], n[3];  // first vertex, edges from it, their cross product
  float error_u, error_v, error_n, error_t;

  /// `reach` is LaneRays::reach.
  void set_errors(float reach);
  void set(const LeafTriangle& triangle, float reach);
};

/// Rays that may hit the triangle before their best: Moeller and Trumbore's test in floats; each
/// comparison is widened by a bound of its error (docs/theory/rays.md (4)).
inline unsigned filter(const LaneRays& r, const FilterTriangle& tri, const Float16& best) {
  Float16 c[3];
  for (int a = 0; a < 3; ++a) c[a] = Float16(tri.v[a]) - r.o[a];
  const Float16 qx = mul_sub(c[1], r.d[2], c[2] * r.d[1]);
  const Float16 qy = mul_sub(c[2], r.d[0], c[0] * r.d[2]);
  const Float16 qz = mul_sub(c[0], r.d[1], c[1] * r.d[0]);
  const auto dot = [](const Float16& x, const Float16& y, const Float16& z, const float* b) {
    return mul_add(x, Float16(b[0]), mul_add(y, Float16(b[1]), z * Float16(b[2])));
  };
  const Float16 det = dot(r.d[0], r.d[1], r.d[2], tri.n), size = abs(det);
  const Float16 u = flip(dot(qx, qy, qz, tri.e2), det);
  const Float16 v = flip(Float16(0.0F) - dot(qx, qy, qz, tri.e1), det);
  const Float16 t = flip(dot(c[0], c[1], c[2], tri.n), det);

  unsigned may = le_bits(Float16(-tri.error_u), u) & le_bits(Float16(-tri.error_v), v) &
                 le_bits(u + v, size + Float16(tri.error_u + tri.error_v + tri.error_n)) &
                 le_bits(Float16(-tri.error_t), t) &
                 le_bits(t, mul_add(best, size + Float16(tri.error_n), Float16(tri.error_t)));
  may |= le_bits(size, Float16(tri.error_n));  // seen edge-on: the sign of det is not known
  return may & le_bits(Float16(0.0F), best);
}

/// Hits of the rays in `may`, in doubles.
template <bool kAny>
void decide(const MeshRays& rays, const LeafTriangle& triangle, std::int64_t key, unsigned may,
            Packet* packet);

/// First hits of the mesh's triangles; the rays of `packet` are given in the mesh's axes.
/// kAny: any hit will do.
template <bool kAny>
void cast_mesh(const MeshTree& mesh, MeshRays* rays, int instance, Packet* packet);

/// Range at which one ray crosses a triangle, or infinity; the same bits as cast_mesh().
double meet_triangle(const LeafTriangle& triangle, const Vector3& o, const Vector3& d);

/// Walks a tree with a packet: leaf(first, count) for each leaf that a ray may enter before its
/// best hit.
template <class Leaf>
void walk(const Tree& tree, const BoxRays& rays, const Packet& packet, const Leaf& leaf) {
  struct Entry {
    Float16 enter;
    std::int32_t node;
  };
  if (tree.nodes.empty()) return;
  Entry stack[128];
  int top = 0;
  const bool uniform = rays.is_uniform();
  std::int32_t at = 0;
  for (;;) {
    const TreeNode& node = tree.nodes[at];
    const Float16 best = Float16::load(packet.best_above);
    Float16 enter[2];
    unsigned bits[2];
    if (uniform) {
      bits[0] = meet_box<true>(rays, node.box[0], best, &enter[0]);
      bits[1] = meet_box<true>(rays, node.box[1], best, &enter[1]);
    } else {
      bits[0] = meet_box<false>(rays, node.box[0], best, &enter[0]);
      bits[1] = meet_box<false>(rays, node.box[1], best, &enter[1]);
    }
    const int first = rays.first_sign[node.axis];
    std::int32_t next = INT32_MIN;
    if (bits[first] != 0) {
      next = node.child[first];
      if (bits[1 - first] != 0) stack[top++] = {enter[1 - first], node.child[1 - first]};
    } else if (bits[1 - first] != 0) {
      next = node.child[1 - first];
    }
    for (;;) {
      if (next == INT32_MIN) {
        if (top == 0) return;
        --top;
        if (le_bits(stack[top].enter, Float16::load(packet.best_above)) == 0) continue;
        next = stack[top].node;
      }
      if (next >= 0) break;
      const Tree::Leaf part = Tree::leaf_of(next);
      leaf(part.first, part.count);
      next = INT32_MIN;
    }
    at = next;
  }
}

}  // namespace camber::scene::internal
