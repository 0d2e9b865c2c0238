// [002] section 3.3, with all quantities about one point O in W:
//   Y v = 0, Y = [Y1 Y2] for dependent and independent speeds             (12)
//   v = X y, X = [-Y1^-1 Y2; 1]                                           (13), here G
//   v' = X y' + X' y, X' y = [-Y1^-1 (c'' for v' = 0); 0]                 (14), here g
// Driven speeds, which the paper treats apart, stand on the right-hand sides.
#include "camber/multibody/loop_kinematics.h"

#include "camber/math/small_inverse.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {

template <class T>
LoopKinematics<T>::LoopKinematics(const Model<T>& model, const Partition& partition)
    : clusters(model.clusters.size()), g(VectorX<T>::Constant(model.nv, T(0))) {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Partition::Part& part = partition.parts[c];
    const auto nv = static_cast<std::size_t>(model.clusters[c].nv);
    const std::size_t nd = part.dependent.size(), ni = part.independent.size();
    Matrices& m = clusters[c];
    m.Y.assign(nd * nv, T(0));
    m.Y1_inverse.assign(nd * nd, T(0));
    m.work.assign(nd * nd, T(0));
    m.G.assign(nv * ni, T(0));
    m.J.assign(static_cast<std::size_t>(model.clusters[c].link_count) * ni, Spatial<T>());
    // The independent rows of G never change.
    for (std::size_t j = 0; j < ni; ++j) {
      m.G[j * nv + static_cast<std::size_t>(part.independent[j] - model.clusters[c].v_start)] =
          T(1);
    }
  }
}

template <class T>
void fill_jacobian_row(const Model<T>& model, const Cluster& cluster, const ConstraintRow<T>& row,
                       const Spatial<T>& F, const PositionKinematics<T>& pos, T* Y, int stride) {
  for (int k = 0; k < cluster.nv; ++k) Y[k * stride] = T(0);
  if (row.kind == RowKind::kCoupler) {
    for (const CouplerTerm<T>& term : row.terms)
      Y[(term.v - cluster.v_start) * stride] += term.factor;
    return;
  }
  // Links above the meeting of the two ways count twice with opposite signs: the two ends go up in
  // step, the later link first, until they meet.
  int a = row.a, b = row.b;
  while (a != b) {
    const bool is_b = b > a;
    const Link<T>& link = model.links[is_b ? b : a];
    for (int k = link.v_start; k < link.v_start + link.nv; ++k) {
      const T entry = dot(F, pos.H[k]);
      Y[(k - cluster.v_start) * stride] = is_b ? entry : -entry;
    }
    (is_b ? b : a) = link.parent;
  }
}

template <class T>
void calc_loop_matrices(const Model<T>& model, const Partition& partition,
                        const PositionKinematics<T>& pos, LoopKinematics<T>* loops) {
  static const VectorX<T> kNoPositions;  // F does not need the coordinates themselves
  for (std::size_t c = 0; c < model.clusters.size(); ++c) {
    const Cluster& cluster = model.clusters[c];
    const Partition::Part& part = partition.parts[c];
    auto& m = loops->clusters[c];
    const int nd = static_cast<int>(part.dependent.size());
    const int ni = static_cast<int>(part.independent.size());
    for (int r = 0; r < nd; ++r) {
      const ConstraintRow<T>& row = model.rows[part.rows[r]];
      const Spatial<T> F =
          row.kind == RowKind::kCoupler ? Spatial<T>() : calc_row(row, pos, kNoPositions).F;
      fill_jacobian_row(model, cluster, row, F, pos, &m.Y[r], nd);
    }
    for (int j = 0; j < nd; ++j) {
      const T* column = &m.Y[(part.dependent[j] - cluster.v_start) * nd];
      for (int i = 0; i < nd; ++i) m.work[j * nd + i] = column[i];
    }
    m.least_pivot = math::invert_small(nd, m.work.data(), m.Y1_inverse.data());
    for (int j = 0; j < ni; ++j) {
      const T* Y2 = &m.Y[(part.independent[j] - cluster.v_start) * nd];
      for (int i = 0; i < nd; ++i) {
        T sum = T(0);
        for (int r = 0; r < nd; ++r) sum -= m.Y1_inverse[r * nd + i] * Y2[r];
        m.G[j * cluster.nv + part.dependent[i] - cluster.v_start] = sum;
      }
    }
    for (int i = 0; i < cluster.link_count; ++i) {
      const Link<T>& link = model.links[cluster.first_link + i];
      const int parent =
          link.parent - cluster.first_link;  // < 0: the link that carries the cluster
      for (int j = 0; j < ni; ++j) {
        Spatial<T> J = parent >= 0 ? m.J[parent * ni + j] : Spatial<T>();
        for (int k = link.v_start; k < link.v_start + link.nv; ++k) {
          J += pos.H[k] * T(m.G[j * cluster.nv + k - cluster.v_start]);
        }
        m.J[i * ni + j] = J;
      }
    }
  }
}

template <class T>
void expand_speeds(const Model<T>& model, const Partition& partition,
                   const LoopKinematics<T>& loops, const VectorX<T>& y, VectorX<T>* v) {
  const int ny = partition.ny();
  for (int i = 0; i < ny; ++i) (*v)[partition.v_of_y[i]] = y[i];
  for (std::size_t c = 0; c < model.clusters.size(); ++c) {
    const Cluster& cluster = model.clusters[c];
    const Partition::Part& part = partition.parts[c];
    const auto& m = loops.clusters[c];
    const int nd = static_cast<int>(part.dependent.size());
    for (int i = 0; i < nd; ++i) {
      T sum = T(0);
      for (std::size_t j = 0; j < part.independent.size(); ++j) {
        sum += m.G[j * cluster.nv + part.dependent[i] - cluster.v_start] *
               y[part.y_start + static_cast<int>(j)];
      }
      for (const int k : part.driven) {  // - Y1^-1 Y_driven v_driven
        T row = T(0);
        for (int r = 0; r < nd; ++r) {
          row += m.Y1_inverse[r * nd + i] * m.Y[(k - cluster.v_start) * nd + r];
        }
        sum -= row * (*v)[k];
      }
      (*v)[part.dependent[i]] = sum;
    }
  }
}

template <class T>
void gather_speeds(const Partition& partition, const VectorX<T>& v, VectorX<T>* y) {
  for (int i = 0; i < partition.ny(); ++i) (*y)[i] = v[partition.v_of_y[i]];
}

template <class T>
void calc_velocity_kinematics(const Model<T>& model, const Partition& partition,
                              const PositionKinematics<T>& pos, const VectorX<T>& v,
                              const VectorX<T>* v_dot_driven, LoopKinematics<T>* loops,
                              VelocityKinematics<T>* vel) {
  if (model.clusters.empty()) {
    calc_velocity_kinematics(model, pos, v, v_dot_driven, vel);
    return;
  }
  // First as if no dependent speed changed; then each cluster's error in c'' gives g, and the links
  // get it.
  VectorX<T>& g = loops->g;
  for (int k = 0; k < model.nv; ++k) g[k] = v_dot_driven == nullptr ? T(0) : (*v_dot_driven)[k];
  vel->V[0] = Spatial<T>();
  vel->A[0] = Spatial<T>(Vec3<T>(), -model.gravity);
  const auto move_link = [&](int l) { internal::move_link(model, l, pos, v, &g, vel); };
  const int n = static_cast<int>(model.links.size());
  for (int l = 1; l < n; ++l) {
    move_link(l);
    const int c = model.cluster_of[l];
    if (c < 0) continue;
    const Cluster& cluster = model.clusters[c];
    if (l < cluster.first_link + cluster.link_count - 1) continue;
    const Partition::Part& part = partition.parts[c];
    auto& m = loops->clusters[c];
    const int nd = static_cast<int>(part.dependent.size());
    T* error = m.work.data();
    for (int r = 0; r < nd; ++r) {
      const ConstraintRow<T>& row = model.rows[part.rows[r]];
      if (row.kind == RowKind::kCoupler) {
        error[r] = T(0);
        for (const CouplerTerm<T>& term : row.terms) error[r] += term.factor * g[term.v];
      } else {
        static const VectorX<T> kNoPositions;
        error[r] = calc_row_acceleration(row, pos, *vel, calc_row(row, pos, kNoPositions).F);
      }
    }
    for (int i = 0; i < nd; ++i) {
      T sum = T(0);
      for (int r = 0; r < nd; ++r) sum -= m.Y1_inverse[r * nd + i] * error[r];
      g[part.dependent[i]] = sum;
    }
    for (int k = cluster.first_link; k <= l; ++k) move_link(k);
  }
}

#define CAMBER_INSTANTIATE(T)                                                                \
  template struct LoopKinematics<T>;                                                         \
  template void fill_jacobian_row(const Model<T>&, const Cluster&, const ConstraintRow<T>&,  \
                                  const Spatial<T>&, const PositionKinematics<T>&, T*, int); \
  template void calc_loop_matrices(const Model<T>&, const Partition&,                        \
                                   const PositionKinematics<T>&, LoopKinematics<T>*);        \
  template void expand_speeds(const Model<T>&, const Partition&, const LoopKinematics<T>&,   \
                              const VectorX<T>&, VectorX<T>*);                               \
  template void gather_speeds(const Partition&, const VectorX<T>&, VectorX<T>*);             \
  template void calc_velocity_kinematics(                                                    \
      const Model<T>&, const Partition&, const PositionKinematics<T>&, const VectorX<T>&,    \
      const VectorX<T>*, LoopKinematics<T>*, VelocityKinematics<T>*);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
