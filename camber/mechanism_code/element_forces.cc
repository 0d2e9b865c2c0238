// Springs, bushings and wrenches as in multibody/forces.cc, seen from the base: their forces on a
// group's columns and, if they are external, on the base. docs/theory/generated.md, section 6.
#include "camber/mechanism_code/element_forces.h"

#include "camber/core/require.h"
#include "camber/math/rotation_vector.h"
#include "camber/multibody/forces.h"
#include "camber/multibody/scalars.h"

namespace camber::mechanism_code {

using multibody::to_eigen;
using symbolic::sqrt, symbolic::symbol;

BasePose base_pose() {
  BasePose pose;
  const auto vector = [](const char* name) {
    return Vec(symbol(concat("shared_", name, 0)), symbol(concat("shared_", name, 1)),
               symbol(concat("shared_", name, 2)));
  };
  pose.R_BF = Mat{{vector("pose_x"), vector("pose_y"), vector("pose_z")}};
  pose.p_BF = vector("pose_p");
  pose.velocity = vector("pose_v");
  return pose;
}

namespace {

class ForceTracer {
 public:
  ForceTracer(const Sketch& sketch, const Group& group, const Vec& w, const BasePose& pose,
              MotionTracer* motion, std::vector<Expr>* force)
      : sketch_(sketch), group_(group), w_(w), pose_(pose), motion_(*motion), force_(*force) {}

  OutsideForce run() {
    for (std::size_t i = 0; i < group_.springs.size(); ++i) add_springs(i);
    for (const int i : group_.bushings) add_bushing(sketch_.mechanism.model.bushings[i]);
    for (const int i : group_.wrenches) add_wrench(sketch_.mechanism.model.wrenches[i]);
    return outside_;
  }

 private:
  std::size_t size() const { return force_.size(); }
  Expr atom(const Expr& e) { return motion_.atom(e); }
  Vec atom(const Vec& e) { return motion_.atom(e); }
  Expr k(double value) { return motion_.parameter(value); }

  const multibody::SpringForce<double>& spring(std::size_t i) const {
    return sketch_.mechanism.model.springs[group_.springs[i]];
  }
  static bool have_equal_ends(const multibody::SpringForce<double>& a,
                              const multibody::SpringForce<double>& b) {
    const auto is_near = [](const auto& p, const auto& q) {
      return (to_eigen(p) - to_eigen(q)).norm() < 1e-12;
    };
    return a.a == b.a && a.b == b.b && is_near(a.p_A, b.p_A) && is_near(a.p_B, b.p_B);
  }

  // A spring and the following ones with the same ends: their forces act along one line.
  void add_springs(std::size_t first) {
    const auto& from = spring(first);
    for (std::size_t i = 0; i < first; ++i)
      if (have_equal_ends(spring(i), from)) return;
    const PointMotion P = end_point(from.a, from.p_A), Q = end_point(from.b, from.p_B);
    const Vec d = atom(Q.x - P.x);
    const Expr length = atom(sqrt(dot(d, d))), inverse = Expr(1) / length;
    std::vector<Expr> by;  // derivatives of half the squared length
    Expr rate;
    for (std::size_t j = 0; j < size(); ++j) {
      by.push_back(atom(dot(d, Q.by[j] - P.by[j])));
      rate += by[j] * motion_.symbols(static_cast<int>(j)).rate;
    }
    const bool is_from_outside = is_world(from.a) || is_world(from.b);
    if (is_from_outside) rate = dot(d, Q.rate - P.rate);
    rate = atom(rate * inverse);
    Expr tension;
    for (std::size_t i = first; i < group_.springs.size(); ++i)
      if (have_equal_ends(spring(i), from))
        tension += calc_tension(with_symbols(spring(i)), length, rate);
    const Expr pull = atom(tension) * inverse;
    for (std::size_t j = 0; j < size(); ++j) force_[j] -= pull * by[j];
    if (is_from_outside) push_base(Q.x, d * (is_world(from.a) ? -pull : pull));
  }

  // --- Ends of force elements: on the base, on links, on the world ---

  bool is_world(int l) const { return l == 0 && sketch_.base != 0; }

  // A point of the world, seen from the base; its second derivative is not needed.
  PointMotion end_point(int l, const math::Vec3<double>& p) {
    if (!is_world(l)) return motion_.point({l, sketch_.links[l].X_model * to_eigen(p)});
    const Vector3 in_F = sketch_.R_PF.transpose() * (to_eigen(p) - sketch_.p_PF);
    const Expr x = k(in_F[0]), y = k(in_F[1]), z = k(in_F[2]);
    PointMotion point;
    point.x = atom(pose_.p_BF + pose_.R_BF * Vec(x, y, z));
    point.by.resize(size());
    point.rate = atom(-(pose_.velocity + cross(w_, point.x)));
    return point;
  }
  // Axes of a link or of the world, in the base's axes.
  Mat end_axes(int l, const Matrix3& R_LE) {
    if (!is_world(l)) return motion_.axes_on(l, sketch_.links[l].X_model.linear() * R_LE);
    const Mat in_F = write([&](double value) { return k(value); }, sketch_.R_PF.transpose() * R_LE);
    Mat axes;
    for (int i = 0; i < 3; ++i) axes.c[i] = atom(pose_.R_BF * in_F.c[i]);
    return axes;
  }
  template <class Number>
  static Mat write(const Number& number, const Matrix3& A) {
    Mat result;
    for (int j = 0; j < 3; ++j) {
      const Expr x = number(A(0, j)), y = number(A(1, j)), z = number(A(2, j));
      result.c[j] = Vec(x, y, z);
    }
    return result;
  }
  // Angular velocity relative to the base.
  std::pair<std::vector<Vec>, Vec> end_turning(int l) {
    if (is_world(l)) return {std::vector<Vec>(size()), -w_};
    const LinkMotion& motion = motion_.link(l);
    return {motion.w, motion.omega};
  }

  // An external force at x [m], in the base's axes, on the vehicle as a whole.
  void push_base(const Vec& x, const Vec& force, const Vec& torque = {}) {
    const Vec f = atom(force);
    outside_.force += f;
    outside_.moment += cross(x, f) + torque;
  }

  // As in multibody/forces.cc: six displacements of Q relative to P in P's axes, and their rates.
  void add_bushing(const multibody::BushingForce<double>& from) {
    const PointMotion P = end_point(from.a, from.p_AP), Q = end_point(from.b, from.p_BQ);
    const Mat R_P = end_axes(from.a, to_eigen(from.R_AP)),
              R_Q = end_axes(from.b, to_eigen(from.R_BQ));
    const auto [w_a, omega_a] = end_turning(from.a);
    const auto [w_b, omega_b] = end_turning(from.b);
    const Vec d = atom(Q.x - P.x);
    Mat R_PQ = transpose(R_P) * R_Q;
    for (Vec& column : R_PQ.c) column = atom(column);
    const bool turns = has_entries(from, 0);
    const Vec turn = turns ? math::rotation_vector(R_PQ) : Vec();
    const Vec shift = transpose_times(R_P, d);
    const Vec turn_rate = transpose_times(R_P, omega_b - omega_a);
    const Vec shift_rate = transpose_times(R_P, Q.rate - P.rate - cross(omega_a, d));
    const Expr x[6] = {atom(turn[0]),  atom(turn[1]),  atom(turn[2]),
                       atom(shift[0]), atom(shift[1]), atom(shift[2])};
    const Expr rate[6] = {atom(turn_rate[0]),  atom(turn_rate[1]),  atom(turn_rate[2]),
                          atom(shift_rate[0]), atom(shift_rate[1]), atom(shift_rate[2])};
    Expr elastic[6], damped[6];
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        elastic[i] -= k(from.stiffness[i][j]) * x[j];
        damped[i] -= k(from.damping[i][j]) * rate[j];
      }
    }
    Vec elastic_torque(elastic[0], elastic[1], elastic[2]);
    if (turns) elastic_torque = math::torque_of_turn(Vec(x[0], x[1], x[2]), atom(elastic_torque));
    const Vec torque = atom(R_P * (elastic_torque + Vec(damped[0], damped[1], damped[2])));
    const Vec force =
        atom(R_P * Vec(elastic[3] + damped[3], elastic[4] + damped[4], elastic[5] + damped[5]));
    for (std::size_t j = 0; j < size(); ++j) {
      const Vec by = Q.by[j] - P.by[j] - cross(w_a[j], d);
      force_[j] += dot(torque, w_b[j] - w_a[j]) + dot(force, by);
    }
    if (is_world(from.a)) push_base(Q.x, force, torque);
    if (is_world(from.b)) push_base(Q.x, -force, -torque);
  }
  // Whether the force depends on displacements from this one on: rotations come first.
  static bool has_entries(const multibody::BushingForce<double>& from, int first) {
    for (int i = 0; i < 6; ++i)
      for (int j = first; j < first + 3; ++j)
        if (from.stiffness[i][j] != 0) return true;
    return false;
  }

  void add_wrench(const multibody::WrenchForce<double>& from) {
    const PointMotion Q = end_point(from.link, from.p_L);
    const Mat axes = end_axes(from.in_world ? 0 : from.link, Matrix3::Identity());
    const auto write = [&](const math::Vec3<double>& x) {
      const Expr a = k(x[0]), b = k(x[1]), c = k(x[2]);
      return atom(axes * Vec(a, b, c));
    };
    const Vec force = write(from.force), torque = write(from.torque);
    const std::vector<Vec> w = end_turning(from.link).first;
    for (std::size_t j = 0; j < size(); ++j) force_[j] += dot(force, Q.by[j]) + dot(torque, w[j]);
    if (sketch_.base != 0) push_base(Q.x, force, torque);
  }

  multibody::SpringForce<Expr> with_symbols(const multibody::SpringForce<double>& from) {
    multibody::SpringForce<Expr> to;
    to.free_length = k(from.free_length);
    to.stiffness = k(from.stiffness);
    to.damping = k(from.damping);
    to.preload = k(from.preload);
    const auto table = [&](const std::vector<double>& values, std::vector<Expr>* into) {
      for (const double v : values) into->push_back(k(v));
    };
    table(from.spring_x, &to.spring_x);
    table(from.spring_y, &to.spring_y);
    table(from.damper_x, &to.damper_x);
    table(from.damper_y, &to.damper_y);
    table(from.end_x, &to.end_x);
    table(from.end_y, &to.end_y);
    if (!from.end_x.empty()) {
      to.shortest = k(from.shortest);
      to.longest = k(from.longest);
      to.end_rate = k(from.end_rate);
    }
    return to;
  }

  const Sketch& sketch_;
  const Group& group_;
  const Vec& w_;
  const BasePose& pose_;
  MotionTracer& motion_;
  std::vector<Expr>& force_;
  OutsideForce outside_;
};

}  // namespace

OutsideForce add_element_forces(const Sketch& sketch, const Group& group, const Vec& w,
                                const BasePose& pose, MotionTracer* motion,
                                std::vector<Expr>* force) {
  return ForceTracer(sketch, group, w, pose, motion, force).run();
}

}  // namespace camber::mechanism_code
