#include "camber/multibody/kinematics.h"

#include <cmath>

#include "camber/core/require.h"
#include "camber/math/scalar.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {

template <class T>
PositionKinematics<T>::PositionKinematics(const Model<T>& model)
    : R_WL(model.links.size(), Mat3<T>::identity()),
      p_OL(model.links.size()),
      H(static_cast<std::size_t>(model.nv)),
      M(model.links.size()),
      sine(VectorX<T>::Constant(model.nq, T(0))),
      cosine(VectorX<T>::Constant(model.nq, T(1))) {
  for (std::size_t l = 0; l < M.size(); ++l) M[l].m = T(model.links[l].mass);
}

template <class T>
VelocityKinematics<T>::VelocityKinematics(const Model<T>& model)
    : V(model.links.size()), A(model.links.size()) {}

namespace internal {

template <class T>
void calc_sines(const Model<T>& model, const VectorX<T>& q, PositionKinematics<T>* pos) {
  if constexpr (std::is_same_v<T, double>) {
    // All at once, eight to a register; those of distances and quaternions are not used.
    const auto n = static_cast<std::size_t>(model.nq);
    math::sincos(std::span(q.data(), n), std::span(pos->sine.data(), n),
                 std::span(pos->cosine.data(), n));
  } else {
    using math::sincos;
    for (std::size_t l = 1; l < model.links.size(); ++l) {  // the world, 0, has no joint
      const Link<T>& link = model.links[l];
      if (link.kind != LinkKind::kRevolute && link.kind != LinkKind::kScrew) continue;
      sincos(q[link.q_start], &pos->sine[link.q_start], &pos->cosine[link.q_start]);
    }
  }
}

template <class T>
void place_origin(const Model<T>& model, const VectorX<T>& q, PositionKinematics<T>* pos) {
  const Link<T>& link = model.links[model.origin_link];
  pos->p_WO = cast<T>(model.p_WO);
  if (model.origin_link != 0) {
    const int i = link.q_start + 4;
    pos->p_WO = cast<T>(link.p_PF) + cast<T>(link.R_PF) * Vec3<T>(q[i], q[i + 1], q[i + 2]);
  }
  pos->p_OL[0] = -pos->p_WO;
}

namespace {

// For all joints except revolute ones. Not inlined, so that those have the registers for
// themselves.
template <class T>
[[gnu::noinline]] void place_other_link(const Model<T>& model, int l, const VectorX<T>& q,
                                        PositionKinematics<T>* pos) {
  const Link<T>& link = model.links[l];
  const Mat3<T>& R_WP = pos->R_WL[link.parent];
  const Mat3<T> R_WF = R_WP * link.R_PF;
  const Vec3<T> p_OF = pos->p_OL[link.parent] + R_WP * link.p_PF;
  const int i = link.q_start;
  Spatial<T>* H = &pos->H[link.v_start];
  switch (link.kind) {
    case LinkKind::kRevolute:
      break;
    case LinkKind::kPrismatic:
      pos->R_WL[l] = R_WF;
      pos->p_OL[l] = p_OF + R_WF.c[2] * T(q[i]);
      H[0] = Spatial<T>(Vec3<T>(), R_WF.c[2]);
      break;
    case LinkKind::kScrew:
      pos->R_WL[l] = turn_about_z(R_WF, T(pos->sine[i]), T(pos->cosine[i]));
      pos->p_OL[l] = p_OF + R_WF.c[2] * T(T(link.pitch) * q[i]);
      H[0] = Spatial<T>(R_WF.c[2], cross(p_OF, R_WF.c[2]) + R_WF.c[2] * T(link.pitch));
      break;
    case LinkKind::kSpherical: {
      const Mat3<T> R_WL = R_WF * rotation_of_quaternion<T>(q[i], q[i + 1], q[i + 2], q[i + 3]);
      pos->R_WL[l] = R_WL;
      pos->p_OL[l] = p_OF;
      for (int k = 0; k < 3; ++k) H[k] = Spatial<T>(R_WL.c[k], cross(p_OF, R_WL.c[k]));
      break;
    }
    case LinkKind::kFree: {
      const Mat3<T> R_WL = R_WF * rotation_of_quaternion<T>(q[i], q[i + 1], q[i + 2], q[i + 3]);
      // The origin link is at O exactly, not up to the rounding of a difference of large numbers.
      const Vec3<T> p_OL =
          l == model.origin_link ? Vec3<T>() : p_OF + R_WF * Vec3<T>(q[i + 4], q[i + 5], q[i + 6]);
      pos->R_WL[l] = R_WL;
      pos->p_OL[l] = p_OL;
      for (int k = 0; k < 3; ++k) {
        H[k] = Spatial<T>(R_WL.c[k], cross(p_OL, R_WL.c[k]));
        H[3 + k] = Spatial<T>(Vec3<T>(), R_WL.c[k]);
      }
      break;
    }
  }
}

// Column by column: g++ copies an array of them through memory.
template <class T>
[[gnu::always_inline]] inline void place_revolute(const Link<T>& link,
                                                  const PositionKinematics<T>& pos, Mat3<T>* R_WL,
                                                  Vec3<T>* p_OL, Spatial<T>* H) {
  const Mat3<T>& R_WP = pos.R_WL[link.parent];
  const Vec3<T> x = R_WP * link.R_PF.c[0], y = R_WP * link.R_PF.c[1], z = R_WP * link.R_PF.c[2];
  const Vec3<T> p = pos.p_OL[link.parent] + R_WP * link.p_PF;
  const T s = pos.sine[link.q_start], c = pos.cosine[link.q_start];
  R_WL->c[0] = x * c + y * s;
  R_WL->c[1] = y * c - x * s;
  R_WL->c[2] = z;
  *p_OL = p;
  *H = Spatial<T>(z, cross(p, z));
}

// The mass itself never changes.
template <class T>
[[gnu::always_inline]] inline void place_mass(const Link<T>& link, const Mat3<T>& R_WL,
                                              const Vec3<T>& p_OL, RigidInertia<T>* M) {
  const Vec3<T> c = p_OL + R_WL * link.p_LLcm;
  const Vec3<T> mc = c * T(link.mass);
  M->J = inertia_about_origin(T(link.middle), R_WL * link.larger, R_WL * link.smaller, c, mc);
  M->mc = mc;
}

}  // namespace

template <class T>
void place_link(const Model<T>& model, int l, const VectorX<T>& q, PositionKinematics<T>* pos) {
  const Link<T>& link = model.links[l];
  if (link.kind == LinkKind::kRevolute) {
    place_revolute(link, *pos, &pos->R_WL[l], &pos->p_OL[l], &pos->H[link.v_start]);
  } else {
    place_other_link(model, l, q, pos);
  }
}

template <class T>
void place_inertias(const Model<T>& model, int first, int last, PositionKinematics<T>* pos) {
  for (int l = first; l <= last; ++l) {
    const Link<T>& link = model.links[l];
    if (link.has_mass) place_mass(link, pos->R_WL[l], pos->p_OL[l], &pos->M[l]);
  }
}

namespace {

// About a fixed point O, and with columns of H that are fixed in the parent or in the link itself,
//   V = V_P + H v,   A = A_P + H v' + V_P x (H v).                                   (1)
template <class T>
[[gnu::always_inline]] inline void move_on(const Link<T>& link, int l, const Spatial<T>& Hv,
                                           VelocityKinematics<T>* vel) {
  const Spatial<T>& V_P = vel->V[link.parent];
  vel->V[l] = V_P + Hv;
  vel->A[l] = vel->A[link.parent] + cross_motion(V_P, Hv);
}

}  // namespace

namespace {

template <class T>
[[gnu::always_inline]] inline void move_link(const Model<T>& model, int l,
                                             const PositionKinematics<T>& pos, const VectorX<T>& v,
                                             const VectorX<T>* v_dot, VelocityKinematics<T>* vel) {
  const Link<T>& link = model.links[l];
  if (link.nv == 1) {
    move_on(link, l, pos.H[link.v_start] * T(v[link.v_start]), vel);
  } else {
    Spatial<T> Hv;
    for (int k = link.v_start; k < link.v_start + link.nv; ++k) Hv += pos.H[k] * T(v[k]);
    move_on(link, l, Hv, vel);
  }
  if (v_dot == nullptr) return;
  for (int k = link.v_start; k < link.v_start + link.nv; ++k)
    vel->A[l] += pos.H[k] * T((*v_dot)[k]);
}

}  // namespace

template <class T>
void move_links(const Model<T>& model, int first, int last, const PositionKinematics<T>& pos,
                const VectorX<T>& v, const VectorX<T>* v_dot, VelocityKinematics<T>* vel) {
  for (int l = first; l <= last; ++l) move_link(model, l, pos, v, v_dot, vel);
}

}  // namespace internal

template <class T>
void calc_position_kinematics(const Model<T>& model, const VectorX<T>& q,
                              PositionKinematics<T>* pos) {
  require(q.size() == model.nq, "calc_position_kinematics: q has ", q.size(),
          " entries, the model needs ", model.nq);
  internal::calc_sines(model, q, pos);
  internal::place_origin(model, q, pos);
  const int n = static_cast<int>(model.links.size());
  for (int l = 1; l < n; ++l) internal::place_link(model, l, q, pos);
  internal::place_inertias(model, 1, n - 1, pos);
}

template <class T>
void calc_velocity_kinematics(const Model<T>& model, const PositionKinematics<T>& pos,
                              const VectorX<T>& v, const VectorX<T>* v_dot,
                              VelocityKinematics<T>* vel) {
  require(v.size() == model.nv, "calc_velocity_kinematics: v has ", v.size(),
          " entries, the model needs ", model.nv);
  vel->V[0] = Spatial<T>();
  vel->A[0] = Spatial<T>(Vec3<T>(), -model.gravity);
  internal::move_links(model, 1, static_cast<int>(model.links.size()) - 1, pos, v, v_dot, vel);
}

template <class T>
void calc_tree_kinematics(const Model<T>& model, const VectorX<T>& q, const VectorX<T>& v,
                          const VectorX<T>* v_dot, PositionKinematics<T>* pos,
                          VelocityKinematics<T>* vel) {
  require(q.size() == model.nq && v.size() == model.nv, "calc_tree_kinematics: q and v have ",
          q.size(), " and ", v.size(), " entries, the model needs ", model.nq, " and ", model.nv);
  internal::calc_sines(model, q, pos);
  internal::place_origin(model, q, pos);
  vel->V[0] = Spatial<T>();
  vel->A[0] = Spatial<T>(Vec3<T>(), -model.gravity);
  const int n = static_cast<int>(model.links.size());
  for (int l = 1; l < n; ++l) {
    const Link<T>& link = model.links[l];
    if (link.kind == LinkKind::kRevolute && link.has_mass && v_dot == nullptr) {
      // All in one pass, from registers.
      Mat3<T> R_WL;
      Vec3<T> p_OL;
      Spatial<T> H;
      internal::place_revolute(link, *pos, &R_WL, &p_OL, &H);
      pos->R_WL[l].c[0] = R_WL.c[0];
      pos->R_WL[l].c[1] = R_WL.c[1];
      pos->R_WL[l].c[2] = R_WL.c[2];
      pos->p_OL[l] = p_OL;
      pos->H[link.v_start] = H;
      internal::move_on(link, l, H * T(v[link.v_start]), vel);
      internal::place_mass(link, R_WL, p_OL, &pos->M[l]);
    } else {
      internal::place_link(model, l, q, pos);
      internal::place_inertias(model, l, l, pos);
      internal::move_link(model, l, *pos, v, v_dot, vel);
    }
  }
}

template <class T>
void calc_position_rates(const Model<T>& model, const VectorX<T>& q, const VectorX<T>& v,
                         VectorX<T>* q_dot) {
  for (const Link<T>& link : model.links) {
    if (link.nv == 0) continue;
    const int i = link.q_start, k = link.v_start;
    if (link.kind != LinkKind::kSpherical && link.kind != LinkKind::kFree) {
      (*q_dot)[i] = v[k];
      continue;
    }
    // q' = 1/2 q * (0, w), the angular velocity in the link's axes.
    const T w = q[i], x = q[i + 1], y = q[i + 2], z = q[i + 3], half = T(0.5);
    (*q_dot)[i] = half * (-x * v[k] - y * v[k + 1] - z * v[k + 2]);
    (*q_dot)[i + 1] = half * (w * v[k] + y * v[k + 2] - z * v[k + 1]);
    (*q_dot)[i + 2] = half * (w * v[k + 1] + z * v[k] - x * v[k + 2]);
    (*q_dot)[i + 3] = half * (w * v[k + 2] + x * v[k + 1] - y * v[k]);
    if (link.kind == LinkKind::kFree) {
      const Vec3<T> p_dot =
          rotation_of_quaternion<T>(w, x, y, z) * Vec3<T>(v[k + 3], v[k + 4], v[k + 5]);
      for (int j = 0; j < 3; ++j) (*q_dot)[i + 4 + j] = p_dot[j];
    }
  }
}

namespace {

// q * exp(step / 2): by series, which also works for very small steps (the last ones of Newton's
// method) and for dual numbers near zero.
template <class T>
void turn_quaternion(const Vec3<T>& step, VectorX<T>* q, int i) {
  using math::select, math::sincos;
  using std::sqrt;
  const T half_squared = dot(step, step) * T(0.25);
  T s, c;  // sin(h) / h and cos(h) for h = |step| / 2
  const auto is_small = half_squared < T(1e-4);
  const T safe = select(is_small, T(1), half_squared);
  const T h = sqrt(safe);
  sincos(h, &s, &c);
  const T h2 = half_squared;
  const T s_series = T(1) - h2 * (T(1.0 / 6) - h2 * (T(1.0 / 120) - h2 * T(1.0 / 5040)));
  const T c_series =
      T(1) - h2 * (T(0.5) - h2 * (T(1.0 / 24) - h2 * (T(1.0 / 720) - h2 * T(1.0 / 40320))));
  const T scale = select(is_small, s_series, T(s / h)) * T(0.5);
  const T dw = select(is_small, c_series, c);
  const T dx = step[0] * scale, dy = step[1] * scale, dz = step[2] * scale;
  const T w = (*q)[i], x = (*q)[i + 1], y = (*q)[i + 2], z = (*q)[i + 3];
  const T qw = w * dw - x * dx - y * dy - z * dz;
  const T qx = w * dx + x * dw + y * dz - z * dy;
  const T qy = w * dy - x * dz + y * dw + z * dx;
  const T qz = w * dz + x * dy - y * dx + z * dw;
  const T unit = T(1) / sqrt(qw * qw + qx * qx + qy * qy + qz * qz);
  (*q)[i] = qw * unit;
  (*q)[i + 1] = qx * unit;
  (*q)[i + 2] = qy * unit;
  (*q)[i + 3] = qz * unit;
}

}  // namespace

template <class T>
void move_links(const Model<T>& model, int first_link, int link_count, const VectorX<T>& step,
                VectorX<T>* q) {
  for (int l = first_link; l < first_link + link_count; ++l) {
    const Link<T>& link = model.links[l];
    const int i = link.q_start, k = link.v_start;
    if (link.kind != LinkKind::kSpherical && link.kind != LinkKind::kFree) {
      (*q)[i] += step[k];
      continue;
    }
    if (link.kind == LinkKind::kFree) {
      const Vec3<T> move =
          rotation_of_quaternion<T>((*q)[i], (*q)[i + 1], (*q)[i + 2], (*q)[i + 3]) *
          Vec3<T>(step[k + 3], step[k + 4], step[k + 5]);
      for (int j = 0; j < 3; ++j) (*q)[i + 4 + j] += move[j];
    }
    turn_quaternion(Vec3<T>(step[k], step[k + 1], step[k + 2]), q, i);
  }
}

template <class T>
void move_positions(const Model<T>& model, const VectorX<T>& step, VectorX<T>* q) {
  move_links(model, 1, static_cast<int>(model.links.size()) - 1, step, q);
}

template <class T>
BodyPose<T> calc_body_pose(const Model<T>& model, const PositionKinematics<T>& pos,
                           BodyIndex body) {
  require(body.valid() && body.value < static_cast<int>(model.bodies.size()),
          "calc_body_pose: there is no body ", body.value);
  const BodyPlace<T>& place = model.bodies[body.value];
  const Mat3<T>& R_WL = pos.R_WL[place.link];
  return {R_WL * place.R_LB, pos.p_WO + pos.p_OL[place.link] + R_WL * place.p_LB};
}

#define CAMBER_INSTANTIATE(T)                                                                     \
  template struct PositionKinematics<T>;                                                          \
  template struct VelocityKinematics<T>;                                                          \
  template void calc_position_kinematics(const Model<T>&, const VectorX<T>&,                      \
                                         PositionKinematics<T>*);                                 \
  template void calc_velocity_kinematics(const Model<T>&, const PositionKinematics<T>&,           \
                                         const VectorX<T>&, const VectorX<T>*,                    \
                                         VelocityKinematics<T>*);                                 \
  template void calc_tree_kinematics(const Model<T>&, const VectorX<T>&, const VectorX<T>&,       \
                                     const VectorX<T>*, PositionKinematics<T>*,                   \
                                     VelocityKinematics<T>*);                                     \
  template void internal::move_links(const Model<T>&, int, int, const PositionKinematics<T>&,     \
                                     const VectorX<T>&, const VectorX<T>*,                        \
                                     VelocityKinematics<T>*);                                     \
  template void calc_position_rates(const Model<T>&, const VectorX<T>&, const VectorX<T>&,        \
                                    VectorX<T>*);                                                 \
  template void move_links(const Model<T>&, int, int, const VectorX<T>&, VectorX<T>*);            \
  template void move_positions(const Model<T>&, const VectorX<T>&, VectorX<T>*);                  \
  template BodyPose<T> calc_body_pose(const Model<T>&, const PositionKinematics<T>&, BodyIndex);  \
  template void internal::calc_sines(const Model<T>&, const VectorX<T>&, PositionKinematics<T>*); \
  template void internal::place_origin(const Model<T>&, const VectorX<T>&,                        \
                                       PositionKinematics<T>*);                                   \
  template void internal::place_link(const Model<T>&, int, const VectorX<T>&,                     \
                                     PositionKinematics<T>*);                                     \
  template void internal::place_inertias(const Model<T>&, int, int, PositionKinematics<T>*);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
