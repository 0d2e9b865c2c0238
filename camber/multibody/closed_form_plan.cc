// Finds an order in which a cluster's loops can be closed one after the other, each by a joint that
// moves until a distance is right and one that aims (closed_form.cc has the equations).
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "camber/multibody/closed_form.h"

namespace camber::multibody {

namespace {

Vec3<double> without(const Vec3<double>& x, const Vec3<double>& u) { return x - u * dot(x, u); }

class Planner {
 public:
  Planner(const MechanismTree& mechanism, const Cluster& cluster, const std::vector<bool>& is_known,
          const VectorX<double>& q)
      : mechanism_(mechanism),
        model_(mechanism.model),
        cluster_(cluster),
        is_known_(is_known),
        spin_ends_(mechanism.model.links.size()),
        q_(q),
        pos_(model_) {
    calc_position_kinematics(model_, q, &pos_);
  }

  std::vector<ClosedFormStep> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& joint : mechanism_.joints) {
        if (joint.rows.empty() || !in_cluster(joint.rows[0])) continue;
        changed |= try_joint(joint.rows);
      }
      for (const int r : cluster_.rows) {
        if (model_.rows[r].kind == RowKind::kDistance) changed |= try_rod(model_.rows[r]);
        if (model_.rows[r].kind == RowKind::kCoupler) changed |= try_coupler(r);
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

  // An unknown joint of a loop, or two that make a universal joint.
  struct Unknown {
    enum class Kind { kPin, kSlide, kUniversal, kBall, kSpin, kOther };
    Kind kind = Kind::kOther;
    int link = 0;        // the inner one of a universal joint's two
    int outer_link = 0;  // equal to `link` except for universal joints
    bool on_b = false;   // on b's side of the loop, or on a's
  };

  struct Loop {
    std::vector<Unknown> unknowns;  // nearest to the meeting point of the two sides first
    bool is_plane = true;           // all joints, known ones too, turn about one direction or slide
                                    // normal to it
  };

  bool in_cluster(int row) const {
    return std::find(cluster_.rows.begin(), cluster_.rows.end(), row) != cluster_.rows.end();
  }

  const Vec3<double>& axis(int link) const { return pos_.R_WL[link].c[2]; }

  Loop loop_between(int a, int b) const {
    Loop loop;
    std::vector<int> all;
    while (a != b) {
      const bool is_b = b > a;
      const int l = is_b ? b : a;
      all.push_back(l);
      if (const auto unknown = unknown_at(l, is_b)) loop.unknowns.push_back(*unknown);
      (is_b ? b : a) = model_.links[l].parent;
    }
    std::reverse(loop.unknowns.begin(), loop.unknowns.end());
    join_universals(&loop.unknowns);
    loop.is_plane = is_plane(all);
    return loop;
  }

  std::optional<Unknown> unknown_at(int l, bool on_b) const {
    const Link<double>& link = model_.links[l];
    int known = 0;
    for (int k = link.v_start; k < link.v_start + link.nv; ++k) known += is_known_[k];
    if (known == link.nv) return std::nullopt;
    Unknown unknown{Unknown::Kind::kOther, l, l, on_b};
    if (link.kind == LinkKind::kRevolute) unknown.kind = Unknown::Kind::kPin;
    if (link.kind == LinkKind::kPrismatic) unknown.kind = Unknown::Kind::kSlide;
    if (link.kind == LinkKind::kSpherical && known == 0)
      unknown.kind = spin_ends_[l] ? Unknown::Kind::kSpin : Unknown::Kind::kBall;
    return unknown;
  }

  // Two successive pins whose axes meet in the outer one's origin.
  void join_universals(std::vector<Unknown>* unknowns) const {
    for (std::size_t i = 0; i + 1 < unknowns->size(); ++i) {
      Unknown& inner = (*unknowns)[i];
      const Unknown& outer = (*unknowns)[i + 1];
      const bool pins = inner.kind == Unknown::Kind::kPin && outer.kind == Unknown::Kind::kPin;
      if (!pins || model_.links[outer.link].parent != inner.link) continue;
      const Vec3<double> between = pos_.p_OL[outer.link] - pos_.p_OL[inner.link];
      if (dot(between, between) > 0) continue;
      if (std::abs(dot(axis(inner.link), axis(outer.link))) > 0.9) continue;
      inner.kind = Unknown::Kind::kUniversal;
      inner.outer_link = outer.link;
      unknowns->erase(unknowns->begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }

  bool is_plane(const std::vector<int>& links) const {
    const Vec3<double>* normal = nullptr;
    for (const int l : links) {
      if (model_.links[l].kind == LinkKind::kRevolute) normal = &axis(l);
      if (model_.links[l].nv != 1 || model_.links[l].kind == LinkKind::kScrew) return false;
    }
    if (normal == nullptr) return false;
    return std::all_of(links.begin(), links.end(), [&](int l) {
      const double cosine = std::abs(dot(axis(l), *normal));
      return model_.links[l].kind == LinkKind::kRevolute ? cosine > 1 - 1e-12 : cosine < 1e-9;
    });
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
    const bool has_branches =
        step.kind == Kind::kDistance || step.kind == Kind::kSlide || step.kind == Kind::kLevel;
    if (has_branches) {
      // At a solution the missing turn or move is zero: the branch is the one that gives it.
      const auto missing = [&](double branch) {
        step.branch = branch;
        return std::abs(std::remainder(calc_missing(model_, step, q_, pos_), 2 * std::numbers::pi));
      };
      step.branch = missing(1) <= missing(-1) ? 1 : -1;
    }
    const Link<double>& link = model_.links[step.link];
    if (step.kind == Kind::kPoint) {
      spin_ends_[step.link] = step.P;
    } else {
      for (int k = 0; k < link.nv; ++k) is_known_[link.v_start + k] = true;
    }
    plan_.push_back(std::move(step));
  }

  static bool can_move(const Unknown& x) {
    return x.kind == Unknown::Kind::kPin || x.kind == Unknown::Kind::kSlide ||
           x.kind == Unknown::Kind::kSpin;
  }

  ClosedFormStep moving_step(const Unknown& mover) const {
    ClosedFormStep step;
    step.kind = mover.kind == Unknown::Kind::kSlide ? Kind::kSlide : Kind::kDistance;
    step.link = step.other_axis = mover.link;
    step.is_spin = mover.kind == Unknown::Kind::kSpin;
    if (step.is_spin) step.spin_end = *spin_ends_[mover.link];
    return step;
  }

  bool try_rod(const ConstraintRow<double>& row) {
    const Loop loop = loop_between(row.a, row.b);
    if (loop.unknowns.size() != 1 || !can_move(loop.unknowns[0])) return false;
    const Point on_a{row.a, to_eigen(row.p_A)}, on_b{row.b, to_eigen(row.p_B)};
    const Unknown& mover = loop.unknowns[0];
    ClosedFormStep step = moving_step(mover);
    step.P = mover.on_b ? on_b : on_a;
    step.Q = mover.on_b ? on_a : on_b;
    step.length = row.length;
    add(std::move(step));
    return true;
  }

  bool try_coupler(int r) {
    int unknown = -1, count = 0;
    for (const CouplerTerm<double>& term : model_.rows[r].terms) {
      if (is_known_[term.v]) continue;
      unknown = term.v;
      ++count;
    }
    if (count != 1) return false;
    ClosedFormStep step;
    step.kind = Kind::kCouple;
    step.row = r;
    for (int l = cluster_.first_link; l < cluster_.first_link + cluster_.link_count; ++l) {
      if (model_.links[l].v_start == unknown) step.link = l;
    }
    add(std::move(step));
    return true;
  }

  // A joint that keeps two points together, in a loop with two unknown joints.
  bool try_joint(const std::vector<int>& rows) {
    const auto points = std::count_if(
        rows.begin(), rows.end(), [&](int r) { return model_.rows[r].kind == RowKind::kPoint; });
    if (points < 2) return false;
    const ConstraintRow<double>& row = model_.rows[rows[0]];
    const Loop loop = loop_between(row.a, row.b);
    if (loop.unknowns.size() != 2) return false;
    // Which of the two aims: of two pins the one further out.
    const auto choice = loop.is_plane ? aimer_in_plane(loop, rows) : aimer_in_space(loop);
    if (!choice || (!loop.is_plane && points < 3)) return false;
    const bool aimer_is_nearer = *choice == 0;
    const Unknown &aimer = loop.unknowns[*choice], &mover = loop.unknowns[1 - *choice];
    const Point on_a{row.a, to_eigen(row.p_A)}, on_b{row.b, to_eigen(row.p_B)};
    const auto end = [&](const Unknown& x) { return x.on_b ? on_b : on_a; };
    const auto target = [&](const Unknown& x) { return x.on_b ? on_a : on_b; };
    const Point pivot{aimer.link, Vector3::Zero()};

    ClosedFormStep move = moving_step(mover);
    move.planar = loop.is_plane;
    if (move.planar) move.other_axis = aimer.link;
    move.has_length_points = true;
    move.length_from = pivot;
    move.length_to = end(aimer);
    if (mover.on_b != aimer.on_b) {  // one on each side: the mover brings its end within reach
      move.P = end(mover);
      move.Q = pivot;
    } else if (!aimer_is_nearer) {  // the mover carries the aimer
      move.P = pivot;
      move.Q = target(aimer);
    } else {  // the aimer carries the mover, which sets the reach
      move.P = end(mover);
      move.Q = pivot;
      move.length_to = target(aimer);
    }
    add(std::move(move));
    aim(aimer, end(aimer), target(aimer));
    return true;
  }

  void aim(const Unknown& aimer, const Point& P, const Point& Q) {
    ClosedFormStep step;
    step.P = P;
    step.Q = Q;
    if (aimer.kind == Unknown::Kind::kUniversal) {
      step.kind = Kind::kLevel;
      step.link = aimer.outer_link;
      step.other_axis = aimer.link;
      add(step);
    }
    step.kind = aimer.kind == Unknown::Kind::kBall ? Kind::kPoint : Kind::kAim;
    step.link = step.other_axis = aimer.link;
    add(step);
  }

  // Two pins, or a pin and a slide; the joint must hold two directions of the plane.
  std::optional<std::size_t> aimer_in_plane(const Loop& loop, const std::vector<int>& rows) const {
    const bool far_is_pin = loop.unknowns[1].kind == Unknown::Kind::kPin;
    const std::size_t aimer = far_is_pin ? 1 : 0;
    if (loop.unknowns[aimer].kind != Unknown::Kind::kPin) return std::nullopt;
    if (!holds_plane(rows, loop.unknowns[aimer].link)) return std::nullopt;
    return aimer;
  }

  static std::optional<std::size_t> aimer_in_space(const Loop& loop) {
    for (const std::size_t i : {0, 1}) {
      const Unknown::Kind kind = loop.unknowns[i].kind;
      const bool aims = kind == Unknown::Kind::kUniversal || kind == Unknown::Kind::kBall;
      if (aims && can_move(loop.unknowns[1 - i])) return i;
    }
    return std::nullopt;
  }

  // Whether the point rows leave no direction free in the plane normal to a link's axis.
  bool holds_plane(const std::vector<int>& rows, int link) const {
    const Vec3<double>& n = axis(link);
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

  const MechanismTree& mechanism_;
  const Model<double>& model_;
  const Cluster& cluster_;
  std::vector<bool> is_known_;
  /// For ball-jointed links that have one point in place: that point.
  std::vector<std::optional<Point>> spin_ends_;
  const VectorX<double>& q_;
  PositionKinematics<double> pos_;
  std::vector<ClosedFormStep> plan_;
};

}  // namespace

std::vector<ClosedFormStep> plan_closed_form(const MechanismTree& mechanism, const Cluster& cluster,
                                             const std::vector<bool>& is_known,
                                             const VectorX<double>& q) {
  return Planner(mechanism, cluster, is_known, q).run();
}

}  // namespace camber::multibody
