#include "camber/multibody/assembly.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

namespace {

constexpr int kMaxIterations = 300;
// Errors are divided by their rows' units, steps by their speeds' units: radians, or lengths of the
// mechanism.
constexpr double kAssembled = 1e-11;
constexpr double kFixedWeight = 1e-4;
constexpr double kLongestStep = 0.4;

class Assembler {
 public:
  Assembler(const MechanismTree& mechanism, std::vector<bool> fixed, VectorX<double>* q)
      : mechanism_(mechanism),
        model_(mechanism.model),
        fixed_(std::move(fixed)),
        q_(q),
        pos_(model_) {}

  AssemblyResult run() {
    AssemblyResult result;
    for (const Cluster& cluster : model_.clusters) {
      const int iterations = close(cluster);
      result.iterations = std::max(result.iterations, iterations);
    }
    calc_position_kinematics(model_, *q_, &pos_);
    for (const ConstraintRow<double>& row : model_.rows) {
      const double error = std::abs(calc_row(row, pos_, *q_).error);
      if (!(error <= result.error)) result.error = error;
      if (!(error <= kAssembled * 10 * row.unit))
        result.open.push_back({row.name, error, error / row.unit});
    }
    std::sort(result.open.begin(), result.open.end(),
              [](const OpenRow& a, const OpenRow& b) { return a.share > b.share; });
    result.assembled = result.open.empty();
    return result;
  }

 private:
  VectorX<double> errors(const Cluster& cluster, const VectorX<double>& q) {
    calc_position_kinematics(model_, q, &pos_);
    VectorX<double> c(static_cast<int>(cluster.rows.size()));
    for (int r = 0; r < c.size(); ++r) {
      const ConstraintRow<double>& row = model_.rows[cluster.rows[r]];
      c[r] = calc_row(row, pos_, q).error / row.unit;
    }
    return c;
  }

  int close(const Cluster& cluster) {
    const int n = static_cast<int>(cluster.rows.size());
    VectorX<double> weight(cluster.nv), unit(cluster.nv);
    for (int k = 0; k < cluster.nv; ++k) {
      const int v = cluster.v_start + k;
      unit[k] = model_.speed_units[v];
      weight[k] = mechanism_.motions[v] ? 0.0 : (!fixed_.empty() && fixed_[v]) ? kFixedWeight : 1.0;
    }
    VectorX<double> c = errors(cluster, *q_);
    double damping = 0;
    int iteration = 0;
    for (; iteration < kMaxIterations && c.cwiseAbs().maxCoeff() > 1e-14; ++iteration) {
      MatrixX<double> Y(n, cluster.nv);
      VectorX<double> line(cluster.nv);
      for (int r = 0; r < n; ++r) {
        const ConstraintRow<double>& row = model_.rows[cluster.rows[r]];
        fill_jacobian_row(model_, cluster, row, calc_row(row, pos_, *q_).F, pos_, line.data(), 1);
        if (!row.holonomic()) line.setZero();
        Y.row(r) = line.cwiseProduct(unit).cwiseProduct(weight) / row.unit;
      }
      // The shortest step in the weighted coordinates; with damping, the rows of sqrt(damping) keep
      // it short.
      VectorX<double> step;
      if (damping == 0) {
        step = math::solve_shortest(Y, -c, 1e-10);
      } else {
        const MatrixX<double> normal =
            Y.transpose() * Y + damping * MatrixX<double>::Identity(cluster.nv, cluster.nv);
        step = math::solve_symmetric(normal, -Y.transpose() * c);
      }
      step = step.cwiseProduct(weight);
      const double longest = step.cwiseAbs().maxCoeff();
      if (longest > kLongestStep) step *= kLongestStep / longest;
      VectorX<double> all = VectorX<double>::Zero(model_.nv);
      all.segment(cluster.v_start, cluster.nv) = step.cwiseProduct(unit);
      VectorX<double> trial = *q_;
      move_positions(model_, all, &trial);
      const VectorX<double> c_trial = errors(cluster, trial);
      if (c_trial.norm() < c.norm() * (1 - 1e-6) || c_trial.cwiseAbs().maxCoeff() < 1e-13) {
        *q_ = trial;
        c = c_trial;
        damping = damping < 1e-10 ? 0 : damping * 0.2;
      } else {
        if (longest < 1e-13 || damping > 1e8) break;
        damping = damping == 0 ? 1e-6 : damping * 10;
        calc_position_kinematics(model_, *q_, &pos_);
      }
    }
    return iteration;
  }

  const MechanismTree& mechanism_;
  const Model<double>& model_;
  std::vector<bool> fixed_;
  VectorX<double>* q_;
  PositionKinematics<double> pos_;
};

}  // namespace

AssemblyResult assemble(const MechanismTree& mechanism, const std::vector<bool>& fixed,
                        VectorX<double>* q) {
  require(q->size() == mechanism.model.nq, "assemble: q has ", q->size(),
          " entries, the model needs ", mechanism.model.nq);
  const VectorX<double> start = *q;
  AssemblyResult result = Assembler(mechanism, fixed, q).run();
  const auto try_from = [&](VectorX<double> other) -> std::optional<AssemblyResult> {
    AssemblyResult again = Assembler(mechanism, {}, &other).run();
    if (!again.assembled) return {};
    *q = std::move(other);
    return again;
  };
  if (result.assembled) return result;
  // The fixed coordinates may be what keeps the loops open: restart with none fixed.
  if (std::find(fixed.begin(), fixed.end(), true) != fixed.end()) {
    if (const auto again = try_from(start)) return *again;
  }
  // Arms stretched to a line stop Newton's method: none of their motions changes a distance along
  // the line. Starting beside that configuration helps.
  const Model<double>& model = mechanism.model;
  for (const double size : {0.02, 0.2}) {  // of a radian, or of the mechanism's length
    VectorX<double> aside(model.nv), beside = start;
    for (int k = 0; k < model.nv; ++k) {
      const double direction = std::sin(1 + 2.4 * k);  // different for each, reproducible
      aside[k] = mechanism.motions[k] ? 0 : size * direction * model.speed_units[k];
    }
    move_positions(model, aside, &beside);
    if (const auto again = try_from(std::move(beside))) return *again;
  }
  return result;
}

bool make_speeds_consistent(const MechanismTree& mechanism, const VectorX<double>& q,
                            const std::vector<bool>& given, VectorX<double>* v) {
  const Model<double>& model = mechanism.model;
  PositionKinematics<double> pos(model);
  calc_position_kinematics(model, q, &pos);
  bool consistent = true;
  for (const Cluster& cluster : model.clusters) {
    const int n = static_cast<int>(cluster.rows.size());
    MatrixX<double> Y(n, cluster.nv);
    VectorX<double> line(cluster.nv);
    for (int r = 0; r < n; ++r) {
      const ConstraintRow<double>& row = model.rows[cluster.rows[r]];
      fill_jacobian_row(model, cluster, row, calc_row(row, pos, q).F, pos, line.data(), 1);
      Y.row(r) = line / row.unit;
    }
    auto speeds = v->segment(cluster.v_start, cluster.nv);
    VectorX<double> unit(cluster.nv);
    for (int k = 0; k < cluster.nv; ++k) unit[k] = model.speed_units[cluster.v_start + k];
    Y = Y * unit.asDiagonal();  // times speeds over their units
    const auto correct = [&](auto may_change) {
      MatrixX<double> A = Y;
      for (int k = 0; k < cluster.nv; ++k) {
        if (!may_change(cluster.v_start + k)) A.col(k).setZero();
      }
      VectorX<double> scaled = speeds.cwiseQuotient(unit);
      speeds += unit.cwiseProduct(math::solve_shortest(A, -(Y * scaled), 1e-9));
      scaled = speeds.cwiseQuotient(unit);
      return (Y * scaled).cwiseAbs().maxCoeff() <= 1e-9 * (1 + scaled.norm());
    };
    const auto is_driven = [&](int k) { return mechanism.motions[k].has_value(); };
    const VectorX<double> before = speeds;
    if (!correct([&](int k) { return !is_driven(k) && !given[k]; })) {
      speeds = before;
      correct([&](int k) { return !is_driven(k); });
      consistent = false;
    }
  }
  return consistent;
}

ConstraintErrors calc_constraint_errors(const Model<double>& model,
                                        const PositionKinematics<double>& pos,
                                        const VelocityKinematics<double>& vel,
                                        const VectorX<double>& q, const VectorX<double>& v) {
  ConstraintErrors errors;
  for (const ConstraintRow<double>& row : model.rows) {
    const RowGeometry<double> geometry = calc_row(row, pos, q);
    errors.position = std::max(errors.position, std::abs(geometry.error));
    errors.speed = std::max(errors.speed, std::abs(calc_row_rate(row, vel, v, geometry.F)));
  }
  return errors;
}

}  // namespace camber::multibody
