// [002] section 3.3, with all quantities about one point O in W:
//   Y v = 0, Y = [Y1 Y2] for dependent and independent speeds             (12)
//   v = X y, X = [-Y1^-1 Y2; 1]                                           (13), here G
//   v' = X y' + X' y, X' y = [-Y1^-1 (c'' for v' = 0); 0]                 (14), here g
// Driven speeds, which the paper treats separately, are on the right-hand sides.
#include "camber/multibody/loop_kinematics.h"

#include <cstring>

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
    m.F.assign(nd, Spatial<T>());
    m.e.assign(nd, Vec3<T>());
    m.p_Q.assign(part.groups.size(), Vec3<T>());
    m.Y.assign(nd * nv, T(0));
    m.Y1_inverse.assign(nd * nd, T(0));
    m.Y1_inverse_Y2.assign(nd * ni, T(0));
    m.work.assign(nd * nd, T(0));
    m.x.assign(nd, T(0));
    m.A.assign(static_cast<std::size_t>(model.clusters[c].link_count), Spatial<T>());
    m.G.assign(nv * ni, T(0));
    m.J.assign(static_cast<std::size_t>(model.clusters[c].link_count) * ni, Spatial<T>());
    // The independent rows of G never change.
    for (std::size_t j = 0; j < ni; ++j) {
      m.G[j * nv + static_cast<std::size_t>(part.independent[j] - model.clusters[c].v_start)] =
          T(1);
    }
  }
}

namespace {

math::Pack4 load_pack(const double* from) {
  math::Pack4 pack;
  std::memcpy(&pack, from, sizeof pack);
  return pack;
}

template <class T>
DependentColumns<T> dependent_columns(const Partition::Part& part,
                                      const typename LoopKinematics<T>::Matrices& m) {
  return {m.Y.data(), part.Y_columns.data()};
}

}  // namespace

template <class T>
void set_jacobian_row(const Model<T>& model, const Cluster& cluster, const ConstraintRow<T>& row,
                      const Spatial<T>& F, const PositionKinematics<T>& pos, T* Y, int stride) {
  if (row.kind == RowKind::kCoupler) {
    for (const CouplerTerm<T>& term : row.terms) Y[(term.v - cluster.v_start) * stride] = T(0);
    for (const CouplerTerm<T>& term : row.terms)
      Y[(term.v - cluster.v_start) * stride] += term.factor;
    return;
  }
  // Links above the junction of the two paths would count twice with opposite signs: both ends move
  // up, the later link first, until they meet.
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
void fill_jacobian_row(const Model<T>& model, const Cluster& cluster, const ConstraintRow<T>& row,
                       const Spatial<T>& F, const PositionKinematics<T>& pos, T* Y, int stride) {
  for (int k = 0; k < cluster.nv; ++k) Y[k * stride] = T(0);
  set_jacobian_row(model, cluster, row, F, pos, Y, stride);
}

namespace {

// Rows of Y of one group: a column is the velocity at Q for a unit speed, along each e.
template <int kCount, class T>
void calc_point_rows(const Model<T>& model, const Partition::Part& part,
                     const Partition::RowGroup& group, const PositionKinematics<T>& pos,
                     Vec3<T>* p_Q, typename LoopKinematics<T>::Matrices* m) {
  const ConstraintRow<T>& first = model.rows[part.rows[group.places[0]]];
  const Vec3<T> p = pos.p_OL[first.b] + pos.R_WL[first.b] * first.p_B;
  *p_Q = p;
  Vec3<T> e[3];
  T* Y[kCount];
  for (int i = 0; i < kCount; ++i) {
    const int r = group.places[i];
    e[i] = pos.R_WL[first.a] * model.rows[part.rows[r]].e_A;
    m->e[r] = e[i];
    Y[i] = m->Y.data() + r;
  }
  const Mat3<T> E_T = transpose(Mat3<T>{{e[0], e[1], e[2]}});
  const Spatial<T>* H = pos.H.data();
  for (const auto& speed : group.speeds) {
    const Vec3<T> u = velocity_at(H[speed.v], p) * T(speed.sign);
    if constexpr (kCount == 3) {
      const Vec3<T> entries = E_T * u;  // all at once
      for (int i = 0; i < 3; ++i) Y[i][speed.column] = entries[i];
    } else {
      for (int i = 0; i < kCount; ++i) Y[i][speed.column] = dot(e[i], u);
    }
  }
}

// G = -Y1^-1 Y2; entries of speeds that no independent speed moves stay zero.
template <class T>
void calc_dependent_rates(const Cluster& cluster, const Partition::Part& part,
                          typename LoopKinematics<T>::Matrices* m) {
  const std::size_t nd = part.dependent.size(), ni = part.independent.size();
  for (std::size_t j = 0; j < ni; ++j) {
    const Partition::Part::Moved& moved = part.moved[j];
    T* x = m->Y1_inverse_Y2.data() + j * nd;
    solve_blocks(part.blocks, moved.blocks, dependent_columns<T>(part, *m), m->Y1_inverse.data(),
                 m->Y.data() + part.Y_columns[nd + j], m->work.data(), x);
    T* G = m->G.data() + static_cast<int>(j) * cluster.nv - cluster.v_start;
    for (const int i : moved.dependent) G[part.dependent[i]] = -x[i];
  }
}

// F, e, p_Q and Y.
template <class T>
void calc_rows(const Model<T>& model, const Cluster& cluster, const Partition::Part& part,
               const PositionKinematics<T>& pos, typename LoopKinematics<T>::Matrices* m) {
  static const VectorX<T> no_positions;  // F does not need the coordinates themselves
  const int nd = static_cast<int>(part.dependent.size());
  for (std::size_t i = 0; i < part.groups.size(); ++i) {
    const Partition::RowGroup& group = part.groups[i];
    if (group.is_point) {
      // Their number is known at compile time: directions stay in registers.
      const auto calc_them = group.count == 3   ? calc_point_rows<3, T>
                             : group.count == 2 ? calc_point_rows<2, T>
                                                : calc_point_rows<1, T>;
      calc_them(model, part, group, pos, &m->p_Q[i], m);
      continue;
    }
    const int r = group.places[0];
    const ConstraintRow<T>& row = model.rows[part.rows[r]];
    if (row.kind != RowKind::kCoupler) m->F[r] = calc_row(row, pos, no_positions).F;
    set_jacobian_row(model, cluster, row, m->F[r], pos, &m->Y[r], nd);
  }
}

template <class T>
void calc_link_rates(const Partition::Part& part, const PositionKinematics<T>& pos,
                     typename LoopKinematics<T>::Matrices* m) {
  Spatial<T>* J = m->J.data();
  for (const Partition::Part::LinkRate& rate : part.link_rates) {
    const Spatial<T>* H = pos.H.data() + rate.v;
    const T* G = m->G.data() + rate.G;
    Spatial<T> sum = H[0] * G[0];
    for (int k = 1; k < rate.nv; ++k) sum += H[k] * G[k];
    if (rate.parent >= 0) sum += J[rate.parent];
    J[rate.own] = sum;
  }
}

}  // namespace

// One stage for all clusters, then the next: a processor inverts one block while the pivots of
// another are being computed.
template <class T>
void calc_loop_matrices(const Model<T>& model, const Partition& partition,
                        const PositionKinematics<T>& pos, LoopKinematics<T>* loops) {
  const std::size_t n = model.clusters.size();
  for (std::size_t c = 0; c < n; ++c)
    calc_rows(model, model.clusters[c], partition.parts[c], pos, &loops->clusters[c]);
  for (std::size_t c = 0; c < n; ++c) {
    auto& m = loops->clusters[c];
    const Partition::Part& part = partition.parts[c];
    m.least_pivot = invert_blocks(part.blocks, dependent_columns<T>(part, m), m.work.data(),
                                  m.Y1_inverse.data());
  }
  for (std::size_t c = 0; c < n; ++c) {
    auto& m = loops->clusters[c];
    const Partition::Part& part = partition.parts[c];
    const Cluster& cluster = model.clusters[c];
    calc_dependent_rates<T>(cluster, part, &m);
    calc_link_rates(part, pos, &m);
  }
}

template <class T>
void expand_rates(const Cluster& cluster, const Partition::Part& part, const std::vector<T>& G,
                  const T* y, const T* x0, T* x) {
  const std::size_t ni = part.independent.size();
  int k = 0;
  if constexpr (std::is_same_v<T, double>) {
    using math::Pack4;
    for (; k + 4 <= cluster.nv; k += 4) {
      Pack4 sum = x0 == nullptr ? Pack4{} : load_pack(x0 + k);
      const double* entries = G.data() + k;
      for (std::size_t j = 0; j < ni; ++j, entries += cluster.nv) sum += load_pack(entries) * y[j];
      std::memcpy(x + k, &sum, sizeof sum);
    }
  }
  for (; k < cluster.nv; ++k) {
    T sum = x0 == nullptr ? T(0) : x0[k];
    const T* entry = G.data() + k;
    for (std::size_t j = 0; j < ni; ++j, entry += cluster.nv) sum += *entry * y[j];
    x[k] = sum;
  }
}

template <class T>
void project_forces(const Cluster& cluster, const Partition::Part& part, const std::vector<T>& G,
                    const T* tau, T* u) {
  const std::size_t ni = part.independent.size();
  const T* column = G.data();
  for (std::size_t j = 0; j < ni; ++j, column += cluster.nv) {
    T sum = T(0);
    int k = 0;
    if constexpr (std::is_same_v<T, double>) {
      math::Pack4 sums = {};
      for (; k + 4 <= cluster.nv; k += 4) sums += load_pack(column + k) * load_pack(tau + k);
      sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    }
    for (; k < cluster.nv; ++k) sum += column[k] * tau[k];
    u[j] = sum;
  }
}

template <class T>
void expand_speeds(const Model<T>& model, const Partition& partition, const VectorX<T>& y,
                   LoopKinematics<T>* loops, VectorX<T>* v) {
  const int ny = partition.ny();
  for (int i = 0; i < ny; ++i) (*v)[partition.v_of_y[i]] = y[i];
  for (std::size_t c = 0; c < model.clusters.size(); ++c) {
    const Cluster& cluster = model.clusters[c];
    const Partition::Part& part = partition.parts[c];
    auto& m = loops->clusters[c];
    const int nd = static_cast<int>(part.dependent.size());
    if (nd == 0) continue;
    // Y1 v1 = -Y2 y - Y_driven v_driven: the first part is in G.
    T* own = v->data() + cluster.v_start;
    if (part.driven.empty()) {
      expand_rates<T>(cluster, part, m.G, y.data() + part.y_start, nullptr, own);
      continue;
    }
    for (int r = 0; r < nd; ++r) m.x[r] = T(0);
    for (const int k : part.driven) {
      const T* column = &m.Y[(k - cluster.v_start) * nd];
      for (int r = 0; r < nd; ++r) m.x[r] -= column[r] * (*v)[k];
    }
    solve_blocks(part.blocks, dependent_columns<T>(part, m), m.Y1_inverse.data(), m.work.data(),
                 m.x.data());
    for (int i = 0; i < nd; ++i) (*v)[part.dependent[i]] = m.x[i];
    for (const int k : part.independent) (*v)[k] = T(0);
    expand_rates<T>(cluster, part, m.G, y.data() + part.y_start, own, own);
  }
}

template <class T>
void gather_speeds(const Partition& partition, const VectorX<T>& v, VectorX<T>* y) {
  for (int i = 0; i < partition.ny(); ++i) (*y)[i] = v[partition.v_of_y[i]];
}

namespace {

// c'' of points is e . h: F . (A_b - A_a) + F' . (V_b - V_a) of constraint_row.cc with the triple
// products rearranged to isolate e.
template <class T>
[[gnu::always_inline]] inline Vec3<T> acceleration_at(const ConstraintRow<T>& row,
                                                      const Vec3<T>& p_Q,
                                                      const VelocityKinematics<T>& vel) {
  const Spatial<T> V = vel.V[row.b] - vel.V[row.a], A = vel.A[row.b] - vel.A[row.a];
  return velocity_at(A, p_Q) + cross(V.top(), velocity_at(vel.V[row.b], p_Q)) -
         cross(vel.V[row.a].top(), velocity_at(V, p_Q));
}

// Each cluster's error in c'' gives g [002 eq. 14]; its links get the accelerations that g causes.
template <class T>
void correct_accelerations(const Model<T>& model, const Cluster& cluster,
                           const Partition::Part& part, const PositionKinematics<T>& pos,
                           LoopKinematics<T>* loops, typename LoopKinematics<T>::Matrices* m,
                           VelocityKinematics<T>* vel) {
  VectorX<T>& g = loops->g;
  const int nd = static_cast<int>(part.dependent.size());
  T* error = m->x.data();
  for (std::size_t i = 0; i < part.groups.size(); ++i) {
    const Partition::RowGroup& group = part.groups[i];
    const int r = group.places[0];
    const ConstraintRow<T>& row = model.rows[part.rows[r]];
    if (group.is_point) {
      const Vec3<T> h = acceleration_at(row, m->p_Q[i], *vel);
      for (int k = 0; k < group.count; ++k) error[group.places[k]] = dot(m->e[group.places[k]], h);
    } else if (row.kind == RowKind::kCoupler) {
      error[r] = T(0);
      for (const CouplerTerm<T>& term : row.terms) error[r] += term.factor * g[term.v];
    } else {
      error[r] = calc_row_acceleration(row, pos, *vel, m->F[r]);
    }
  }
  solve_blocks(part.blocks, dependent_columns<T>(part, *m), m->Y1_inverse.data(), m->work.data(),
               error);
  T* rates = g.data();
  for (int i = 0; i < nd; ++i) rates[part.dependent[i]] = -error[i];
  const Link<T>* link = &model.links[cluster.first_link];
  Spatial<T>* A = &vel->A[cluster.first_link];
  for (int i = 0; i < cluster.link_count; ++i, ++link, ++A) {
    const int parent = link->parent - cluster.first_link;
    Spatial<T> change;
    if (!link->is_driven) {
      const Spatial<T>* H = &pos.H[link->v_start];
      const T* own = rates + link->v_start;
      change = H[0] * own[0];
      for (int k = 1; k < link->nv; ++k) change += H[k] * own[k];
    }
    if (parent >= 0) change += m->A[parent];
    m->A[i] = change;
    *A += change;
  }
}

}  // namespace

template <class T>
void calc_velocity_kinematics(const Model<T>& model, const Partition& partition,
                              const PositionKinematics<T>& pos, const VectorX<T>& v,
                              const VectorX<T>* v_dot_driven, LoopKinematics<T>* loops,
                              VelocityKinematics<T>* vel) {
  if (model.clusters.empty()) {
    calc_velocity_kinematics(model, pos, v, v_dot_driven, vel);
    return;
  }
  // First as if no dependent speed changed.
  VectorX<T>& g = loops->g;
  for (int k = 0; k < model.nv; ++k) g[k] = v_dot_driven == nullptr ? T(0) : (*v_dot_driven)[k];
  vel->V[0] = Spatial<T>();
  vel->A[0] = Spatial<T>(Vec3<T>(), -model.gravity);
  const VectorX<T>* known = v_dot_driven == nullptr ? nullptr : &g;
  int moved = 0;  // the last moved link
  for (std::size_t c = 0; c < model.clusters.size(); ++c) {
    const Cluster& cluster = model.clusters[c];
    const int last = cluster.first_link + cluster.link_count - 1;
    internal::move_links(model, moved + 1, last, pos, v, known, vel);
    moved = last;
    correct_accelerations(model, cluster, partition.parts[c], pos, loops, &loops->clusters[c], vel);
  }
  internal::move_links(model, moved + 1, static_cast<int>(model.links.size()) - 1, pos, v, known,
                       vel);
}

#define CAMBER_INSTANTIATE(T)                                                                 \
  template struct LoopKinematics<T>;                                                          \
  template void set_jacobian_row(const Model<T>&, const Cluster&, const ConstraintRow<T>&,    \
                                 const Spatial<T>&, const PositionKinematics<T>&, T*, int);   \
  template void fill_jacobian_row(const Model<T>&, const Cluster&, const ConstraintRow<T>&,   \
                                  const Spatial<T>&, const PositionKinematics<T>&, T*, int);  \
  template void calc_loop_matrices(const Model<T>&, const Partition&,                         \
                                   const PositionKinematics<T>&, LoopKinematics<T>*);         \
  template void expand_speeds(const Model<T>&, const Partition&, const VectorX<T>&,           \
                              LoopKinematics<T>*, VectorX<T>*);                               \
  template void expand_rates(const Cluster&, const Partition::Part&, const std::vector<T>&,   \
                             const T*, const T*, T*);                                         \
  template void project_forces(const Cluster&, const Partition::Part&, const std::vector<T>&, \
                               const T*, T*);                                                 \
  template void gather_speeds(const Partition&, const VectorX<T>&, VectorX<T>*);              \
  template void calc_velocity_kinematics(                                                     \
      const Model<T>&, const Partition&, const PositionKinematics<T>&, const VectorX<T>&,     \
      const VectorX<T>*, LoopKinematics<T>*, VelocityKinematics<T>*);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
