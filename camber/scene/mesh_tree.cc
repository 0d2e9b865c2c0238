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

/// Everything about the rays that leaves need.
struct LeafRays {
  Float16 o[3], d[3];
  float slack;  // bound of the error of a position, in all axes together [m]
  const MeshRays* exact;
  bool has_shear = false;
  unsigned along[3] = {0, 0, 0};  // rays whose longest axis this is
  alignas(64) double shear[3][kPacket];

  void calc_shear() {
    for (int k = 0; k < kPacket; ++k) {
      const double e[3] = {exact->d[0][k], exact->d[1][k], exact->d[2][k]};
      const int kz = longest_axis(e[0], e[1], e[2]), kx = (kz + 1) % 3, ky = (kz + 2) % 3;
      along[kz] |= 1U << k;
      shear[0][k] = e[kx] / e[kz];
      shear[1][k] = e[ky] / e[kz];
      shear[2][k] = 1 / e[kz];
    }
    has_shear = true;
  }
};

float size1(const float* a) { return std::abs(a[0]) + std::abs(a[1]) + std::abs(a[2]); }

/// Rays that may hit the triangle before their best: Moeller and Trumbore's test in floats; each
/// comparison is widened by a bound of its error (docs/theory/rays.md (4)).
unsigned filter(const LeafRays& r, const LeafTriangle& tri, const Float16& best) {
  float e1[3], e2[3];
  for (int a = 0; a < 3; ++a) e1[a] = tri.v[1][a] - tri.v[0][a], e2[a] = tri.v[2][a] - tri.v[0][a];
  const float n[3] = {e1[1] * e2[2] - e1[2] * e2[1], e1[2] * e2[0] - e1[0] * e2[2],
                      e1[0] * e2[1] - e1[1] * e2[0]};
  const float s1 = size1(e1), s2 = size1(e2), area = s1 * s2;
  const float err_u = r.slack * s2 + 1e-30F, err_v = r.slack * s1 + 1e-30F;
  const float err_n = 0x1p-19F * area + 1e-30F, err_t = r.slack * area + 1e-30F;

  Float16 c[3];
  for (int a = 0; a < 3; ++a) c[a] = Float16(tri.v[0][a]) - r.o[a];
  const Float16 qx = mul_sub(c[1], r.d[2], c[2] * r.d[1]);
  const Float16 qy = mul_sub(c[2], r.d[0], c[0] * r.d[2]);
  const Float16 qz = mul_sub(c[0], r.d[1], c[1] * r.d[0]);
  const auto dot = [](const Float16& x, const Float16& y, const Float16& z, const float* b) {
    return mul_add(x, Float16(b[0]), mul_add(y, Float16(b[1]), z * Float16(b[2])));
  };
  const Float16 det = dot(r.d[0], r.d[1], r.d[2], n), size = abs(det);
  const Float16 u = flip(dot(qx, qy, qz, e2), det);
  const Float16 v = flip(Float16(0.0F) - dot(qx, qy, qz, e1), det);
  const Float16 t = flip(dot(c[0], c[1], c[2], n), det);

  unsigned may = le_bits(Float16(-err_u), u) & le_bits(Float16(-err_v), v) &
                 le_bits(u + v, size + Float16(err_u + err_v + err_n)) &
                 le_bits(Float16(-err_t), t) &
                 le_bits(t, mul_add(best, size + Float16(err_n), Float16(err_t)));
  may |= le_bits(size, Float16(err_n));  // seen edge-on: the sign of det is not known
  return may & le_bits(Float16(0.0F), best);
}

template <bool kAny>
void decide(const LeafRays& r, const LeafTriangle& tri, std::int64_t key, unsigned may,
            Packet* packet) {
  for (int half = 0; half < kPacket; half += 8) {
    const unsigned here = may >> half & 0xffU;
    if (here == 0) continue;
    for (int kz = 0; kz < 3; ++kz) {
      unsigned rays = here & r.along[kz] >> half;
      if (rays == 0) continue;
      Double8 o[3];
      for (int a = 0; a < 3; ++a) o[a] = Double8::load(r.exact->o[a] + half);
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

}  // namespace

MeshTree::MeshTree(const Mesh& mesh) {
  std::vector<Bounds> boxes(mesh.triangles.size());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    for (const std::uint32_t v : mesh.triangles[k]) boxes[k].add(mesh.vertices[v].data());
  }
  tree = build_tree(boxes, 4);
  triangles.resize(boxes.size());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    LeafTriangle& leaf = triangles[k];
    leaf.number = tree.order[k];
    for (int v = 0; v < 3; ++v) {
      const Mesh::Vertex& p = mesh.vertices[mesh.triangles[leaf.number][v]];
      for (int a = 0; a < 3; ++a) leaf.v[v][a] = p[a];
    }
  }
  tree.order.clear();
  tree.order.shrink_to_fit();
}

template <bool kAny>
void cast_mesh(const MeshTree& mesh, const MeshRays& rays, int instance, Packet* packet) {
  alignas(64) float o[3][kPacket], d[3][kPacket];
  for (int a = 0; a < 3; ++a) {
    for (int k = 0; k < kPacket; ++k) {
      o[a][k] = static_cast<float>(rays.o[a][k]), d[a][k] = static_cast<float>(rays.d[a][k]);
    }
  }
  BoxRays boxes;
  boxes.set(o, d, mesh.tree.reach, packet->active);
  LeafRays leaves;
  for (int a = 0; a < 3; ++a) leaves.o[a] = Float16::load(o[a]), leaves.d[a] = Float16::load(d[a]);
  leaves.slack = 8 * (boxes.pad[0] + boxes.pad[1] + boxes.pad[2]);
  leaves.exact = &rays;
  walk(mesh.tree, boxes, *packet, [&](std::int32_t first, std::int32_t count) {
    for (std::int32_t k = first; k < first + count; ++k) {
      const unsigned may = filter(leaves, mesh.triangles[k], Float16::load(packet->best_above));
      if (may == 0) continue;
      if (!leaves.has_shear) leaves.calc_shear();
      decide<kAny>(leaves, mesh.triangles[k], make_key(instance, mesh.triangles[k].number), may,
                   packet);
    }
  });
}
template void cast_mesh<false>(const MeshTree&, const MeshRays&, int, Packet*);
template void cast_mesh<true>(const MeshTree&, const MeshRays&, int, Packet*);

double meet_triangle(const LeafTriangle& triangle, const Vector3& o, const Vector3& d) {
  const int kz = longest_axis(d.x(), d.y(), d.z()), kx = (kz + 1) % 3, ky = (kz + 2) % 3;
  const Shear<double> shear{d[kx] / d[kz], d[ky] / d[kz], 1 / d[kz]};
  const double from[3] = {o.x(), o.y(), o.z()};
  return calc_crossing(triangle, from, shear, kx, ky, kz);
}

}  // namespace camber::scene::internal
