#include "camber/multibody/motion_check.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

namespace {

// Tolerances over the rows' units: closed loops are accurate to 1e-12, and motions to their
// functions.
constexpr double kOpen = 1e-8;

void note(int r, const ConstraintRow<double>& row, double error, double limit, const char* of,
          MotionCheck::Open* worst) {
  const double size = std::abs(error), share = size / row.unit;
  if (share <= limit || share <= worst->share) return;
  *worst = {r, size, of, share};
}

// The largest rate, over the speeds' units.
double size_of(const VectorX<double>& v, const Model<double>& model) {
  double most = 0;
  for (int k = 0; k < v.size(); ++k) most = std::max(most, std::abs(v[k]) / model.speed_units[k]);
  return most;
}

}  // namespace

MotionCheck::MotionCheck(const Model<double>& model, const Partition& partition) {
  for (std::size_t c = 0; c < model.clusters.size(); ++c) {
    const Partition::Part& part = partition.parts[c];
    const Cluster& cluster = model.clusters[c];
    if (part.driven.empty() || part.rows.size() == cluster.rows.size()) continue;
    rows_.insert(rows_.end(), cluster.rows.begin(), cluster.rows.end());
    if (part.independent.empty()) given_clusters_.push_back(static_cast<int>(c));
  }
}

MotionCheck::Open MotionCheck::find_open(const Model<double>& model,
                                         const PositionKinematics<double>& pos,
                                         const VectorX<double>& q) const {
  Open worst;
  for (const int r : rows_) {
    const ConstraintRow<double>& row = model.rows[r];
    note(r, row, calc_row(row, pos, q).error, kOpen, "position", &worst);
  }
  return worst;
}

MotionCheck::Open MotionCheck::find_contradiction(const Model<double>& model,
                                                  const Partition& partition,
                                                  const VectorX<double>& v_dot_driven,
                                                  const VectorX<double>& q,
                                                  VectorX<double> v) const {
  PositionKinematics<double> pos(model);
  VelocityKinematics<double> vel(model);
  LoopKinematics<double> loops(model, partition);
  calc_position_kinematics(model, q, &pos);
  Open worst = find_open(model, pos, q);
  if (worst.row >= 0) return worst;
  calc_loop_matrices(model, partition, pos, &loops);
  VectorX<double> y(partition.ny());
  gather_speeds(partition, v, &y);
  expand_speeds(model, partition, y, &loops, &v);
  calc_velocity_kinematics(model, partition, pos, v, &v_dot_driven, &loops, &vel);
  const double speed = size_of(v, model), change = size_of(loops.g, model);
  const auto check_rows = [&](auto check_row) {
    for (const int c : given_clusters_) {
      for (const int r : model.clusters[c].rows) {
        const ConstraintRow<double>& row = model.rows[r];
        check_row(r, row, calc_row(row, pos, q).F);
      }
    }
  };
  check_rows([&](int r, const ConstraintRow<double>& row, const Spatial<double>& F) {
    note(r, row, calc_row_rate(row, vel, v, F), kOpen * (1 + speed), "speed", &worst);
  });
  if (worst.row >= 0) return worst;
  check_rows([&](int r, const ConstraintRow<double>& row, const Spatial<double>& F) {
    double error = 0;
    if (row.kind == RowKind::kCoupler) {
      for (const CouplerTerm<double>& term : row.terms) error += term.factor * loops.g[term.v];
    } else {
      error = calc_row_acceleration(row, pos, vel, F);
    }
    note(r, row, error, kOpen * (1 + change + speed * speed), "acceleration", &worst);
  });
  return worst;
}

std::string MotionCheck::describe(const MechanismTree& mechanism, const Open& open) {
  const Model<double>& model = mechanism.model;
  const auto cluster =
      std::find_if(model.clusters.begin(), model.clusters.end(), [&](const Cluster& c) {
        return std::find(c.rows.begin(), c.rows.end(), open.row) != c.rows.end();
      });
  std::string names;
  for (int v = cluster->v_start; v < cluster->v_start + cluster->nv; ++v) {
    if (!mechanism.motions[v]) continue;
    names += concat(names.empty() ? "" : ", ", "\"", mechanism.v_names[v], "\"");
  }
  return concat(model.rows[open.row].name, " contradicts the given motion of ", names, ": its ",
                open.of, " is off by ", open.error);
}

}  // namespace camber::multibody
