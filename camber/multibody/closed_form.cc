// [002] section 5 without its planar angles: each step turns or moves one link by what is missing,
// measured in the configuration at hand. With c a point of the joint's axis u, v = P - c, d = Q -
// c, and v, d without their parts along u where only these turn:
//   |P - Q| = l after a turn by x:   (d.v) cos x + (d.(u x v)) sin x = (|v|^2 + |d|^2 - l^2) / 2 =
//   C           (1)
//     where along u both keep their parts, so that l^2 loses (v_u - d_u)^2;
//     x = atan2(B, A) + s atan2(sqrt(A^2 + B^2 - C^2), C), with s the sign of the branch (2)
//   P towards Q:                     x = atan2(u.(v x d), v.d) (3) |P - Q| = l after a move by x
//   along the unit vector s: x = -s.e + branch sqrt((s.e)^2 - e.e + l^2), e = P - Q   (4)
// (2) is [002]'s cos^-1 with both signs of its argument's error in view: atan2 keeps all digits
// where cos^-1 loses half of them.
#include "camber/multibody/closed_form.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/multibody/constraint_row.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {

namespace {

template <class T>
Vec3<T> place_of(const PositionKinematics<T>& pos, const ClosedFormStep::Point& point) {
  return pos.p_OL[point.link] +
         pos.R_WL[point.link] * Vec3<T>(T(point.p[0]), T(point.p[1]), T(point.p[2]));
}

template <class T>
Vec3<T> without(const Vec3<T>& x, const Vec3<T>& u) {
  return x - u * dot(x, u);
}

template <class T>
T root_of_positive(const T& x) {
  using math::select;
  using std::sqrt;
  return sqrt(
      select(x > T(0), x, T(0)));  // out of reach: as near as it gets, and the error shows it
}

template <class T>
T solve_step(const ClosedFormStep& step, const PositionKinematics<T>& pos) {
  using std::atan2;
  const Vec3<T> u = pos.R_WL[step.link].c[2], c = pos.p_OL[step.link];
  const Vec3<T> P = place_of(pos, step.P), Q = place_of(pos, step.Q);
  if (step.kind == ClosedFormStep::Kind::kAim) {
    const Vec3<T> v = P - c, d = Q - c;
    return atan2(dot(u, cross(v, d)), dot(without(v, u), without(d, u)));  // (3)
  }
  const Vec3<T> n = pos.R_WL[step.plane_link].c[2];
  T l2 = T(step.length * step.length);
  if (step.planar) {
    const Vec3<T> x = without(place_of(pos, step.length_to) - place_of(pos, step.length_from), n);
    l2 = dot(x, x);
  }
  if (step.kind == ClosedFormStep::Kind::kSlide) {
    const Vec3<T> e = step.planar ? without(P - Q, n) : P - Q;
    const T b = dot(u, e);
    return root_of_positive(T(b * b - dot(e, e) + l2)) * T(step.branch) - b;  // (4)
  }
  const Vec3<T> v = P - c, d = Q - c;
  const Vec3<T> v_t = without(v, u), d_t = without(d, u);
  if (!step.planar) {
    const T along = dot(v - d, u);
    l2 -= along * along;
  }
  const T A = dot(d_t, v_t), B = dot(d, cross(u, v_t));
  const T C = (dot(v_t, v_t) + dot(d_t, d_t) - l2) * T(0.5);
  return atan2(B, A) +
         atan2(root_of_positive(T(A * A + B * B - C * C)), C) * T(step.branch);  // (1), (2)
}

}  // namespace

template <class T>
void close_in_closed_form(const Model<T>& model, const std::vector<ClosedFormStep>& plan,
                          VectorX<T>* q, PositionKinematics<T>* pos) {
  using math::sincos;
  for (const ClosedFormStep& step : plan) {
    const int i = model.links[step.link].q_start;
    (*q)[i] += solve_step(step, *pos);
    if (step.kind != ClosedFormStep::Kind::kSlide) sincos((*q)[i], &pos->sine[i], &pos->cosine[i]);
    for (const int l : step.moved) internal::place_link(model, l, *q, pos);
  }
}

namespace {

class Planner {
 public:
  Planner(const CompiledMechanism& mechanism, const Cluster& cluster,
          const std::vector<bool>& is_known, const VectorX<double>& q)
      : mechanism_(mechanism),
        model_(mechanism.model),
        cluster_(cluster),
        is_known_(is_known),
        pos_(model_) {
    calc_position_kinematics(model_, q, &pos_);
  }

  std::vector<ClosedFormStep> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& joint : mechanism_.joints) {
        if (joint.rows.empty() || !in_cluster(joint.rows[0])) continue;
        changed |= try_pins(joint.rows);
      }
      for (const int r : cluster_.rows) {
        if (model_.rows[r].kind == RowKind::kDistance) changed |= try_rod(model_.rows[r]);
      }
    }
    for (int k = cluster_.v_start; k < cluster_.v_start + cluster_.nv; ++k) {
      if (!is_known_[k]) return {};
    }
    return std::move(plan_);
  }

 private:
  using Kind = ClosedFormStep::Kind;
  using Point = ClosedFormStep::Point;

  bool in_cluster(int row) const {
    return std::find(cluster_.rows.begin(), cluster_.rows.end(), row) != cluster_.rows.end();
  }

  struct Unknown {
    int link;
    bool on_b;  // on b's side of the loop, or on a's
  };

  // Unknown links of the loop between two links, nearest to the meeting point first; `plane` gets
  // whether all its joints, known ones too, turn about one direction or slide normal to it.
  std::vector<Unknown> unknowns(int a, int b, bool* plane) const {
    std::vector<Unknown> found;
    std::vector<int> all;
    while (a != b) {
      const bool is_b = b > a;
      const int l = is_b ? b : a;
      const Link<double>& link = model_.links[l];
      all.push_back(l);
      bool known = true;
      for (int k = link.v_start; k < link.v_start + link.nv; ++k) known = known && is_known_[k];
      if (!known) found.push_back({l, is_b});
      (is_b ? b : a) = link.parent;
    }
    std::reverse(found.begin(), found.end());
    *plane = true;
    const Vec3<double>* normal = nullptr;
    for (const int l : all) {
      if (model_.links[l].kind == LinkKind::kRevolute) normal = &pos_.R_WL[l].c[2];
      if (model_.links[l].nv != 1 || model_.links[l].kind == LinkKind::kScrew) *plane = false;
    }
    if (normal == nullptr) *plane = false;
    for (const int l : all) {
      if (!*plane) break;
      const double cosine = std::abs(dot(pos_.R_WL[l].c[2], *normal));
      const bool fits =
          model_.links[l].kind == LinkKind::kRevolute ? cosine > 1 - 1e-12 : cosine < 1e-9;
      *plane = *plane && fits;
    }
    return found;
  }

  std::vector<int> moved_by(int link) const {
    std::vector<int> moved;
    for (int l = cluster_.first_link; l < cluster_.first_link + cluster_.link_count; ++l) {
      for (int k = l; k >= cluster_.first_link; k = model_.links[k].parent) {
        if (k == link) {
          moved.push_back(l);
          break;
        }
      }
    }
    return moved;
  }

  void add(ClosedFormStep step) {
    step.moved = moved_by(step.link);
    if (step.kind != Kind::kAim) {
      // At a solution the missing turn or move is zero: the branch is the one that gives it.
      step.branch = 1;
      const double plus = std::abs(std::remainder(solve_step(step, pos_), 2 * std::numbers::pi));
      step.branch = -1;
      const double minus = std::abs(std::remainder(solve_step(step, pos_), 2 * std::numbers::pi));
      step.branch = plus <= minus ? 1 : -1;
    }
    is_known_[model_.links[step.link].v_start] = true;
    plan_.push_back(std::move(step));
  }

  bool try_rod(const ConstraintRow<double>& row) {
    bool plane = false;
    const std::vector<Unknown> list = unknowns(row.a, row.b, &plane);
    if (list.size() != 1) return false;
    const LinkKind kind = model_.links[list[0].link].kind;
    if (kind != LinkKind::kRevolute && kind != LinkKind::kPrismatic) return false;
    const Point on_a{row.a, to_eigen(row.p_A)}, on_b{row.b, to_eigen(row.p_B)};
    ClosedFormStep step;
    step.kind = kind == LinkKind::kRevolute ? Kind::kDistance : Kind::kSlide;
    step.link = step.plane_link = list[0].link;
    step.P = list[0].on_b ? on_b : on_a;
    step.Q = list[0].on_b ? on_a : on_b;
    step.length = row.length;
    add(std::move(step));
    return true;
  }

  // A joint that keeps two points together, in a plane loop with two unknown joints.
  bool try_pins(const std::vector<int>& rows) {
    int points = 0;
    for (const int r : rows) points += model_.rows[r].kind == RowKind::kPoint;
    if (points < 2) return false;
    const ConstraintRow<double>& row = model_.rows[rows[0]];
    bool plane = false;
    const std::vector<Unknown> list = unknowns(row.a, row.b, &plane);
    if (list.size() != 2 || !plane) return false;
    // Two directions of the plane must be held: not where the joint leaves one of them free.
    Unknown turn = list[0], other = list[1];
    if (model_.links[turn.link].kind != LinkKind::kRevolute) std::swap(turn, other);
    if (model_.links[turn.link].kind != LinkKind::kRevolute || !holds_plane(rows, turn.link))
      return false;
    const Point on_a{row.a, to_eigen(row.p_A)}, on_b{row.b, to_eigen(row.p_B)};
    const auto end = [&](const Unknown& x) { return x.on_b ? on_b : on_a; };
    const auto target = [&](const Unknown& x) { return x.on_b ? on_a : on_b; };
    const bool same_side = turn.on_b == other.on_b;
    ClosedFormStep first;
    first.planar = true;
    if (model_.links[other.link].kind == LinkKind::kRevolute) {
      // Two circles. The one nearer to the meeting point turns first, about it the other's pin or
      // the closing point.
      Unknown near = list[0], far = list[1];
      first.kind = Kind::kDistance;
      first.link = first.plane_link = near.link;
      first.P = same_side ? Point{far.link, Vector3::Zero()} : end(near);
      first.Q = same_side ? target(near) : Point{far.link, Vector3::Zero()};
      first.length_from = Point{far.link, Vector3::Zero()};
      first.length_to = end(far);
      turn = far;
    } else {
      const bool slide_is_nearer = list[0].link == other.link;
      first.kind = Kind::kSlide;
      first.link = other.link;
      first.plane_link = turn.link;
      const Point pin{turn.link, Vector3::Zero()};
      if (!same_side) {
        first.P = end(other);
        first.Q = pin;
        first.length_from = pin;
        first.length_to = end(turn);
      } else if (slide_is_nearer) {
        first.P = pin;
        first.Q = target(turn);
        first.length_from = pin;
        first.length_to = end(turn);
      } else {
        first.P = end(other);
        first.Q = pin;
        first.length_from = pin;
        first.length_to = target(turn);
      }
    }
    add(std::move(first));
    ClosedFormStep aim;
    aim.kind = Kind::kAim;
    aim.link = aim.plane_link = turn.link;
    aim.P = end(turn);
    aim.Q = target(turn);
    add(std::move(aim));
    return true;
  }

  // Whether the point rows leave no direction free in the plane normal to a link's axis.
  bool holds_plane(const std::vector<int>& rows, int link) const {
    const Vec3<double> n = pos_.R_WL[link].c[2];
    std::vector<Vec3<double>> held;
    for (const int r : rows) {
      const ConstraintRow<double>& row = model_.rows[r];
      if (row.kind == RowKind::kPoint) held.push_back(without(pos_.R_WL[row.a] * row.e_A, n));
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (std::abs(dot(n, cross(held[i], held[j]))) > 0.1) return true;
      }
    }
    return false;
  }

  const CompiledMechanism& mechanism_;
  const Model<double>& model_;
  const Cluster& cluster_;
  std::vector<bool> is_known_;
  PositionKinematics<double> pos_;
  std::vector<ClosedFormStep> plan_;
};

}  // namespace

std::vector<ClosedFormStep> plan_closed_form(const CompiledMechanism& mechanism,
                                             const Cluster& cluster,
                                             const std::vector<bool>& is_known,
                                             const VectorX<double>& q) {
  return Planner(mechanism, cluster, is_known, q).run();
}

#define CAMBER_INSTANTIATE(T)                                                             \
  template void close_in_closed_form(const Model<T>&, const std::vector<ClosedFormStep>&, \
                                     VectorX<T>*, PositionKinematics<T>*);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
