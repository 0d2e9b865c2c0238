#pragma once

#include <vector>

#include "camber/multibody/model.h"

namespace camber::multibody {

/// Forward dynamics of a tree of revolute joints between links with mass, for lanes: the recursion
/// of forward_dynamics.h with less work, because only accelerations are needed and because each
/// link has suitable axes. Allocates in the constructor only; use one per thread.
template <class T>
class RevoluteTree {
 public:
  /// Whether a model is such a tree: no loops, no driven joints, no forces between links.
  static bool fits(const Model<T>& model);
  /// Requires fits(model).
  explicit RevoluteTree(const Model<T>& model);

  /// v' of all joints, from the forces along them. Does not allocate. Returns false if a joint
  /// moves no inertia or a coordinate or speed is NaN. A NaN at a tip only makes that joint's v'
  /// NaN.
  bool calc_accelerations(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& tau,
                          VectorX<T>* v_dot);

 private:
  /// A link's constants. Its axes here, B, have the joint's z; x and y are those of its frame L in
  /// the model, rotated about z by an angle that is added to the coordinate. The origin is moved
  /// along z to the height of the center of mass.
  struct Constants {
    bool is_tip = false;
    bool is_lined_up = false;  // x_F is x of the parent: R_PF rotates about x only
    bool continues_sum = false, has_branches = false, is_first_branch = false;  // as in model.h
    bool comes_back = false;       // returns to its parent after links that others carry
    bool is_come_back_to = false;  // by a link on it
    int q = 0, v = 0;              // its coordinate and speed
    int place = 0;                 // in carriers_ or tips_
    int parent_place = 0;          // in carriers_
    int slot = 0, parent_slot = 0;
    double angle = 0;           // rotation of B from F is q + angle [rad]
    double R_PF[3][3];          // columns; rotations about z of F are in the angle
    double p_PF[3];             // [m]
    double center[2];           // x and y of the center of mass [m]; of a tip, y is zero
    double mass = 0;            // [kg]
    double mass_with_tips = 0;  // of the link and the tips on it [kg]
    /// The integral of r r^T dm about the center of mass is even 1 + a a^T + b b^T; b has no z.
    double even = 0;    // [kg m^2]
    double a[3], b[2];  // [kg^(1/2) m]
    /// For a tip: momentum at unit speed about the joint's point over the square root of the
    /// inertia about the axis. Its angular part is along z and the vector a, its linear part along
    /// y.
    double gain_z = 0, gain_a = 0, gain_y = 0;
    double root = 0;  // 1 / that root
  };
  /// Angular motion of a body: two points r apart differ in acceleration by W r, W = [alpha]x + w
  /// w^T - |w|^2 1.
  struct Turning {
    Vec3<T> w, alpha;
    Vec3<T> squares;   // yy + zz, xx + zz, xx + yy of w
    Vec3<T> products;  // xy, xz, yz
  };
  struct Sines {
    T sine, cosine;
  };
  struct Motion {     // of a link that carries others
    Vec3<T> x, y;     // axes in W
    Vec3<T> p_OB, a;  // place and acceleration of the joint's point
    Turning turning;
  };
  struct Carrier {  // a link that carries others; the world is the first
    Spatial<T> H;   // z, and p_OB x z
    // Links on this one add to these three. Those of the world are not used.
    Spatial<T> F;  // force to move the link with v' = 0, plus those passed on by others
    Vec3<T> mc;    // of the link and the tips on it, as in RigidInertia
    SymMat3<T> J;
    Spatial<T> K;  // P H / D
    T nu;
  };
  struct Tip {
    Spatial<T> K;  // P H / root of D
    T nu;
  };

  void set_order(const Model<T>& model);
  static void set_mass(const Link<T>& link, double back, Constants* c);
  void place_links(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& tau);
  template <bool is_lined_up>
  void place_carrier(const Constants& c, const Sines& sines, const T& speed);
  template <bool is_lined_up>
  void place_tip(const Constants& c, const Sines& sines, const T& speed, const T& tau);
  bool gather(const VectorX<T>& tau);
  void spread(VectorX<T>* v_dot);

  std::vector<Constants> links_;  // the world is 0
  std::vector<Sines> sines_;      // of links
  std::vector<Carrier> carriers_;
  std::vector<Tip> tips_;
  // Slots for the data of links that carry others, reused after the last link on them. So they are
  // few and stay in the first-level cache.
  std::vector<Motion> motions_;
  std::vector<SymMat6<T>> P_;
  std::vector<Spatial<T>> A_;
};

}  // namespace camber::multibody
