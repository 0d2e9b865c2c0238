#include "camber/mechanism_code/sketch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/mechanism_code/grouping.h"
#include "camber/mechanism_code/hand_over.h"

namespace camber::mechanism_code {

using multibody::ClosedFormStep, multibody::MechanismTree, multibody::ConstraintRow,
    multibody::LinkKind, multibody::Model, multibody::Partition, multibody::RowKind,
    multibody::to_eigen;

namespace {

constexpr double kParallel = 1 - 1e-12;

// The sign that makes the first large component positive, so that mirror images have equal axes.
double canonical_sign(const Vector3& u) {
  for (int i = 0; i < 3; ++i)
    if (std::abs(u[i]) > 0.5) return u[i] > 0 ? 1 : -1;
  return 1;
}

// x, y, axis: right-handed; for an axis of the base, x and y are its other two axes.
Matrix3 basis_of(const Vector3& axis) {
  Matrix3 basis;
  basis.col(2) = axis;
  int most = 0;
  axis.cwiseAbs().maxCoeff(&most);
  const Vector3 hint = Vector3::Unit((most + 1) % 3);
  basis.col(0) = (hint - axis * axis.dot(hint)).normalized();
  basis.col(1) = axis.cross(basis.col(0));
  return basis;
}

// z as given, x as close as possible to the direction of `to`.
Matrix3 frame_towards(const Vector3& z, const Vector3& to) {
  const Vector3 across = to - z * z.dot(to);
  if (across.norm() < 1e-9) return basis_of(z);
  Matrix3 R;
  R.col(2) = z;
  R.col(0) = across.normalized();
  R.col(1) = z.cross(R.col(0));
  return R;
}

class Sketcher {
 public:
  Sketcher(const multibody::MechanismDynamics& dynamics, Wrenches wrenches)
      : tree_(dynamics.tree()),
        model_(tree_.model),
        partition_(dynamics.partition()),
        pos_(model_),
        q_(dynamics.initial_q()) {
    out_.mechanism = tree_;
    if (wrenches == Wrenches::kIgnored) out_.mechanism.model.wrenches.clear();
    out_.name = tree_.mechanism.name;
  }

  Sketch run() {
    find_base();
    check_parts();
    calc_position_kinematics(model_, q_, &pos_);
    out_.links.resize(model_.links.size());
    out_.ny = partition_.ny();
    out_.v_of_y = partition_.v_of_y;
    link(0).X_model.linear() = R_of(0);
    link(0).X_model.translation() = p_of(0);
    find_roles();
    for (int l = 1; l < size(); ++l) make_frame(l);
    find_movers();
    check_movers();
    for (int l = 1; l < size(); ++l) make_body(l);
    find_anchors();
    hand_over_masses(&out_);
    out_.groups = make_groups(out_);
    return std::move(out_);
  }

 private:
  int size() const { return static_cast<int>(model_.links.size()); }
  SketchLink& link(int l) { return out_.links[l]; }

  [[noreturn]] void fail(const std::string& what, const std::string& why) const {
    throw std::invalid_argument(
        concat("mechanism \"", out_.name, "\": ", what, " cannot be generated: ", why));
  }

  void find_base() {
    for (int l = 1; l < size(); ++l) {
      if (model_.links[l].kind != LinkKind::kFree) continue;
      if (out_.base != 0 || model_.links[l].parent != 0)
        fail(concat("the free joint of \"", tree_.v_names[model_.links[l].v_start], "\""),
             "only one body, the base, may be free");
      out_.base = l;
    }
    const auto& base = model_.links[out_.base];
    if (out_.base == 0) return;
    out_.R_PF = to_eigen(base.R_PF);
    out_.p_PF = to_eigen(base.p_PF);
    for (int l = 1; l < size(); ++l) {
      if (l != out_.base && model_.links[l].parent == 0)
        fail(concat("\"", tree_.v_names[model_.links[l].v_start], "\""),
             "if the base is free, nothing else may be attached to the world");
    }
    q_.segment(base.q_start, 7) << 1, 0, 0, 0, 0, 0, 0;
  }

  void check_parts() const {
    if (!tree_.relaxed.empty()) fail(tree_.relaxed[0].name, "it relaxes");
    if (!model_.contacts.empty()) fail(model_.contacts[0].row.name, "it acts from outside");
    for (const auto& row : model_.rows)
      if (row.kind == RowKind::kRollNormal || row.kind == RowKind::kRollSlip ||
          row.kind == RowKind::kScrew)
        fail(row.name, "only joints, rods and couplers close loops in generated code");
    for (int l = 1; l < size(); ++l) {
      const auto& x = model_.links[l];
      if (x.kind == LinkKind::kScrew)
        fail(concat("\"", tree_.v_names[x.v_start], "\""), "it is a screw");
    }
    for (const auto& axis : model_.axes) {
      const auto& base = model_.links[out_.base];
      if (out_.base != 0 && axis.v >= base.v_start && axis.v < base.v_start + base.nv)
        fail("what acts along the base's own joint", "it acts from outside");
    }
  }

  // --- Where things are: in the base's axes ---

  Matrix3 R_of(int l) const {
    return to_eigen(pos_.R_WL[out_.base]).transpose() * to_eigen(pos_.R_WL[l]);
  }
  Vector3 p_of(int l) const {
    return to_eigen(pos_.R_WL[out_.base]).transpose() *
           (to_eigen(pos_.p_OL[l]) - to_eigen(pos_.p_OL[out_.base]));
  }
  SketchPoint place(int l, const Vector3& p) const { return {l, p_of(l) + R_of(l) * p}; }
  SketchPoint place(const ClosedFormStep::Point& point) const { return place(point.link, point.p); }

  // --- Roles ---

  void find_roles() {
    std::vector<int> y_of_v(static_cast<std::size_t>(model_.nv), -1);
    for (int y = 0; y < out_.ny; ++y) y_of_v[out_.v_of_y[y]] = y;
    out_.q_of_y.assign(static_cast<std::size_t>(out_.ny), -1);
    for (int l = 1; l < size(); ++l) {
      const auto& from = model_.links[l];
      link(l).parent = from.parent;
      link(l).name = tree_.v_names[from.v_start];
      if (l == out_.base) continue;
      if (from.nv != 1) {
        for (int k = 0; k < from.nv; ++k)
          if (y_of_v[from.v_start + k] >= 0)
            fail(concat("\"", link(l).name, "\""),
                 "a ball joint is among the independent coordinates");
        continue;
      }
      link(l).q = from.q_start;
      link(l).v = from.v_start;
      link(l).q_ref = q_[from.q_start];
      link(l).y = y_of_v[from.v_start];
      if (from.is_driven) {
        link(l).y = out_.ny + out_.given++;
        out_.q_of_y.push_back(-1);
        out_.v_of_y.push_back(from.v_start);
      }
      if (link(l).y < 0) continue;
      out_.q_of_y[link(l).y] = from.q_start;
      link(l).role = from.kind == LinkKind::kRevolute ? Role::kTurn : Role::kSlide;
    }
    for (std::size_t c = 0; c < model_.clusters.size(); ++c) {
      if (partition_.parts[c].plan.empty() && !partition_.parts[c].dependent.empty())
        fail(concat("the loop of \"", tree_.v_names[model_.clusters[c].v_start], "\""),
             "it has no closed form and needs Newton's method");
      for (const ClosedFormStep& step : partition_.parts[c].plan) take_step(step);
    }
  }

  void take_step(const ClosedFormStep& step) {
    using Kind = ClosedFormStep::Kind;
    SketchLink& x = link(step.link);
    const SketchPoint P = place(step.P), Q = place(step.Q);
    switch (step.kind) {
      case Kind::kDistance:
        if (step.is_spin) {
          x.P2 = P;
          x.Q2 = Q;
          x.length2 = length_of(step);
          return;
        }
        x.role = Role::kMover;
        x.is_flat = step.planar;
        x.P = P;
        x.Q = Q;
        x.length = length_of(step);
        return;
      case Kind::kSlide:
        x.role = Role::kStretch;
        x.is_flat = step.planar;
        x.P = P;
        x.Q = place(step.length_to);
        x.aimer = step.length_from.link;
        if (!step.has_length_points || step.Q.link != x.aimer ||
            model_.links[step.link].parent != x.aimer)
          fail(concat("\"", x.name, "\""), "only a slide on the aiming link can extend");
        return;
      case Kind::kLevel:
        link(step.other_axis).role = Role::kUniversalInner;
        x.role = Role::kUniversal;
        x.P = P;
        x.Q = Q;
        return;
      case Kind::kAim:
        if (x.role == Role::kUniversalInner) return;
        x.role = Role::kAimer;
        x.P = P;
        x.Q = Q;
        return;
      case Kind::kPoint:
        x.role = Role::kBall;
        x.P = P;
        x.Q = Q;
        return;
      case Kind::kCouple:
        x.role = model_.links[step.link].kind == LinkKind::kRevolute ? Role::kCoupled
                                                                     : Role::kCoupledSlide;
        x.row = step.row;
        return;
      case Kind::kSettle:  // of an order, not of a plan
        return;
    }
  }

  // A constant reach: between the origin of a link and a point that rotates about it.
  double length_of(const ClosedFormStep& step) const {
    if (!step.has_length_points) return step.length;
    const SketchPoint from = place(step.length_from), to = place(step.length_to);
    int l = step.length_to.link;
    while (l != step.length_from.link && l > 0 && (p_of(l) - from.p).norm() < 1e-12)
      l = model_.links[l].parent;
    if (l != step.length_from.link)
      fail(concat("\"", tree_.v_names[model_.links[step.link].v_start], "\""),
           "a known joint changes the reach of its loop");
    Vector3 reach = to.p - from.p;
    const Vector3 n = R_of(step.other_axis).col(2);
    if (step.planar) reach -= n * n.dot(reach);
    return reach.norm();
  }

  // Coordinates that move a link: along the tree, and through the target of its loop.
  const std::set<int>& given_movers(int l) {
    const auto found = given_movers_.find(l);
    if (found != given_movers_.end()) return found->second;
    std::set<int> movers;
    const auto add = [&](int other) {
      if (other == 0 || other == out_.base) return;
      const std::set<int>& more = given_movers(other);
      movers.insert(more.begin(), more.end());
    };
    const SketchLink& x = link(l);
    if (x.parent != 0) add(x.parent);
    if (x.y >= out_.ny) movers.insert(x.y);
    switch (x.role) {
      case Role::kBall:
        add(innermost(out_, x.Q2).link);
        [[fallthrough]];
      case Role::kMover:
      case Role::kAimer:
      case Role::kUniversal:
      case Role::kStretch:
        add(innermost(out_, x.Q).link);
        break;
      case Role::kCoupled:
      case Role::kCoupledSlide:
        for (const auto& term : model_.rows[x.row].terms)
          for (int other = 1; other < size(); ++other)
            if (other != l && model_.links[other].q_start == term.q) add(other);
        break;
      default:
        break;
    }
    return given_movers_.emplace(l, std::move(movers)).first->second;
  }

  void find_movers() {
    for (int l = 1; l < size(); ++l) {
      if (l == out_.base) continue;
      const int c = model_.cluster_of[l];
      std::set<int> movers = given_movers(l);
      const int root = c < 0 ? link(l).parent : model_.links[model_.clusters[c].first_link].parent;
      movers.insert(link(root).movers.begin(), link(root).movers.end());
      if (c < 0) {
        if (link(l).y >= 0) movers.insert(link(l).y);
      } else {
        const Partition::Part& part = partition_.parts[c];
        for (const int j : part.movers[l - model_.clusters[c].first_link])
          movers.insert(part.y_start + j);
      }
      link(l).movers.assign(movers.begin(), movers.end());
    }
  }

  // --- Frames ---

  bool axis_is_held(int l, const Vector3& axis) const {
    int carrier = link_parent(l);
    while (out_.links[carrier].role == Role::kSlide ||
           out_.links[carrier].role == Role::kCoupledSlide)
      carrier = link_parent(carrier);
    const SketchLink& parent = out_.links[carrier];
    if (parent.role == Role::kStill) return true;
    return parent.is_planar && std::abs(parent.basis.col(2).dot(axis)) > kParallel;
  }
  int link_parent(int l) const { return out_.links[l].parent; }

  void make_frame(int l) {
    SketchLink& x = link(l);
    if (l == out_.base) return;
    x.axis = R_of(l).col(2);
    x.o = p_of(l);
    x.X_model.linear() = R_of(l);
    x.X_model.translation() = x.o;
    const SketchLink& parent = link(x.parent);
    switch (x.role) {
      case Role::kTurn:
      case Role::kCoupled:
      case Role::kMover:
      case Role::kAimer:
        make_turning_frame(l);
        break;
      case Role::kSlide:
      case Role::kCoupledSlide:
      case Role::kStretch: {
        x.R = parent.R;
        x.is_planar = parent.is_planar;
        x.basis = parent.basis;
        x.sign = x.role != Role::kStretch ? canonical_sign(x.axis)
                                          : (x.axis.dot(x.P.p - link(x.aimer).o) > 0 ? 1 : -1);
        x.axis *= x.sign;
        if (x.role == Role::kStretch) {
          const Vector3 e = x.P.p - link(x.aimer).o;
          const Vector3 n = link(x.aimer).axis;
          x.branch = x.axis.dot(x.is_flat ? Vector3(e - n * n.dot(e)) : e) > 0 ? 1 : -1;
        }
        break;
      }
      case Role::kBall: {
        require(x.length2.has_value(), "make_sketch: \"", x.name, "\" can spin freely");
        const Vector3 arm = x.P.p - x.o;
        const bool slides = x.P.link != l;
        const Vector3 z =
            slides ? R_of(x.P.link).col(2) * (R_of(x.P.link).col(2).dot(arm) > 0 ? 1 : -1)
                   : Vector3(arm.normalized());
        x.R = frame_towards(z, slides ? arm : Vector3(x.P2.p - x.o));
        const Vector3 k = arm.normalized();
        x.branch2 = (x.P2.p - x.Q2.p).dot(k.cross(x.P2.p - x.o)) > 0 ? 1 : -1;
        break;
      }
      case Role::kUniversal: {
        const Vector3 arm = (x.P.p - x.o).normalized();
        if (std::abs(x.axis.dot(arm)) > 1e-9)
          fail(concat("\"", x.name, "\""), "its universal joint's outer axis is not normal to it");
        x.R.col(2) = arm;
        x.R.col(1) = x.axis;
        x.R.col(0) = x.axis.cross(arm);
        // As arm x inner axis has it.
        const Vector3 inner = R_of(x.parent).col(2);
        if (arm.cross(inner).dot(x.axis) < 0) x.R.col(1) *= -1, x.R.col(0) *= -1;
        x.axis = inner;
        break;
      }
      case Role::kUniversalInner:
      case Role::kStill:
      case Role::kGyrostat:
        x.R = R_of(l);
        break;
    }
  }

  void make_turning_frame(int l) {
    SketchLink& x = link(l);
    const SketchLink& parent = link(x.parent);
    x.sign = canonical_sign(x.axis);
    x.axis *= x.sign;
    // The point of the axis that is nearest to the parent's origin.
    x.o += x.axis * x.axis.dot(parent.o - x.o);
    x.is_planar = axis_is_held(l, x.axis);
    if (x.is_planar) x.basis = basis_of(x.axis);
    if (x.role == Role::kMover || x.role == Role::kAimer) {
      x.R = frame_towards(x.axis, x.P.p - x.o);
      x.branch = (x.P.p - x.Q.p).dot(x.axis.cross(x.P.p - x.o)) > 0 ? 1 : -1;
    } else {
      x.R = x.is_planar && parent.is_planar ? parent.R : basis_of(x.axis);
    }
  }

  // The point that a link positions must be fixed to it, or to its slide.
  void check_movers() {
    for (int l = 1; l < size(); ++l) {
      SketchLink& x = link(l);
      const bool has_point = x.role == Role::kMover || x.role == Role::kAimer ||
                             x.role == Role::kBall || x.role == Role::kStretch ||
                             x.role == Role::kUniversal;
      if (!has_point) continue;
      x.P = innermost(out_, x.P);
      if (x.role == Role::kBall) x.P2 = innermost(out_, x.P2);
      const auto rides = [&](const SketchPoint& p) {
        return p.link == l ||
               (out_.links[p.link].role == Role::kStretch && out_.links[p.link].aimer == l);
      };
      if (!rides(x.P) || (x.role == Role::kBall && !rides(x.P2)) ||
          (x.role == Role::kMover && x.P.link != l))
        fail(concat("\"", x.name, "\""), "its loop closes on a link that rotates relative to it");
    }
  }

  // --- Masses ---

  static Matrix3 second_moments(const Matrix3& I) {
    return 0.5 * I.trace() * Matrix3::Identity() - I;
  }

  Moments moments_of(int l) const {
    const auto& from = model_.links[l];
    Matrix3 I;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) I(i, j) = from.I_LLcm(i, j);
    const Matrix3 R = R_of(l);
    return {from.mass, p_of(l) + R * to_eigen(from.p_LLcm), R * second_moments(I) * R.transpose()};
  }

  void make_body(int l) {
    if (!model_.links[l].has_mass) return;
    (l == out_.base ? out_.body : link(l).body) = moments_of(l);
    if (link(l).role == Role::kUniversalInner)
      fail(concat("\"", link(l).name, "\""), "the middle of its universal joint has mass");
  }

  // A loop's closing point, taken from the side that fewer coordinates move.
  void find_anchors() {
    for (const auto& joint : tree_.joints) {
      if (joint.rows.size() < 2 || model_.rows[joint.rows[1]].kind != RowKind::kPoint) continue;
      const ConstraintRow<double>& row = model_.rows[joint.rows[0]];
      const SketchPoint a = place(row.a, to_eigen(row.p_A)), b = place(row.b, to_eigen(row.p_B));
      const auto depth = [&](int l) {
        int n = 0;
        for (; l != 0 && l != out_.base; l = link_parent(l)) ++n;
        return n;
      };
      const bool b_is_deeper = depth(row.b) > depth(row.a);
      const SketchPoint &deep = b_is_deeper ? b : a, &flat = b_is_deeper ? a : b;
      if (deep.link != out_.base && deep.link != 0) link(deep.link).anchor = {flat.link, flat.p};
    }
  }

  const MechanismTree& tree_;
  const Model<double>& model_;
  const Partition& partition_;
  multibody::PositionKinematics<double> pos_;
  VectorX<double> q_;
  std::map<int, std::set<int>> given_movers_;
  Sketch out_;
};

}  // namespace

SketchPoint innermost(const Sketch& sketch, SketchPoint point) {
  for (;;) {
    const SketchLink& x = sketch.links[point.link];
    const Vector3 arm = point.p - x.o;
    switch (x.role) {
      case Role::kTurn:
      case Role::kCoupled:
      case Role::kMover:
      case Role::kAimer:
      case Role::kGyrostat:
        if ((arm - x.axis * x.axis.dot(arm)).norm() > 1e-12) return point;
        break;
      case Role::kBall:
      case Role::kUniversal:
        if (arm.norm() > 1e-12) return point;
        break;
      case Role::kUniversalInner:
        break;
      case Role::kStill:
      case Role::kSlide:
      case Role::kCoupledSlide:
      case Role::kStretch:
        return point;
    }
    point.link = x.parent;
  }
}

bool is_aligned(const Matrix3& basis) {
  return (basis.cwiseAbs() - basis.cwiseProduct(basis)).cwiseAbs().maxCoeff() < 1e-14 &&
         basis.minCoeff() > -0.5;
}

Sketch turned(const Sketch& sketch, const Matrix3& Q) {
  Sketch to = sketch;
  const Matrix3 Q_T = Q.transpose();
  for (SketchLink& x : to.links) {
    x.X_model = Isometry3(Q_T) * x.X_model;
    for (Matrix3* R : {&x.R, &x.basis}) *R = Q_T * *R;
    for (Vector3* p :
         {&x.o, &x.axis, &x.P.p, &x.Q.p, &x.P2.p, &x.Q2.p, &x.body.center, &x.body.first})
      *p = Q_T * *p;
    if (x.anchor) x.anchor->p = Q_T * x.anchor->p;
    x.body.second = Q_T * x.body.second * Q;
    // A slide on the base does not rotate: its frame is that of the axes, whatever they are.
    const bool is_slide = x.role == Role::kSlide || x.role == Role::kCoupledSlide;
    if (is_slide && to.links[x.parent].role == Role::kStill) x.R.setIdentity();
  }
  return to;
}

Matrix3 find_plane(const Sketch& sketch, const std::vector<int>& coordinates) {
  for (const SketchLink& x : sketch.links) {
    const bool is_theirs =
        !x.movers.empty() && std::all_of(x.movers.begin(), x.movers.end(), [&](int y) {
          return std::find(coordinates.begin(), coordinates.end(), y) != coordinates.end();
        });
    if (is_theirs && x.is_planar && !is_aligned(x.basis)) return x.basis;
  }
  return Matrix3::Identity();
}

Sketch make_sketch(const multibody::MechanismDynamics& dynamics, Wrenches wrenches) {
  return Sketcher(dynamics, wrenches).run();
}

}  // namespace camber::mechanism_code
