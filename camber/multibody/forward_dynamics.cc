// The articulated-body recursion. For a tree in which each link has one speed v along the column H
// (V = V_parent + H v) it reads, with P and Z starting as the inertia M of the link and the force
// that its motion for v' = 0 needs, minus the forces on it (docs/theory/multibody.md (3)):
//   tip to base:   U = P H,   D = H^T U,   K = U / D,   nu = (tau - H^T Z) / D
//                  P_parent += P - U K^T,   Z_parent += Z + U nu
//   base to tip:   v' = nu - K^T A_parent,   A = A_parent + H v'
//
// Source: [002] eq. 4-7 and, for aggregated bodies (loop clusters), eq. 9-11, with three changes:
// - Every quantity is about one point O and in W, so the transforms phi are the identity, and an
//   aggregated body needs no 6n x 6n matrices: with J_i = dV_i/dy of its links,
//     D = sum J_i^T P_i J_i,   U = sum P_i J_i,   P+ = sum P_i - U D^-1 U^T.        (1)
// - The velocity-dependent accelerations are computed beforehand (vel.A), as in inverse dynamics:
//   the recursion then carries forces of rigid bodies, not P a of articulated ones.  (2)
// - D^-1 is never formed: the columns of U are eliminated one after the other, D = L diag(d) L^T.
//
// A rotor of axis z and moment of inertia I about it, with its center of mass on z, has H = [z; p x
// z] and U = [I z; 0], D = I, K = [z; 0]: its P+ is a rigid inertia that is constant in the axes of
// the link that carries it, so it is added to that link. Its force is then
//   Z+ = [I (w.z) w x z; 0] + K u - F,   u = tau + H.F,   nu = u / I - z.w'                (3)

#include "camber/multibody/forward_dynamics.h"

#include <algorithm>

#include "camber/multibody/running_sum.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {

template <class T>
Forces<T>::Forces(const Model<T>& model)
    : F(model.links.size()), tau(VectorX<T>::Constant(model.nv, T(0))) {}

template <class T>
void Forces<T>::clear() {
  if (acts_on_links) {
    for (auto& force : F) force = Spatial<T>();
  }
  acts_on_links = false;
  for (int k = 0; k < tau.size(); ++k) tau[k] = T(0);
}

template <class T>
ArticulatedBodies<T>::ArticulatedBodies(const Model<T>& model, const Partition& partition)
    : P(model.links.size()),
      Z(model.links.size()),
      M(model.links.size()),
      K(static_cast<std::size_t>(partition.ny())),
      D_inverse(K.size(), T(0)),
      nu(K.size(), T(0)),
      A(model.links.size()),
      L(model.clusters.size()) {
  for (std::size_t c = 0; c < L.size(); ++c) {
    const std::size_t ni = partition.parts[c].independent.size();
    L[c].assign(ni * ni, T(0));
  }
  for (std::size_t l = 0; l < model.links.size(); ++l) {
    if (!model.links[l].is_rotor) continue;
    D_inverse[partition.y_of_link[l]] = T(1) / T(model.links[l].I_LLcm(2, 2));  // (3)
  }
}

namespace {

// Whether a pivot can be divided by: for lanes, in all of them.
template <class T>
bool is_positive(const T& x) {
  if constexpr (std::is_same_v<T, symbolic::Expr>) {
    return true;  // known when it has a value
  } else {
    using math::all;
    return all(x > T(0));
  }
}

// Whether a pivot is more than rounding error of the diagonal entry from which it was reduced.
template <class T>
bool is_left(const T& pivot, const T& diagonal) {
  if constexpr (std::is_same_v<T, symbolic::Expr>) {
    return true;
  } else {
    using math::all;
    return all(pivot > diagonal * T(kLostPivot));
  }
}

// K and 1 / D of a column H with U = P H and D = H U; eliminates it from P. (1) for a single body
template <class T>
[[gnu::always_inline]] inline bool eliminate_column(const T& D, const Spatial<T>& U, int y,
                                                    SymMat6<T>* P, ArticulatedBodies<T>* work) {
  if (!is_positive(D)) return false;
  const T D_inverse = T(1) / D;
  const Spatial<T> K = U * D_inverse;
  work->K[y] = K;
  work->D_inverse[y] = D_inverse;
  P->subtract_outer(U, K);
  return true;
}

// M H: for double, the full matrix, which is needed for a sum anyway, is faster.
template <class T>
[[gnu::always_inline]] inline Spatial<T> momentum(const RigidInertia<T>& M, const Spatial<T>& H) {
  if constexpr (std::is_same_v<T, double>) {
    return SymMat6<T>(M) * H;
  } else {
    return M * H;
  }
}

// For links with several speeds, and for those that may have no inertia along their single speed:
// if the axes of massless links come into line, P has only rounding error about that line, so D is
// compared with P along all axes. Not inlined: its loops would take registers from the recursion
// over single links and make that a third slower.
template <class T>
[[gnu::noinline]] bool eliminate_columns(const Link<T>& link, const Spatial<T>* H, int y,
                                         SymMat6<T>* P, ArticulatedBodies<T>* work) {
  const T about = (*P)(0, 0) + (*P)(1, 1) + (*P)(2, 2),
          along = (*P)(3, 3) + (*P)(4, 4) + (*P)(5, 5);
  for (int k = link.nv - 1; k >= 0; --k) {
    const Spatial<T> U = *P * H[k];
    const T D = dot(H[k], U);
    const Vec3<T> w = H[k].top(), v = H[k].bottom();
    if (!is_left(D, T(dot(w, w) * about + dot(v, v) * along))) return false;
    if (!eliminate_column(D, U, y + k, P, work)) return false;
  }
  return true;
}

// The cluster's independent speeds that move a link, by link: exactly one (kCount = 1), whose place
// is known, or any number (kCount = 0).
template <int kCount>
struct Movers {
  const std::vector<int>& list;
  std::size_t count() const { return kCount == 1 ? !list.empty() : list.size(); }
  int operator[](std::size_t a) const { return kCount == 1 ? 0 : list[a]; }
};

// Inertia of a link and its rotor without the rotor's inertia about its axis. (3)
template <class T>
[[gnu::always_inline]] inline RigidInertia<T> inertia_with_rotor(const Model<T>& model, int l,
                                                                 const PositionKinematics<T>& pos) {
  const Link<T>& rotor = model.links[model.links[l].rotor];
  const RigidInertia<T>&M = pos.M[l], &M_R = pos.M[model.links[l].rotor];
  const Vec3<T> z = pos.H[rotor.v_start].top();
  RigidInertia<T> sum;
  sum.m = M.m + M_R.m;
  sum.mc = M.mc + M_R.mc;
  sum.J = subtract_outer(M_R.J, z, z * T(rotor.I_LLcm(2, 2)));
  sum.J += M.J;
  return sum;
}

// With one independent speed, kCount = 1, U and D stay in registers.
template <int kCount, class T>
[[gnu::noinline]] bool eliminate_cluster(const Model<T>& model, const Cluster& cluster,
                                         const Partition::Part& part,
                                         const PositionKinematics<T>& pos,
                                         const typename LoopKinematics<T>::Matrices& m, T* L_out,
                                         SymMat6<T>* P_sum, ArticulatedBodies<T>* work) {
  const int ni = kCount > 0 ? kCount : static_cast<int>(part.independent.size());
  Spatial<T> U_few[std::max(kCount, 1)];
  T L_few[std::max(kCount * kCount, 1)];
  // Without independent speeds these are one past the end.
  Spatial<T>* K = work->K.data() + part.y_start;
  T* d_inverse = work->D_inverse.data() + part.y_start;
  Spatial<T>* U = kCount > 0 ? U_few : K;
  T* L = kCount > 0 ? L_few : L_out;
  for (int j = 0; j < ni; ++j) {
    U[j] = Spatial<T>();
    for (int i = 0; i <= j; ++i) L[i * ni + j] = T(0);
  }
  // (1), link by link; L holds D's lower triangle. Rigid bodies have a sum of their own.
  SymMat6<T> P_branches;
  RigidInertia<T> M_sum;
  for (int i = 0; i < cluster.link_count; ++i) {
    const int l = cluster.first_link + i;
    const Link<T>& link = model.links[l];
    const Spatial<T>* J = m.J.data() + i * ni;
    const Movers<kCount> movers{part.movers[i]};
    const auto add_product = [&](std::size_t a, const Spatial<T>& W) {
      const int j = movers[a];
      U[j] += W;
      for (std::size_t b = 0; b <= a; ++b) L[movers[b] * ni + j] += dot(J[movers[b]], W);
    };
    if (link.rotor > 0) work->M[l] = inertia_with_rotor(model, l, pos);
    const RigidInertia<T>& M = link.rotor > 0 ? work->M[l] : pos.M[l];
    if (link.has_branches) {
      SymMat6<T> P = work->P[l];
      if (link.has_mass) P.add(M);
      P_branches += P;
      for (std::size_t a = 0; a < movers.count(); ++a) add_product(a, P * J[movers[a]]);
    } else if (link.has_mass) {
      M_sum.m += M.m, M_sum.mc += M.mc, M_sum.J += M.J;
      for (std::size_t a = 0; a < movers.count(); ++a) add_product(a, M * J[movers[a]]);
    }
  }
  P_branches.add(M_sum);
  *P_sum = P_branches;
  // D = L diag(d) L^T, column by column, with U as further rows.
  if constexpr (kCount != 1) {
    for (int k = 0; k < ni; ++k) d_inverse[k] = L[k * ni + k];  // diagonal before elimination
  }
  for (int k = 0; k < ni; ++k) {
    const T d = L[k * ni + k];
    if (kCount == 1 ? !is_positive(d) : !is_left(d, d_inverse[k])) return false;
    d_inverse[k] = T(1) / d;
    for (int j = k + 1; j < ni; ++j) {
      const T factor = L[k * ni + j] * d_inverse[k];
      for (int i = j; i < ni; ++i) L[j * ni + i] -= factor * L[k * ni + i];
      U[j] -= U[k] * factor;
    }
    for (int j = k + 1; j < ni; ++j) L[k * ni + j] *= d_inverse[k];
    const Spatial<T> scaled = U[k] * d_inverse[k];
    P_sum->subtract_outer(U[k], scaled);
    K[k] = scaled;
  }
  return true;
}

// Articulated inertias: K, 1 / D and L.
template <class T>
struct InertiaPass {
  const Model<T>& model;
  const Partition& partition;
  const PositionKinematics<T>& pos;
  const LoopKinematics<T>& loops;
  ArticulatedBodies<T>* work;
  internal::RunningSum<SymMat6<T>> P;

  /// Returns false at a pivot that is not positive.
  [[gnu::always_inline]] bool visit(int l) {
    const Link<T>& link = model.links[l];
    const int c = model.cluster_of[l];
    if (link.is_rotor) {
      work->K[partition.y_of_link[l]] = Spatial<T>(pos.H[link.v_start].top(), Vec3<T>());  // (3)
      return true;
    }
    P.come_to(link, &work->P);
    P.of = link.parent;
    if (c >= 0) {
      SymMat6<T> sum;  // separate, so that P stays in registers
      const auto eliminate = partition.parts[c].independent.size() == 1 ? eliminate_cluster<1, T>
                                                                        : eliminate_cluster<0, T>;
      if (!eliminate(model, model.clusters[c], partition.parts[c], pos, loops.clusters[c],
                     work->L[c].data(), &sum, work)) {
        return false;
      }
      P.sum = sum;
      P.of = model.links[model.clusters[c].first_link].parent;
      return true;
    }
    const int y = partition.y_of_link[l];
    const Spatial<T>* H = &pos.H[link.v_start];
    if (!link.continues_sum) {
      P.sum = link.has_mass ? SymMat6<T>(pos.M[l]) : SymMat6<T>();
    } else if (link.has_mass) {
      P.sum.add(pos.M[l]);
    }
    // The U of a tip is its own, not that of the sum, which may contain other links.
    if (link.is_simple_tip) {
      const Spatial<T> U = momentum(pos.M[l], *H);
      return eliminate_column(dot(*H, U), U, y, &P.sum, work);
    }
    if (link.has_branches) P.sum += work->P[l];
    if (y < 0) return true;
    if (link.has_sure_pivot) {
      const Spatial<T> U = P.sum * *H;
      return eliminate_column(dot(*H, U), U, y, &P.sum, work);
    }
    SymMat6<T> sum = P.sum;
    if (!eliminate_columns(link, H, y, &sum, work)) return false;
    P.sum = sum;
    return true;
  }
};

// The force that remains along a column's speed, over D; its part is removed from the force on the
// link.
template <class T>
[[gnu::always_inline]] inline T take_force(const T& u, int y, Spatial<T>* Z,
                                           ArticulatedBodies<T>* work) {
  *Z += work->K[y] * u;
  return u * work->D_inverse[y];
}

// The same for several columns.
template <class T>
[[gnu::noinline]] void take_forces(const Link<T>& link, const Spatial<T>* H, const T* tau, int y,
                                   Spatial<T>* Z, ArticulatedBodies<T>* work) {
  for (int k = link.nv - 1; k >= 0; --k)
    work->nu[y + k] = take_force(T(tau[k] - dot(H[k], *Z)), y + k, Z, work);
}

// The force needed to move a link with v' = g, minus the forces on it. (2)
template <class T>
[[gnu::always_inline]] inline Spatial<T> missing_force(const Link<T>& link, int l,
                                                       const RigidInertia<T>& M,
                                                       const VelocityKinematics<T>& vel,
                                                       const Forces<T>& forces) {
  Spatial<T> F = link.has_mass ? inertial_force(M, vel.V[l], vel.A[l]) : Spatial<T>();
  if (forces.acts_on_links) F -= forces.F[l];
  return F;
}

// nu of a rotor and the force that it passes to its carrier. (3)
template <class T>
[[gnu::always_inline]] inline void take_rotor_force(const Link<T>& link, int l, int y,
                                                    const Spatial<T>& H,
                                                    const VelocityKinematics<T>& vel,
                                                    const Forces<T>& forces,
                                                    ArticulatedBodies<T>* work) {
  const Vec3<T> z = H.top(), w = vel.V[l].top();
  const T momentum = T(link.I_LLcm(2, 2)) * dot(w, z);
  T u = forces.tau[link.v_start];
  if (forces.acts_on_links) u += dot(H, forces.F[l]);
  Spatial<T> Z(cross(w, z) * momentum + z * u, Vec3<T>());
  if (forces.acts_on_links) Z -= forces.F[l];
  work->Z[l] = Z;
  work->nu[y] = u * work->D_inverse[y] - dot(z, vel.A[l].top());
}

template <int kCount, class T>
[[gnu::noinline]] Spatial<T> take_cluster_forces(const Model<T>& model, const Cluster& cluster,
                                                 const Partition::Part& part,
                                                 const PositionKinematics<T>& pos,
                                                 const typename LoopKinematics<T>::Matrices& m,
                                                 const VelocityKinematics<T>& vel,
                                                 const Forces<T>& forces, const T* L,
                                                 ArticulatedBodies<T>* work) {
  const int ni = kCount > 0 ? kCount : static_cast<int>(part.independent.size());
  T u_few[std::max(kCount, 1)];
  T *nu = work->nu.data() + part.y_start, *u = kCount > 0 ? u_few : nu;
  const T* tau = forces.tau.data() + cluster.v_start;
  if constexpr (kCount == 1) {  // in place: a four-bar has three speeds
    u[0] = T(0);
    for (int k = 0; k < cluster.nv; ++k) u[0] += m.G[k] * tau[k];
  } else {
    project_forces<T>(cluster, part, m.G, tau, u);
  }
  Spatial<T> Z_sum;
  for (int i = 0; i < cluster.link_count; ++i) {
    const int l = cluster.first_link + i;
    const Link<T>& link = model.links[l];
    if (!link.has_mass && !link.has_branches && !forces.acts_on_links) continue;
    const RigidInertia<T>& M = link.rotor > 0 ? work->M[l] : pos.M[l];
    Spatial<T> Z = missing_force(link, l, M, vel, forces);
    if (link.has_branches) Z += work->Z[l];
    if (link.rotor > 0) Z += work->Z[link.rotor];
    Z_sum += Z;
    const Spatial<T>* J = m.J.data() + i * ni;
    const Movers<kCount> movers{part.movers[i]};
    for (std::size_t a = 0; a < movers.count(); ++a) u[movers[a]] -= dot(J[movers[a]], Z);
  }
  for (int k = 0; k < ni; ++k) {
    for (int j = k + 1; j < ni; ++j) u[j] -= L[k * ni + j] * u[k];
    nu[k] = take_force(T(u[k]), part.y_start + k, &Z_sum, work);
  }
  return Z_sum;
}

// nu, after K, 1 / D and L.
template <class T>
struct ForcePass {
  const Model<T>& model;
  const Partition& partition;
  const PositionKinematics<T>& pos;
  const LoopKinematics<T>& loops;
  const VelocityKinematics<T>& vel;
  const Forces<T>& forces;
  ArticulatedBodies<T>* work;
  internal::RunningSum<Spatial<T>> Z;

  [[gnu::always_inline]] void visit(int l) {
    const Link<T>& link = model.links[l];
    const int c = model.cluster_of[l];
    if (link.is_rotor) {
      take_rotor_force(link, l, partition.y_of_link[l], pos.H[link.v_start], vel, forces, work);
      return;
    }
    Z.come_to(link, &work->Z);
    Z.of = link.parent;
    if (c >= 0) {
      const auto take = partition.parts[c].independent.size() == 1 ? take_cluster_forces<1, T>
                                                                   : take_cluster_forces<0, T>;
      Z.sum = take(model, model.clusters[c], partition.parts[c], pos, loops.clusters[c], vel,
                   forces, work->L[c].data(), work);
      Z.of = model.links[model.clusters[c].first_link].parent;
      return;
    }
    const int y = partition.y_of_link[l];
    const Spatial<T>* H = &pos.H[link.v_start];
    const T* tau = &forces.tau[link.v_start];
    const Spatial<T> F = missing_force(link, l, pos.M[l], vel, forces);
    if (link.continues_sum) {
      Z.sum += F;
    } else {
      Z.sum = F;
    }
    if (link.is_simple_tip) {
      work->nu[y] = take_force(T(tau[0] - dot(*H, F)), y, &Z.sum, work);
      return;
    }
    if (link.has_branches) Z.sum += work->Z[l];
    if (y < 0) return;
    if (link.nv == 1) {
      work->nu[y] = take_force(T(tau[0] - dot(*H, Z.sum)), y, &Z.sum, work);
      return;
    }
    Spatial<T> sum = Z.sum;
    take_forces(link, H, tau, y, &sum, work);
    Z.sum = sum;
  }
};

// y' and v', and from y' the accelerations of the links that carry others, starting with that of
// the link that carries the cluster.
template <class T>
[[gnu::noinline]] void move_cluster(const Model<T>& model, const Cluster& cluster,
                                    const Partition::Part& part,
                                    const typename LoopKinematics<T>::Matrices& m,
                                    const VectorX<T>& g, const Spatial<T>& A_root, const T* L,
                                    ArticulatedBodies<T>* work, VectorX<T>* y_dot,
                                    VectorX<T>* v_dot) {
  const int ni = static_cast<int>(part.independent.size()), y = part.y_start;
  for (int j = ni - 1; j >= 0; --j) {
    T a = work->nu[y + j] - dot(work->K[y + j], A_root);
    for (int i = j + 1; i < ni; ++i) a -= L[j * ni + i] * (*y_dot)[y + i];
    (*y_dot)[y + j] = a;
  }
  for (int i = 0; i < cluster.link_count; ++i) {
    const Link<T>& link = model.links[cluster.first_link + i];
    if (!link.has_branches && link.rotor == 0) continue;
    Spatial<T> A = A_root;
    for (const int j : part.movers[i]) A += m.J[i * ni + j] * T((*y_dot)[y + j]);
    work->A[cluster.first_link + i] = A;
  }
  expand_rates<T>(cluster, part, m.G, y_dot->data() + y, g.data() + cluster.v_start,
                  v_dot->data() + cluster.v_start);
}

// y' and v' of a link with other than one column, and its acceleration.
template <class T>
[[gnu::noinline]] void move_columns(const Link<T>& link, int y, const Spatial<T>* H,
                                    const VectorX<T>& g, const ArticulatedBodies<T>& work,
                                    Spatial<T>* A, VectorX<T>* y_dot, VectorX<T>* v_dot) {
  for (int k = 0; k < link.nv; ++k) {
    if (y < 0) {
      (*v_dot)[link.v_start + k] = g[link.v_start + k];
      continue;
    }
    const T a = work.nu[y + k] - dot(work.K[y + k], *A);
    *A += H[k] * a;
    (*y_dot)[y + k] = a;
    (*v_dot)[link.v_start + k] = a;
  }
}

template <class T>
void calc_accelerations(const Model<T>& model, const Partition& partition,
                        const PositionKinematics<T>& pos, const LoopKinematics<T>& loops,
                        ArticulatedBodies<T>* work, VectorX<T>* y_dot, VectorX<T>* v_dot) {
  const int n = static_cast<int>(model.links.size());
  work->A[0] = Spatial<T>();
  Spatial<T> A;  // of the link before
  for (int l = 1; l < n; ++l) {
    const Link<T>& link = model.links[l];
    const int c = model.cluster_of[l];
    if (c >= 0) {
      const Cluster& cluster = model.clusters[c];
      move_cluster<T>(model, cluster, partition.parts[c], loops.clusters[c], loops.g,
                      work->A[link.parent], work->L[c].data(), work, y_dot, v_dot);
      l = cluster.first_link + cluster.link_count - 1;
      A = work->A[l];
      continue;
    }
    if (link.parent != l - 1) A = work->A[link.parent];
    const int y = partition.y_of_link[l];
    if (link.nv == 1 && y >= 0) {
      const T a = work->nu[y] - dot(work->K[y], A);
      A += pos.H[link.v_start] * a;
      (*y_dot)[y] = a;
      (*v_dot)[link.v_start] = a;
    } else {
      Spatial<T> A_link = A;
      move_columns(link, y, &pos.H[link.v_start], loops.g, *work, &A_link, y_dot, v_dot);
      A = A_link;
    }
    work->A[l] = A;
  }
}

}  // namespace

template <class T>
bool calc_forward_dynamics(const Model<T>& model, const Partition& partition,
                           const PositionKinematics<T>& pos, const LoopKinematics<T>& loops,
                           const VelocityKinematics<T>& vel, const Forces<T>& forces,
                           ArticulatedBodies<T>* work, VectorX<T>* y_dot, VectorX<T>* v_dot) {
  InertiaPass<T> inertias{model, partition, pos, loops, work, {}};
  ForcePass<T> sums{model, partition, pos, loops, vel, forces, work, {}};
  const int last = static_cast<int>(model.links.size()) - 1;
  const auto before = [&model](int l) {
    const int c = model.cluster_of[l];
    return (c < 0 ? l : model.clusters[c].first_link) - 1;
  };
  if constexpr (std::is_same_v<T, double>) {
    // Computing forces fills the time in which an inertia waits for the previous one.
    for (int l = last; l > 0; l = before(l)) {
      if (!inertias.visit(l)) return false;
      sums.visit(l);
    }
  } else {
    // Both together would need more registers than there are: P and Z alone are 27 numbers.
    for (int l = last; l > 0; l = before(l)) {
      if (!inertias.visit(l)) return false;
    }
    for (int l = last; l > 0; l = before(l)) sums.visit(l);
  }
  calc_accelerations(model, partition, pos, loops, work, y_dot, v_dot);
  return true;
}

#define CAMBER_INSTANTIATE(T)                                                                 \
  template struct Forces<T>;                                                                  \
  template struct ArticulatedBodies<T>;                                                       \
  template bool calc_forward_dynamics(const Model<T>&, const Partition&,                      \
                                      const PositionKinematics<T>&, const LoopKinematics<T>&, \
                                      const VelocityKinematics<T>&, const Forces<T>&,         \
                                      ArticulatedBodies<T>*, VectorX<T>*, VectorX<T>*);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
