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

template <class T>
Vec<T> base_spin() {
  return {make_symbol<T>("w_x"), make_symbol<T>("w_y"), make_symbol<T>("w_z")};
}
template <class T>
T spin_rate(int i) {
  return make_symbol<T>(concat("spin", i));
}

namespace {

template <class T>
struct Sym {
  T xx, yy, zz, xy, xz, yz;
  Vec<T> column(int i) const {
    if (i == 0) return {xx, xy, xz};
    if (i == 1) return {xy, yy, yz};
    return {xz, yz, zz};
  }
};
template <class T>
Vec<T> operator*(const Sym<T>& S, const Vec<T>& v) {
  return {S.xx * v[0] + S.xy * v[1] + S.xz * v[2], S.xy * v[0] + S.yy * v[1] + S.yz * v[2],
          S.xz * v[0] + S.yz * v[1] + S.zz * v[2]};
}
template <class T>
void add_outer(const Vec<T>& a, const T& weight, Sym<T>* S) {
  const Vec<T> b = a * weight;
  S->xx += a[0] * b[0], S->yy += a[1] * b[1], S->zz += a[2] * b[2];
  S->xy += a[0] * b[1], S->xz += a[0] * b[2], S->yz += a[1] * b[2];
}

template <class T>
class EquationTracer {
 public:
  EquationTracer(const Sketch& sketch, const Group& group, bool lends_coordinates, const Vec<T>& w,
                 BasePose<T> pose, Parameters<T>* own, Parameters<T>* shared)
      : sketch_(sketch),
        group_(group),
        motion_(sketch, group, lends_coordinates, own, shared),
        w_(w),
        pose_(std::move(pose)) {
    const auto n = static_cast<std::size_t>(motion_.columns());
    N_.resize(n);
    h_by_.resize(n);
    out_.U.resize(n);
    out_.D.assign(n, std::vector<T>(n));
    out_.force.resize(n);
    C_.assign(n, std::vector<Vec<T>>(n));
  }

  GroupEquations<T> run() {
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
  T atom(const T& e) { return motion_.atom(e); }
  Vec<T> atom(const Vec<T>& e) { return motion_.atom(e); }
  T k(double value) { return motion_.parameter(value); }

  void add_body(int l) {
    const SketchLink& x = sketch_.links[l];
    if (x.body.mass > 0) add_mass(l);
    if (x.body.second.norm() > 0) add_rotation(l);
  }

  void add_mass(int l) {
    const T m = k(sketch_.links[l].body.mass);
    const PointMotion<T> c = motion_.center(l);
    const Vec<T> mc = c.x * m, ma = c.bias * m;
    out_.mass += m;
    out_.h += mc;
    add_outer(c.x, m, &E_);
    h_bias_ += ma;
    moment_ += cross(c.x, ma);
    for (std::size_t j = 0; j < size(); ++j) {
      const Vec<T> mc_j = c.by[j] * m;
      h_by_[j] += mc_j;
      for (int i = 0; i < 3; ++i) N_[j].c[i] += c.by[j] * mc[i];
      for (std::size_t i = 0; i <= j; ++i) out_.D[i][j] += dot(c.by[i], mc_j);
      for (std::size_t i = 0; i < j; ++i) C_[i][j] += cross(c.by[i], mc_j);
      out_.force[j] -= dot(c.by[j], ma);
    }
  }

  // S = int r r^T about the center, in the base's axes.
  Sym<T> calc_second_moments(int l) {
    const SketchLink& x = sketch_.links[l];
    const Matrix3 S = x.R.transpose() * x.body.second * x.R;
    const LinkMotion<T>& motion = motion_.link(l);
    Sym<T> result;
    if (x.is_planar && is_aligned(x.basis)) {
      // Rotated about z by the double angle; then the axes of the basis are permuted to those of
      // the base.
      const Matrix3 B = x.basis;
      const T c = motion.cosine, s = motion.sine;
      const T mean = k(0.5 * (S(0, 0) + S(1, 1))), half = k(0.5 * (S(0, 0) - S(1, 1))),
              mixed = k(S(0, 1));
      const T xz = k(S(0, 2)), yz = k(S(1, 2)), zz = k(S(2, 2));
      const T c2 = atom(c * c - s * s), s2 = T(2) * s * c;
      const T turned = atom(half * c2 - mixed * s2);
      const T own[3][3] = {{mean + turned, half * s2 + mixed * c2, xz * c - yz * s},
                           {T(), mean - turned, xz * s + yz * c},
                           {T(), T(), zz}};
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
    const T rest = k(s[even]);
    result.xx = result.yy = result.zz = rest;
    for (int i = 0; i < 3; ++i) {
      if (i == even || std::abs(s[i] - s[even]) < 1e-12 * s.cwiseAbs().maxCoeff()) continue;
      Vector3 direction = principal.vectors.col(i);
      if (direction.sum() < 0) direction *= -1;
      const T ex = k(direction[0]), ey = k(direction[1]), ez = k(direction[2]);
      add_outer(atom(motion.R * Vec<T>(ex, ey, ez)), k(s[i] - s[even]), &result);
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
    const T weight = k((along - across) / arm.squaredNorm()), rest = k(across);
    const LinkMotion<T>& motion = motion_.link(l);
    const PointMotion<T> P = motion.origin, Q = motion_.point(x.Q);
    const Vec<T> d = atom(Q.x - P.x), md = d * weight, ma = atom(Q.bias - P.bias) * weight;
    add_outer(d, weight, &E_);
    E_.xx += rest, E_.yy += rest, E_.zz += rest;
    const Vec<T> twice = motion.alpha * (T(2) * rest);
    moment_ += cross(d, ma) + twice;
    std::vector<Vec<T>> d_by;
    for (std::size_t j = 0; j < size(); ++j) {
      const Vec<T>& w = motion.w[j];
      d_by.push_back(atom(Q.by[j] - P.by[j]));
      for (int i = 0; i < 3; ++i) N_[j].c[i] += d_by[j] * md[i];
      const Vec<T> s = w * rest;
      N_[j].c[0] += Vec<T>(T(), s[2], -s[1]);
      N_[j].c[1] += Vec<T>(-s[2], T(), s[0]);
      N_[j].c[2] += Vec<T>(s[1], -s[0], T());
      for (std::size_t i = 0; i <= j; ++i)
        out_.D[i][j] += dot(d_by[i], d_by[j]) * weight + dot(motion.w[i], s) * T(2);
      for (std::size_t i = 0; i < j; ++i)
        C_[i][j] += cross(d_by[i], d_by[j]) * weight + cross(motion.w[i], s);
      out_.force[j] -= dot(d_by[j], ma) + dot(w, twice);
    }
    return true;
  }

  void add_rotation(int l) {
    if (add_rod(l)) return;
    Sym<T> S = calc_second_moments(l);
    for (T* e : {&S.xx, &S.yy, &S.zz, &S.xy, &S.xz, &S.yz}) *e = atom(*e);
    const T trace = k(sketch_.links[l].body.second.trace());
    const LinkMotion<T>& motion = motion_.link(l);
    E_.xx += S.xx, E_.yy += S.yy, E_.zz += S.zz, E_.xy += S.xy, E_.xz += S.xz, E_.yz += S.yz;
    const Vec<T> torque =
        atom(momentum(S, trace, motion.alpha) - cross(motion.omega, S * motion.omega));
    moment_ += torque;
    for (std::size_t j = 0; j < size(); ++j) {
      const Vec<T>& w = motion.w[j];
      for (int i = 0; i < 3; ++i) N_[j].c[i] += cross(w, S.column(i));
      const Vec<T> Iw = momentum(S, trace, w);
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
    const T lx = k(local[0]), ly = k(local[1]), lz = k(local[2]);
    const T px = k(x.body.center[0]), py = k(x.body.center[1]), pz = k(x.body.center[2]);
    const LinkMotion<T>& motion = motion_.link(l);
    const Vec<T> p(px, py, pz), s = atom(motion.R * Vec<T>(lx, ly, lz));
    const Vec<T> bias = atom(cross(motion.alpha, s) + cross(motion.omega, cross(motion.omega, s)));
    out_.h += s;
    h_bias_ += bias;
    moment_ += cross(p, bias);
    E_.xx += T(2) * px * s[0], E_.yy += T(2) * py * s[1], E_.zz += T(2) * pz * s[2];
    E_.xy += px * s[1] + py * s[0], E_.xz += px * s[2] + pz * s[0], E_.yz += py * s[2] + pz * s[1];
    for (std::size_t j = 0; j < size(); ++j) {
      const Vec<T> by = atom(cross(motion.w[j], s));
      h_by_[j] += by;
      for (int i = 0; i < 3; ++i) N_[j].c[i] += by * p[i];
    }
  }

  // (tr S - S) w, entry by entry, so that constant parts of tr S - S stay together.
  static Vec<T> momentum(const Sym<T>& S, const T& trace, const Vec<T>& w) {
    return {(trace - S.xx) * w[0] - S.xy * w[1] - S.xz * w[2],
            (trace - S.yy) * w[1] - S.xy * w[0] - S.yz * w[2],
            (trace - S.zz) * w[2] - S.xz * w[0] - S.yz * w[1]};
  }

  T calc_axis(int index, const NumberMotion<T>& q) {
    const auto& from = sketch_.mechanism.model.axes[index];
    multibody::AxisForce<T> axis;
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
    if constexpr (std::is_same_v<T, Expr>) {
      const VectorX<Expr> position = VectorX<Expr>::Constant(1, q.x),
                          speed = VectorX<Expr>::Constant(1, q.rate);
      return calc_axis_force(axis, position, speed);
    } else {
      return calc_axis_force(axis, q.x, q.rate);
    }
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
    const NumberMotion<T> q = motion_.coordinate(l);
    const T force = atom(calc_axis(index, q));
    for (std::size_t j = 0; j < size(); ++j) out_.force[j] += q.by[j] * force;
  }

  // docs/theory/generated.md (4): momentum I (u.w + s) about the axis, which only the joint's
  // torque changes.
  void add_gyrostat(int i) {
    const int l = group_.gyrostats[i];
    const SketchLink& x = sketch_.links[l];
    const LinkMotion<T>& carrier = motion_.link(x.parent);
    const Vector3 axis_local = sketch_.links[x.parent].R.transpose() * x.axis;
    const T ux = k(axis_local[0]), uy = k(axis_local[1]), uz = k(axis_local[2]);
    const Vec<T> u = atom(carrier.R * Vec<T>(ux, uy, uz));
    const Vec<T> w = atom(w_ + carrier.omega);
    const T sign = k(x.sign), inertia = k(x.axial_inertia), inverse = k(1 / x.axial_inertia);
    T torque;
    for (const int index : group_.axes) {
      if (link_of_axis(index) != l) continue;
      const NumberMotion<T> q{
          make_symbol<T>(concat("spin_angle", i)), {}, sign * spin_rate<T>(i), {}};
      torque += sign * calc_axis(index, q);
    }
    const Vec<T> gyro =
        atom(cross(w, u) * atom(inertia * (dot(u, w) + spin_rate<T>(i))) + u * torque);
    moment_ += gyro;
    const PointMotion<T> center = motion_.carried_point(x.parent, x.X_model.translation());
    typename GroupEquations<T>::Spin spin{
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
    const LinkMotion<T>& carrier = motion_.link(x.parent);
    const PointMotion<T> center = motion_.carried_point(x.parent, x.X_model.translation());
    const Vec<T> u = motion_.link(l).R * axis_in_frame(x);
    typename GroupEquations<T>::Spin wheel{u, {}, {}, center.x, center.by, carrier.w};
    for (std::size_t j = 0; j < size(); ++j) wheel.by.push_back(dot(u, carrier.w[j]));
    out_.unround.push_back(std::move(wheel));
  }
  Vec<T> axis_in_frame(const SketchLink& x) {
    const Vector3 local = x.R.transpose() * x.axis;
    const T a = k(local[0]), b = k(local[1]), c = k(local[2]);
    return {a, b, c};
  }

  // The contribution of the base's own motion to each row.
  void finish() {
    out_.E = {E_.xx, E_.yy, E_.zz, E_.xy, E_.xz, E_.yz};
    const T w_squared = dot(w_, w_);
    for (std::size_t j = 0; j < size(); ++j) {
      Mat<T> N = N_[j];
      for (Vec<T>& column : N.c) column = atom(column);
      const Vec<T> L(N(2, 1) - N(1, 2), N(0, 2) - N(2, 0), N(1, 0) - N(0, 1));
      h_by_[j] = atom(h_by_[j]);
      out_.U[j] = {L[0], L[1], L[2], h_by_[j][0], h_by_[j][1], h_by_[j][2]};
      const T trace = atom(N(0, 0) + N(1, 1) + N(2, 2));
      const Vec<T> Nw = atom(N * w_);
      out_.force[j] -= dot(w_, Nw) - w_squared * trace;
      moment_ += (w_ * trace - Nw) * (T(2) * motion_.symbols(static_cast<int>(j)).rate);
      for (std::size_t i = 0; i < size(); ++i) {
        if (i == j) continue;
        const Vec<T> C = i < j ? C_[i][j] : -C_[j][i];
        out_.force[j] -= T(2) * motion_.symbols(static_cast<int>(i)).rate * dot(w_, C);
      }
    }
    Vec<T> h_rate;
    for (std::size_t j = 0; j < size(); ++j)
      h_rate += h_by_[j] * motion_.symbols(static_cast<int>(j)).rate;
    const Vec<T> push = cross(w_, atom(h_rate)) * T(2) + h_bias_;
    for (int i = 0; i < 3; ++i) {
      out_.base_force[i] = outside_.moment[i] - moment_[i];
      out_.base_force[3 + i] = outside_.force[i] - push[i];
    }
  }

  const Sketch& sketch_;
  const Group& group_;
  MotionTracer<T> motion_;
  Vec<T> w_;
  BasePose<T> pose_;
  OutsideForce<T> outside_;
  Sym<T> E_;
  std::vector<Mat<T>> N_;
  std::vector<Vec<T>> h_by_;
  std::vector<std::vector<Vec<T>>> C_;
  Vec<T> h_bias_, moment_;
  GroupEquations<T> out_;
};

// Transforms results from rotated axes back to those of the base.
template <class T>
GroupEquations<T> turned_back(const Mat<T>& Q, GroupEquations<T> e) {
  const auto turn = [&](std::array<T, 6>* x) {
    const Vec<T> top = Q * Vec<T>((*x)[0], (*x)[1], (*x)[2]),
                 bottom = Q * Vec<T>((*x)[3], (*x)[4], (*x)[5]);
    *x = {top[0], top[1], top[2], bottom[0], bottom[1], bottom[2]};
  };
  for (auto& column : e.U) turn(&column);
  turn(&e.base_force);
  e.h = Q * e.h;
  const Sym<T> E{e.E[0], e.E[1], e.E[2], e.E[3], e.E[4], e.E[5]};
  const Mat<T> QE{{Q * E.column(0), Q * E.column(1), Q * E.column(2)}};
  const Mat<T> result = QE * transpose(Q);
  e.E = {result(0, 0), result(1, 1), result(2, 2), result(0, 1), result(0, 2), result(1, 2)};
  for (auto* wheels : {&e.spins, &e.unround}) {
    for (typename GroupEquations<T>::Spin& spin : *wheels) {
      spin.u = Q * spin.u;
      spin.center = Q * spin.center;
      for (Vec<T>& by : spin.center_by) by = Q * by;
      for (Vec<T>& by : spin.turn_by) by = Q * by;
    }
  }
  return e;
}

}  // namespace

template <class T>
GroupEquations<T> trace_equations(const Sketch& sketch, const Group& group, bool lends_coordinates,
                                  Parameters<T>* own, Parameters<T>* shared) {
  const Vec<T> w = base_spin<T>();
  BasePose<T> pose = base_pose<T>();
  if (!lends_coordinates)
    return EquationTracer<T>(sketch, group, false, w, std::move(pose), own, shared).run();
  const Matrix3 plane = find_plane(sketch, group.own);
  const Mat<T> Q = write_axes(plane, shared);
  const Vec<T> w_turned = transpose_times(Q, w);
  Vec<T> named_w;
  for (int i = 0; i < 3; ++i) {
    named_w.e[i] = w_turned[i];
    if constexpr (std::is_same_v<T, Expr>)
      if (w_turned[i].kind() == symbolic::Kind::kSum)
        named_w.e[i] = symbolic::named(concat("turned_w", i), w_turned[i]);
  }
  const Sketch in_plane = turned(sketch, plane);
  pose = {transpose(Q) * pose.R_BF, transpose_times(Q, pose.p_BF),
          transpose_times(Q, pose.velocity)};
  return turned_back(
      Q, EquationTracer<T>(in_plane, group, true, named_w, std::move(pose), own, shared).run());
}

template <class T>
std::vector<T> GroupEquations<T>::flattened() const {
  std::vector<T> flat(E.begin(), E.end());
  const auto add = [&](const auto& values) {
    for (const T& e : values) flat.push_back(e);
  };
  const auto add_vec = [&](const Vec<T>& v) { flat.insert(flat.end(), {v[0], v[1], v[2]}); };
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
    for (const Vec<T>& by : spin.center_by) add_vec(by);
    for (const Vec<T>& by : spin.turn_by) add_vec(by);
  }
  for (const Spin& wheel : unround) {
    add_vec(wheel.u);
    add(wheel.by);
    add_vec(wheel.center);
    for (const Vec<T>& by : wheel.center_by) add_vec(by);
    for (const Vec<T>& by : wheel.turn_by) add_vec(by);
  }
  return flat;
}

template <class T>
GroupEquations<T> GroupEquations<T>::with(const std::vector<T>& flat) const {
  GroupEquations<T> to = *this;
  std::size_t at = 0;
  const auto take = [&](auto* values) {
    for (T& e : *values) e = flat.at(at++);
  };
  const auto take_vec = [&] {
    const T x = flat.at(at), y = flat.at(at + 1), z = flat.at(at + 2);
    at += 3;
    return Vec<T>(x, y, z);
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
    for (Vec<T>& by : spin.center_by) by = take_vec();
    for (Vec<T>& by : spin.turn_by) by = take_vec();
  }
  for (Spin& wheel : to.unround) {
    wheel.u = take_vec();
    take(&wheel.by);
    wheel.center = take_vec();
    for (Vec<T>& by : wheel.center_by) by = take_vec();
    for (Vec<T>& by : wheel.turn_by) by = take_vec();
  }
  require(at == flat.size(), "GroupEquations: ", flat.size(), " values for ", at);
  return to;
}

#define CAMBER_INSTANTIATE(T)                                                                   \
  template Vec<T> base_spin();                                                                  \
  template T spin_rate(int);                                                                    \
  template struct GroupEquations<T>;                                                            \
  template GroupEquations<T> trace_equations(const Sketch&, const Group&, bool, Parameters<T>*, \
                                             Parameters<T>*);
CAMBER_INSTANTIATE(Expr)
CAMBER_INSTANTIATE(Fingerprint)
#undef CAMBER_INSTANTIATE

}  // namespace camber::mechanism_code
