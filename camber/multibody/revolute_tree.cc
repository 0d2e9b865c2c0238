// [002] eq. 4-7 as in forward_dynamics.cc, all about O and in W, with these changes:
// - Linear velocities are not needed. Points of a link that are r apart differ in acceleration by
//     W r,   W = [alpha]x + w w^T - |w|^2 1,                                          (1)
//   which gives the acceleration of the next joint, that of the center of mass, and the torque
//     t = (the axial vector of W S),   S = the integral of r r^T dm,                  (2)
//   about that center: 15 multiplications, since only differences of W's diagonal count.
// - A link's axes are rotated about its joint's z such that the joint of the first link on it has
//   the same x. R_PF is then a rotation about x: 12 multiplications instead of 27. Every other
//   joint's frame has its x in the parent's xy plane. Origins are on the joint's axis beside the
//   center of mass, and tips are rotated so that the center of mass is on x.
// - S = even 1 + a a^T + b b^T: its smallest principal value, and two vectors of which one can
//   be chosen normal to z. Rotating S takes 27 multiplications, I needs 36.           (3)
// - At a tip D is a constant, the inertia about the axis, and so is P H / sqrt(D) in its axes. What
//   a tip passes on is known once it is in place: its force and rigid inertia are added to its
//   parent's there, and only - P H H^T P / D remains for the recursion.               (4)
//
// Statements are ordered so that values have short lifetimes: there are 32 registers, and g++ 12
// spills the rest to memory. Stores compete with fused multiply-adds (docs/decisions/0009).
#include "camber/multibody/revolute_tree.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/math/dense.h"
#include "camber/multibody/running_sum.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {

namespace {

Matrix3 turn_z(double angle) {
  return Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
}

// R = Rz(first) Rx(tilt) Rz(last).
struct TurnAngles {
  double first = 0, tilt = 0, last = 0;
};

TurnAngles find_turn_angles(const Matrix3& R) {
  const double s = std::hypot(R(0, 2), R(1, 2));
  if (s > 1e-8) {
    return {std::atan2(R(0, 2), -R(1, 2)), std::atan2(s, R(2, 2)), std::atan2(R(2, 0), R(2, 1))};
  }
  // Parallel axes, to rounding: all in the last.
  if (R(2, 2) > 0) return {0, 0, std::atan2(R(1, 0), R(0, 0))};
  return {0, std::numbers::pi, std::atan2(-R(1, 0), R(0, 0))};
}

template <class T>
Matrix3 inertia_about_center(const Link<T>& link) {
  Matrix3 I;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) I(i, j) = link.I_LLcm(i, j);
  return I;
}

template <class V>
Vector3 vector_of(const V& x) {
  return {x[0], x[1], x[2]};
}

void copy(const Vector3& from, double (&to)[3]) { std::copy(from.begin(), from.end(), to); }

// About a joint's axis.
template <class T>
double inertia_about_axis(const Link<T>& link) {
  return link.I_LLcm(2, 2) +
         link.mass * (link.p_LLcm[0] * link.p_LLcm[0] + link.p_LLcm[1] * link.p_LLcm[1]);
}

}  // namespace

template <class T>
bool RevoluteTree<T>::fits(const Model<T>& model) {
  if (!model.clusters.empty() || !model.springs.empty() || !model.bushings.empty() ||
      !model.wrenches.empty() || !model.contacts.empty() || model.origin_link != 0) {
    return false;
  }
  return std::all_of(model.links.begin() + 1, model.links.end(), [](const Link<T>& link) {
    return link.kind == LinkKind::kRevolute && link.has_mass && !link.is_driven &&
           (!link.is_simple_tip || inertia_about_axis(link) > 0);
  });
}

template <class T>
RevoluteTree<T>::RevoluteTree(const Model<T>& model)
    : links_(model.links.size()), sines_(model.links.size()) {
  set_order(model);
  const int n = static_cast<int>(model.links.size());
  std::vector<TurnAngles> turns(model.links.size());
  std::vector<int> first_child(model.links.size(), 0);
  for (int l = n - 1; l > 0; --l) {
    turns[l] = find_turn_angles(to_eigen(cast<double>(model.links[l].R_PF)));
    first_child[model.links[l].parent] = l;
  }
  // How far each link's axes are rotated back from those of the model, and its origin moved along
  // z.
  std::vector<double> back(model.links.size(), 0), rise(model.links.size(), 0);
  for (int l = 1; l < n; ++l) {
    const Vec3<double> c = cast<double>(model.links[l].p_LLcm);
    back[l] = first_child[l] > 0 ? -turns[first_child[l]].first : -std::atan2(c[1], c[0]);
    rise[l] = c[2];
  }
  for (int l = 1; l < n; ++l) {
    const Link<T>& link = model.links[l];
    Constants& c = links_[l];
    c.is_lined_up = link.parent != 0 && first_child[link.parent] == l;
    c.q = link.q_start;
    c.v = link.v_start;
    const double first = c.is_lined_up ? 0 : turns[l].first + back[link.parent];
    const Matrix3 R_PF =
        turn_z(first) * Eigen::AngleAxisd(turns[l].tilt, Vector3::UnitX()).toRotationMatrix();
    for (int j = 0; j < 3; ++j) copy(R_PF.col(j), c.R_PF[j]);
    c.angle = turns[l].last - back[l];
    Vector3 p_PF = vector_of(link.p_PF);
    if (link.parent == 0) p_PF -= vector_of(model.p_WO);  // W is at -p_WO from O
    copy(turn_z(back[link.parent]) * p_PF - rise[link.parent] * Vector3::UnitZ() +
             rise[l] * R_PF.col(2),
         c.p_PF);
    set_mass(link, back[l], &c);
    c.mass_with_tips = c.mass;
    if (c.is_tip) links_[link.parent].mass_with_tips += c.mass;
  }
  carriers_[0].H = {Vec3<T>(T(0), T(0), T(1)), Vec3<T>()};
  Motion& world = motions_[0];
  world.x = {T(1), T(0), T(0)};
  world.y = {T(0), T(1), T(0)};
  world.a = -model.gravity;
}

// The order of the links, and where their numbers are.
template <class T>
void RevoluteTree<T>::set_order(const Model<T>& model) {
  const int n = static_cast<int>(model.links.size());
  std::vector<int> last_child(model.links.size(), 0);
  for (int l = 1; l < n; ++l) last_child[model.links[l].parent] = l;
  std::size_t carriers = 1, tips = 0, slots = 1;
  std::vector<int> free_slots;
  int at_hand = 0;  // the link whose acceleration is available for the next link
  for (int l = 1; l < n; ++l) {
    const Link<T>& link = model.links[l];
    Constants& c = links_[l];
    Constants& parent = links_[link.parent];
    c.is_tip = link.is_simple_tip;
    c.continues_sum = link.continues_sum;
    c.has_branches = link.has_branches;
    c.is_first_branch = link.is_first_branch;
    c.comes_back = link.parent != at_hand;
    if (c.comes_back) parent.is_come_back_to = true;
    at_hand = c.is_tip ? link.parent : l;
    c.place = static_cast<int>(c.is_tip ? tips++ : carriers++);
    c.parent_place = parent.place;
    c.parent_slot = parent.slot;
    if (!c.is_tip) {
      if (free_slots.empty()) free_slots.push_back(static_cast<int>(slots++));
      c.slot = free_slots.back();
      free_slots.pop_back();
    }
    // Only now: the last link needs a slot of its own, since it is filled while the parent's is
    // read.
    if (link.parent != 0 && last_child[link.parent] == l) free_slots.push_back(parent.slot);
  }
  carriers_.resize(carriers);
  tips_.resize(tips);
  motions_.resize(slots);
  P_.resize(slots);
  A_.resize(slots);
}

template <class T>
void RevoluteTree<T>::set_mass(const Link<T>& link, double back, Constants* c) {
  const Matrix3 R_BL = turn_z(back);
  const Vector3 p = R_BL * vector_of(link.p_LLcm);
  c->center[0] = p[0];
  c->center[1] = c->is_tip ? 0 : p[1];  // to rounding a tip's is
  c->mass = link.mass;
  const Matrix3 I = R_BL * inertia_about_center(link) * R_BL.transpose();
  const auto principal = math::calc_symmetric_eigen(I);
  const Vector3& moments = principal.values;  // the least first
  const auto root_vector = [&](int i) -> Vector3 {
    return principal.vectors.col(i) * std::sqrt(moments[2] - moments[i]);
  };
  // Rotating the two vectors within their plane keeps the sum of a a^T and b b^T.
  Vector3 a = root_vector(0), b = root_vector(1);
  if (const double size = std::hypot(a[2], b[2]); size > 0) {
    const Vector3 turned = (a * a[2] + b * b[2]) / size;
    b = (b * a[2] - a * b[2]) / size;
    a = turned;
  }
  c->even = moments.sum() / 2 - moments[2];
  copy(a, c->a);
  c->b[0] = b[0];
  c->b[1] = b[1];
  if (!c->is_tip) return;
  c->root = 1 / std::sqrt(inertia_about_axis(link));
  c->gain_z = (moments[2] + link.mass * p[0] * p[0]) * c->root;
  c->gain_a = -a[2] * c->root;
  c->gain_y = link.mass * p[0] * c->root;
}

namespace {

template <class T>
[[gnu::always_inline]] inline Vec3<T> along(const Vec3<T>& x, const Vec3<T>& y, const Vec3<T>& z,
                                            const double (&a)[3]) {
  return x * T(a[0]) + y * T(a[1]) + z * T(a[2]);
}

// W r  (1)
template <class Turning, class T>
[[gnu::always_inline]] inline Vec3<T> apart(const Turning& W, const Vec3<T>& r) {
  return {(W.products[0] - W.alpha[2]) * r[1] - W.squares[0] * r[0] +
              (W.products[1] + W.alpha[1]) * r[2],
          (W.products[0] + W.alpha[2]) * r[0] - W.squares[1] * r[1] +
              (W.products[2] - W.alpha[0]) * r[2],
          (W.products[1] - W.alpha[1]) * r[0] + (W.products[2] + W.alpha[0]) * r[1] -
              W.squares[2] * r[2]};
}

// (2)
template <class Turning, class T>
[[gnu::always_inline]] inline Vec3<T> torque(const Turning& W, const SymMat3<T>& S) {
  const T xy = W.products[0] - W.alpha[2], yx = W.products[0] + W.alpha[2];
  const T xz = W.products[1] + W.alpha[1], zx = W.products[1] - W.alpha[1];
  const T yz = W.products[2] - W.alpha[0], zy = W.products[2] + W.alpha[0];
  const T &xx = W.squares[0], &yy = W.squares[1], &zz = W.squares[2];  // without their sign
  return {zx * S.xy - yx * S.xz + (zy * S.yy - yz * S.zz + (yy - zz) * S.yz),
          xy * S.yz - zy * S.xy + (xz * S.zz - zx * S.xx + (zz - xx) * S.xz),
          yz * S.xz - xz * S.yz + (yx * S.xx - xy * S.yy + (xx - yy) * S.xy)};
}

// Adds a speed about z.
template <class Turning, class T>
[[gnu::always_inline]] inline void turn_on(const Turning& parent, const Vec3<T>& z, const T& speed,
                                           Turning* W) {
  const Vec3<T> relative = z * speed;
  W->alpha = parent.alpha + cross(parent.w, relative);
  const Vec3<T> w = parent.w + relative;
  W->w = w;
  const T xx = w[0] * w[0], yy = w[1] * w[1], zz = w[2] * w[2];
  W->squares = {yy + zz, xx + zz, xx + yy};
  W->products = {w[0] * w[1], w[0] * w[2], w[1] * w[2]};
}

// The axes of F, then rotated about z.
template <bool is_lined_up, class Constants, class Motion, class Sines, class T>
[[gnu::always_inline]] inline void place_axes(const Constants& c, const Motion& parent,
                                              const Vec3<T>& z_P, const Sines& q, Vec3<T>* x,
                                              Vec3<T>* y, Vec3<T>* z) {
  Vec3<T> x_F, y_F;
  if constexpr (is_lined_up) {
    x_F = parent.x;
    y_F = parent.y * T(c.R_PF[1][1]) + z_P * T(c.R_PF[1][2]);
    *z = parent.y * T(c.R_PF[2][1]) + z_P * T(c.R_PF[2][2]);
  } else {
    x_F = parent.x * T(c.R_PF[0][0]) + parent.y * T(c.R_PF[0][1]);
    y_F = along(parent.x, parent.y, z_P, c.R_PF[1]);
    *z = along(parent.x, parent.y, z_P, c.R_PF[2]);
  }
  *x = x_F * q.cosine + y_F * q.sine;
  *y = y_F * q.cosine - x_F * q.sine;
}

// (3)
template <class Constants, class T>
[[gnu::always_inline]] inline SymMat3<T> place_moments(const Constants& c, const Vec3<T>& a,
                                                       const Vec3<T>& b) {
  const T even(c.even);
  return {even + a[0] * a[0] + b[0] * b[0], even + a[1] * a[1] + b[1] * b[1],
          even + a[2] * a[2] + b[2] * b[2], a[0] * a[1] + b[0] * b[1],
          a[0] * a[2] + b[0] * b[2],        a[1] * a[2] + b[1] * b[2]};
}

// The inertia about O, from S.
template <class T>
[[gnu::always_inline]] inline SymMat3<T> inertia_of(const SymMat3<T>& S, const Vec3<T>& center,
                                                    const Vec3<T>& mc) {
  const T xx = S.xx + center[0] * mc[0], yy = S.yy + center[1] * mc[1],
          zz = S.zz + center[2] * mc[2];
  return {yy + zz,
          xx + zz,
          xx + yy,
          -S.xy - center[0] * mc[1],
          -S.xz - center[0] * mc[2],
          -S.yz - center[1] * mc[2]};
}

}  // namespace

template <class T>
template <bool is_lined_up>
[[gnu::always_inline]] inline void RevoluteTree<T>::place_carrier(const Constants& c,
                                                                  const Sines& sines,
                                                                  const T& speed) {
  const Motion& parent = motions_[c.parent_slot];
  const Vec3<T> z_P = carriers_[c.parent_place].H.top();
  Motion& motion = motions_[c.slot];
  Carrier& link = carriers_[c.place];
  Vec3<T> x, y, z;
  place_axes<is_lined_up>(c, parent, z_P, sines, &x, &y, &z);
  motion.x = x;
  motion.y = y;
  const Vec3<T> r = along(parent.x, parent.y, z_P, c.p_PF);
  const Vec3<T> p = parent.p_OB + r;
  Vec3<T> acceleration = parent.a + apart(parent.turning, r);
  motion.p_OB = p;
  motion.a = acceleration;
  link.H = Spatial<T>(z, cross(p, z));
  const Vec3<T> to_center = x * T(c.center[0]) + y * T(c.center[1]);
  const Vec3<T> a = along(x, y, z, c.a), b = x * T(c.b[0]) + y * T(c.b[1]);
  const SymMat3<T> S = place_moments(c, a, b);
  const Vec3<T> center = p + to_center;
  const T m(c.mass);
  link.mc = center * m;
  link.J = inertia_of(S, center, link.mc);
  Turning W;
  turn_on(parent.turning, z, speed, &W);
  motion.turning.w = W.w;
  motion.turning.alpha = W.alpha;
  motion.turning.squares = W.squares;
  motion.turning.products = W.products;
  acceleration += apart(W, to_center);
  const Vec3<T> f = acceleration * m;
  link.F = Spatial<T>(torque(W, S) + cross(center, f), f);
}

template <class T>
template <bool is_lined_up>
[[gnu::always_inline]] inline void RevoluteTree<T>::place_tip(const Constants& c,
                                                              const Sines& sines, const T& speed,
                                                              const T& tau) {
  const Motion& parent = motions_[c.parent_slot];
  Carrier& carrier = carriers_[c.parent_place];
  const Vec3<T> z_P = carrier.H.top();
  Tip& tip = tips_[c.place];
  Vec3<T> x, y, z;
  place_axes<is_lined_up>(c, parent, z_P, sines, &x, &y, &z);
  const Vec3<T> r = along(parent.x, parent.y, z_P, c.p_PF);
  const Vec3<T> p = parent.p_OB + r;
  Vec3<T> acceleration = parent.a + apart(parent.turning, r);
  const Vec3<T> a = along(x, y, z, c.a), b = x * T(c.b[0]) + y * T(c.b[1]);
  const Vec3<T> k = y * T(c.gain_y);
  tip.K = Spatial<T>(z * T(c.gain_z) + a * T(c.gain_a) + cross(p, k), k);  // (4)
  const Vec3<T> to_center = x * T(c.center[0]);
  const SymMat3<T> S = place_moments(c, a, b);
  const Vec3<T> center = p + to_center;
  const T m(c.mass);
  const Vec3<T> mc = center * m;
  carrier.mc += mc;
  carrier.J += inertia_of(S, center, mc);
  Turning W;
  turn_on(parent.turning, z, speed, &W);
  acceleration += apart(W, to_center);
  const Vec3<T> t = torque(W, S);
  // The force along the joint's axis: of t, and of the mass's acceleration at its center, where k
  // is mass times z x c times the root.
  const Vec3<T> k_again = tip.K.bottom();
  const T nu = (tau - dot(z, t)) * T(c.root) - dot(k_again, acceleration);
  tip.nu = nu;
  const Vec3<T> f = acceleration * m;
  carrier.F += Spatial<T>(t + cross(center, f), f) + tip.K * nu;
}

template <class T>
void RevoluteTree<T>::place_links(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& tau) {
  const int n = static_cast<int>(links_.size());
  // Computed beforehand: a link's axes would wait for them.
  for (int l = 1; l < n; ++l) {
    const Constants& c = links_[l];
    sincos(T(q[c.q] + T(c.angle)), &sines_[l].sine, &sines_[l].cosine);
  }
  for (int l = 1; l < n; ++l) {
    const Constants& c = links_[l];
    const T& speed = v[c.v];
    if (c.is_tip) {
      c.is_lined_up ? place_tip<true>(c, sines_[l], speed, tau[c.v])
                    : place_tip<false>(c, sines_[l], speed, tau[c.v]);
    } else {
      c.is_lined_up ? place_carrier<true>(c, sines_[l], speed)
                    : place_carrier<false>(c, sines_[l], speed);
    }
  }
}

// Tips to base: articulated inertias and forces.
template <class T>
bool RevoluteTree<T>::gather(const VectorX<T>& tau) {
  internal::RunningSum<SymMat6<T>> P;
  for (int l = static_cast<int>(links_.size()) - 1; l > 0; --l) {
    const Constants& c = links_[l];
    P.come_to(c, &P_);
    P.of = c.parent_slot;
    if (!c.continues_sum) P.sum = SymMat6<T>();
    if (c.is_tip) {
      const Tip& tip = tips_[c.place];
      P.sum.subtract_outer(tip.K, tip.K);
      continue;
    }
    Carrier& link = carriers_[c.place];
    P.sum.add(RigidInertia<T>{T(c.mass_with_tips), link.mc, link.J});
    if (c.has_branches) P.sum += P_[c.slot];
    const T u = tau[c.v] - dot(link.H, link.F);
    const Spatial<T> U = P.sum * link.H;
    const T D = dot(link.H, U);
    if (!all(D > T(0))) return false;
    const T D_inverse = T(1) / D;
    link.nu = u * D_inverse;
    link.K = U * D_inverse;
    P.sum.subtract_outer(U, link.K);
    carriers_[c.parent_place].F += link.F + link.K * u;
  }
  return true;
}

// Base to tips: accelerations.
template <class T>
void RevoluteTree<T>::spread(VectorX<T>* v_dot) {
  Spatial<T> A;
  for (int l = 1; l < static_cast<int>(links_.size()); ++l) {
    const Constants& c = links_[l];
    if (c.comes_back) A = A_[c.parent_slot];
    if (c.is_tip) {
      const Tip& tip = tips_[c.place];
      (*v_dot)[c.v] = (tip.nu - dot(tip.K, A)) * T(c.root);
      continue;
    }
    const Carrier& link = carriers_[c.place];
    const T a = link.nu - dot(link.K, A);
    A += link.H * a;
    if (c.is_come_back_to) A_[c.slot] = A;
    (*v_dot)[c.v] = a;
  }
}

template <class T>
bool RevoluteTree<T>::calc_accelerations(const VectorX<T>& q, const VectorX<T>& v,
                                         const VectorX<T>& tau, VectorX<T>* v_dot) {
  place_links(q, v, tau);
  if (!gather(tau)) return false;
  spread(v_dot);
  return true;
}

template class RevoluteTree<Lanes>;

}  // namespace camber::multibody
