#include "camber/scene/mesh_tree.h"

#include <cmath>

// Triangles are looked at in two steps. The first, in sixteen floats with bounds on all of its
// errors, finds the rays that may hit; the second decides in doubles: the watertight test of
// [Woop, Benthin, Wald 2013], whose edge functions have the same bits for both triangles of an
// edge. Only the second makes results, and it sees every triangle that could be the nearest.

namespace camber::scene::internal {
namespace {

constexpr double kFarAway = std::numeric_limits<double>::infinity();

/// The axis along which a ray is longest, and the shear that turns the ray into that axis.
template <class T>
struct Shear {
  T x, y, z;
};

/// Range, or infinity. kx, ky, kz are the axes in cyclic order; kz is that of the shear. Plain
/// arithmetic without fused operations: each lane has the bits of a double.
template <class T>
inline T calc_crossing(const LeafTriangle& tri, const T* o, const Shear<T>& s, int kx, int ky,
                       int kz) {
  T x[3], y[3], z[3];
  for (int k = 0; k < 3; ++k) {
    z[k] = T(static_cast<double>(tri.v[k][kz])) - o[kz];
    x[k] = (T(static_cast<double>(tri.v[k][kx])) - o[kx]) - s.x * z[k];
    y[k] = (T(static_cast<double>(tri.v[k][ky])) - o[ky]) - s.y * z[k];
  }
  const T u = x[2] * y[1] - y[2] * x[1];
  const T v = x[0] * y[2] - y[0] * x[2];
  const T w = x[1] * y[0] - y[1] * x[0];
  const T sum = (u + v) + w;
  const auto inside =
      ((u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0)) && sum != 0.0;
  const T range = ((u * z[0] + v * z[1]) + w * z[2]) * s.z / sum;
  if constexpr (std::is_same_v<T, double>) {
    return inside && range >= 0.0 ? range : kFarAway;
  } else {
    return select(inside && range >= 0.0, range, T(kFarAway));
  }
}

int longest_axis(double x, double y, double z) {
  const double a = std::abs(x), b = std::abs(y), c = std::abs(z);
  return a >= b && a >= c ? 0 : b >= c ? 1 : 2;
}

float size1(const float* a) { return std::abs(a[0]) + std::abs(a[1]) + std::abs(a[2]); }

}  // namespace

void MeshRays::calc_shear() {
  along[0] = along[1] = along[2] = 0;
  for (int half = 0; half < kPacket; half += 8) {
    Double8 e[3];
    for (int a = 0; a < 3; ++a) e[a] = Double8::load(d[a] + half);
    const Double8 x = abs(e[0]), y = abs(e[1]), z = abs(e[2]);
    // As longest_axis() decides.
    const auto is_x = x >= y && x >= z, is_y = y >= z;
    const auto choose_axis = [&](int a, int b, int c) {
      return select(is_x, e[a], select(is_y, e[b], e[c]));
    };
    const Double8 main = choose_axis(0, 1, 2);
    (choose_axis(1, 2, 0) / main).store(shear[0] + half);
    (choose_axis(2, 0, 1) / main).store(shear[1] + half);
    (1.0 / main).store(shear[2] + half);
    const unsigned x_bits = math::internal::sign_bits<8>(is_x.pack);
    const unsigned y_bits = math::internal::sign_bits<8>(is_y.pack) & ~x_bits;
    along[0] |= x_bits << half;
    along[1] |= y_bits << half;
    along[2] |= (~(x_bits | y_bits) & 0xffU) << half;
  }
  has_shear = true;
}

void LaneRays::set(const float (*from)[kPacket], const float (*along)[kPacket]) {
  reach = 0;
  for (int a = 0; a < 3; ++a) {
    o[a] = Float16::load(from[a]), d[a] = Float16::load(along[a]);
    reach += max_of(abs(o[a]));
  }
}

void FilterTriangle::set_errors(float reach) {
  // Errors of a position, and of the products of (4).
  const float slack = 0x1p-18F * (size1(v) + reach) + 1e-30F;
  const float s1 = size1(e1), s2 = size1(e2), area = s1 * s2;
  error_u = slack * s2 + 1e-30F, error_v = slack * s1 + 1e-30F;
  error_n = 0x1p-19F * area + 1e-30F, error_t = slack * area + 1e-30F;
}

void FilterTriangle::set(const LeafTriangle& tri, float reach) {
  for (int a = 0; a < 3; ++a) {
    v[a] = tri.v[0][a];
    e1[a] = tri.v[1][a] - tri.v[0][a], e2[a] = tri.v[2][a] - tri.v[0][a];
  }
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    n[a] = e1[b] * e2[c] - e1[c] * e2[b];
  }
  set_errors(reach);
}

template <bool kAny>
void decide(const MeshRays& r, const LeafTriangle& tri, std::int64_t key, unsigned may,
            Packet* packet) {
  for (int half = 0; half < kPacket; half += 8) {
    const unsigned here = may >> half & 0xffU;
    if (here == 0) continue;
    for (int kz = 0; kz < 3; ++kz) {
      unsigned rays = here & r.along[kz] >> half;
      if (rays == 0) continue;
      Double8 o[3];
      for (int a = 0; a < 3; ++a) o[a] = Double8::load(r.o[a] + half);
      const Shear<Double8> shear{Double8::load(r.shear[0] + half), Double8::load(r.shear[1] + half),
                                 Double8::load(r.shear[2] + half)};
      const Double8 crossing = calc_crossing(tri, o, shear, (kz + 1) % 3, (kz + 2) % 3, kz);
      const auto near = crossing <= Double8::load(packet->best + half);
      rays &= math::internal::sign_bits<8>(near.pack);
      double range[8];
      crossing.store(range);
      for (; rays != 0; rays &= rays - 1) {
        const int i = std::countr_zero(rays), k = half + i;
        if (range[i] == kFarAway) continue;
        if constexpr (kAny) {
          packet->finish(k);
        } else if (packet->is_better(k, range[i], key)) {
          packet->take(k, range[i], key);
          packet->leaf[k] = &tri;
        }
      }
    }
  }
}
template void decide<false>(const MeshRays&, const LeafTriangle&, std::int64_t, unsigned, Packet*);
template void decide<true>(const MeshRays&, const LeafTriangle&, std::int64_t, unsigned, Packet*);

MeshTree::MeshTree(const Mesh& mesh) {
  std::vector<Bounds> boxes(mesh.triangles.size());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    for (const std::uint32_t v : mesh.triangles[k]) boxes[k].add(mesh.vertices[v].data());
  }
  tree = build_tree(boxes, kLeaf);
  triangles.resize(boxes.size());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    LeafTriangle& leaf = triangles[k];
    leaf.number = tree.order[k];
    if (!mesh.surface_of.empty()) leaf.surface = mesh.surfaces[mesh.surface_of[leaf.number]];
    for (int v = 0; v < 3; ++v) {
      const Mesh::Vertex& p = mesh.vertices[mesh.triangles[leaf.number][v]];
      for (int a = 0; a < 3; ++a) leaf.v[v][a] = p[a];
    }
  }
  tree.order.clear();
  tree.order.shrink_to_fit();
}

template <bool kAny>
void cast_mesh(const MeshTree& mesh, MeshRays* rays, int instance, Packet* packet) {
  alignas(64) float o[3][kPacket], d[3][kPacket];
  for (int a = 0; a < 3; ++a) {
    for (int k = 0; k < kPacket; ++k) {
      o[a][k] = static_cast<float>(rays->o[a][k]), d[a][k] = static_cast<float>(rays->d[a][k]);
    }
  }
  BoxRays boxes;
  boxes.set(o, d, mesh.tree.reach, packet->active);
  LaneRays lanes;
  lanes.set(o, d);
  walk(mesh.tree, boxes, *packet, [&](std::int32_t first, std::int32_t count) {
    for (std::int32_t k = first; k < first + count; ++k) {
      const LeafTriangle& triangle = mesh.triangles[k];
      FilterTriangle edges;
      edges.set(triangle, lanes.reach);
      const unsigned may = filter(lanes, edges, Float16::load(packet->best_above));
      if (may == 0) continue;
      if (!rays->has_shear) rays->calc_shear();
      decide<kAny>(*rays, triangle, make_key(instance, triangle.number), may, packet);
    }
  });
}
template void cast_mesh<false>(const MeshTree&, MeshRays*, int, Packet*);
template void cast_mesh<true>(const MeshTree&, MeshRays*, int, Packet*);

double meet_triangle(const LeafTriangle& triangle, const Vector3& o, const Vector3& d) {
  const int kz = longest_axis(d.x(), d.y(), d.z()), kx = (kz + 1) % 3, ky = (kz + 2) % 3;
  const Shear<double> shear{d[kx] / d[kz], d[ky] / d[kz], 1 / d[kz]};
  const double from[3] = {o.x(), o.y(), o.z()};
  return calc_crossing(triangle, from, shear, kx, ky, kz);
}

}  // namespace camber::scene::internal
