// docs/theory/generated.md, section 1. With x the position of a material point relative to the base
// and in its axes, x_j its partial derivatives, and integrals over the group's mass:
//   h = int x,  E = int x x^T,  N_j = int x_j x^T,  L_j = int x X x_j,  C_ij = int x_i X x_j.
#include "camber/mechanism_code/moments.h"

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/mechanism_code/element_forces.h"
#include "camber/multibody/forces.h"
#include "camber/multibody/scalars.h"

namespace camber::mechanism_code {

using symbolic::symbol;

Vec base_spin() { return {symbol("w_x"), symbol("w_y"), symbol("w_z")}; }
Expr spin_rate(int i) { return symbol(concat("spin", i)); }

namespace {

struct Sym {
  Expr xx, yy, zz, xy, xz, yz;
  Vec column(int i) const {
    if (i == 0) return {xx, xy, xz};
    if (i == 1) return {xy, yy, yz};
    return {xz, yz, zz};
  }
};
Vec operator*(const Sym& S, const Vec& v) {
  return {S.xx * v[0] + S.xy * v[1] + S.xz * v[2], S.xy * v[0] + S.yy * v[1] + S.yz * v[2],
          S.xz * v[0] + S.yz * v[1] + S.zz * v[2]};
}
void add_outer(const Vec& a, const Expr& weight, Sym* S) {
  const Vec b = a * weight;
  S->xx += a[0] * b[0], S->yy += a[1] * b[1], S->zz += a[2] * b[2];
  S->xy += a[0] * b[1], S->xz += a[0] * b[2], S->yz += a[1] * b[2];
}

class EquationTracer {
 public:
  EquationTracer(const Sketch& sketch, const Group& group, bool lends_coordinates, const Vec& w,
                 BasePose pose, Parameters* own, Parameters* shared)
      : sketch_(sketch),
        group_(group),
        motion_(sketch, group, lends_coordinates, own, shared),
        w_(w),
        pose_(std::move(pose)) {
    const auto n = static_cast<std::size_t>(motion_.columns());
    N_.resize(n);
    h_by_.resize(n);
    out_.U.resize(n);
    out_.D.assign(n, std::vector<Expr>(n));
    out_.force.resize(n);
    C_.assign(n, std::vector<Vec>(n));
  }

  GroupEquations run() {
    for (const int l : group_.links) add_body(l);
    outside_ = add_element_forces(sketch_, group_, w_, pose_, &motion_, &out_.force);
    for (const int i : group_.axes) add_axis(i);
    for (std::size_t i = 0; i < group_.gyrostats.size(); ++i) add_gyrostat(static_cast<int>(i));
    for (const int l : group_.unround_wheels) add_unround_wheel(l);
    finish();
    out_.pivots = motion_.pivots();
    return std::move(out_);
  }

 private:
  std::size_t size() const { return N_.size(); }
  Expr atom(const Expr& e) { return motion_.atom(e); }
  Vec atom(const Vec& e) { return motion_.atom(e); }
  Expr k(double value) { return motion_.parameter(value); }

  void add_body(int l) {
    const SketchLink& x = sketch_.links[l];
    if (x.body.mass > 0) add_mass(l);
    if (x.body.second.norm() > 0) add_rotation(l);
  }

  void add_mass(int l) {
    const Expr m = k(sketch_.links[l].body.mass);
    const PointMotion c = motion_.center(l);
    const Vec mc = c.x * m, ma = c.bias * m;
    out_.mass += m;
    out_.h += mc;
    add_outer(c.x, m, &E_);
    h_bias_ += ma;
    moment_ += cross(c.x, ma);
    for (std::size_t j = 0; j < size(); ++j) {
      const Vec mc_j = c.by[j] * m;
      h_by_[j] += mc_j;
      for (int i = 0; i < 3; ++i) N_[j].c[i] += c.by[j] * mc[i];
      for (std::size_t i = 0; i <= j; ++i) out_.D[i][j] += dot(c.by[i], mc_j);
      for (std::size_t i = 0; i < j; ++i) C_[i][j] += cross(c.by[i], mc_j);
      out_.force[j] -= dot(c.by[j], ma);
    }
  }

  // S = int r r^T about the center, in the base's axes.
  Sym calc_second_moments(int l) {
    const SketchLink& x = sketch_.links[l];
    const Matrix3 S = x.R.transpose() * x.body.second * x.R;
    const LinkMotion& motion = motion_.link(l);
    Sym result;
    if (x.is_planar && is_aligned(x.basis)) {
      // Rotated about z by the double angle; then the axes of the basis are permuted to those of
      // the base.
      const Matrix3 B = x.basis;
      const Expr c = motion.cosine, s = motion.sine;
      const Expr mean = k(0.5 * (S(0, 0) + S(1, 1))), half = k(0.5 * (S(0, 0) - S(1, 1))),
                 mixed = k(S(0, 1));
      const Expr xz = k(S(0, 2)), yz = k(S(1, 2)), zz = k(S(2, 2));
      const Expr c2 = atom(c * c - s * s), s2 = Expr(2) * s * c;
      const Expr turned = atom(half * c2 - mixed * s2);
      const Expr own[3][3] = {{mean + turned, half * s2 + mixed * c2, xz * c - yz * s},
                              {Expr(), mean - turned, xz * s + yz * c},
                              {Expr(), Expr(), zz}};
      int axis[3];
      for (int i = 0; i < 3; ++i) B.col(i).cwiseAbs().maxCoeff(&axis[i]);
      const auto at = [&](int i, int j) {
        int a = 0, b = 0;
        while (axis[a] != i) ++a;
        while (axis[b] != j) ++b;
        return own[std::min(a, b)][std::max(a, b)];
      };
      return {at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)};
    }
    const auto principal = math::calc_symmetric_eigen(S);
    const Vector3& s = principal.values;
    // An isotropic part, and the excess along one or two directions.
    const int even = std::abs(s[0] - s[1]) <= std::abs(s[1] - s[2]) ? 0 : 2;
    const Expr rest = k(s[even]);
    result.xx = result.yy = result.zz = rest;
    for (int i = 0; i < 3; ++i) {
      if (i == even || std::abs(s[i] - s[even]) < 1e-12 * s.cwiseAbs().maxCoeff()) continue;
      Vector3 direction = principal.vectors.col(i);
      if (direction.sum() < 0) direction *= -1;
      const Expr ex = k(direction[0]), ey = k(direction[1]), ez = k(direction[2]);
      add_outer(atom(motion.R * Vec(ex, ey, ez)), k(s[i] - s[even]), &result);
    }
    return result;
  }

  // A body between two points: the part along the line d between them depends on d only, the rest
  // is isotropic.
  bool add_rod(int l) {
    const SketchLink& x = sketch_.links[l];
    if (x.role != Role::kUniversal) return false;
    const Vector3 arm = x.P.p - x.o, u = arm.normalized();
    const double along = u.dot(x.body.second * u), across = 0.5 * (x.body.second.trace() - along);
    const Matrix3 round = across * Matrix3::Identity() + (along - across) * u * u.transpose();
    if ((x.body.second - round).norm() > 1e-12 * x.body.second.norm()) return false;
    const Expr weight = k((along - across) / arm.squaredNorm()), rest = k(across);
    const LinkMotion& motion = motion_.link(l);
    const PointMotion P = motion.origin, Q = motion_.point(x.Q);
    const Vec d = atom(Q.x - P.x), md = d * weight, ma = atom(Q.bias - P.bias) * weight;
    add_outer(d, weight, &E_);
    E_.xx += rest, E_.yy += rest, E_.zz += rest;
    const Vec twice = motion.alpha * (Expr(2) * rest);
    moment_ += cross(d, ma) + twice;
    std::vector<Vec> d_by;
    for (std::size_t j = 0; j < size(); ++j) {
      const Vec& w = motion.w[j];
      d_by.push_back(atom(Q.by[j] - P.by[j]));
      for (int i = 0; i < 3; ++i) N_[j].c[i] += d_by[j] * md[i];
      const Vec s = w * rest;
      N_[j].c[0] += Vec(Expr(), s[2], -s[1]);
      N_[j].c[1] += Vec(-s[2], Expr(), s[0]);
      N_[j].c[2] += Vec(s[1], -s[0], Expr());
      for (std::size_t i = 0; i <= j; ++i)
        out_.D[i][j] += dot(d_by[i], d_by[j]) * weight + dot(motion.w[i], s) * Expr(2);
      for (std::size_t i = 0; i < j; ++i)
        C_[i][j] += cross(d_by[i], d_by[j]) * weight + cross(motion.w[i], s);
      out_.force[j] -= dot(d_by[j], ma) + dot(w, twice);
    }
    return true;
  }

  void add_rotation(int l) {
    if (add_rod(l)) return;
    Sym S = calc_second_moments(l);
    for (Expr* e : {&S.xx, &S.yy, &S.zz, &S.xy, &S.xz, &S.yz}) *e = atom(*e);
    const Expr trace = k(sketch_.links[l].body.second.trace());
    const LinkMotion& motion = motion_.link(l);
    E_.xx += S.xx, E_.yy += S.yy, E_.zz += S.zz, E_.xy += S.xy, E_.xz += S.xz, E_.yz += S.yz;
    const Vec torque =
        atom(momentum(S, trace, motion.alpha) - cross(motion.omega, S * motion.omega));
    moment_ += torque;
    for (std::size_t j = 0; j < size(); ++j) {
      const Vec& w = motion.w[j];
      for (int i = 0; i < 3; ++i) N_[j].c[i] += cross(w, S.column(i));
      const Vec Iw = momentum(S, trace, w);
      for (std::size_t i = 0; i <= j; ++i) out_.D[i][j] += dot(motion.w[i], Iw);
      for (std::size_t i = 0; i < j; ++i) C_[i][j] += S * cross(motion.w[i], w);
      out_.force[j] -= dot(w, torque);
    }
    if (sketch_.links[l].body.first.norm() > 0) add_first_moments(l);
  }

  // Moments of a link whose mass the base has taken, about a point p that does not move.
  void add_first_moments(int l) {
    const SketchLink& x = sketch_.links[l];
    const Vector3 local = x.R.transpose() * x.body.first;
    const Expr lx = k(local[0]), ly = k(local[1]), lz = k(local[2]);
    const Expr px = k(x.body.center[0]), py = k(x.body.center[1]), pz = k(x.body.center[2]);
    const LinkMotion& motion = motion_.link(l);
    const Vec p(px, py, pz), s = atom(motion.R * Vec(lx, ly, lz));
    const Vec bias = atom(cross(motion.alpha, s) + cross(motion.omega, cross(motion.omega, s)));
    out_.h += s;
    h_bias_ += bias;
    moment_ += cross(p, bias);
    E_.xx += Expr(2) * px * s[0], E_.yy += Expr(2) * py * s[1], E_.zz += Expr(2) * pz * s[2];
    E_.xy += px * s[1] + py * s[0], E_.xz += px * s[2] + pz * s[0], E_.yz += py * s[2] + pz * s[1];
    for (std::size_t j = 0; j < size(); ++j) {
      const Vec by = atom(cross(motion.w[j], s));
      h_by_[j] += by;
      for (int i = 0; i < 3; ++i) N_[j].c[i] += by * p[i];
    }
  }

  // (tr S - S) w, entry by entry, so that constant parts of tr S - S stay together.
  static Vec momentum(const Sym& S, const Expr& trace, const Vec& w) {
    return {(trace - S.xx) * w[0] - S.xy * w[1] - S.xz * w[2],
            (trace - S.yy) * w[1] - S.xy * w[0] - S.yz * w[2],
            (trace - S.zz) * w[2] - S.xz * w[0] - S.yz * w[1]};
  }

  Expr calc_axis(int index, const NumberMotion& q) {
    const auto& from = sketch_.mechanism.model.axes[index];
    multibody::AxisForce<Expr> axis;
    axis.q = from.q < 0 ? -1 : 0;
    axis.v = 0;
    axis.stiffness = k(from.stiffness);
    axis.rest = k(from.rest);
    axis.damping = k(from.damping);
    axis.friction = k(from.friction);
    axis.friction_speed = k(from.friction_speed);
    axis.has_lower = from.has_lower;
    axis.has_upper = from.has_upper;
    axis.lower = k(from.lower);
    axis.upper = k(from.upper);
    axis.stop_stiffness = k(from.stop_stiffness);
    axis.stop_damping = k(from.stop_damping);
    axis.force = k(from.force);
    const VectorX<Expr> position = VectorX<Expr>::Constant(1, q.x),
                        speed = VectorX<Expr>::Constant(1, q.rate);
    return calc_axis_force(axis, position, speed);
  }

  int link_of_axis(int index) const {
    const int v = sketch_.mechanism.model.axes[index].v;
    for (std::size_t l = 1; l < sketch_.links.size(); ++l)
      if (sketch_.links[l].v == v) return static_cast<int>(l);
    return 0;
  }

  void add_axis(int index) {
    const int l = link_of_axis(index);
    if (sketch_.links[l].role == Role::kGyrostat) return;
    const NumberMotion q = motion_.coordinate(l);
    const Expr force = atom(calc_axis(index, q));
    for (std::size_t j = 0; j < size(); ++j) out_.force[j] += q.by[j] * force;
  }

  // docs/theory/generated.md (4): momentum I (u.w + s) about the axis, which only the joint's
  // torque changes.
  void add_gyrostat(int i) {
    const int l = group_.gyrostats[i];
    const SketchLink& x = sketch_.links[l];
    const LinkMotion& carrier = motion_.link(x.parent);
    const Vector3 axis_local = sketch_.links[x.parent].R.transpose() * x.axis;
    const Expr ux = k(axis_local[0]), uy = k(axis_local[1]), uz = k(axis_local[2]);
    const Vec u = atom(carrier.R * Vec(ux, uy, uz));
    const Vec w = atom(w_ + carrier.omega);
    const Expr sign = k(x.sign), inertia = k(x.axial_inertia), inverse = k(1 / x.axial_inertia);
    Expr torque;
    for (const int index : group_.axes) {
      if (link_of_axis(index) != l) continue;
      const NumberMotion q{symbol(concat("spin_angle", i)), {}, sign * spin_rate(i), {}};
      torque += sign * calc_axis(index, q);
    }
    const Vec gyro = atom(cross(w, u) * atom(inertia * (dot(u, w) + spin_rate(i))) + u * torque);
    moment_ += gyro;
    const PointMotion center = motion_.carried_point(x.parent, x.X_model.translation());
    GroupEquations::Spin spin{
        u,        {},        torque * inverse - dot(u, cross(w_, carrier.omega) + carrier.alpha),
        center.x, center.by, carrier.w};
    for (std::size_t j = 0; j < size(); ++j) {
      out_.force[j] -= dot(carrier.w[j], gyro);
      spin.by.push_back(dot(u, carrier.w[j]));
    }
    out_.spins.push_back(std::move(spin));
  }

  void add_unround_wheel(int l) {
    const SketchLink& x = sketch_.links[l];
    const LinkMotion& carrier = motion_.link(x.parent);
    const PointMotion center = motion_.carried_point(x.parent, x.X_model.translation());
    const Vec u = motion_.link(l).R * axis_in_frame(x);
    GroupEquations::Spin wheel{u, {}, {}, center.x, center.by, carrier.w};
    for (std::size_t j = 0; j < size(); ++j) wheel.by.push_back(dot(u, carrier.w[j]));
    out_.unround.push_back(std::move(wheel));
  }
  Vec axis_in_frame(const SketchLink& x) {
    const Vector3 local = x.R.transpose() * x.axis;
    const Expr a = k(local[0]), b = k(local[1]), c = k(local[2]);
    return {a, b, c};
  }

  // The contribution of the base's own motion to each row.
  void finish() {
    out_.E = {E_.xx, E_.yy, E_.zz, E_.xy, E_.xz, E_.yz};
    const Expr w_squared = dot(w_, w_);
    for (std::size_t j = 0; j < size(); ++j) {
      Mat N = N_[j];
      for (Vec& column : N.c) column = atom(column);
      const Vec L(N(2, 1) - N(1, 2), N(0, 2) - N(2, 0), N(1, 0) - N(0, 1));
      h_by_[j] = atom(h_by_[j]);
      out_.U[j] = {L[0], L[1], L[2], h_by_[j][0], h_by_[j][1], h_by_[j][2]};
      const Expr trace = atom(N(0, 0) + N(1, 1) + N(2, 2));
      const Vec Nw = atom(N * w_);
      out_.force[j] -= dot(w_, Nw) - w_squared * trace;
      moment_ += (w_ * trace - Nw) * (Expr(2) * motion_.symbols(static_cast<int>(j)).rate);
      for (std::size_t i = 0; i < size(); ++i) {
        if (i == j) continue;
        const Vec C = i < j ? C_[i][j] : -C_[j][i];
        out_.force[j] -= Expr(2) * motion_.symbols(static_cast<int>(i)).rate * dot(w_, C);
      }
    }
    Vec h_rate;
    for (std::size_t j = 0; j < size(); ++j)
      h_rate += h_by_[j] * motion_.symbols(static_cast<int>(j)).rate;
    const Vec push = cross(w_, atom(h_rate)) * Expr(2) + h_bias_;
    for (int i = 0; i < 3; ++i) {
      out_.base_force[i] = outside_.moment[i] - moment_[i];
      out_.base_force[3 + i] = outside_.force[i] - push[i];
    }
  }

  const Sketch& sketch_;
  const Group& group_;
  MotionTracer motion_;
  Vec w_;
  BasePose pose_;
  OutsideForce outside_;
  Sym E_;
  std::vector<Mat> N_;
  std::vector<Vec> h_by_;
  std::vector<std::vector<Vec>> C_;
  Vec h_bias_, moment_;
  GroupEquations out_;
};

// Transforms results from rotated axes back to those of the base.
GroupEquations turned_back(const Mat& Q, GroupEquations e) {
  const auto turn = [&](std::array<Expr, 6>* x) {
    const Vec top = Q * Vec((*x)[0], (*x)[1], (*x)[2]), bottom = Q * Vec((*x)[3], (*x)[4], (*x)[5]);
    *x = {top[0], top[1], top[2], bottom[0], bottom[1], bottom[2]};
  };
  for (auto& column : e.U) turn(&column);
  turn(&e.base_force);
  e.h = Q * e.h;
  const Sym E{e.E[0], e.E[1], e.E[2], e.E[3], e.E[4], e.E[5]};
  const Mat QE{{Q * E.column(0), Q * E.column(1), Q * E.column(2)}};
  const Mat result = QE * transpose(Q);
  e.E = {result(0, 0), result(1, 1), result(2, 2), result(0, 1), result(0, 2), result(1, 2)};
  for (auto* wheels : {&e.spins, &e.unround}) {
    for (GroupEquations::Spin& spin : *wheels) {
      spin.u = Q * spin.u;
      spin.center = Q * spin.center;
      for (Vec& by : spin.center_by) by = Q * by;
      for (Vec& by : spin.turn_by) by = Q * by;
    }
  }
  return e;
}

}  // namespace

GroupEquations trace_equations(const Sketch& sketch, const Group& group, bool lends_coordinates,
                               Parameters* own, Parameters* shared) {
  const Vec w = base_spin();
  BasePose pose = base_pose();
  if (!lends_coordinates)
    return EquationTracer(sketch, group, false, w, std::move(pose), own, shared).run();
  const Matrix3 plane = find_plane(sketch, group.own);
  const Mat Q = write_axes(plane, shared);
  const Vec w_turned = transpose_times(Q, w);
  Vec named_w;
  for (int i = 0; i < 3; ++i)
    named_w.e[i] = w_turned[i].kind() == symbolic::Kind::kSum
                       ? symbolic::named(concat("turned_w", i), w_turned[i])
                       : w_turned[i];
  const Sketch in_plane = turned(sketch, plane);
  pose = {transpose(Q) * pose.R_BF, transpose_times(Q, pose.p_BF),
          transpose_times(Q, pose.velocity)};
  return turned_back(
      Q, EquationTracer(in_plane, group, true, named_w, std::move(pose), own, shared).run());
}

std::vector<Expr> GroupEquations::flattened() const {
  std::vector<Expr> flat(E.begin(), E.end());
  const auto add = [&](const auto& values) {
    for (const Expr& e : values) flat.push_back(e);
  };
  const auto add_vec = [&](const Vec& v) { flat.insert(flat.end(), {v[0], v[1], v[2]}); };
  add_vec(h);
  for (const auto& column : U) add(column);
  for (std::size_t j = 0; j < D.size(); ++j)
    for (std::size_t i = 0; i <= j; ++i) flat.push_back(D[i][j]);
  add(force);
  add(base_force);
  for (const Spin& spin : spins) {
    add_vec(spin.u);
    add(spin.by);
    flat.push_back(spin.bias);
  }
  for (const Spin& spin : spins) {
    add_vec(spin.center);
    for (const Vec& by : spin.center_by) add_vec(by);
    for (const Vec& by : spin.turn_by) add_vec(by);
  }
  for (const Spin& wheel : unround) {
    add_vec(wheel.u);
    add(wheel.by);
    add_vec(wheel.center);
    for (const Vec& by : wheel.center_by) add_vec(by);
    for (const Vec& by : wheel.turn_by) add_vec(by);
  }
  return flat;
}

GroupEquations GroupEquations::with(const std::vector<Expr>& flat) const {
  GroupEquations to = *this;
  std::size_t at = 0;
  const auto take = [&](auto* values) {
    for (Expr& e : *values) e = flat.at(at++);
  };
  const auto take_vec = [&] {
    const Expr x = flat.at(at), y = flat.at(at + 1), z = flat.at(at + 2);
    at += 3;
    return Vec(x, y, z);
  };
  take(&to.E);
  to.h = take_vec();
  for (auto& column : to.U) take(&column);
  for (std::size_t j = 0; j < D.size(); ++j)
    for (std::size_t i = 0; i <= j; ++i) to.D[i][j] = flat.at(at++);
  take(&to.force);
  take(&to.base_force);
  for (Spin& spin : to.spins) {
    spin.u = take_vec();
    take(&spin.by);
    spin.bias = flat.at(at++);
  }
  for (Spin& spin : to.spins) {
    spin.center = take_vec();
    for (Vec& by : spin.center_by) by = take_vec();
    for (Vec& by : spin.turn_by) by = take_vec();
  }
  for (Spin& wheel : to.unround) {
    wheel.u = take_vec();
    take(&wheel.by);
    wheel.center = take_vec();
    for (Vec& by : wheel.center_by) by = take_vec();
    for (Vec& by : wheel.turn_by) by = take_vec();
  }
  require(at == flat.size(), "GroupEquations: ", flat.size(), " values for ", at);
  return to;
}

}  // namespace camber::mechanism_code
