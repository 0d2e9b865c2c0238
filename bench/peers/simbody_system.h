#pragma once

// The part of simbody_mechanism.h that speaks to Simbody. Simbody's headers are C++17 and do not
// compile as C++20, camber's are C++20: this file is what both compile, so it says once more, in
// plain numbers, what a mechanism is made of.

#include <memory>
#include <string>
#include <vector>

#include "camber/math/types.h"

namespace camber::bench {

struct SimbodyBody {
  double mass = 0;
  Vector3 p_BoBcm_B = Vector3::Zero();
  Matrix3 I_BBcm_B = Matrix3::Zero();
};

/// Coordinates and speeds are camber's, see camber/multibody/mechanism.h.
struct SimbodyJoint {
  enum class Type {
    kFixed,
    kRevolute,
    kPrismatic,
    kScrew,  // in the tree only
    kCylindrical,
    kUniversal,
    kPlanar,
    kSpherical,
    kFree
  };
  struct Axis {
    double stiffness = 0, rest = 0, damping = 0, force = 0;
  };
  Type type = Type::kFixed;
  int parent = 0, child = 0;
  Isometry3 X_PF = Isometry3::Identity(), X_BM = Isometry3::Identity();
  double pitch = 0;
  std::vector<Axis> axes;
  int q_start = 0, nq = 0, v_start = 0, nv = 0;  // in the tree only
};

/// A rod, or a linear spring and damper.
struct SimbodyPair {
  int a = 0, b = 0;
  Vector3 p_AP_A = Vector3::Zero(), p_BQ_B = Vector3::Zero();
  double length = 0, stiffness = 0, damping = 0;
};

struct SimbodyCoupler {
  struct Term {
    int node = 0, axis = 0;
    double factor = 0;
  };
  std::vector<Term> terms;
  double offset = 0;
};

struct SimbodyWrench {
  int body = 0;
  Vector3 p_BQ_B = Vector3::Zero(), force = Vector3::Zero(), torque = Vector3::Zero();
  bool in_world = true;
};

struct SimbodyParts {
  Vector3 gravity = Vector3::Zero();
  std::vector<SimbodyBody> bodies;  // the first is the world
  std::vector<SimbodyJoint> tree, closures;
  std::vector<SimbodyPair> rods, springs;
  std::vector<SimbodyCoupler> couplers;
  std::vector<SimbodyWrench> wrenches;
};

class SimbodySystem {
 public:
  explicit SimbodySystem(const SimbodyParts& parts);
  ~SimbodySystem();

  int add_state(const VectorX<double>& q, const VectorX<double>& v);
  void forward(int state);
  VectorX<double> accelerations() const;
  /// Closes the loops, starting from these and overwriting them.
  void project(VectorX<double>* q, VectorX<double>* v);
  Isometry3 pose(int body) const;
  double constraint_error() const;
  int constraint_count() const;
  static std::string version();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace camber::bench
