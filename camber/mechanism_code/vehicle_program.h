#pragma once

// The generated formulation: a vehicle's accelerations as straight-line programs, one for each kind
// of sub-mechanism that hangs on the chassis (a corner), one before and one after them.

#include <string>
#include <vector>

#include "camber/codegen/program.h"
#include "camber/multibody/dynamics.h"

namespace camber::mechanism_code {

/// A sub-mechanism's share of the equations as a function: (p, x, w) -> y.
struct Kernel {
  codegen::Program program;
  int parameters = 0, inputs = 0, outputs = 0;
};

/// One use of a kernel.
struct KernelUse {
  int kernel = 0;
  std::string name;         // of its first coordinate: "front_left_lower_arm"
  int first_parameter = 0;  // of its own ones in the vehicle's
  int partner = -1;         // the use that doubles evaluate together with it, in one register
  int pair_parameter = -1;  // where the parameters of both are, side by side
};

/// What a round wheel tells its loads, and where they are added, between the kernels and the
/// epilogue: places in the work array, in the axes of the base. docs/theory/generated.md (6).
struct WheelPlaces {
  struct Column {  // a coordinate that moves its carrier
    int v = 0;     // its speed, and which way it counts here
    double sign = 1;
    int force = 0;      // right-hand side of its equation
    int by = 0;         // u.w_j
    int center_by = 0;  // three: c_j, of the wheel's center
    int turn_by = 0;    // three: w_j, of its carrier
  };
  std::string name;  // of its joint
  int v = 0;         // its spin, and which way it counts about u
  double sign = 1;
  double axial_inertia = 0;  // [kg m^2]
  int axis = 0;              // three: u
  int center = 0;            // three: c, where its joint is
  int bias = 0;              // of its spin
  int base_force = 0;        // six: moment about the base's origin, then force
  std::vector<Column> columns;
  int spin_force = -1;  // of a wheel that is not round, whose spin has an equation like others
};

/// Where a generalized force on a speed is added in the work array, times its sign.
struct ForcePlace {
  int place = -1;  // none for the base's speeds and spins of wheels
  double sign = 1;
};

/// All of it. The state is that of the independent coordinates: q has the base's quaternion and
/// position, where it is free, then one coordinate per speed; v the base's [w; v] in its axes, then
/// the speeds; a the rates of v. Joints whose motion is given come after the state: q has their
/// positions from nq on, v their speeds from nv on and their accelerations behind these; `motions`
/// gives them for a time.
struct VehicleProgram {
  std::string name;
  std::vector<Kernel> kernels;
  std::vector<KernelUse> uses;
  codegen::Program prologue;  // (p, q, v) -> the uses' x, and what needs no kernel
  codegen::Program epilogue;  // (p, q, v, y, what needs no kernel) -> a
  int prologue_parameters = 0, epilogue_parameters = 0;            // how many,
  int first_prologue_parameter = 0, first_epilogue_parameter = 0;  // and where
  std::vector<double> parameters;
  int nq = 0, nv = 0;
  int given = 0;  // joints whose motion is given
  std::vector<std::string> given_names;
  codegen::Program motions;  // t -> their positions, speeds, accelerations; where there are any
  std::vector<int> q_places, v_places;  // in the tree's coordinates
  std::vector<std::string> v_names;
  /// The work array: what needs no kernel, then y of each use.
  int work_size = 0;
  std::vector<int> y_places;  // of each use
  std::vector<WheelPlaces> wheels;
  std::vector<ForcePlace> forces;  // of each speed
  int base_force = -1;             // six entries that take what acts on the base, where it is free

  /// Operations of one evaluation, all uses counted.
  symbolic::OperationCount count() const;
};

/// Throws std::invalid_argument that says what cannot be generated and why.
VehicleProgram generate(const multibody::Mechanism& mechanism);

}  // namespace camber::mechanism_code
