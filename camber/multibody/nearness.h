#pragma once

#include <vector>

#include "camber/multibody/loop_kinematics.h"
#include "camber/multibody/model.h"
#include "camber/multibody/partition.h"

namespace camber::multibody {

/// The largest entry of G over the speeds' units, cluster by cluster: it grows without bound toward
/// a configuration in which the independent speeds no longer determine the others.
void calc_gains(const Model<double>& model, const Partition& partition,
                const LoopKinematics<double>& loops, std::vector<double>* gains);

/// How far a cluster's Y1, in units of rows and speeds, is from singular: one over the largest
/// entry of its inverse, or an upper bound of it. The blocks' own pivots do not show it, since the
/// same equations have other blocks for another choice of rows or independent speeds. Uses `m` as
/// scratch.
double calc_pivot(const Model<double>& model, const Partition::Part& part,
                  LoopKinematics<double>::Matrices* m);

}  // namespace camber::multibody
