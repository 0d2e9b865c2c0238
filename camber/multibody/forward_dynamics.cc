// [002] eq. 4-7 and, for aggregated bodies, eq. 9-11, with three changes:
// - Every quantity is about one point O and in W, so the transforms phi are the identity, and an
// aggregated body needs no
//   6n x 6n matrices: with J_i = dV_i/dy of its links,
//     D = sum J_i^T P_i J_i,   U = sum P_i J_i,   P+ = sum P_i - U D^-1 U^T.        (1)
// - The velocity-dependent accelerations are taken off beforehand (vel.A), as in inverse dynamics:
// the recursion then carries
//   forces of rigid bodies, not P a of articulated ones.                             (2)
// - D^-1 is never formed: the columns of U are eliminated one after the other, D = L diag(d) L^T.
#include "camber/multibody/forward_dynamics.h"

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
      K(static_cast<std::size_t>(partition.ny())),
      D_inverse(K.size(), T(0)),
      nu(K.size(), T(0)),
      A(model.links.size()),
      L(model.clusters.size()) {
  for (std::size_t c = 0; c < L.size(); ++c) {
    const std::size_t ni = partition.parts[c].independent.size();
    L[c].assign(ni * ni, T(0));
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

// The columns of one link, last to first. (1) for a single body
template <class T>
bool eliminate_link(const Link<T>& link, int y_start, const Spatial<T>* H, const T* tau,
                    SymMat6<T>* P, Spatial<T>* Z, ArticulatedBodies<T>* work) {
  for (int k = link.nv - 1; k >= 0; --k) {
    const Spatial<T> U = *P * H[k];
    const T D = dot(H[k], U);
    if (!is_positive(D)) return false;
    const T D_inverse = T(1) / D;
    const T u = tau[k] - dot(H[k], *Z);
    const Spatial<T> K = U * D_inverse;
    P->subtract_outer(U, K);
    *Z += K * u;
    work->K[y_start + k] = K;
    work->D_inverse[y_start + k] = D_inverse;
    work->nu[y_start + k] = u * D_inverse;
  }
  return true;
}

// Out of line: its loops would take the registers of the single links' recursion, which costs that
// a third.
template <class T>
[[gnu::noinline]] bool eliminate_cluster(const Cluster& cluster, const Partition::Part& part,
                                         const typename LoopKinematics<T>::Matrices& m,
                                         const VectorX<T>& tau, T* L, SymMat6<T>* P_sum,
                                         Spatial<T>* Z_sum, ArticulatedBodies<T>* work) {
  const int ni = static_cast<int>(part.independent.size());
  Spatial<T>* U = &work->K[part.y_start];  // until they are scaled
  T* u = &work->nu[part.y_start];
  T* d_inverse = &work->D_inverse[part.y_start];
  for (int j = 0; j < ni; ++j) {
    U[j] = Spatial<T>();
    u[j] = T(0);
    const T* G = &m.G[j * cluster.nv];
    for (int k = 0; k < cluster.nv; ++k) u[j] += G[k] * tau[cluster.v_start + k];
    for (int i = 0; i <= j; ++i) L[i * ni + j] = T(0);
  }
  // (1), link by link; L holds D's lower triangle.
  for (int i = 0; i < cluster.link_count; ++i) {
    const int l = cluster.first_link + i;
    const Spatial<T>* J = &m.J[i * ni];
    *P_sum += work->P[l];
    *Z_sum += work->Z[l];
    for (int j = 0; j < ni; ++j) {
      const Spatial<T> W = work->P[l] * J[j];
      U[j] += W;
      u[j] -= dot(J[j], work->Z[l]);
      for (int k = 0; k <= j; ++k) L[k * ni + j] += dot(J[k], W);
    }
  }
  // D = L diag(d) L^T, column by column, with U and u as further rows.
  for (int k = 0; k < ni; ++k) {
    const T d = L[k * ni + k];
    if (!is_positive(d)) return false;
    d_inverse[k] = T(1) / d;
    for (int j = k + 1; j < ni; ++j) {
      const T factor = L[k * ni + j] * d_inverse[k];
      for (int i = j; i < ni; ++i) L[j * ni + i] -= factor * L[k * ni + i];
      U[j] -= U[k] * factor;
      u[j] -= factor * u[k];
    }
    for (int j = k + 1; j < ni; ++j) L[k * ni + j] *= d_inverse[k];
    const Spatial<T> K = U[k] * d_inverse[k];
    P_sum->subtract_outer(U[k], K);
    *Z_sum += K * u[k];
    U[k] = K;
    u[k] *= d_inverse[k];
  }
  return true;
}

// y', and with it the links' accelerations and v', from the acceleration of the link that carries
// the cluster.
template <class T>
[[gnu::noinline]] void move_cluster(const Cluster& cluster, const Partition::Part& part,
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
    Spatial<T> A = A_root;
    for (int j = 0; j < ni; ++j) A += m.J[i * ni + j] * T((*y_dot)[y + j]);
    work->A[cluster.first_link + i] = A;
  }
  for (int k = 0; k < cluster.nv; ++k) {
    T a = g[cluster.v_start + k];
    for (int j = 0; j < ni; ++j) a += m.G[j * cluster.nv + k] * (*y_dot)[y + j];
    (*v_dot)[cluster.v_start + k] = a;
  }
}

}  // namespace

template <class T>
bool calc_forward_dynamics(const Model<T>& model, const Partition& partition,
                           const PositionKinematics<T>& pos, const LoopKinematics<T>& loops,
                           const VelocityKinematics<T>& vel, const Forces<T>& forces,
                           ArticulatedBodies<T>* work, VectorX<T>* y_dot, VectorX<T>* v_dot) {
  const int n = static_cast<int>(model.links.size());
  // Tip to base. What a link adds to the one before it stays in P and Z; only a branch goes through
  // memory.
  SymMat6<T> P;
  Spatial<T> Z;
  int carried_to = 0;
  for (int l = n - 1; l > 0; --l) {
    const Link<T>& link = model.links[l];
    const bool is_carried = carried_to == l;
    carried_to = 0;
    if (!is_carried) {
      P = link.has_mass ? SymMat6<T>(pos.M[l]) : SymMat6<T>();
      Z = Spatial<T>();
    } else if (link.has_mass) {
      P.add(pos.M[l]);
    }
    if (forces.acts_on_links) Z -= forces.F[l];
    if (link.has_mass) Z += inertial_force(pos.M[l], vel.V[l], vel.A[l]);  // (2)
    if (link.has_branches) {
      P += work->P[l];
      Z += work->Z[l];
    }
    int parent = link.parent, first = l;
    const int c = model.cluster_of[l];
    if (c < 0) {
      const int y = partition.y_of_link[l];
      if (y >= 0 &&
          !eliminate_link(link, y, &pos.H[link.v_start], &forces.tau[link.v_start], &P, &Z, work)) {
        return false;
      }
    } else {
      const Cluster& cluster = model.clusters[c];
      work->P[l] = P;
      work->Z[l] = Z;
      if (l > cluster.first_link) continue;
      SymMat6<T> P_sum;  // of their own: P and Z stay in registers
      Spatial<T> Z_sum;
      if (!eliminate_cluster<T>(cluster, partition.parts[c], loops.clusters[c], forces.tau,
                                work->L[c].data(), &P_sum, &Z_sum, work)) {
        return false;
      }
      P = P_sum;
      Z = Z_sum;
      first = cluster.first_link;
      parent = model.links[first].parent;
    }
    if (parent == first - 1) {
      carried_to = parent;
    } else if (link.is_first_branch) {
      work->P[parent] = P;
      work->Z[parent] = Z;
    } else {
      work->P[parent] += P;
      work->Z[parent] += Z;
    }
  }
  // Base to tip.
  work->A[0] = Spatial<T>();
  for (int l = 1; l < n; ++l) {
    const Link<T>& link = model.links[l];
    const int c = model.cluster_of[l];
    if (c < 0) {
      Spatial<T> A = work->A[link.parent];
      const int y = partition.y_of_link[l];
      for (int k = 0; k < link.nv && y >= 0; ++k) {
        const T a = work->nu[y + k] - dot(work->K[y + k], A);
        A += pos.H[link.v_start + k] * a;
        (*y_dot)[y + k] = a;
        (*v_dot)[link.v_start + k] = a;
      }
      if (y < 0) {
        for (int k = link.v_start; k < link.v_start + link.nv; ++k) (*v_dot)[k] = loops.g[k];
      }
      work->A[l] = A;
      continue;
    }
    const Cluster& cluster = model.clusters[c];
    move_cluster<T>(cluster, partition.parts[c], loops.clusters[c], loops.g, work->A[link.parent],
                    work->L[c].data(), work, y_dot, v_dot);
    l = cluster.first_link + cluster.link_count - 1;
  }
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
