// [002] eq. 4-7 as in forward_dynamics.cc, all about O and in W, with these changes:
// - Linear velocities are not needed. Points of a link that are r apart differ in acceleration by
//     W r,   W = [alpha]x + w w^T - |w|^2 1,                                          (1)
//   which gives the acceleration of the next joint, that of the center of mass, and the torque
//     t = tr(I) alpha - (the axial vector of W I).                                    (2)
// - A link's axes are turned about its joint's z such that the joint of the first link on it has
//   the same x. R_PF is then a turn about x: 12 multiplications instead of 27. Every other joint's
//   has its x in the parent's xy plane. Tips are turned so that their center of mass is in the xz
//   plane.
// - The inertia about the center of mass is middle 1 + larger larger^T - smaller smaller^T, of its
//   principal axes, which turns in 30 multiplications instead of 36.                  (3)
// - At a tip D is a constant, the inertia about the axis, and so is P H / sqrt(D) in its axes. What
//   a tip hands on is known once it is in place.                                      (4)
//
// The order of statements is that in which numbers die early: there are 32 registers, and g++ 12
// keeps what does not fit in memory. Stores compete with fused multiply-adds (docs/decisions/0009).
#include "camber/multibody/revolute_tree.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

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

// S + (p.h) 1 - p h^T, for p and h in one direction: what a mass adds that is not at the origin.
template <class T>
[[gnu::always_inline]] inline SymMat3<T> add_parallel_axis(const SymMat3<T>& S, const Vec3<T>& p,
                                                           const Vec3<T>& h) {
  const T x = p[0] * h[0], y = p[1] * h[1], z = p[2] * h[2];
  return {S.xx + (y + z),     S.yy + (x + z),     S.zz + (x + y),
          S.xy - p[0] * h[1], S.xz - p[0] * h[2], S.yz - p[1] * h[2]};
}

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
    : links_(model.links.size()),
      P_(model.links.size()),
      Z_(model.links.size()),
      A_(model.links.size()) {
  const int n = static_cast<int>(model.links.size());
  // How far each link's axes are turned back from those of the model.
  std::vector<TurnAngles> turns(model.links.size());
  std::vector<int> first_child(model.links.size(), 0);
  for (int l = n - 1; l > 0; --l) {
    turns[l] = find_turn_angles(to_eigen(cast<double>(model.links[l].R_PF)));
    first_child[model.links[l].parent] = l;
  }
  std::vector<double> back(model.links.size(), 0);
  for (int l = 1; l < n; ++l) {
    const Vec3<double> c = cast<double>(model.links[l].p_LLcm);
    back[l] = first_child[l] > 0 ? -turns[first_child[l]].first : -std::atan2(c[1], c[0]);
  }
  int carriers = 1, tips = 0;
  for (int l = 1; l < n; ++l) {
    const Link<T>& link = model.links[l];
    Constants& c = links_[l];
    c.is_tip = link.is_simple_tip;
    c.is_lined_up = link.parent != 0 && first_child[link.parent] == l;
    c.continues_sum = link.continues_sum;
    c.has_branches = link.has_branches;
    c.is_first_branch = link.is_first_branch;
    c.q = link.q_start;
    c.v = link.v_start;
    c.parent = link.parent;
    c.parent_place = links_[link.parent].place;
    c.place = c.is_tip ? tips++ : carriers++;
    const double first = c.is_lined_up ? 0 : turns[l].first + back[link.parent];
    const Matrix3 R_PF =
        turn_z(first) * Eigen::AngleAxisd(turns[l].tilt, Vector3::UnitX()).toRotationMatrix();
    for (int j = 0; j < 3; ++j) copy(R_PF.col(j), c.R_PF[j]);
    c.angle = turns[l].last - back[l];
    copy(turn_z(back[link.parent]) * vector_of(link.p_PF), c.p_PF);

    const Matrix3 R_BL = turn_z(back[l]);
    Vector3 p = R_BL * vector_of(link.p_LLcm);
    if (c.is_tip) p[1] = 0;  // to rounding it is
    copy(p, c.p_BBcm);
    c.mass = link.mass;
    c.inverse_mass = 1 / link.mass;
    const Matrix3 I = R_BL * inertia_about_center(link) * R_BL.transpose();
    const Eigen::SelfAdjointEigenSolver<Matrix3> principal(I);
    const Vector3& moments = principal.eigenvalues();  // the least first
    c.trace = moments.sum();
    c.middle = moments[1];
    copy(principal.eigenvectors().col(2) * std::sqrt(moments[2] - moments[1]), c.larger);
    copy(principal.eigenvectors().col(0) * std::sqrt(moments[1] - moments[0]), c.smaller);
    if (!c.is_tip) continue;
    c.root = 1 / std::sqrt(inertia_about_axis(link));
    const Vector3 z = Vector3::UnitZ();
    copy((I * z + link.mass * p.cross(z.cross(p))) * c.root, c.gain);
    c.gain_y = link.mass * p[0] * c.root;
  }
  carriers_.resize(static_cast<std::size_t>(carriers));
  tips_.resize(static_cast<std::size_t>(tips));
  for (int l = 1; l < n; ++l)
    (links_[l].is_tip ? tips_[links_[l].place].M : carriers_[links_[l].place].M).m =
        T(links_[l].mass);
  Carrier& world = carriers_[0];
  world.x = {T(1), T(0), T(0)};
  world.y = {T(0), T(1), T(0)};
  world.H = {Vec3<T>(T(0), T(0), T(1)), Vec3<T>()};
  world.a = -model.gravity;
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
[[gnu::always_inline]] inline Vec3<T> torque(const Turning& W, const SymMat3<T>& I,
                                             const T& trace) {
  const T xy = W.products[0] - W.alpha[2], yx = W.products[0] + W.alpha[2];
  const T xz = W.products[1] + W.alpha[1], zx = W.products[1] - W.alpha[1];
  const T yz = W.products[2] - W.alpha[0], zy = W.products[2] + W.alpha[0];
  const T &xx = W.squares[0], &yy = W.squares[1], &zz = W.squares[2];  // less their sign
  return {trace * W.alpha[0] + (yx * I.xz - yy * I.yz + yz * I.zz) -
              (zx * I.xy + zy * I.yy - zz * I.yz),
          trace * W.alpha[1] + (xx * I.xz - xy * I.yz - xz * I.zz) +
              (zx * I.xx + zy * I.xy - zz * I.xz),
          trace * W.alpha[2] + (xy * I.yy - xx * I.xy + xz * I.yz) -
              (yx * I.xx - yy * I.xy + yz * I.xz)};
}

// Turns on with a speed about z.
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

// The axes of F, then turned about z.
template <bool is_lined_up, class Constants, class Carrier, class T>
[[gnu::always_inline]] inline void place_axes(const Constants& c, const Carrier& parent,
                                              const T& sine, const T& cosine, Vec3<T>* x,
                                              Vec3<T>* y, Vec3<T>* z) {
  const Vec3<T> z_P(parent.H.e[0], parent.H.e[1], parent.H.e[2]);
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
  *x = x_F * cosine + y_F * sine;
  *y = y_F * cosine - x_F * sine;
}

// (3)
template <class Constants, class T>
[[gnu::always_inline]] inline void place_center_inertia(const Constants& c, const Vec3<T>& x,
                                                        const Vec3<T>& y, const Vec3<T>& z,
                                                        SymMat3<T>* I) {
  const Vec3<T> a = along(x, y, z, c.larger), b = along(x, y, z, c.smaller);
  const T middle(c.middle);
  I->xx = middle + a[0] * a[0] - b[0] * b[0];
  I->yy = middle + a[1] * a[1] - b[1] * b[1];
  I->zz = middle + a[2] * a[2] - b[2] * b[2];
  I->xy = a[0] * a[1] - b[0] * b[1];
  I->xz = a[0] * a[2] - b[0] * b[2];
  I->yz = a[1] * a[2] - b[1] * b[2];
}

}  // namespace

template <class T>
template <bool is_lined_up>
[[gnu::always_inline]] inline void RevoluteTree<T>::place_carrier(const Constants& c, const T& sine,
                                                                  const T& cosine, const T& speed) {
  const Carrier& parent = carriers_[c.parent_place];
  Carrier& link = carriers_[c.place];
  Vec3<T> x, y, z;
  place_axes<is_lined_up>(c, parent, sine, cosine, &x, &y, &z);
  link.x = x;
  link.y = y;
  const Vec3<T> z_P(parent.H.e[0], parent.H.e[1], parent.H.e[2]);
  const Vec3<T> r = along(parent.x, parent.y, z_P, c.p_PF);
  const Vec3<T> p = parent.p_OB + r;
  Vec3<T> a = parent.a + apart(parent.turning, r);
  link.p_OB = p;
  link.a = a;
  link.H = Spatial<T>(z, cross(p, z));
  const Vec3<T> to_center = along(x, y, z, c.p_BBcm);
  SymMat3<T> I;
  place_center_inertia(c, x, y, z, &I);
  const Vec3<T> center = p + to_center;
  const T m(c.mass);
  link.M.mc = center * m;
  link.M.J = add_parallel_axis(I, center, link.M.mc);
  Turning W;
  turn_on(parent.turning, z, speed, &W);
  link.turning.w = W.w;
  link.turning.alpha = W.alpha;
  link.turning.squares = W.squares;
  link.turning.products = W.products;
  a += apart(W, to_center);
  const Vec3<T> f = a * m;
  link.F = Spatial<T>(torque(W, I, T(c.trace)) + cross(center, f), f);
}

template <class T>
template <bool is_lined_up>
[[gnu::always_inline]] inline void RevoluteTree<T>::place_tip(const Constants& c, const T& sine,
                                                              const T& cosine, const T& speed,
                                                              const T& tau) {
  const Carrier& parent = carriers_[c.parent_place];
  Tip& tip = tips_[c.place];
  Vec3<T> x, y, z;
  place_axes<is_lined_up>(c, parent, sine, cosine, &x, &y, &z);
  const Vec3<T> z_P(parent.H.e[0], parent.H.e[1], parent.H.e[2]);
  const Vec3<T> r = along(parent.x, parent.y, z_P, c.p_PF);
  const Vec3<T> p = parent.p_OB + r;
  Vec3<T> a = parent.a + apart(parent.turning, r);
  const Vec3<T> k = y * T(c.gain_y);
  tip.K = Spatial<T>(along(x, y, z, c.gain) + cross(p, k), k);  // (4)
  const Vec3<T> to_center = x * T(c.p_BBcm[0]) + z * T(c.p_BBcm[2]);
  SymMat3<T> I;
  place_center_inertia(c, x, y, z, &I);
  const Vec3<T> center = p + to_center;
  const T m(c.mass);
  tip.M.mc = center * m;
  tip.M.J = add_parallel_axis(I, center, tip.M.mc);
  Turning W;
  turn_on(parent.turning, z, speed, &W);
  a += apart(W, to_center);
  const Vec3<T> f = a * m;
  const Vec3<T> t = torque(W, I, T(c.trace));
  // The force along the joint's axis: of t, and of f at the center of mass, z x c being k over
  // mass and root.
  const Vec3<T> k_again = tip.K.bottom();
  const T nu = (tau - dot(z, t)) * T(c.root) - dot(k_again, f) * T(c.inverse_mass);
  tip.nu = nu;
  tip.F = Spatial<T>(t + cross(center, f), f) + tip.K * nu;
}

template <class T>
void RevoluteTree<T>::place_links(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& tau) {
  const int n = static_cast<int>(links_.size());
  for (int l = 1; l < n; ++l) {
    const Constants& c = links_[l];
    T sine, cosine;
    sincos(T(q[c.q] + T(c.angle)), &sine, &cosine);
    const T& speed = v[c.v];
    if (c.is_tip) {
      c.is_lined_up ? place_tip<true>(c, sine, cosine, speed, tau[c.v])
                    : place_tip<false>(c, sine, cosine, speed, tau[c.v]);
    } else {
      c.is_lined_up ? place_carrier<true>(c, sine, cosine, speed)
                    : place_carrier<false>(c, sine, cosine, speed);
    }
  }
}

// Tips to base: articulated inertias and forces.
template <class T>
bool RevoluteTree<T>::gather(const VectorX<T>& tau) {
  internal::RunningSum<SymMat6<T>> P;
  internal::RunningSum<Spatial<T>> Z;
  for (int l = static_cast<int>(links_.size()) - 1; l > 0; --l) {
    const Constants& c = links_[l];
    P.come_to(c, &P_);
    Z.come_to(c, &Z_);
    P.of = Z.of = c.parent;
    if (!c.continues_sum) {
      P.sum = SymMat6<T>();
      Z.sum = Spatial<T>();
    }
    if (c.is_tip) {
      const Tip& tip = tips_[c.place];
      P.sum.add(tip.M);
      P.sum.subtract_outer(tip.K, tip.K);
      Z.sum += tip.F;
      continue;
    }
    Carrier& link = carriers_[c.place];
    Z.sum += link.F;
    P.sum.add(link.M);
    if (c.has_branches) {
      Z.sum += Z_[l];
      P.sum += P_[l];
    }
    const T u = tau[c.v] - dot(link.H, Z.sum);
    const Spatial<T> U = P.sum * link.H;
    const T D = dot(link.H, U);
    if (!all(D > T(0))) return false;
    const T D_inverse = T(1) / D;
    link.nu = u * D_inverse;
    link.K = U * D_inverse;
    Z.sum += link.K * u;
    P.sum.subtract_outer(U, link.K);
  }
  return true;
}

// Base to tips: accelerations.
template <class T>
void RevoluteTree<T>::spread(VectorX<T>* v_dot) {
  Spatial<T> A;
  int of = 0;  // whose A is
  for (int l = 1; l < static_cast<int>(links_.size()); ++l) {
    const Constants& c = links_[l];
    if (c.parent != of) {
      A = A_[c.parent];
      of = c.parent;
    }
    if (c.is_tip) {
      const Tip& tip = tips_[c.place];
      (*v_dot)[c.v] = (tip.nu - dot(tip.K, A)) * T(c.root);
      continue;
    }
    const Carrier& link = carriers_[c.place];
    const T a = link.nu - dot(link.K, A);
    A += link.H * a;
    A_[l] = A;
    of = l;
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
