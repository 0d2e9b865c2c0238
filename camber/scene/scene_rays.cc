#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "camber/core/require.h"
#include "camber/scene/box_list.h"
#include "camber/scene/mesh_tree.h"
#include "camber/scene/scene.h"
#include "camber/scene/scene_data.h"
#include "camber/scene/shape_rays.h"

// Rays are cast in bundles of packets. The objects that a bundle may meet are listed once, and each
// packet looks at the list. A bundle that has no main direction, or too long a list, is halved; few
// packets walk the trees by themselves. The ground comes last: its cells cost more than triangles do,
// and rays that end at an object need none.

namespace camber::scene {

using internal::Bounds;
using internal::Bundle;
using internal::Candidate;
using internal::Fan;
using internal::Float16;
using internal::FloatRays;
using internal::kPacket;
using internal::LaneRays;
using internal::LeafTriangle;
using internal::MeshRays;
using internal::MeshTree;
using internal::Packet;
using internal::Placed;
using internal::Tree;

namespace {

[[noreturn]] void throw_bad_ray(std::span<const Ray> rays, std::size_t first, const char* what) {
  for (std::size_t k = 0; k < rays.size(); ++k) {
    const double square = rays[k].direction.squaredNorm();
    require(rays[k].origin.allFinite() && square > 0.25 && square < 4 && rays[k].max_range >= 0,
            what, ": ray ", first + k,
            " needs a finite origin, a unit direction and max_range >= 0");
  }
  throw std::invalid_argument(what);
}

/// The packet in the axes of an instance, about the origin of its mesh.
void to_own_axes(const Packet& packet, const Placed& p, MeshRays* rays) {
  using internal::Double8;
  for (int half = 0; half < kPacket; half += 8) {
    Double8 o[3], d[3];
    for (int a = 0; a < 3; ++a) {
      o[a] = Double8::load(packet.o[a] + half) - p.p_WS[a];
      d[a] = Double8::load(packet.d[a] + half);
    }
    for (int a = 0; a < 3; ++a) {
      if (p.is_turned) {
        const Double8 x = (p.R_SW(a, 0) * o[0] + p.R_SW(a, 1) * o[1]) + p.R_SW(a, 2) * o[2];
        const Double8 v = (p.R_SW(a, 0) * d[0] + p.R_SW(a, 1) * d[1]) + p.R_SW(a, 2) * d[2];
        (x - p.origin[a]).store(rays->o[a] + half);
        v.store(rays->d[a] + half);
      } else {
        (o[a] - p.origin[a]).store(rays->o[a] + half);
        d[a].store(rays->d[a] + half);
      }
    }
  }
}

/// The packet in the axes of the instance that was asked for last.
class OwnRays {
 public:
  explicit OwnRays(const Packet& packet) : packet_(packet) {}

  MeshRays* find(const Placed& p, int instance) {
    if (instance_ == instance) return &rays_;
    // The shear depends on directions alone.
    const bool keeps_shear = rays_.has_shear && !is_turned_ && !p.is_turned;
    to_own_axes(packet_, p, &rays_);
    rays_.has_shear = keeps_shear;
    instance_ = instance, is_turned_ = p.is_turned;
    return &rays_;
  }

 private:
  const Packet& packet_;
  MeshRays rays_;
  int instance_ = -1;
  bool is_turned_ = false;
};

template <bool kAny>
void cast_shape(const Instance& instance, const MeshRays& rays, int number, unsigned which,
                Packet* packet) {
  for (; which != 0; which &= which - 1) {
    const int k = std::countr_zero(which);
    if (packet->best_above[k] < 0) continue;
    const auto hit =
        internal::meet_shape(instance.shape, Vector3(rays.o[0][k], rays.o[1][k], rays.o[2][k]),
                             Vector3(rays.d[0][k], rays.d[1][k], rays.d[2][k]));
    if (hit.side < 0) continue;
    const std::int64_t key = internal::make_key(number, hit.side);
    if constexpr (kAny) {
      if (hit.range <= packet->best[k]) packet->finish(k);
    } else if (packet->is_better(k, hit.range, key)) {
      packet->take(k, hit.range, key);
    }
  }
}

/// Boxes of a tree in the axes of the world, about the center of a bundle; rounding is covered.
class BoxMover {
 public:
  /// Of a tree in the axes of the world about `about`.
  BoxMover(const Tree& tree, const Vector3& about, const Bundle& bundle) {
    set(tree, about - bundle.center, bundle.reach);
  }
  BoxMover(const Tree& tree, const Placed& p, const Bundle& bundle) : is_turned_(p.is_turned) {
    Vector3 middle = p.origin;
    if (is_turned_) {
      const Matrix3 R_WS = p.R_SW.transpose();
      middle = R_WS * p.origin;
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) R_[a][b] = static_cast<float>(R_WS(a, b));
      }
    }
    set(tree, middle + p.p_WS - bundle.center, bundle.reach);
  }

  Bounds operator()(const Bounds& box) const {
    Bounds moved;
    if (!is_turned_) {
      for (int a = 0; a < 3; ++a) {
        moved.low[a] = box.low[a] + (shift_[a] - pad_);
        moved.high[a] = box.high[a] + (shift_[a] + pad_);
      }
      return moved;
    }
    if (box.is_empty()) return moved;
    for (int a = 0; a < 3; ++a) {
      float middle = shift_[a], half = pad_;
      for (int b = 0; b < 3; ++b) {
        middle += R_[a][b] * (0.5F * (box.low[b] + box.high[b]));
        half += std::abs(R_[a][b]) * (0.5F * (box.high[b] - box.low[b]));
      }
      moved.low[a] = middle - half, moved.high[a] = middle + half;
    }
    return moved;
  }

 private:
  void set(const Tree& tree, const Vector3& shift, float reach) {
    float sum = reach;
    for (int a = 0; a < 3; ++a) {
      shift_[a] = static_cast<float>(shift[a]);
      sum += std::abs(shift_[a]) + tree.reach[a];
    }
    pad_ = 0x1p-19F * sum + 1e-30F;
  }

  float shift_[3], pad_ = 0;
  bool is_turned_ = false;
  float R_[3][3] = {};
};

/// Goes through the leaves of a tree that the fan meets: leaf(first, count, box, enter), until it
/// returns false.
template <class Leaf>
bool search(const Tree& tree, const Fan& fan, const BoxMover& mover, const Leaf& leaf) {
  if (tree.nodes.empty()) return true;
  // First in, first out: a node has come from memory by the time that it is looked at.
  constexpr int kRoom = 1024;
  std::int32_t queue[kRoom];
  unsigned first = 0, last = 0;
  queue[last++] = 0;
  while (first != last) {
    const internal::TreeNode& node = tree.nodes[queue[first++ % kRoom]];
    for (int c = 0; c < 2; ++c) {
      const Bounds box = mover(node.box[c]);
      const float enter = fan.enter(box);
      if (enter < 0) continue;
      if (node.child[c] >= 0) {
        if (last - first == kRoom) return false;
        __builtin_prefetch(&tree.nodes[node.child[c]]);
        queue[last++ % kRoom] = node.child[c];
        continue;
      }
      const Tree::Leaf part = Tree::leaf_of(node.child[c]);
      if (part.count > 0 && !leaf(part.first, part.count, box, enter)) return false;
    }
  }
  return true;
}

}  // namespace

/// What a thread needs to cast; too large for the stack.
struct Scene::Data::Workspace {
  Bundle bundle;
  internal::BoxList<Candidate, 384> list;                                 // that the rays may meet
  std::array<internal::FilterTriangle, 384 * MeshTree::kLeaf> triangles;  // of the list's leaves
  std::array<bool, 384> is_prepared;                                      // a leaf's triangles are
  float reach = 0;  // max absolute coordinate of the list's boxes
  internal::ListLength length;

  static Workspace& get() {
    thread_local const auto own = std::make_unique<Workspace>();
    return *own;
  }
};

/// Lists what the fan may meet; false if that is too much.
bool Scene::Data::collect(const Fan& fan, Workspace* work) const {
  work->list.clear();
  work->reach = 0;
  const auto add = [&](const Bounds& box, float enter, const Candidate& candidate) {
    for (int a = 0; a < 3; ++a) {
      work->reach = std::max({work->reach, std::abs(box.low[a]), std::abs(box.high[a])});
    }
    return work->list.add(box, enter, candidate);
  };
  for (const Group* group : {&moving, &still}) {
    const bool is_done =
        search(group->tree, fan, BoxMover(group->tree, center, work->bundle),
               [&](std::int32_t first, std::int32_t count, const Bounds& box, float enter) {
                 for (std::int32_t s = first; s < first + count; ++s) {
                   const int number = group->members[group->tree.order[s]];
                   if (!instances[number].is_visible) continue;
                   const Placed& p = placed[number];
                   if (p.mesh < 0) {
                     if (!add(box, enter, {number, 0, 0})) return false;
                     continue;
                   }
                   const Tree& tree = trees[p.mesh].tree;
                   const bool has_room = search(
                       tree, fan, BoxMover(tree, p, work->bundle),
                       [&](std::int32_t triangle, std::int32_t n, const Bounds& b, float at) {
                         __builtin_prefetch(&trees[p.mesh].triangles[triangle]);
                         return add(b, at, {number, triangle, n});
                       });
                   if (!has_room) return false;
                 }
                 return true;
               });
    if (!is_done) return false;
  }
  work->list.sort();
  std::fill_n(work->is_prepared.begin(), work->list.size(), false);
  return true;
}

/// The triangles of a leaf in the axes of the world, about the center of the bundle.
void Scene::Data::prepare(const Candidate& leaf, const Bundle& bundle,
                          internal::FilterTriangle* out) const {
  const Placed& p = placed[leaf.instance];
  const MeshTree& mesh = trees[p.mesh];
  const Vector3 shift = p.p_WS - bundle.center;
  const Matrix3 R_WS = p.R_SW.transpose();
  for (int k = 0; k < leaf.count; ++k) {
    const LeafTriangle& triangle = mesh.triangles[leaf.first + k];
    Vector3 v[3];
    for (int c = 0; c < 3; ++c) {
      v[c] = Vector3(triangle.v[c][0], triangle.v[c][1], triangle.v[c][2]) + p.origin;
      if (p.is_turned) v[c] = R_WS * v[c];
    }
    const Vector3 e1 = v[1] - v[0], e2 = v[2] - v[0], n = e1.cross(e2), at = v[0] + shift;
    for (int a = 0; a < 3; ++a) {
      out[k].v[a] = static_cast<float>(at[a]), out[k].n[a] = static_cast<float>(n[a]);
      out[k].e1[a] = static_cast<float>(e1[a]), out[k].e2[a] = static_cast<float>(e2[a]);
    }
    out[k].set_errors(bundle.reach);
  }
}

/// First hits of a packet among the candidates.
template <bool kAny>
void Scene::Data::cast_list(int number, Workspace* work) const {
  Packet* packet = &work->bundle.packets[number];
  const FloatRays& rays = work->bundle.rays[number];
  Fan fan = work->bundle.fans[number];
  LaneRays lanes;
  for (int a = 0; a < 3; ++a) {
    lanes.o[a] = Float16::load(rays.o[a]), lanes.d[a] = Float16::load(rays.d[a]);
  }
  OwnRays own(*packet);
  internal::BoxRays boxes;
  bool has_boxes = false;
  for (int block = 0; block < work->list.block_count(); ++block) {
    if (!(work->list.enter(block) <= fan.reach)) break;
    unsigned bits = fan.meet(work->list.block(block));
    if (bits == 0) continue;
    for (; bits != 0; bits &= bits - 1) {
      const int c = 16 * block + std::countr_zero(bits);
      const Candidate& candidate = work->list.item(c);
      const Placed& p = placed[candidate.instance];
      if (candidate.count == 0) {
        if (!has_boxes) {
          const float reach[3] = {work->reach, work->reach, work->reach};
          boxes.set(rays.o, rays.d, reach, packet->active);
          has_boxes = true;
        }
        Float16 enter;
        const unsigned which = internal::meet_box<false>(boxes, work->list.box(c),
                                                         Float16::load(packet->best_above), &enter);
        if (which == 0) continue;
        cast_shape<kAny>(instances[candidate.instance], *own.find(p, candidate.instance),
                         candidate.instance, which, packet);
        continue;
      }
      internal::FilterTriangle* triangles = &work->triangles[MeshTree::kLeaf * c];
      if (!work->is_prepared[c]) {
        prepare(candidate, work->bundle, triangles);
        work->is_prepared[c] = true;
      }
      for (int k = 0; k < candidate.count; ++k) {
        const unsigned may = filter(lanes, triangles[k], Float16::load(packet->best_above));
        if (may == 0) continue;
        MeshRays* exact = own.find(p, candidate.instance);
        if (!exact->has_shear) exact->calc_shear();
        const LeafTriangle& triangle = trees[p.mesh].triangles[candidate.first + k];
        decide<kAny>(*exact, triangle, internal::make_key(candidate.instance, triangle.number), may,
                     packet);
      }
    }
    fan.reach = max_of(Float16::load(packet->best_above));
  }
}

/// By a walk down the trees.
template <bool kAny>
void Scene::Data::cast_group(const Group& group, Packet* packet) const {
  if (group.members.empty()) return;
  FloatRays world;
  world.set(*packet, center);
  internal::BoxRays boxes;
  boxes.set(world.o, world.d, group.tree.reach, packet->active);
  internal::walk(group.tree, boxes, *packet, [&](std::int32_t first, std::int32_t count) {
    for (std::int32_t s = first; s < first + count; ++s) {
      const int number = group.members[group.tree.order[s]];
      const Instance& instance = instances[number];
      if (!instance.is_visible) continue;
      const Placed& p = placed[number];
      MeshRays rays;
      to_own_axes(*packet, p, &rays);
      if (p.mesh >= 0) {
        internal::cast_mesh<kAny>(trees[p.mesh], &rays, number, packet);
      } else {
        cast_shape<kAny>(instance, rays, number, packet->active, packet);
      }
    }
  });
}

/// Objects that some packets of the bundle meet.
template <bool kAny>
void Scene::Data::cast_objects(int first, int count, Workspace* work) const {
  constexpr int kFew = 2;  // packets whose own walks cost less than a list
  Bundle& bundle = work->bundle;
  if (count <= kFew) {
    for (int k = first; k < first + count; ++k) {
      cast_group<kAny>(moving, &bundle.packets[k]);
      cast_group<kAny>(still, &bundle.packets[k]);
    }
    work->length.set_walk();
    return;
  }
  Fan all;
  if (work->length.allows(count)) {
    bool is_short = bundle.make_fans(first, count, &all);
    if (is_short) {
      bundle.set_reach(first, count, &all);
      if (all.reach < 0) return;
      is_short = collect(all, work);
    }
    if (is_short) {
      for (int k = first; k < first + count; ++k) {
        if (!ground) bundle.prefetch(k);
        if (bundle.fans[k].reach >= 0) cast_list<kAny>(k, work);
      }
      work->length.set_length(count, work->list.size());
      return;
    }
    work->length.set_full(count);
  }
  const int half = count / 2;
  cast_objects<kAny>(first, half, work);
  cast_objects<kAny>(first + half, count - half, work);
}

template <bool kAny, class Finish>
void Scene::Data::cast(std::span<const Ray> rays, const char* what,
                       const Finish& finish_packet) const {
  require_ready(what);
  Workspace& work = Workspace::get();
  const bool has_objects = !still.members.empty() || !moving.members.empty();
  Bundle& bundle = work.bundle;
  for (std::size_t start = 0; start < rays.size(); start += Bundle::kMax * kPacket) {
    const std::size_t end = std::min<std::size_t>(rays.size(), start + Bundle::kMax * kPacket);
    bundle.count = 0;
    for (std::size_t first = start; first < end; first += kPacket) {
      const auto part = rays.subspan(first, std::min<std::size_t>(kPacket, end - first));
      if (!bundle.packets[bundle.count++].load(part)) throw_bad_ray(part, first, what);
    }
    bundle.set_floats();
    bundle.later = rays.subspan(end);
    if (has_objects) cast_objects<kAny>(0, bundle.count, &work);
    if (ground) ground->cast<kAny>(&bundle);
    for (int k = 0; k < bundle.count; ++k) finish_packet(bundle.packets[k], start + kPacket * k);
  }
}

/// Hits of the first `count` rays of a packet.
void Scene::Data::finish(const Packet& packet, std::size_t count, Hit* hits) const {
  using internal::Double8;
  alignas(64) double normal[3][kPacket] = {};
  std::ranges::fill(normal[2], 1.0);
  for (std::size_t k = 0; k < count; ++k) {
    Hit& hit = hits[k];
    if (packet.key[k] == internal::kNoKey) {
      hit = Hit{};
      continue;
    }
    hit.range = packet.best[k];
    hit.instance = internal::instance_of(packet.key[k]);
    hit.primitive = internal::primitive_of(packet.key[k]);
    if (hit.instance == kGround) {
      normal[0][k] = -packet.slope_x[k], normal[1][k] = -packet.slope_y[k];
      hit.material = ground_material, hit.label = ground_label;
      continue;
    }
    const Placed& p = placed[hit.instance];
    hit.material = p.material, hit.label = p.label;
    double n[3];
    if (p.mesh >= 0) {
      const auto& t = *static_cast<const LeafTriangle*>(packet.leaf[k]);
      double e[2][3];
      for (int a = 0; a < 3; ++a) {
        e[0][a] = static_cast<double>(t.v[1][a]) - static_cast<double>(t.v[0][a]);
        e[1][a] = static_cast<double>(t.v[2][a]) - static_cast<double>(t.v[0][a]);
      }
      n[0] = e[0][1] * e[1][2] - e[0][2] * e[1][1];
      n[1] = e[0][2] * e[1][0] - e[0][0] * e[1][2];
      n[2] = e[0][0] * e[1][1] - e[0][1] * e[1][0];
      if (p.has_surfaces) {
        const Mesh& mesh = meshes[p.mesh];
        const Mesh::Surface& s = mesh.surfaces[mesh.surface_of[hit.primitive]];
        if (s.material >= 0) hit.material = s.material;
        if (s.label >= 0) hit.label = s.label;
      }
    } else {
      // Written out: Eigen's product is fused where the build has FMA, which is another last bit.
      Vector3 at, point;
      for (int a = 0; a < 3; ++a) at[a] = (packet.o[a][k] + hit.range * packet.d[a][k]) - p.p_WS[a];
      for (int a = 0; a < 3; ++a) {
        point[a] = (p.R_SW(a, 0) * at[0] + p.R_SW(a, 1) * at[1]) + p.R_SW(a, 2) * at[2];
      }
      const Vector3 found =
          internal::find_normal(instances[hit.instance].shape, point, hit.primitive);
      for (int a = 0; a < 3; ++a) n[a] = found[a];
    }
    for (int a = 0; a < 3; ++a) {
      normal[a][k] =
          p.is_turned ? (p.R_SW(0, a) * n[0] + p.R_SW(1, a) * n[1]) + p.R_SW(2, a) * n[2] : n[a];
    }
  }
  // Of unit length, toward the ray.
  for (int half = 0; half < kPacket; half += 8) {
    Double8 n[3], along(0.0), square(0.0);
    for (int a = 0; a < 3; ++a) {
      n[a] = Double8::load(normal[a] + half);
      along += n[a] * Double8::load(packet.d[a] + half);
      square += n[a] * n[a];
    }
    const Double8 length = sqrt(square), scale = select(along > 0.0, -length, length);
    for (int a = 0; a < 3; ++a) (n[a] / scale).store(normal[a] + half);
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (hits[k].instance == kNothing) continue;
    hits[k].normal = Vector3(normal[0][k], normal[1][k], normal[2][k]);
  }
}

void Scene::Data::require_ready(const char* what) const {
  require(is_committed, what, ": commit() was not called after the last add_instance()");
  require(is_fitted, what, ": refit() was not called after the last move()");
}

void Scene::cast(std::span<const Ray> rays, std::span<Hit> hits) const {
  require(rays.size() == hits.size(), "Scene::cast: ", rays.size(), " rays, room for ",
          hits.size());
  data_->cast<false>(rays, "Scene::cast", [&](const Packet& packet, std::size_t first) {
    data_->finish(packet, std::min<std::size_t>(kPacket, hits.size() - first), &hits[first]);
  });
}

Hit Scene::cast(const Ray& ray) const {
  Hit hit;
  cast(std::span(&ray, 1), std::span(&hit, 1));
  return hit;
}

void Scene::any_hit(std::span<const Ray> rays, std::span<std::uint8_t> is_hit) const {
  require(rays.size() == is_hit.size(), "Scene::any_hit: ", rays.size(), " rays, room for ",
          is_hit.size());
  data_->cast<true>(rays, "Scene::any_hit", [&](const Packet& packet, std::size_t first) {
    const std::size_t n = std::min<std::size_t>(kPacket, is_hit.size() - first);
    for (std::size_t k = 0; k < n; ++k) is_hit[first + k] = packet.found >> k & 1U;
  });
}

}  // namespace camber::scene
