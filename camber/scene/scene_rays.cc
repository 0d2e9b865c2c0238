#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>

#include "camber/core/require.h"
#include "camber/scene/box_list.h"
#include "camber/scene/mesh_tree.h"
#include "camber/scene/scene.h"
#include "camber/scene/scene_data.h"
#include "camber/scene/shape_rays.h"

// Rays are cast in bundles of packets. The objects that a bundle may meet are listed once, and each
// packet looks at the list. A bundle that has no main direction, or too long a list, is halved; few
// packets walk the trees by themselves. Near objects come first, then the ground, whose cells cost more
// than triangles do, then far objects: most rays end before them.

namespace camber::scene {

using internal::Bounds;
using internal::Boxes16;
using internal::Bundle;
using internal::Candidate;
using internal::Fan;
using internal::FanAxes;
using internal::FanBoxes;
using internal::FanTest;
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

/// Boxes of a tree in the axes of a fan, about the center of a bundle; rounding is covered.
class BoxMover {
 public:
  /// Of a tree in the axes of the world about `about`.
  BoxMover(const Tree& tree, const Vector3& about, const Bundle& bundle, const FanAxes& axes)
      : axes_(axes) {
    set(tree, about - bundle.center, bundle.reach);
  }
  BoxMover(const Tree& tree, const Placed& p, const Bundle& bundle, const FanAxes& axes)
      : axes_(axes), is_turned_(p.is_turned) {
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

  FanBoxes operator()(const Boxes16& boxes) const {
    Float16 low[3], high[3];
    if (!is_turned_) {
      for (int a = 0; a < 3; ++a) {
        low[a] = Float16::load(boxes.low[a]) + Float16(shift_[a] - pad_);
        high[a] = Float16::load(boxes.high[a]) + Float16(shift_[a] + pad_);
      }
      return FanBoxes::turn(axes_, low, high);
    }
    Float16 middle[3], half[3];
    for (int a = 0; a < 3; ++a) {
      const Float16 l = Float16::load(boxes.low[a]), h = Float16::load(boxes.high[a]);
      middle[a] = Float16(0.5F) * (l + h), half[a] = Float16(0.5F) * (h - l);
    }
    for (int a = 0; a < 3; ++a) {
      Float16 m(shift_[a]), h(pad_);
      for (int b = 0; b < 3; ++b) {
        m = mul_add(Float16(R_[a][b]), middle[b], m);
        h = mul_add(Float16(std::abs(R_[a][b])), half[b], h);
      }
      low[a] = m - h, high[a] = m + h;
    }
    return FanBoxes::turn(axes_, low, high);
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

  FanAxes axes_;
  float shift_[3], pad_ = 0;
  bool is_turned_ = false;
  float R_[3][3] = {};
};

typedef float Four __attribute__((vector_size(16)));  // NOLINT(modernize-use-using)

/// Four rows of numbers become columns.
void transpose(Four* r) {
  const Four low01 = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
  const Four high01 = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
  const Four low23 = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
  const Four high23 = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
  r[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
  r[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
  r[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
  r[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

/// The boxes of the first children of eight nodes, then those of the second ones.
void list_boxes(const internal::TreeNode* const* nodes, Boxes16* boxes) {
  static_assert(offsetof(internal::TreeNode, box) == 0 && sizeof(Bounds) == 6 * sizeof(float));
  for (int first = 0; first < 8; first += 4) {
    Four part[3][4];  // of the twelve numbers of a node
    for (int n = 0; n < 4; ++n) {
      const float* numbers = nodes[first + n]->box[0].low;
      for (int p = 0; p < 3; ++p) std::memcpy(&part[p][n], numbers + 4 * p, sizeof(Four));
    }
    for (auto& rows : part) transpose(rows);
    for (int c = 0; c < 2; ++c) {
      for (int k = 0; k < 6; ++k) {
        const Four& column = part[(6 * c + k) / 4][(6 * c + k) % 4];
        std::memcpy((k < 3 ? boxes->low[k] : boxes->high[k - 3]) + 8 * c + first, &column,
                    sizeof column);
      }
    }
  }
}

/// Goes through the leaves of a tree that the fan meets: leaf(first, count, box, enter), until it
/// returns false. Boxes are in the axes of the fan.
template <class Leaf>
bool search(const Tree& tree, const FanTest& fan, const BoxMover& mover, const Leaf& leaf) {
  if (tree.nodes.empty()) return true;
  // First in, first out: a node has come from memory by the time that it is looked at.
  constexpr unsigned kRoom = 1024, kTogether = 8;
  std::int32_t queue[kRoom];
  unsigned first = 0, last = 0;
  queue[last++] = 0;
  Boxes16 boxes;
  alignas(64) float enters[16];
  while (first != last) {
    const unsigned count = std::min(kTogether, last - first);
    const internal::TreeNode* nodes[kTogether];
    for (unsigned n = 0; n < kTogether; ++n) {
      nodes[n] = &tree.nodes[queue[(first + std::min(n, count - 1)) % kRoom]];
    }
    first += count;
    list_boxes(nodes, &boxes);
    const FanBoxes moved = mover(boxes);
    Float16 enter;
    unsigned bits = fan.meet(moved, &enter) & ((1U << count) - 1U) * 0x101U;
    if (bits == 0) continue;
    enter.store(enters);
    Boxes16 met;
    moved.store(&met);
    for (; bits != 0; bits &= bits - 1) {
      const int k = std::countr_zero(bits);
      const std::int32_t child = nodes[k % kTogether]->child[k / kTogether];
      if (child >= 0) {
        if (last - first == kRoom) return false;
        __builtin_prefetch(&tree.nodes[child]);
        queue[last++ % kRoom] = child;
        continue;
      }
      const Tree::Leaf part = Tree::leaf_of(child);
      if (part.count == 0) continue;
      Bounds box;
      for (int a = 0; a < 3; ++a) box.low[a] = met.low[a][k], box.high[a] = met.high[a][k];
      if (!leaf(part.first, part.count, box, enters[k])) return false;
    }
  }
  return true;
}

}  // namespace

/// Which parts of bundles had too long a list when they were tried last, from part 1 on, and by part 0
/// where most packets need far objects anyway. Scans and pictures look the same way again and again: a
/// part is known by the direction of its bundle and the halves that lead to it.
class ListMemory {
 public:
  /// To be called for each bundle.
  void look(const Vector3& direction) {
    // The angle around the vertical, by a function that grows with it from 0 to 4.
    const double x = direction.x(), y = direction.y(), sum = std::abs(x) + std::abs(y) + 1e-300;
    const double turn = x >= 0 ? 1 + y / sum : 3 - y / sum;
    own_ = &waits_[std::min(kSectors - 1, static_cast<int>(turn * (kSectors / 4)))];
  }
  bool allows(int part) {
    std::uint8_t& wait = (*own_)[part];
    if (wait == 0) return true;
    --wait;
    return false;
  }
  void refuse(int part) {
    constexpr std::uint8_t kWait = 12;  // times
    (*own_)[part] = kWait;
  }

 private:
  static constexpr int kSectors = 32;
  std::array<std::array<std::uint8_t, 2 * Bundle::kMax>, kSectors> waits_{};
  std::array<std::uint8_t, 2 * Bundle::kMax>* own_ = &waits_[0];
};

/// What a thread needs to cast; too large for the stack.
struct Scene::Data::Workspace {
  Bundle bundle;
  internal::BoxList<Candidate, 384> list;                                 // that the rays may meet
  std::array<internal::FilterTriangle, 384 * MeshTree::kLeaf> triangles;  // of the list's leaves
  std::array<bool, 384> is_prepared;                                      // a leaf's triangles are
  float reach = 0;       // max absolute coordinate of the boxes of the list's shapes
  ListMemory memory[2];  // of lists up to a limit, and of all
  std::array<bool, Bundle::kMax> is_done;  // a packet of the bundle has walked the trees

  static Workspace& get() {
    thread_local const auto own = std::make_unique<Workspace>();
    return *own;
  }
};

/// Lists what the fan may meet; false if that is too much.
bool Scene::Data::collect(const Fan& fan, Workspace* work) const {
  work->list.clear();
  work->reach = 0;
  // A shape's box is tested by itself, which needs the size of its numbers.
  const auto add_shape = [&](const Bounds& box, float enter, int number) {
    for (int a = 0; a < 3; ++a) {
      work->reach = std::max({work->reach, std::abs(box.low[a]), std::abs(box.high[a])});
    }
    return work->list.add(box, enter, {number, 0, 0});
  };
  const FanTest test(fan);
  for (const Group* group : {&moving, &still}) {
    const bool is_done =
        search(group->tree, test, BoxMover(group->tree, center, work->bundle, fan.axes),
               [&](std::int32_t first, std::int32_t count, const Bounds& box, float enter) {
                 for (std::int32_t s = first; s < first + count; ++s) {
                   const int number = group->members[group->tree.order[s]];
                   if (!instances[number].is_visible) continue;
                   const Placed& p = placed[number];
                   if (p.mesh < 0) {
                     if (!add_shape(box, enter, number)) return false;
                     continue;
                   }
                   const Tree& tree = trees[p.mesh].tree;
                   const bool has_room = search(
                       tree, test, BoxMover(tree, p, work->bundle, fan.axes),
                       [&](std::int32_t triangle, std::int32_t n, const Bounds& b, float at) {
                         __builtin_prefetch(&trees[p.mesh].triangles[triangle]);
                         return work->list.add(b, at, {number, triangle, n});
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
void Scene::Data::cast_list(int number, float limit, Workspace* work) const {
  Packet* packet = &work->bundle.packets[number];
  const FloatRays& rays = work->bundle.rays[number];
  const Fan& fan = work->bundle.fans[number];
  FanTest test(fan);
  float needed = fan.reach;
  LaneRays lanes;
  for (int a = 0; a < 3; ++a) {
    lanes.o[a] = Float16::load(rays.o[a]), lanes.d[a] = Float16::load(rays.d[a]);
  }
  OwnRays own(*packet);
  internal::BoxRays boxes;
  bool has_boxes = false;
  for (int block = 0; block < work->list.block_count(); ++block) {
    if (!(work->list.enter(block) <= needed)) break;
    unsigned bits = test.meet(work->list.block(block));
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
        const unsigned which =
            internal::meet_box<false>(boxes, fan.axes.turn_back(work->list.box(c)),
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
    needed = std::min(limit, max_of(Float16::load(packet->best_above)));
    test.set_reach(needed);
  }
}

/// By a walk down the trees.
template <bool kAny>
void Scene::Data::cast_group(const Group& group, Packet* packet) const {
  if (group.members.empty()) return;
  FloatRays world;
  for (int a = 0; a < 3; ++a) {
    for (int k = 0; k < kPacket; ++k) {
      world.o[a][k] = static_cast<float>(packet->o[a][k] - center[a]);
      world.d[a][k] = static_cast<float>(packet->d[a][k]);
    }
  }
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
void Scene::Data::cast_objects(int first, int count, int part, float limit, Workspace* work) const {
  constexpr int kFew = 2;  // packets whose own walks cost less than a list
  Bundle& bundle = work->bundle;
  ListMemory& memory = work->memory[limit == HUGE_VALF ? 1 : 0];
  if (count <= kFew) {
    for (int k = first; k < first + count; ++k) {
      cast_group<kAny>(moving, &bundle.packets[bundle.order[k]]);
      cast_group<kAny>(still, &bundle.packets[bundle.order[k]]);
      work->is_done[bundle.order[k]] = true;
    }
    return;
  }
  Fan all;
  if (memory.allows(part)) {
    bool is_short = bundle.make_fans(first, count, &all);
    if (is_short) {
      bundle.set_reach(first, count, limit, &all);
      if (all.reach < 0) return;
      is_short = collect(all, work);
    }
    if (is_short) {
      for (int k = first; k < first + count; ++k) {
        if (!ground) bundle.prefetch(k);
        const int packet = bundle.order[k];
        if (bundle.fans[packet].reach >= 0) cast_list<kAny>(packet, limit, work);
      }
      return;
    }
    memory.refuse(part);
  }
  bundle.split(first, count);
  const int half = count / 2;
  cast_objects<kAny>(first, half, 2 * part, limit, work);
  cast_objects<kAny>(first + half, count - half, 2 * part + 1, limit, work);
}

/// Objects near the origins of a bundle's rays, and the range up to which they are. Those farther away
/// are mostly behind these or behind ground: cast_far() looks at them for the packets that still need
/// them.
template <bool kAny>
float Scene::Data::cast_near(Workspace* work) const {
  constexpr float kNear = 0.25F;  // of the reach
  Bundle& bundle = work->bundle;
  std::fill_n(work->is_done.begin(), bundle.count, false);
  const Packet& middle = bundle.packets[bundle.count / 2];
  for (ListMemory& memory : work->memory)
    memory.look(Vector3(middle.d[0][0], middle.d[1][0], middle.d[2][0]));
  float reach = 0;
  for (int k = 0; k < bundle.count; ++k)
    reach = std::max(reach, max_of(Float16::load(bundle.packets[k].best_above)));
  const float limit = work->memory[0].allows(0) ? kNear * reach : HUGE_VALF;
  cast_objects<kAny>(0, bundle.count, 1, limit, work);
  return limit;
}

template <bool kAny>
void Scene::Data::cast_far(float limit, Workspace* work) const {
  Bundle& bundle = work->bundle;
  int rest = 0;
  for (int k = 0; k < bundle.count; ++k) {
    if (!work->is_done[k] && max_of(Float16::load(bundle.packets[k].best_above)) > limit)
      bundle.order[rest++] = static_cast<std::uint8_t>(k);
  }
  bundle.fans_count = 0;
  if (2 * rest > bundle.count) work->memory[0].refuse(0);
  if (rest > 0) cast_objects<kAny>(0, rest, 1, HUGE_VALF, work);
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
    const int bad = bundle.load(rays.subspan(start, end - start));
    if (bad >= 0) {
      const std::size_t first = start + static_cast<std::size_t>(bad) * kPacket;
      throw_bad_ray(rays.subspan(first, std::min<std::size_t>(kPacket, end - first)), first, what);
    }
    bundle.later = rays.subspan(end);
    const float limit = has_objects ? cast_near<kAny>(&work) : HUGE_VALF;
    if (ground) ground->cast<kAny>(&bundle);
    if (limit < HUGE_VALF) cast_far<kAny>(limit, &work);
    for (int k = 0; k < bundle.count; ++k) finish_packet(bundle.packets[k], start + kPacket * k);
  }
}

/// Hits of the first `count` rays of a packet.
void Scene::Data::finish(const Packet& packet, std::size_t count, Hit* hits) const {
  using internal::Double8;
  // Those that meet the ground, first.
  alignas(64) double normal[3][kPacket];
  int material[kPacket], label[kPacket];
  unsigned objects = 0;
  for (int k = 0; k < kPacket; ++k) {
    const bool is_ground = internal::instance_of(packet.key[k]) == kGround;
    normal[0][k] = is_ground ? -packet.slope_x[k] : 0.0;
    normal[1][k] = is_ground ? -packet.slope_y[k] : 0.0;
    normal[2][k] = 1;
    material[k] = ground_material, label[k] = ground_label;
    objects |= (!is_ground && packet.key[k] != internal::kNoKey ? 1U : 0U) << k;
  }
  for (unsigned bits = objects; bits != 0; bits &= bits - 1) {
    const int k = std::countr_zero(bits);
    const int instance = internal::instance_of(packet.key[k]);
    const Placed& p = placed[instance];
    material[k] = p.material, label[k] = p.label;
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
        if (t.surface.material >= 0) material[k] = t.surface.material;
        if (t.surface.label >= 0) label[k] = t.surface.label;
      }
    } else {
      // Written out: Eigen's product is fused where the build has FMA, which is another last bit.
      Vector3 at, point;
      for (int a = 0; a < 3; ++a)
        at[a] = (packet.o[a][k] + packet.best[k] * packet.d[a][k]) - p.p_WS[a];
      for (int a = 0; a < 3; ++a) {
        point[a] = (p.R_SW(a, 0) * at[0] + p.R_SW(a, 1) * at[1]) + p.R_SW(a, 2) * at[2];
      }
      const Vector3 found = internal::find_normal(instances[instance].shape, point,
                                                  internal::primitive_of(packet.key[k]));
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
    Hit& hit = hits[k];
    if (packet.key[k] == internal::kNoKey) {
      hit = Hit{};
      continue;
    }
    hit.range = packet.best[k];
    hit.normal = Vector3(normal[0][k], normal[1][k], normal[2][k]);
    hit.instance = internal::instance_of(packet.key[k]);
    hit.primitive = internal::primitive_of(packet.key[k]);
    hit.material = material[k], hit.label = label[k];
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
