// [002] section 3.3, step 1: in closed form where the cluster has a plan, then, or instead,
// Newton's method on its rows, Y1 step = -c. Clusters are closed one after the other, base to tip,
// with the links in their final places: closing one moves those further out only as a whole. Steps
// of clusters on the same link are interleaved.
#include "camber/multibody/close_loops.h"

#include <algorithm>
#include <cmath>

#include "camber/multibody/constraint_row.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {

template <class T>
ClosureWork<T>::ClosureWork(const Model<T>& model, const Partition& partition)
    : step(VectorX<T>::Constant(model.nv, T(0))) {
  std::size_t max_rows = 0, max_entries = 0;
  for (std::size_t c = 0; c < partition.parts.size(); ++c) {
    const std::size_t rows = partition.parts[c].rows.size();
    max_rows = std::max(max_rows, rows);
    max_entries = std::max(max_entries, rows * static_cast<std::size_t>(model.clusters[c].nv));
  }
  Y.assign(max_entries, T(0));
  Y1_inverse.assign(max_rows * max_rows, T(0));
  block.assign(max_rows * max_rows, T(0));
  error.assign(max_rows, T(0));
  x = error;
}

namespace {

constexpr int kMaxIterations = 60;
constexpr int kMaxCuts = 30;
// An error of this size is rounding: rows are lengths, angles or products of unit vectors, relative
// to their units and magnitudes; steps are relative to their speeds' units.
constexpr double kClosed = 1e-14;
// The error of a closed form: rounding, accumulated over its steps.
constexpr double kClosedForm = 5e-14;
// After a step this small the error is its square, and no further check is needed.
constexpr double kLastStep = 3e-8;
// The error that is still accepted if further steps do not reduce it.
constexpr double kAccepted = 1e-12;

// The largest of |x| over lanes, too.
template <class T>
double size_of(const T& x) {
  if constexpr (requires { x.lane(0); }) {
    double most = 0;
    for (int i = 0; i < T::kLanes; ++i) most = std::max(most, std::abs(x.lane(i)));
    return most;
  } else {
    using math::value_of;
    return std::abs(value_of(x));
  }
}

template <class T>
class ClusterClosing {
 public:
  ClusterClosing(const Model<T>& model, const Cluster& cluster, const Partition::Part& part,
                 ClosureWork<T>* work, VectorX<T>* q, PositionKinematics<T>* pos)
      : model_(model),
        cluster_(cluster),
        part_(part),
        n_(part.holonomic_count),
        work_(work),
        q_(q),
        pos_(pos) {}

  ClosureResult run() {
    ClosureResult result;
    if (part_.plan.empty()) {
      place_links();
    } else {
      close_in_closed_form(model_, part_.closure, q_, pos_);
    }
    const double closed = part_.plan.empty() ? kClosed : kClosedForm;
    // Derivatives are exact after a step from values that are already exact.
    bool needs_step = requires(const T& x) { x.partial(0); };
    if (!part_.plan.empty() && !needs_step) {
      result.error = calc_plain_error(closed);
      if (result.error <= closed) return result;
    }
    double error = calc_errors();
    for (; result.iterations < kMaxIterations; ++result.iterations) {
      if (error <= kAccepted && needs_step) {
        needs_step = false;
      } else if (error <= closed) {
        break;
      }
      if (!std::isfinite(error) || !calc_step()) {
        result.closed = false;
        break;
      }
      const double size = step_size();
      // A step of radians or of the size of the mechanism leaves the region where the linear
      // equations mean anything.
      double scale = size > 0.5 ? 0.5 / size : 1.0;
      move(scale);
      double next = calc_errors();
      int cuts = 0;
      for (; next > error * (1 - 1e-4 * scale) && next > kClosed && size > kLastStep &&
             cuts < kMaxCuts;
           ++cuts) {
        move(-0.5 * scale);
        scale *= 0.5;
        next = calc_errors();
      }
      const bool stuck = cuts == kMaxCuts || (size <= kLastStep && next > kAccepted);
      error = next;
      if ((size <= kLastStep && !needs_step) || stuck) {
        ++result.iterations;
        break;
      }
    }
    result.error = error;
    result.closed = result.closed && error <= kAccepted;
    return result;
  }

 private:
  void place_links() {
    for (int l = cluster_.first_link; l < cluster_.first_link + cluster_.link_count; ++l)
      internal::place_link(model_, l, *q_, pos_);
  }

  // After a step of Newton's method.
  void place() {
    for (int l = cluster_.first_link; l < cluster_.first_link + cluster_.link_count; ++l) {
      const Link<T>& link = model_.links[l];
      if (link.kind != LinkKind::kRevolute && link.kind != LinkKind::kScrew) continue;
      using math::sincos;
      sincos((*q_)[link.q_start], &pos_->sine[link.q_start], &pos_->cosine[link.q_start]);
    }
    place_links();
  }

  // The largest error over its row's unit, which is at most the row's scale; common parts of rows
  // are computed once. Points that coincide in all directions do so in those of the rows.
  double calc_plain_error(double closed) const {
    double most = 0;
    const auto note = [&most](double size) { most = size <= most ? most : size; };  // a NaN stays
    const double near = closed * model_.length, per_length = 1 / model_.length;
    for (const Partition::RowGroup& group : part_.groups) {
      if (group.places[0] >= n_) break;
      const ConstraintRow<T>& first = model_.rows[part_.rows[group.places[0]]];
      if (!group.is_point) {
        note(size_of(calc_row(first, *pos_, *q_).error) / first.unit);
        continue;
      }
      const Vec3<T> d = (pos_->p_OL[first.b] + pos_->R_WL[first.b] * first.p_B) -
                        (pos_->p_OL[first.a] + pos_->R_WL[first.a] * first.p_A);
      const T square = dot(d, d);
      using math::all;
      if (all(square <= T(near * near))) {
        using std::sqrt;
        note(size_of(T(sqrt(square))) * per_length);
        continue;
      }
      for (int i = 0; i < group.count; ++i) {
        const ConstraintRow<T>& row = model_.rows[part_.rows[group.places[i]]];
        note(size_of(dot(pos_->R_WL[first.a] * row.e_A, d)) * per_length);
      }
    }
    return most;
  }

  double calc_errors() {
    double most = 0;
    for (int r = 0; r < n_; ++r) {
      const RowGeometry<T> geometry = calc_row(model_.rows[part_.rows[r]], *pos_, *q_);
      work_->error[r] = geometry.error;
      const double size = size_of(geometry.error) / scale_of(model_.rows[part_.rows[r]]);
      most = size <= most ? most : size;  // a NaN stays
      if (!std::isfinite(size)) return size;
    }
    return most;
  }

  // Rounding of a row: of lengths from O, or of angles after many revolutions.
  double scale_of(const ConstraintRow<T>& row) const {
    double scale = row.unit;
    for (const CouplerTerm<T>& term : row.terms) scale += size_of(T(term.factor * (*q_)[term.q]));
    if (row.kind != RowKind::kDot && row.kind != RowKind::kCoupler) {
      for (int i = 0; i < 3; ++i) scale += size_of(T(pos_->p_OL[row.b][i]));
    }
    return scale;
  }

  bool calc_step() {
    T* Y = work_->Y.data();
    const int stride = static_cast<int>(part_.rows.size());
    for (int r = 0; r < n_; ++r) {
      const ConstraintRow<T>& row = model_.rows[part_.rows[r]];
      fill_jacobian_row(model_, cluster_, row, calc_row(row, *pos_, *q_).F, *pos_, Y + r, stride);
      work_->x[r] = -work_->error[r];
    }
    const DependentColumns<T> dependent{Y, part_.Y_columns.data()};
    const auto& blocks = part_.holonomic_blocks;
    const T least = invert_blocks(blocks, dependent, work_->block.data(), work_->Y1_inverse.data());
    solve_blocks(blocks, dependent, work_->Y1_inverse.data(), work_->block.data(), work_->x.data());
    for (int i = 0; i < n_; ++i) work_->step[part_.dependent[i]] = work_->x[i];
    using math::all;
    return all(least > T(0));
  }

  double step_size() const {
    double most = 0;
    for (int i = 0; i < n_; ++i) {
      const int v = part_.dependent[i];
      most = std::max(most, size_of(work_->step[v]) / model_.speed_units[v]);
    }
    return most;
  }

  void move(double scale) {
    for (int i = 0; i < n_; ++i) work_->step[part_.dependent[i]] *= T(scale);
    move_links(model_, cluster_.first_link, cluster_.link_count, work_->step, q_);
    for (int i = 0; i < n_; ++i) work_->step[part_.dependent[i]] *= T(1 / scale);
    place();
  }

  const Model<T>& model_;
  const Cluster& cluster_;
  const Partition::Part& part_;
  const int n_;
  ClosureWork<T>* work_;
  VectorX<T>* q_;
  PositionKinematics<T>* pos_;
};

}  // namespace

template <class T>
ClosureResult close_loops(const Model<T>& model, const Partition& partition, ClosureWork<T>* work,
                          VectorX<T>* q, PositionKinematics<T>* pos) {
  ClosureResult result;
  internal::calc_sines(model, *q, pos);
  internal::place_origin(model, *q, pos);
  const int n = static_cast<int>(model.links.size());
  for (int l = 1; l < n; ++l) {
    const int c = model.cluster_of[l];
    if (c < 0) {
      internal::place_link(model, l, *q, pos);
      continue;
    }
    const Cluster& cluster = model.clusters[c];
    const ClosureResult closed =
        ClusterClosing<T>(model, cluster, partition.parts[c], work, q, pos).run();
    result.iterations = std::max(result.iterations, closed.iterations);
    result.error = std::max(result.error, closed.error);
    if (!closed.closed && result.closed) {
      result.closed = false;
      result.cluster = c;
    }
    l += cluster.link_count - 1;
  }
  internal::place_inertias(model, 1, n - 1, pos);
  return result;
}

#define CAMBER_INSTANTIATE(T)                                                            \
  template ClosureResult close_loops(const Model<T>&, const Partition&, ClosureWork<T>*, \
                                     VectorX<T>*, PositionKinematics<T>*);
CAMBER_INSTANTIATE(double)
CAMBER_INSTANTIATE(Dual)
CAMBER_INSTANTIATE(Lanes)
#undef CAMBER_INSTANTIATE

#define CAMBER_INSTANTIATE(T) template struct ClosureWork<T>;
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
