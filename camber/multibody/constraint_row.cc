// docs/theory/multibody.md, section 3. With V = [w; v] about a fixed point O, e and f directions on
// a and b, p_P and p_Q points on them (from O), d = p_Q - p_P:
//   point:     c = e . d             F = [p_Q x e; e]
//   dot:       c = e . f             F = [f x e; 0]
//   screw:     c = e . d - h angle   F = [p_Q x e - h e; e]
//   distance:  c = |d| - l           F = [p_Q x u; u],  u = d / |d|
// each with c' = F . (V_b - V_a) exactly, even if the loop is open: d rotates with a, so w_a x d .
// e is in e' . d. Then
//   c'' = F . (A_b - A_a) + F' . (V_b - V_a),
// with F' from e' = w_a x e, f' = w_b x f, p_Q' = v_b + w_b x p_Q.
#include "camber/multibody/constraint_row.h"

#include <cmath>

#include "camber/multibody/scalars.h"

namespace camber::multibody {

namespace {

template <class T>
Vec3<T> place_of(const PositionKinematics<T>& pos, int link, const Vec3<T>& p_L) {
  return pos.p_OL[link] + pos.R_WL[link] * p_L;
}

template <class T>
T length_of(const Vec3<T>& x) {
  using std::sqrt;
  return sqrt(dot(x, x));
}

// A rolling wheel: circle of radius r about C with axis s (unit, on b), plane through P with normal
// n (unit, on a). From C, the lowest point is at -r m, where m is n minus its part along s,
// normalized.
template <class T>
struct WheelContact {
  Vec3<T> n, s, p_C, m, p_Q;  // in W, from O
  T size;                     // |n - (n.s) s|
  T height;                   // of the lowest point above the plane
};

template <class T>
WheelContact<T> calc_contact(const ConstraintRow<T>& row, const PositionKinematics<T>& pos) {
  WheelContact<T> contact;
  contact.n = pos.R_WL[row.a] * row.e_A;
  contact.s = pos.R_WL[row.b] * row.e_B;
  contact.p_C = place_of(pos, row.b, row.p_B);
  const Vec3<T> in_plane = contact.n - contact.s * dot(contact.n, contact.s);
  contact.size = length_of(in_plane);
  contact.m = in_plane * T(T(1) / contact.size);
  contact.p_Q = contact.p_C - contact.m * row.length;
  contact.height = dot(contact.n, contact.p_Q - place_of(pos, row.a, row.p_A));
  return contact;
}

}  // namespace

template <class T>
RowGeometry<T> calc_row(const ConstraintRow<T>& row, const PositionKinematics<T>& pos,
                        const VectorX<T>& q) {
  switch (row.kind) {
    case RowKind::kPoint: {
      const Vec3<T> e = pos.R_WL[row.a] * row.e_A;
      const Vec3<T> p_Q = place_of(pos, row.b, row.p_B);
      return {dot(e, p_Q - place_of(pos, row.a, row.p_A)), Spatial<T>(cross(p_Q, e), e)};
    }
    case RowKind::kDot: {
      const Vec3<T> e = pos.R_WL[row.a] * row.e_A, f = pos.R_WL[row.b] * row.e_B;
      return {dot(e, f), Spatial<T>(cross(f, e), Vec3<T>())};
    }
    case RowKind::kScrew: {
      // The angle is that of f_A's partner on b, e_B, about e; whole revolutions are subtracted, so
      // that the error is that of the nearest revolution.
      using std::atan2, std::sin, std::cos;
      const Vec3<T> e = pos.R_WL[row.a] * row.e_A, x = pos.R_WL[row.a] * row.f_A;
      const Vec3<T> f = pos.R_WL[row.b] * row.e_B;
      const Vec3<T> p_Q = place_of(pos, row.b, row.p_B);
      const T along = dot(e, p_Q - place_of(pos, row.a, row.p_A));
      const T turn = along / row.pitch - atan2(dot(cross(x, f), e), dot(x, f));
      const T error = row.pitch * atan2(sin(turn), cos(turn));
      return {error, Spatial<T>(cross(p_Q, e) - e * row.pitch, e)};
    }
    case RowKind::kDistance: {
      const Vec3<T> p_Q = place_of(pos, row.b, row.p_B);
      const Vec3<T> d = p_Q - place_of(pos, row.a, row.p_A);
      const T l = length_of(d);
      const Vec3<T> u = d * T(T(1) / l);
      return {l - row.length, Spatial<T>(cross(p_Q, u), u)};
    }
    case RowKind::kCoupler: {
      T sum = -row.length;
      for (const CouplerTerm<T>& term : row.terms) sum += term.factor * q[term.q];
      return {sum, Spatial<T>()};
    }
    case RowKind::kRollNormal: {
      // The lowest point changes on the wheel, but along the tangent: c' is the normal velocity of
      // the material point.
      const WheelContact<T> contact = calc_contact(row, pos);
      return {contact.height, Spatial<T>(cross(contact.p_Q, contact.n), contact.n)};
    }
    case RowKind::kRollSlip: {
      const WheelContact<T> contact = calc_contact(row, pos);
      const Vec3<T> e = pos.R_WL[row.a] * row.f_A;
      return {T(0), Spatial<T>(cross(contact.p_Q, e), e)};
    }
  }
  return {T(0), Spatial<T>()};
}

template <class T>
T calc_row_rate(const ConstraintRow<T>& row, const VelocityKinematics<T>& vel, const VectorX<T>& v,
                const Spatial<T>& F) {
  if (row.kind == RowKind::kCoupler) {
    T sum = T(0);
    for (const CouplerTerm<T>& term : row.terms) sum += term.factor * v[term.v];
    return sum;
  }
  return dot(F, vel.V[row.b] - vel.V[row.a]);
}

template <class T>
T calc_row_acceleration(const ConstraintRow<T>& row, const PositionKinematics<T>& pos,
                        const VelocityKinematics<T>& vel, const Spatial<T>& F) {
  const Spatial<T>& V_a = vel.V[row.a];
  const Spatial<T>& V_b = vel.V[row.b];
  const Vec3<T> w_a = V_a.top(), w_b = V_b.top();
  const T linear = dot(F, vel.A[row.b] - vel.A[row.a]);
  Spatial<T> F_dot;
  switch (row.kind) {
    case RowKind::kPoint:
    case RowKind::kScrew: {
      const Vec3<T> e = pos.R_WL[row.a] * row.e_A, e_dot = cross(w_a, e);
      const Vec3<T> p_Q = place_of(pos, row.b, row.p_B), v_Q = velocity_at(V_b, p_Q);
      Vec3<T> top = cross(v_Q, e) + cross(p_Q, e_dot);
      if (row.kind == RowKind::kScrew) top -= e_dot * row.pitch;
      F_dot = Spatial<T>(top, e_dot);
      break;
    }
    case RowKind::kDot: {
      const Vec3<T> e = pos.R_WL[row.a] * row.e_A, f = pos.R_WL[row.b] * row.e_B;
      F_dot = Spatial<T>(cross(cross(w_b, f), e) + cross(f, cross(w_a, e)), Vec3<T>());
      break;
    }
    case RowKind::kDistance: {
      const Vec3<T> p_Q = place_of(pos, row.b, row.p_B), v_Q = velocity_at(V_b, p_Q);
      const Vec3<T> p_P = place_of(pos, row.a, row.p_A);
      const Vec3<T> d = p_Q - p_P, d_dot = v_Q - velocity_at(V_a, p_P);
      const T inverse = T(1) / length_of(d);
      const Vec3<T> u = d * inverse;
      const Vec3<T> u_dot = (d_dot - u * dot(u, d_dot)) * inverse;
      F_dot = Spatial<T>(cross(v_Q, u) + cross(p_Q, u_dot), u_dot);
      break;
    }
    case RowKind::kCoupler:
      return T(0);  // linear in v: its v' is what the caller solves for
    case RowKind::kRollNormal:
    case RowKind::kRollSlip: {
      const WheelContact<T> contact = calc_contact(row, pos);
      const Vec3<T>& e_A = row.kind == RowKind::kRollNormal ? row.e_A : row.f_A;
      const Vec3<T> e = pos.R_WL[row.a] * e_A, e_dot = cross(w_a, e);
      // The contact point's own velocity, not that of the wheel's material there.
      const Vec3<T> n_dot = cross(w_a, contact.n), s_dot = cross(w_b, contact.s);
      const T ns = dot(contact.n, contact.s);
      const T ns_dot = dot(n_dot, contact.s) + dot(contact.n, s_dot);
      const Vec3<T> in_plane_dot = n_dot - contact.s * ns_dot - s_dot * ns;
      const Vec3<T> m_dot =
          (in_plane_dot - contact.m * dot(contact.m, in_plane_dot)) * T(T(1) / contact.size);
      const Vec3<T> p_Q_dot = velocity_at(V_b, contact.p_C) - m_dot * row.length;
      F_dot = Spatial<T>(cross(p_Q_dot, e) + cross(contact.p_Q, e_dot), e_dot);
      break;
    }
  }
  return linear + dot(F_dot, V_b - V_a);
}

template <class T>
T calc_row_residual(const ConstraintRow<T>& row, const PositionKinematics<T>& pos,
                    const VelocityKinematics<T>& vel, const VectorX<T>& q, const VectorX<T>& v,
                    const VectorX<T>* v_dot, const Spatial<T>& F, double rate) {
  T residual = T(0);
  if (row.kind != RowKind::kCoupler) {
    residual = calc_row_acceleration(row, pos, vel, F);
  } else if (v_dot != nullptr) {
    for (const CouplerTerm<T>& term : row.terms) residual += term.factor * (*v_dot)[term.v];
  }
  if (rate > 0) {
    residual += 2 * rate * calc_row_rate(row, vel, v, F);
    residual += rate * rate * calc_row(row, pos, q).error;
  }
  return residual;
}

#define CAMBER_INSTANTIATE(T)                                                             \
  template RowGeometry<T> calc_row(const ConstraintRow<T>&, const PositionKinematics<T>&, \
                                   const VectorX<T>&);                                    \
  template T calc_row_rate(const ConstraintRow<T>&, const VelocityKinematics<T>&,         \
                           const VectorX<T>&, const Spatial<T>&);                         \
  template T calc_row_acceleration(const ConstraintRow<T>&, const PositionKinematics<T>&, \
                                   const VelocityKinematics<T>&, const Spatial<T>&);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

#define CAMBER_INSTANTIATE(T)                                                                      \
  template T calc_row_residual(const ConstraintRow<T>&, const PositionKinematics<T>&,              \
                               const VelocityKinematics<T>&, const VectorX<T>&, const VectorX<T>&, \
                               const VectorX<T>*, const Spatial<T>&, double);
CAMBER_INSTANTIATE(double)
CAMBER_INSTANTIATE(Dual)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
