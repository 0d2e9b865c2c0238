// How MechanismDynamics follows loops toward singular configurations and through them: `ce` with
// other rows and independent speeds, or with the equations of `ta` (docs/theory/multibody.md,
// section 4).
#include <algorithm>
#include <utility>

#include "camber/multibody/dynamics.h"
#include "camber/multibody/nearness.h"
#include "camber/multibody/tree_augmented.h"

namespace camber::multibody {

namespace {

// A new partition is chosen when a dependent speed, per independent one, has grown by this factor.
constexpr double kGainRatio = 1.5;

// The rows of a cluster with redundant ones are chosen again when the smallest pivot of Y1 has
// decreased by this factor.
constexpr double kPivotRatio = 0.2;

// If the smallest pivot is below this fraction of its largest value, the mechanism is near a
// singular configuration; above the other fraction, it has left it.
constexpr double kNearSingular = 0.1, kRegular = 0.2;

}  // namespace

void MechanismDynamics::use_partition(Partition fresh) {
  EmbeddedWork<double> work(tree_.model, fresh);
  calc_position_kinematics(tree_.model, q_, &work.pos);
  calc_loop_matrices(tree_.model, fresh, work.pos, &work.loops);
  partition_ = std::move(fresh);
  embedded_.emplace(std::move(work));
  dual_.reset();
}

// Which of several redundant rows are needed changes during the motion: those in use may become
// dependent although the mechanism itself is far from a singular configuration. G does not show it,
// since it is the same for every choice.
void MechanismDynamics::choose_rows_where_due() {
  for (std::size_t c = 0; c < best_pivots_.size(); ++c) {
    if (tree_.model.clusters[c].rows.size() == partition_.parts[c].rows.size()) continue;
    const double pivot =
        calc_pivot(tree_.model, partition_.parts[c], &embedded_->loops.clusters[c]);
    if (pivot > kPivotRatio * best_pivots_[c]) {
      best_pivots_[c] = std::max(best_pivots_[c], pivot);
      continue;
    }
    Partition fresh = partition_;
    if (choose_rows_again(tree_, q_, c, &fresh)) use_partition(std::move(fresh));
    best_pivots_[c] = calc_pivot(tree_.model, partition_.parts[c], &embedded_->loops.clusters[c]);
  }
}

// [002] leaves the choice of independent coordinates to the analyst; here it follows the mechanism.
// The speeds v are the same, so the motion continues unchanged: y is another part of the same v.
void MechanismDynamics::choose_again_if_near_singular() {
  calc_gains(tree_.model, partition_, embedded_->loops, &gains_);
  bool is_near = false;
  for (std::size_t c = 0; c < gains_.size(); ++c)
    is_near |= gains_[c] > kGainRatio * start_gains_[c];
  if (!is_near) return;
  Partition fresh = partition_;
  bool changed = exchange_speeds(tree_, q_, embedded_->loops, &fresh);
  if (!changed) {  // a cluster with rolling wheels: its speeds are not exchanged one by one
    fresh = choose_partition(tree_, q_, {});
    // A different number of independent speeds: the singular configuration itself, to be passed
    // with the old choice.
    changed = fresh.ny() == partition_.ny() && fresh.v_of_y != partition_.v_of_y;
  }
  if (changed) {
    if (!named_)
      named_.emplace(Named{partition_, ClosureWork<double>(tree_.model, partition_),
                           PositionKinematics<double>(tree_.model)});
    use_partition(std::move(fresh));
    std::fill(best_pivots_.begin(), best_pivots_.end(), 0.0);
    ++partition_changes_;
  }
  // Even without a better choice, the present gains are the new reference.
  calc_gains(tree_.model, partition_, embedded_->loops, &start_gains_);
}

// If all rows together do not determine the dependent speeds, no choice among them does: the change
// point of a parallelogram, after which two motions are possible. Multipliers need no such choice;
// inertia decides.
void MechanismDynamics::enter_passage_if_singular() {
  bool is_near = false;
  for (std::size_t c = 0; c < largest_pivots_.size(); ++c) {
    const double pivot =
        calc_pivot(tree_.model, partition_.parts[c], &embedded_->loops.clusters[c]);
    if (pivot > largest_pivots_[c]) largest_pivots_[c] = pivot;
    is_near |= !(pivot > kNearSingular * largest_pivots_[c]);
  }
  if (!is_near) return;
  std::vector<int> rows;
  for (const Partition::Part& part : partition_.parts)
    rows.insert(rows.end(), part.rows.begin(), part.rows.end());
  passage_ = std::make_unique<TreeAugmented>(tree_, std::move(rows));
  ++passages_;
  ++partition_changes_;
}

void MechanismDynamics::leave_passage_if_regular() {
  Partition fresh = choose_partition(tree_, q_, {});
  if (fresh.ny() != partition_.ny()) return;  // at the very point
  use_partition(std::move(fresh));
  for (std::size_t c = 0; c < largest_pivots_.size(); ++c) {
    if (!(calc_pivot(tree_.model, partition_.parts[c], &embedded_->loops.clusters[c]) >
          kRegular * largest_pivots_[c]))
      return;
  }
  calc_gains(tree_.model, partition_, embedded_->loops, &start_gains_);
  std::fill(best_pivots_.begin(), best_pivots_.end(), 0.0);
  passage_.reset();
}

bool MechanismDynamics::is_near_singular(std::span<const double> q, std::span<const double> v) {
  if (formulation_ == Formulation::kCe || tree_.model.clusters.empty()) return is_passing();
  if (near_q_.size() == 0) {
    near_q_ = tree_.q0;
    near_v_ = VectorX<double>::Zero(tree_.model.nv);
    largest_pivots_.assign(tree_.model.clusters.size(), 0);
  }
  const auto as_span = [](VectorX<double>& x) {
    return std::span(x.data(), static_cast<std::size_t>(x.size()));
  };
  to_tree(q, v, as_span(near_q_), as_span(near_v_));
  const auto is_regular = [&] {
    calc_position_kinematics(tree_.model, near_q_, &embedded_->pos);
    calc_loop_matrices(tree_.model, partition_, embedded_->pos, &embedded_->loops);
    bool regular = true;
    for (std::size_t c = 0; c < largest_pivots_.size(); ++c) {
      const double pivot =
          calc_pivot(tree_.model, partition_.parts[c], &embedded_->loops.clusters[c]);
      if (pivot > largest_pivots_[c]) largest_pivots_[c] = pivot;
      regular &= pivot > (is_near_ ? kRegular : kNearSingular) * largest_pivots_[c];
    }
    return regular;
  };
  is_near_ = !is_regular();
  if (!is_near_) return false;
  // The cause may be only the choice of coordinates and rows, which this formulation does not need.
  Partition fresh = choose_partition(tree_, near_q_, {});
  if (fresh.ny() != partition_.ny()) return true;
  partition_ = std::move(fresh);
  embedded_.emplace(tree_.model, partition_);
  is_near_ = !is_regular();
  return is_near_;
}

}  // namespace camber::multibody
