// Columns stand side by side along the disc, up to 0.95 of its radius; higher than that is a wall.
// Each has the mean height of the ground over its width h, where the rim is. So an upright edge
// comes into a column little by little, and what columns say together does not depend on where
// between them it is: their means times h are the whole integral. From the middle of a column to
// that of the next the ground is straight and the rim an arc, of which the parabola through its
// middle is good to the fourth order: the ground is above the rim by
//   f(t) = f0 + (f1 - f0) t + 4 b t (1 - t),  0 <= t <= 1                                    (1)
// and its roots bound the part that counts. Ground that begins to touch, at a depth p, comes with
// an area of p^1.5 but a length of p^0.5, and the forces' direction would come with it. So a length
// counts by w = f / sqrt(f^2 + e^2), which makes it p^1.5, too. Over a strip without bulge, with
// S^2 = f^2 + e^2,
//   int w dt = int (dS/df) dt = (S1 - S0) / (f1 - f0) = (f0 + f1) / (S0 + S1),               (2)
// twice its mean depth over S0 + S1; exact across upright edges as well, wherever columns meet
// them. Eight columns are taken at a time; dual numbers, which few ask for, one by one.
#include "camber/dynamics/disc_overlap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

namespace camber::dynamics {
namespace {

using terrain::Terrain;
using terrain::TerrainCache;
using tire::larger;
using tire::smaller;
using Eight = math::Lanes<8>;

constexpr double kReach = 0.95;   // of the radius
constexpr double kTread = 0.005;  // e of (2) [m]

/// Some columns of ground, or one.
template <class T>
struct Column {
  T overlap, slope_x, slope_y;  // of the ground over the rim, along `up` [m]
  T z;                          // of the rim [m]
};

/// The ground at `s` over the point `rim`: along `up`, which leans, it comes by its slope; exact on
/// planes.
template <class T, class Slopes>
Column<T> make_column(const Vec3<T>& up, const T& rim_z, const T& z, const Slopes& s) {
  const T steep = up[2] - s.hx * up[0] - s.hy * up[1];
  return {T((s.h - rim_z) / larger(steep, T(0.05))), s.hx, s.hy, z};
}

/// Adds what is between two columns, (1).
template <class T>
void add_strip(const Column<T>& c0, const Column<T>& c1, const T& b, double h, Overlap<T>* sum) {
  using math::select;
  using std::sqrt;
  const T f0 = c0.overlap, f1 = c1.overlap;
  sum->highest = larger(sum->highest, larger(f0, f1));
  if (surely(larger(f0, f1) + b <= 0.0)) return;
  const T B = f1 - f0 + 4.0 * b, D = B * B + 16.0 * b * f0;
  const T root = sqrt(larger(D, T(1e-30)));
  // The roots, without a difference of nearly equal numbers.
  const auto rises = B > 0.0;
  const T w = select(rises, T(B + root), T(B - root));
  const T first = select(rises, T(-2.0 * f0 / w), T(w / (8.0 * b)));
  const T last = select(rises, T(w / (8.0 * b)), T(-2.0 * f0 / w));
  const auto clip = [](const T& t) { return smaller(larger(t, T(0)), T(1)); };
  const T t0 = clip(first), t1 = select(D > 0.0, larger(clip(last), t0), t0);
  const T part = t1 - t0, squares = (t0 + t1) * part;
  const T cubes = t1 * t1 * t1 - t0 * t0 * t0;
  const T mean = f0 * part + 0.5 * B * squares - (4.0 / 3.0) * b * cubes;
  const auto S = [](const T& f) {
    const T inside = larger(f, T(0));
    return T(sqrt(T(inside * inside + kTread * kTread)));
  };
  const T down = 2.0 * mean / (S(f0) + S(f1));  // (2)
  sum->area += h * mean;
  sum->length += h * down;
  sum->rise += down * (f1 + c1.z - f0 - c0.z);
  sum->slope_x += 0.5 * h * down * (c0.slope_x + c1.slope_x);
  sum->slope_y += 0.5 * h * down * (c0.slope_y + c1.slope_y);
}

/// Where the rim is, half a strip before t, over the middle between the rim's heights there.
template <class T>
T calc_bulge(double radius, const T& middle, const T& z0, const T& z1) {
  using std::sqrt;
  return 0.5 * (z0 + z1) + sqrt(T(radius * radius - middle * middle));
}

/// One column after the other.
template <int N>
Overlap<math::Dual<N>> calc_one(const DiscPlane<math::Dual<N>>& disc, double radius, int samples,
                                const Terrain& terrain, TerrainCache* cache) {
  using T = math::Dual<N>;
  const double h = 2 * kReach * radius / samples;
  const double dx = h * disc.forward[0].value, dy = h * disc.forward[1].value;
  const auto sample = [&](double x, double y) { return terrain.sample_mean(x, y, dx, dy, cache); };
  const auto column = [&](double t) {
    const T z = -std::sqrt(radius * radius - t * t);
    const Vec3<T> rim = disc.center + disc.forward * T(t) + disc.up * z;
    return make_column(disc.up, rim[2], z, terrain::sample_surface(sample, rim[0], rim[1]));
  };
  Overlap<T> sum;
  Column<T> before = column(-kReach * radius);
  for (int i = 1; i <= samples; ++i) {
    const double t = -kReach * radius + i * h;
    const Column<T> here = column(t);
    add_strip(before, here, calc_bulge(radius, T(t - 0.5 * h), before.z, here.z), h, &sum);
    before = here;
  }
  return sum;
}

double total(const Eight& x) {
  double sum = 0;
  for (int i = 0; i < 8; ++i) sum += x.lane(i);
  return sum;
}

/// The rim of the disc over eight columns.
struct RimColumns {
  Eight depth;    // below the center, along `up`, negative [m]
  Eight x, y, z;  // [m]
};

/// Columns that are taken at a time, with room for the first of the next, by eights.
constexpr int kBatch = 128;
using Numbers = std::array<double, kBatch + 8>;

Overlap<double> calc_one(const DiscPlane<double>& disc, double radius, int samples,
                         const Terrain& terrain, TerrainCache* cache) {
  const double h = 2 * kReach * radius / samples, begin = -kReach * radius;
  constexpr std::array<double, 8> kSteps = {0, 1, 2, 3, 4, 5, 6, 7};
  const Eight steps = Eight::load(kSteps.data());
  const Vec3<Eight> up(disc.up[0], disc.up[1], disc.up[2]);
  const double dx = h * disc.forward[0], dy = h * disc.forward[1];
  Numbers overlap, slope_x, slope_y, z;
  // The rim over eight columns.
  const auto find_rim = [&](int from) {
    const Eight t = min(begin + h * (steps + static_cast<double>(from)), Eight(-begin));
    const Eight rim = -sqrt(radius * radius - t * t);
    return RimColumns{rim, disc.center[0] + disc.forward[0] * t + disc.up[0] * rim,
                      disc.center[1] + disc.forward[1] * t + disc.up[1] * rim,
                      disc.center[2] + disc.forward[2] * t + disc.up[2] * rim};
  };
  const auto keep = [&](const RimColumns& rim, const terrain::EightSlopes& ground, int at) {
    const Column<Eight> c = make_column(up, rim.z, rim.depth, ground);
    c.overlap.store(&overlap[at]), c.slope_x.store(&slope_x[at]), c.slope_y.store(&slope_y[at]);
    c.z.store(&z[at]);
  };
  // Triangles under a disc are looked for once.
  const auto* edged = std::get_if<terrain::TriangleMap>(&terrain.base);
  const bool is_edged = edged != nullptr && terrain.bumps.empty();
  const auto sample = [&](int first, int count) {
    if (!is_edged) {
      for (int at = 0; at <= count; at += 8) {
        const RimColumns rim = find_rim(first + at);
        keep(rim, terrain.sample_mean(rim.x, rim.y, dx, dy, cache), at);
      }
      return;
    }
    std::array<RimColumns, kBatch / 8 + 1> rims;
    Numbers x, y;
    std::array<terrain::SurfaceSample, kBatch + 8> means;
    for (int at = 0; at <= count; at += 8) {
      rims[at / 8] = find_rim(first + at);
      rims[at / 8].x.store(&x[at]), rims[at / 8].y.store(&y[at]);
    }
    const std::size_t n = count / 8 * 8 + 8;
    edged->sample_means({x.data(), n}, {y.data(), n}, dx, dy, {means.data(), n});
    for (int at = 0; at <= count; at += 8) {
      terrain::EightSlopes ground;
      for (int i = 0; i < 8; ++i) ground.set(i, means[at + i]);
      keep(rims[at / 8], ground, at);
    }
  };
  const auto load = [&](int at) {
    return Column<Eight>{Eight::load(&overlap[at]), Eight::load(&slope_x[at]),
                         Eight::load(&slope_y[at]), Eight::load(&z[at])};
  };
  // Bulge of the outermost strip, where the rim bends most.
  const auto rim_at = [&](double t) { return -std::sqrt(radius * radius - t * t); };
  const double max_bulge = calc_bulge(radius, begin + 0.5 * h, rim_at(begin), rim_at(begin + h));
  Overlap<Eight> sum;
  for (int first = 0; first < samples; first += kBatch) {
    const int count = std::min(samples - first, kBatch);
    sample(first, count);
    for (int at = 0; at < count; at += 8) {
      Column<Eight> c0 = load(at), c1 = load(at + 1);
      // Strips after the last one do not count.
      const auto counts = steps + static_cast<double>(at) < static_cast<double>(count);
      c0.overlap = select(counts, c0.overlap, Eight(-1e3));
      c1.overlap = select(counts, c1.overlap, Eight(-1e3));
      sum.highest = max(sum.highest, max(c0.overlap, c1.overlap));
      if (!any(max(c0.overlap, c1.overlap) > Eight(-max_bulge))) continue;
      const Eight middle = begin + h * (steps + (first + at + 0.5));
      add_strip(c0, c1, calc_bulge(radius, min(middle, Eight(-begin)), c0.z, c1.z), h, &sum);
    }
  }
  Overlap<double> all{total(sum.area), total(sum.length), total(sum.rise), total(sum.slope_x),
                      total(sum.slope_y)};
  for (int i = 0; i < 8; ++i) all.highest = std::max(all.highest, sum.highest.lane(i));
  return all;
}

template <class T>
Overlap<T> calc_all(const DiscPlane<T>& disc, double radius, int samples, const Terrain& terrain,
                    TerrainCache* cache, bool skip) {
  return skip ? Overlap<T>{} : calc_one(disc, radius, samples, terrain, cache);
}

template <int N>
Overlap<math::Lanes<N>> calc_all(const DiscPlane<math::Lanes<N>>& disc, double radius, int samples,
                                 const Terrain& terrain, TerrainCache* cache,
                                 const math::LaneMask<N>& skip) {
  Overlap<math::Lanes<N>> all;
  const auto lane = [](const Vec3<math::Lanes<N>>& v, int i) {
    return Vec3<double>(v[0].lane(i), v[1].lane(i), v[2].lane(i));
  };
  for (int i = 0; i < N; ++i) {
    if (skip.lane(i)) continue;
    const Overlap<double> one =
        calc_one({lane(disc.center, i), lane(disc.forward, i), lane(disc.up, i)}, radius, samples,
                 terrain, cache);
    all.area.set_lane(i, one.area), all.length.set_lane(i, one.length);
    all.rise.set_lane(i, one.rise), all.highest.set_lane(i, one.highest);
    all.slope_x.set_lane(i, one.slope_x), all.slope_y.set_lane(i, one.slope_y);
  }
  return all;
}

}  // namespace

template <class T>
Overlap<T> calc_overlap(const DiscPlane<T>& disc, double radius, int samples,
                        const Terrain& terrain, TerrainCache* cache,
                        const decltype(T() < T())& skip) {
  return calc_all(disc, radius, samples, terrain, cache, skip);
}

#define CAMBER_INSTANTIATE(T)                                                        \
  template Overlap<T> calc_overlap(const DiscPlane<T>&, double, int, const Terrain&, \
                                   TerrainCache*, const decltype(T() < T())&);
CAMBER_FOR_EACH_WHEEL_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::dynamics
