#pragma once

#include <vector>

#include "camber/multibody/model.h"

namespace camber::multibody {

/// Forward dynamics of a tree of revolute joints between links with mass, for lanes: the recursion
/// of forward_dynamics.h with less work, because nothing but accelerations is asked for and because
/// links have axes that suit it. Sized once, one per thread.
template <class T>
class RevoluteTree {
 public:
  /// Whether a model is one: no loops, no driven joints, no forces between links.
  static bool fits(const Model<T>& model);
  /// Of a model that fits.
  explicit RevoluteTree(const Model<T>& model);

  /// v' of all joints, from the forces along them. Allocates nothing. False where a joint has no
  /// inertia behind it, or a coordinate or speed is no number; one at a tip makes v' none there.
  bool calc_accelerations(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& tau,
                          VectorX<T>* v_dot);

 private:
  /// A link's constants. Its axes here, B, have the joint's z; x and y are those of its frame L in
  /// the model, turned about z by an angle that is added to the coordinate.
  struct Constants {
    bool is_tip = false;
    bool is_lined_up = false;  // x_F is x of the parent: R_PF turns about x alone
    bool continues_sum = false, has_branches = false, is_first_branch = false;  // as in model.h
    int q = 0, v = 0;      // its coordinate and speed
    int parent = 0;        // link
    int parent_place = 0;  // in carriers_
    int place = 0;         // in carriers_ or tips_
    double angle = 0;      // q + angle turns B from F [rad]
    double R_PF[3][3];     // columns; what turns about z of F is in the angle
    double p_PF[3];        // [m]
    double p_BBcm[3];      // [m]; of a tip, y is zero
    double mass = 0;       // [kg]
    double trace = 0;      // of the inertia about the center of mass [kg m^2]
    /// That inertia is middle 1 + larger larger^T - smaller smaller^T.
    double middle = 0, larger[3], smaller[3];
    /// Of a tip: momentum at unit speed about the joint's point over the root of the inertia about
    /// the axis. Its linear part has y alone.
    double gain[3], gain_y = 0;
    double root = 0;  // 1 / that root
    double inverse_mass = 0;
  };
  /// How a body turns: its points, r apart, differ in acceleration by W r,
  /// W = [alpha]x + w w^T - |w|^2 1.
  struct Turning {
    Vec3<T> w, alpha;
    Vec3<T> squares;   // yy + zz, xx + zz, xx + yy of w
    Vec3<T> products;  // xy, xz, yz
  };
  struct Carrier {    // a link that carries others; the world is the first
    Vec3<T> x, y;     // axes in W
    Spatial<T> H;     // z, and p_OB x z
    Vec3<T> p_OB, a;  // place and acceleration of the joint's point
    Turning turning;
    Spatial<T> F;  // what it takes to move the link for v' = 0
    RigidInertia<T> M;
    Spatial<T> K;  // P H / D
    T nu;
  };
  struct Tip {
    Spatial<T> F;  // what it hands on: with what its joint's acceleration takes
    RigidInertia<T> M;
    Spatial<T> K;  // P H / root of D
    T nu;
  };

  void place_links(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& tau);
  template <bool is_lined_up>
  void place_carrier(const Constants& c, const T& sine, const T& cosine, const T& speed);
  template <bool is_lined_up>
  void place_tip(const Constants& c, const T& sine, const T& cosine, const T& speed, const T& tau);
  bool gather(const VectorX<T>& tau);
  void spread(VectorX<T>* v_dot);

  std::vector<Constants> links_;  // the world is 0
  std::vector<Carrier> carriers_;
  std::vector<Tip> tips_;
  // Of links where sums are put down.
  std::vector<SymMat6<T>> P_;
  std::vector<Spatial<T>> Z_;
  std::vector<Spatial<T>> A_;  // of links that carry others
};

}  // namespace camber::multibody
