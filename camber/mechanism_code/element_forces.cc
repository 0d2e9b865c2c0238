// Springs, bushings and wrenches as in multibody/forces.cc, seen from the base: their forces on a
// group's columns and, if they are external, on the base. docs/theory/generated.md, section 6.
#include "camber/mechanism_code/element_forces.h"

#include "camber/core/require.h"
#include "camber/math/rotation_vector.h"
#include "camber/multibody/forces.h"
#include "camber/multibody/scalars.h"

namespace camber::mechanism_code {

using multibody::to_eigen;

template <class T>
BasePose<T> base_pose() {
  BasePose<T> pose;
  const auto vector = [](const char* name) {
    return Vec<T>(make_symbol<T>(concat("shared_", name, 0)),
                  make_symbol<T>(concat("shared_", name, 1)),
                  make_symbol<T>(concat("shared_", name, 2)));
  };
  pose.R_BF = Mat<T>{{vector("pose_x"), vector("pose_y"), vector("pose_z")}};
  pose.p_BF = vector("pose_p");
  pose.velocity = vector("pose_v");
  return pose;
}

namespace {

template <class T>
class ForceTracer {
 public:
  ForceTracer(const Sketch& sketch, const Group& group, const Vec<T>& w, const BasePose<T>& pose,
              MotionTracer<T>* motion, std::vector<T>* force)
      : sketch_(sketch), group_(group), w_(w), pose_(pose), motion_(*motion), force_(*force) {}

  OutsideForce<T> run() {
    for (std::size_t i = 0; i < group_.springs.size(); ++i) add_springs(i);
    for (const int i : group_.bushings) add_bushing(sketch_.mechanism.model.bushings[i]);
    for (const int i : group_.wrenches) add_wrench(sketch_.mechanism.model.wrenches[i]);
    return outside_;
  }

 private:
  std::size_t size() const { return force_.size(); }
  T atom(const T& e) { return motion_.atom(e); }
  Vec<T> atom(const Vec<T>& e) { return motion_.atom(e); }
  T k(double value) { return motion_.parameter(value); }

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
    const PointMotion<T> P = end_point(from.a, from.p_A), Q = end_point(from.b, from.p_B);
    const Vec<T> d = atom(Q.x - P.x);
    const T length = atom(sqrt(dot(d, d))), inverse = T(1) / length;
    std::vector<T> by;  // derivatives of half the squared length
    T rate;
    for (std::size_t j = 0; j < size(); ++j) {
      by.push_back(atom(dot(d, Q.by[j] - P.by[j])));
      rate += by[j] * motion_.symbols(static_cast<int>(j)).rate;
    }
    const bool is_from_outside = is_world(from.a) || is_world(from.b);
    if (is_from_outside) rate = dot(d, Q.rate - P.rate);
    rate = atom(rate * inverse);
    T tension;
    for (std::size_t i = first; i < group_.springs.size(); ++i)
      if (have_equal_ends(spring(i), from))
        tension += calc_tension(with_symbols(spring(i)), length, rate);
    const T pull = atom(tension) * inverse;
    for (std::size_t j = 0; j < size(); ++j) force_[j] -= pull * by[j];
    if (is_from_outside) push_base(Q.x, d * (is_world(from.a) ? -pull : pull));
  }

  // --- Ends of force elements: on the base, on links, on the world ---

  bool is_world(int l) const { return l == 0 && sketch_.base != 0; }

  // A point of the world, seen from the base; its second derivative is not needed.
  PointMotion<T> end_point(int l, const math::Vec3<double>& p) {
    if (!is_world(l)) return motion_.point({l, sketch_.links[l].X_model * to_eigen(p)});
    const Vector3 in_F = sketch_.R_PF.transpose() * (to_eigen(p) - sketch_.p_PF);
    const T x = k(in_F[0]), y = k(in_F[1]), z = k(in_F[2]);
    PointMotion<T> point;
    point.x = atom(pose_.p_BF + pose_.R_BF * Vec<T>(x, y, z));
    point.by.resize(size());
    point.rate = atom(-(pose_.velocity + cross(w_, point.x)));
    return point;
  }
  // Axes of a link or of the world, in the base's axes.
  Mat<T> end_axes(int l, const Matrix3& R_LE) {
    if (!is_world(l)) return motion_.axes_on(l, sketch_.links[l].X_model.linear() * R_LE);
    const Mat<T> in_F =
        write([&](double value) { return k(value); }, sketch_.R_PF.transpose() * R_LE);
    Mat<T> axes;
    for (int i = 0; i < 3; ++i) axes.c[i] = atom(pose_.R_BF * in_F.c[i]);
    return axes;
  }
  template <class Number>
  static Mat<T> write(const Number& number, const Matrix3& A) {
    Mat<T> result;
    for (int j = 0; j < 3; ++j) {
      const T x = number(A(0, j)), y = number(A(1, j)), z = number(A(2, j));
      result.c[j] = Vec<T>(x, y, z);
    }
    return result;
  }
  // Angular velocity relative to the base.
  std::pair<std::vector<Vec<T>>, Vec<T>> end_turning(int l) {
    if (is_world(l)) return {std::vector<Vec<T>>(size()), -w_};
    const LinkMotion<T>& motion = motion_.link(l);
    return {motion.w, motion.omega};
  }

  // An external force at x [m], in the base's axes, on the vehicle as a whole.
  void push_base(const Vec<T>& x, const Vec<T>& force, const Vec<T>& torque = {}) {
    const Vec<T> f = atom(force);
    outside_.force += f;
    outside_.moment += cross(x, f) + torque;
  }

  // As in multibody/forces.cc: six displacements of Q relative to P in P's axes, and their rates.
  void add_bushing(const multibody::BushingForce<double>& from) {
    const PointMotion<T> P = end_point(from.a, from.p_AP), Q = end_point(from.b, from.p_BQ);
    const Mat<T> R_P = end_axes(from.a, to_eigen(from.R_AP)),
                 R_Q = end_axes(from.b, to_eigen(from.R_BQ));
    const auto [w_a, omega_a] = end_turning(from.a);
    const auto [w_b, omega_b] = end_turning(from.b);
    const Vec<T> d = atom(Q.x - P.x);
    Mat<T> R_PQ = transpose(R_P) * R_Q;
    for (Vec<T>& column : R_PQ.c) column = atom(column);
    const bool turns = has_entries(from, 0);
    const Vec<T> turn = turns ? math::rotation_vector(R_PQ) : Vec<T>();
    const Vec<T> shift = transpose_times(R_P, d);
    const Vec<T> turn_rate = transpose_times(R_P, omega_b - omega_a);
    const Vec<T> shift_rate = transpose_times(R_P, Q.rate - P.rate - cross(omega_a, d));
    const T x[6] = {atom(turn[0]),  atom(turn[1]),  atom(turn[2]),
                    atom(shift[0]), atom(shift[1]), atom(shift[2])};
    const T rate[6] = {atom(turn_rate[0]),  atom(turn_rate[1]),  atom(turn_rate[2]),
                       atom(shift_rate[0]), atom(shift_rate[1]), atom(shift_rate[2])};
    T elastic[6], damped[6];
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        elastic[i] -= k(from.stiffness[i][j]) * x[j];
        damped[i] -= k(from.damping[i][j]) * rate[j];
      }
    }
    Vec<T> elastic_torque(elastic[0], elastic[1], elastic[2]);
    if (turns)
      elastic_torque = math::torque_of_turn(Vec<T>(x[0], x[1], x[2]), atom(elastic_torque));
    const Vec<T> torque = atom(R_P * (elastic_torque + Vec<T>(damped[0], damped[1], damped[2])));
    const Vec<T> force =
        atom(R_P * Vec<T>(elastic[3] + damped[3], elastic[4] + damped[4], elastic[5] + damped[5]));
    for (std::size_t j = 0; j < size(); ++j) {
      const Vec<T> by = Q.by[j] - P.by[j] - cross(w_a[j], d);
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
    const PointMotion<T> Q = end_point(from.link, from.p_L);
    const Mat<T> axes = end_axes(from.in_world ? 0 : from.link, Matrix3::Identity());
    const auto write = [&](const math::Vec3<double>& x) {
      const T a = k(x[0]), b = k(x[1]), c = k(x[2]);
      return atom(axes * Vec<T>(a, b, c));
    };
    const Vec<T> force = write(from.force), torque = write(from.torque);
    const std::vector<Vec<T>> w = end_turning(from.link).first;
    for (std::size_t j = 0; j < size(); ++j) force_[j] += dot(force, Q.by[j]) + dot(torque, w[j]);
    if (sketch_.base != 0) push_base(Q.x, force, torque);
  }

  multibody::SpringForce<T> with_symbols(const multibody::SpringForce<double>& from) {
    multibody::SpringForce<T> to;
    to.free_length = k(from.free_length);
    to.stiffness = k(from.stiffness);
    to.damping = k(from.damping);
    to.preload = k(from.preload);
    const auto table = [&](const std::vector<double>& values, std::vector<T>* into) {
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
  const Vec<T>& w_;
  const BasePose<T>& pose_;
  MotionTracer<T>& motion_;
  std::vector<T>& force_;
  OutsideForce<T> outside_;
};

}  // namespace

template <class T>
OutsideForce<T> add_element_forces(const Sketch& sketch, const Group& group, const Vec<T>& w,
                                   const BasePose<T>& pose, MotionTracer<T>* motion,
                                   std::vector<T>* force) {
  return ForceTracer<T>(sketch, group, w, pose, motion, force).run();
}

#define CAMBER_INSTANTIATE(T)                                                             \
  template BasePose<T> base_pose();                                                       \
  template OutsideForce<T> add_element_forces(const Sketch&, const Group&, const Vec<T>&, \
                                              const BasePose<T>&, MotionTracer<T>*,       \
                                              std::vector<T>*);
CAMBER_INSTANTIATE(Expr)
CAMBER_INSTANTIATE(Fingerprint)
#undef CAMBER_INSTANTIATE

}  // namespace camber::mechanism_code
