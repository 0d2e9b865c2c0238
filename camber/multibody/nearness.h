#pragma once

#include <vector>

#include "camber/multibody/loop_kinematics.h"
#include "camber/multibody/model.h"
#include "camber/multibody/partition.h"

namespace camber::multibody {

/// The largest entry of G over the speeds' units, cluster by cluster: it grows without bound
/// towards a configuration in which the independent speeds cease to determine the others.
void calc_gains(const Model<double>& model, const Partition& partition,
                const LoopKinematics<double>& loops, std::vector<double>* gains);

/// How far a cluster's Y1, in units of rows and speeds, is from singular: one over the largest
/// entry of its inverse, or what that is at most. The blocks' own pivots do not tell, since the
/// same equations have other blocks when rows or independent speeds are chosen anew. Works in `m`.
double calc_pivot(const Model<double>& model, const Partition::Part& part,
                  LoopKinematics<double>::Matrices* m);

}  // namespace camber::multibody
