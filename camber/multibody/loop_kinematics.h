#pragma once

#include <vector>

#include "camber/multibody/closed_form.h"
#include "camber/multibody/kinematics.h"
#include "camber/multibody/loop_blocks.h"

namespace camber::multibody {

/// Which speeds of each loop cluster are the independent ones, and which of its equations give the
/// others. The choice is valid near one configuration (partition.h makes it); speeds outside
/// clusters are independent.
struct Partition {
  /// Up to three rows of kind kPoint between the same two points form a group and share their
  /// common parts; all others are alone.
  struct RowGroup {
    struct Speed {
      int v = 0;        // place in v
      int column = 0;   // where its column starts in Y
      double sign = 1;  // -1 if it moves a
    };
    int places[3] = {};  // in Part::rows, the first `count` of them
    int count = 0;
    bool is_point = false;      // of kind kPoint
    std::vector<Speed> speeds;  // that move one end relative to the other
  };
  struct Part {
    std::vector<int> independent;  // places in v; their number is the cluster's degrees of freedom
    std::vector<int> dependent;    // places in v
    std::vector<int> driven;       // places in v: motion given
    std::vector<int> rows;         // places in Model::rows, as many as dependent speeds
    /// This many of the first dependent speeds and rows belong to equations between coordinates:
    /// the coordinates of these speeds follow from the others. The rest (rolling) constrains speeds
    /// only.
    int holonomic_count = 0;
    std::vector<RowGroup> groups;
    /// Where the columns of the dependent speeds, and then those of the independent ones, start in
    /// Y.
    std::vector<int> Y_columns;
    /// How Y1 is solved: rows and dependent speeds are in the order of the blocks. Blocks of the
    /// holonomic rows alone are used to close the loops.
    std::vector<LoopBlock> blocks, holonomic_blocks;
    /// For each independent speed: the blocks that it moves, and their dependent speeds; places in
    /// `blocks` and `dependent`.
    struct Moved {
      std::vector<int> blocks, dependent;
    };
    std::vector<Moved> moved;
    /// J of one link and independent speed: that of the link's parent and, for each of its own nv
    /// speeds, H times the entry of G.
    struct LinkRate {
      int own = 0, parent = 0;  // places in J; parent < 0: the link that carries the cluster
      int v = 0, nv = 0, G = 0;
    };
    std::vector<LinkRate> link_rates;
    /// For each link of the cluster, the independent speeds that move it; places in `independent`.
    std::vector<std::vector<int>> movers;
    std::vector<ClosedFormStep> plan;  // gives the dependent coordinates; empty: Newton's method
    /// The plan's steps in executable form, with those of clusters that are closed together with
    /// this one; empty if an earlier cluster includes them.
    ClosureOrder closure;
    int y_start = 0;
  };
  std::vector<Part> parts;     // one per cluster
  std::vector<int> y_of_link;  // first y of each link outside of clusters; -1 where it is driven
  std::vector<int> v_of_y;     // place in v of each y
  int ny() const { return static_cast<int>(v_of_y.size()); }
};

/// The loops' part of the kinematics: v = G y + v_driven, v' = G y' + g, and J = dV/dy of each link
/// of a cluster relative to the link that carries the cluster.
template <class T>
struct LoopKinematics {
  LoopKinematics(const Model<T>& model, const Partition& partition);

  struct Matrices {
    std::vector<Spatial<T>> F;  // of the equations in use that are not of kind kPoint
    std::vector<Vec3<T>> e;     // of those that are: the direction,
    std::vector<Vec3<T>> p_Q;   // and of each group of them the point on b, from O
    std::vector<T> Y;           // equations x speeds of the cluster, column by column
    std::vector<T> Y1_inverse;  // of the dependent columns, block by block
    std::vector<T> Y1_inverse_Y2;
    std::vector<T> G;           // speeds of the cluster x independent ones
    std::vector<Spatial<T>> J;  // links x independent speeds: link by link
    T least_pivot = T(1);       // of Y1: near zero at a singular configuration
    std::vector<T> work;        // of the size of Y1
    std::vector<T> x;           // one column of it
    std::vector<Spatial<T>> A;  // the links' accelerations due to g
  };
  std::vector<Matrices> clusters;
  VectorX<T> g;  // all of v; known v' of driven joints included
};

/// x = x0 + G y of one cluster: x its speeds, or their rates, y the independent ones. x0 may be
/// null (zero) or x itself.
template <class T>
void expand_rates(const Cluster& cluster, const Partition::Part& part, const std::vector<T>& G,
                  const T* y, const T* x0, T* x);

/// u = G^T tau of one cluster: forces along its speeds, seen by the independent ones.
template <class T>
void project_forces(const Cluster& cluster, const Partition::Part& part, const std::vector<T>& G,
                    const T* tau, T* u);

/// One row of Y, in the cluster's columns: F . H on the path from b up to the root of the cluster,
/// minus that from a. Entry k goes to Y[k * stride]. Entries that are zero in every configuration
/// are skipped by set_jacobian_row() and set to zero by fill_jacobian_row().
template <class T>
void set_jacobian_row(const Model<T>& model, const Cluster& cluster, const ConstraintRow<T>& row,
                      const Spatial<T>& F, const PositionKinematics<T>& pos, T* Y, int stride);
template <class T>
void fill_jacobian_row(const Model<T>& model, const Cluster& cluster, const ConstraintRow<T>& row,
                       const Spatial<T>& F, const PositionKinematics<T>& pos, T* Y, int stride);

/// Fills F, Y, Y1_inverse, G and J of all clusters [002 eq. 12-13]. Costs the cube of the dependent
/// speeds of each block.
template <class T>
void calc_loop_matrices(const Model<T>& model, const Partition& partition,
                        const PositionKinematics<T>& pos, LoopKinematics<T>* loops);

/// v of the whole tree from the independent speeds; v must already contain those of driven joints.
template <class T>
void expand_speeds(const Model<T>& model, const Partition& partition, const VectorX<T>& y,
                   LoopKinematics<T>* loops, VectorX<T>* v);

/// y from v.
template <class T>
void gather_speeds(const Partition& partition, const VectorX<T>& v, VectorX<T>* y);

/// Velocity kinematics of a tree with loops: fills g [002 eq. 14], V and A, the latter with v' = g.
/// `v_dot_driven` is null if nothing is driven.
template <class T>
void calc_velocity_kinematics(const Model<T>& model, const Partition& partition,
                              const PositionKinematics<T>& pos, const VectorX<T>& v,
                              const VectorX<T>* v_dot_driven, LoopKinematics<T>* loops,
                              VelocityKinematics<T>* vel);

}  // namespace camber::multibody
