#include <algorithm>
#include <array>
#include <cmath>

#include "camber/core/require.h"
#include "camber/scene/scene.h"
#include "camber/scene/scene_data.h"
#include "camber/scene/shape_rays.h"

// Queries of one line, point or box at a time, in doubles; boxes of trees are widened by more than
// their rounding.

namespace camber::scene {
namespace {

using internal::Bounds;
using internal::LeafTriangle;
using internal::MeshTree;
using internal::Placed;
using internal::Tree;

/// Calls leaf(k) for each primitive, in the order of the leaves, below boxes for which enter(box)
/// holds.
template <class Enter, class Leaf>
void visit(const Tree& tree, const Enter& enter, const Leaf& leaf) {
  if (tree.nodes.empty()) return;
  std::int32_t stack[128];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const internal::TreeNode& node = tree.nodes[stack[--top]];
    for (int c = 0; c < 2; ++c) {
      if (node.box[c].is_empty() || !enter(node.box[c])) continue;
      if (node.child[c] >= 0) {
        stack[top++] = node.child[c];
        continue;
      }
      const Tree::Leaf part = Tree::leaf_of(node.child[c]);
      for (std::int32_t k = part.first; k < part.first + part.count; ++k) leaf(k);
    }
  }
}

double reach_of(const Tree& tree) {
  return std::max({tree.reach[0], tree.reach[1], tree.reach[2]});
}

bool line_meets_box(const Bounds& box, const Vector3& o, const Vector3& d, double margin) {
  double enter = -HUGE_VAL, leave = HUGE_VAL;
  for (int a = 0; a < 3; ++a) {
    const double low = box.low[a] - margin, high = box.high[a] + margin;
    if (std::abs(d[a]) < 1e-14) {
      if (o[a] < low || o[a] > high) return false;
      continue;
    }
    const double ta = (low - o[a]) / d[a], tb = (high - o[a]) / d[a];
    enter = std::max(enter, std::min(ta, tb)), leave = std::min(leave, std::max(ta, tb));
  }
  return enter <= leave;
}

double square_to_box(const Bounds& box, const Vector3& p) {
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    const double out = std::max({box.low[a] - p[a], 0.0, p[a] - box.high[a]});
    sum += out * out;
  }
  return sum;
}

Vector3 corner(const LeafTriangle& t, int k) { return {t.v[k][0], t.v[k][1], t.v[k][2]}; }

/// [Ericson 2005] section 5.1.5.
Vector3 closest_on_triangle(const Vector3& p, const Vector3& a, const Vector3& b,
                            const Vector3& c) {
  const Vector3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const Vector3 bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + d1 / (d1 - d3) * ab;
  const Vector3 cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + d2 / (d2 - d6) * ac;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
  }
  const double sum = 1 / (va + vb + vc);
  return a + ab * (vb * sum) + ac * (vc * sum);
}

/// Whether an axis separates the points from the box [-half, half].
template <std::size_t N>
bool separates(const Vector3& axis, const std::array<Vector3, N>& points, const Vector3& half) {
  const double r = half.dot(axis.cwiseAbs());
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Vector3& p : points) {
    const double x = axis.dot(p);
    low = std::min(low, x), high = std::max(high, x);
  }
  return low > r || high < -r;
}

/// Separating axes [Akenine-Moeller 2001]; the triangle is given in the box's axes.
bool triangle_meets_box(const std::array<Vector3, 3>& t, const Vector3& half) {
  for (int a = 0; a < 3; ++a) {
    if (separates(Vector3::Unit(a), t, half)) return false;
  }
  const Vector3 edges[3] = {t[1] - t[0], t[2] - t[1], t[0] - t[2]};
  if (separates(edges[0].cross(edges[1]), t, half)) return false;
  for (int a = 0; a < 3; ++a) {
    for (const Vector3& edge : edges) {
      if (separates(Vector3::Unit(a).cross(edge), t, half)) return false;
    }
  }
  return true;
}

/// A box given by its pose in the axes of the other box [-half, half].
bool boxes_meet(const Isometry3& X, const Vector3& size, const Vector3& half) {
  std::array<Vector3, 8> corners;
  for (int k = 0; k < 8; ++k) {
    corners[k] = X * Vector3(((k & 1) - 0.5) * size[0], ((k >> 1 & 1) - 0.5) * size[1],
                             ((k >> 2) - 0.5) * size[2]);
  }
  for (int a = 0; a < 3; ++a) {
    if (separates(Vector3::Unit(a), corners, half)) return false;
    if (separates(X.linear().col(a), corners, half)) return false;
  }
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      if (separates(Vector3::Unit(a).cross(X.linear().col(b)), corners, half)) return false;
    }
  }
  return true;
}

/// Round shapes are convex: projections to and fro approach the closest points [von Neumann].
bool shape_meets_box(const Shape& shape, const Isometry3& X_SB, const Vector3& size) {
  const Vector3 half = 0.5 * size;
  if (const auto* box = std::get_if<Box>(&shape)) return boxes_meet(X_SB, size, 0.5 * box->size);
  constexpr double kTouch = 1e-6;  // [m]
  Vector3 p = X_SB.translation();
  double last = HUGE_VAL;
  for (int k = 0; k < 10000; ++k) {
    const Vector3 on_shape = internal::find_closest_point(shape, p);
    const Vector3 in_box = (X_SB.inverse() * on_shape).cwiseMax(-half).cwiseMin(half);
    p = X_SB * in_box;
    const double gap = (p - on_shape).norm();
    if (gap <= kTouch) return true;
    if (last - gap < 1e-9 * gap) return false;
    last = gap;
  }
  return false;
}

}  // namespace

void Scene::find_column(double x, double y, std::vector<ColumnHit>* hits) const {
  const Data& d = *data_;
  d.require_ready("Scene::find_column");
  require(std::isfinite(x) && std::isfinite(y), "Scene::find_column: the place is not finite");
  hits->clear();
  const double cx = x - d.center.x(), cy = y - d.center.y();
  const auto add = [&](const Placed& p, int number, int primitive, double z, const Vector3& n_S) {
    const Instance& instance = d.instances[number];
    ColumnHit hit{
        z, (p.R_SW.transpose() * n_S).z(), number, primitive, instance.material, instance.label};
    if (p.mesh >= 0 && !d.meshes[p.mesh].surface_of.empty()) {
      const Mesh& mesh = d.meshes[p.mesh];
      const Mesh::Surface& s = mesh.surfaces[mesh.surface_of[primitive]];
      if (s.material >= 0) hit.material = s.material;
      if (s.label >= 0) hit.label = s.label;
    }
    hits->push_back(hit);
  };
  for (const auto* group : {&d.still, &d.moving}) {
    const double margin = 1e-6 * (1 + reach_of(group->tree));
    visit(
        group->tree,
        [&](const Bounds& b) {
          return cx >= b.low[0] - margin && cx <= b.high[0] + margin && cy >= b.low[1] - margin &&
                 cy <= b.high[1] + margin;
        },
        [&](std::int32_t s) {
          const int slot = group->tree.order[s], number = group->members[slot];
          const Instance& instance = d.instances[number];
          if (!instance.is_visible) return;
          const Placed& p = d.placed[number];
          const double top = d.center.z() + group->boxes[slot].high[2] + 1;
          const double bottom = d.center.z() + group->boxes[slot].low[2] - 1;
          const Vector3 o = p.R_SW * (Vector3(x, y, top) - p.p_WS) - p.origin;
          const Vector3 down = -p.R_SW.col(2);
          if (p.mesh >= 0) {
            const MeshTree& tree = d.trees[p.mesh];
            const double slack = 1e-6 * (1 + reach_of(tree.tree));
            visit(
                tree.tree, [&](const Bounds& b) { return line_meets_box(b, o, down, slack); },
                [&](std::int32_t k) {
                  const LeafTriangle& t = tree.triangles[k];
                  const double range = internal::meet_triangle(t, o, down);
                  if (range == HUGE_VAL) return;
                  const Vector3 a = corner(t, 0);
                  add(p, number, t.number, top - range,
                      (corner(t, 1) - a).cross(corner(t, 2) - a).normalized());
                });
            return;
          }
          const auto high = internal::meet_shape(instance.shape, o, down);
          if (high.side < 0) return;
          add(p, number, high.side, top - high.range,
              internal::find_normal(instance.shape, o + high.range * down, high.side));
          const Vector3 from = p.R_SW * (Vector3(x, y, bottom) - p.p_WS);
          const auto low = internal::meet_shape(instance.shape, from, -down);
          if (low.side < 0) return;
          add(p, number, low.side, bottom + low.range,
              internal::find_normal(instance.shape, from - low.range * down, low.side));
        });
  }
  if (d.ground) {
    const terrain::Box2& r = d.ground->region();
    if (x >= r.x0 && x <= r.x1 && y >= r.y0 && y <= r.y1) {
      const terrain::SurfaceSample s = d.ground->sample(x, y);
      hits->push_back({s.h, 1 / std::sqrt(1 + s.hx * s.hx + s.hy * s.hy), kGround, 0,
                       d.ground_material, d.ground_label});
    }
  }
  std::ranges::sort(*hits, [](const ColumnHit& a, const ColumnHit& b) {
    if (a.z != b.z) return a.z > b.z;
    return a.instance != b.instance ? a.instance < b.instance : a.primitive < b.primitive;
  });
  // Both triangles of an edge report it.
  const auto same = [](const ColumnHit& a, const ColumnHit& b) {
    return a.instance == b.instance && std::abs(a.z - b.z) < 1e-9 &&
           (a.slope_z > 0) == (b.slope_z > 0);
  };
  hits->erase(std::unique(hits->begin(), hits->end(), same), hits->end());
}

ClosestPoint Scene::find_closest(const Vector3& p, double reach) const {
  const Data& d = *data_;
  d.require_ready("Scene::find_closest");
  require(p.allFinite() && reach >= 0, "Scene::find_closest: needs a finite point and reach >= 0");
  ClosestPoint best;
  double limit = reach;
  const auto offer = [&](const Placed& placed, int number, int primitive, const Vector3& q_S,
                         const Vector3& p_S) {
    const double distance = (q_S - p_S).norm();
    if (distance > limit) return;
    if (distance == best.distance &&
        (number > best.instance || (number == best.instance && primitive > best.primitive))) {
      return;
    }
    limit = distance;
    best = {distance, placed.R_SW.transpose() * (q_S + placed.origin) + placed.p_WS, number,
            primitive};
  };
  for (const auto* group : {&d.still, &d.moving}) {
    const Vector3 from = p - d.center;
    const double margin = 1e-6 * (1 + reach_of(group->tree));
    const auto is_near = [&](const Bounds& b, const Vector3& q, double slack) {
      const double far = limit + slack;
      return square_to_box(b, q) <= far * far;
    };
    visit(
        group->tree, [&](const Bounds& b) { return is_near(b, from, margin); },
        [&](std::int32_t s) {
          const int number = group->members[group->tree.order[s]];
          const Instance& instance = d.instances[number];
          if (!instance.is_visible) return;
          const Placed& placed = d.placed[number];
          const Vector3 p_S = placed.R_SW * (p - placed.p_WS) - placed.origin;
          if (placed.mesh < 0) {
            offer(placed, number, 0, internal::find_closest_point(instance.shape, p_S), p_S);
            return;
          }
          const MeshTree& tree = d.trees[placed.mesh];
          const double slack = 1e-6 * (1 + reach_of(tree.tree));
          visit(
              tree.tree, [&](const Bounds& b) { return is_near(b, p_S, slack); },
              [&](std::int32_t k) {
                const LeafTriangle& t = tree.triangles[k];
                offer(placed, number, t.number,
                      closest_on_triangle(p_S, corner(t, 0), corner(t, 1), corner(t, 2)), p_S);
              });
        });
  }
  return best;
}

std::vector<int> Scene::find_overlaps(const OrientedBox& box) const {
  const Data& d = *data_;
  d.require_ready("Scene::find_overlaps");
  require(box.X_WB.matrix().allFinite() && box.size.allFinite() && box.size.minCoeff() >= 0,
          "Scene::find_overlaps: the box is not finite");
  std::vector<int> found;
  const Vector3 half = 0.5 * box.size;
  for (const auto* group : {&d.still, &d.moving}) {
    const double margin = 1e-6 * (1 + reach_of(group->tree));
    const auto meets = [&](const Bounds& b, const Isometry3& X_BS, double slack) {
      const Vector3 low(b.low[0], b.low[1], b.low[2]), high(b.high[0], b.high[1], b.high[2]);
      Isometry3 X = X_BS;
      X.translation() = X_BS * Vector3(0.5 * (low + high));
      return boxes_meet(X, high - low + Vector3::Constant(2 * slack), half);
    };
    Isometry3 X_BW = box.X_WB.inverse(), X_BC = X_BW;
    X_BC.translation() = X_BW * d.center;
    visit(
        group->tree, [&](const Bounds& b) { return meets(b, X_BC, margin); },
        [&](std::int32_t s) {
          const int number = group->members[group->tree.order[s]];
          const Instance& instance = d.instances[number];
          if (!instance.is_visible) return;
          const Placed& placed = d.placed[number];
          Isometry3 X_BS = X_BW * instance.X_WS;
          if (placed.mesh < 0) {
            if (shape_meets_box(instance.shape, X_BS.inverse(), box.size)) found.push_back(number);
            return;
          }
          X_BS.translation() = X_BS * placed.origin;
          const MeshTree& tree = d.trees[placed.mesh];
          const double slack = 1e-6 * (1 + reach_of(tree.tree));
          bool touches = false;
          visit(
              tree.tree, [&](const Bounds& b) { return !touches && meets(b, X_BS, slack); },
              [&](std::int32_t k) {
                const LeafTriangle& t = tree.triangles[k];
                touches = touches || triangle_meets_box({X_BS * corner(t, 0), X_BS * corner(t, 1),
                                                         X_BS * corner(t, 2)},
                                                        half);
              });
          if (touches) found.push_back(number);
        });
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace camber::scene
