#pragma once

// The generated formulation: a vehicle's accelerations as straight-line programs. One program, a
// kernel, serves all sub-mechanisms of the same structure (the corners); one program runs before
// the kernels (prologue) and one after them (epilogue).
//
//                    steering (shared coordinate, traced in the prologue)
//                        |
//        corner ------ base (chassis) ------ corner      two uses of one kernel
//        corner ------   |           ------ corner       two uses of another
//
// Guided tour. generate() takes a mechanism through these steps; docs/theory/generated.md has the
// equations.
//
// 1. Sketch (sketch.h). The mechanism is assembled once, and its links are redrawn in the axes of
//    the base: each link gets a role (which coordinate moves it, or which step of a loop's closed
//    form), a frame in which its equations are short, and its mass. The base is the free body, the
//    chassis, or the world.
// 2. Hand over (hand_over.h). Masses are handed over to links where they cost fewer operations: the
//    mass of a tie rod to its two ends, that of a link on a chassis hinge to the chassis, that of
//    an axisymmetric wheel to its carrier.
// 3. Group (grouping.h). Independent coordinates that move a common link or spring are eliminated
//    together: they form a group, also called sub-mechanism or, at a wheel, corner. A coordinate
//    that would tie several corners together, such as the steering, is set aside: its own group
//    lends it to the corners, which share it.
// 4. Trace (motion.h, loop_motion.cc, moments.h, element_forces.h). The motion and the equations of
//    each group are built as expressions. A column is one coordinate that moves links of the group:
//    own columns first, then shared ones. The constants of the model become parameters (symbols),
//    except 0, 1 and -1. An atom is a sub-expression with a name of its own, which keeps it whole.
// 5. Join. Groups whose traces are the same expressions are one family and share one kernel. Each
//    group is one use of it, with parameters of its own.
// 6. Hoist (hoist.h). Parts of a kernel that depend on parameters only are computed once per
//    vehicle; parts that depend on parameters, shared coordinates and the base's angular velocity w
//    move to the prologue, which passes them to the kernel as inputs x.
// 7. Assemble (assembly.h). The epilogue adds up what the uses contribute (y) and eliminates own
//    coordinates, shared coordinates and the base, in this order.
// 8. Find the places of loads (load_places.h): where tire forces, axle torques and other loads are
//    added in the work array, between kernels and epilogue.
//
// write_vehicle.h writes the result as C++; compiled_vehicle.h and vehicle_interpreter.h run it.
//
// Vehicles that differ only in their numbers have the same code. vehicle_survey.h takes steps 1 to 4
// on fingerprints in place of expressions: it finds the key of a vehicle's structure and, where code
// of that structure exists, the vehicle's parameters, without deriving anything.

#include <string>
#include <vector>

#include "camber/codegen/program.h"
#include "camber/mechanism_code/parameter_plan.h"
#include "camber/multibody/dynamics.h"

namespace camber::mechanism_code {

/// A sub-mechanism's contribution to the equations as a function: (p, x, w) -> y.
struct Kernel {
  codegen::Program program;
  int parameters = 0, inputs = 0, outputs = 0;
};

/// One use of a kernel.
struct KernelUse {
  int kernel = 0;
  std::string name;         // of its first coordinate: "front_left_lower_arm"
  int first_parameter = 0;  // place of its own ones in the vehicle's
  int parameters = 0;       // how many
  int partner = -1;         // the use that doubles evaluate together with it, in one register
  int pair_parameter = -1;  // where the parameters of both are, side by side
};

/// Places in the work array, between kernels and epilogue, of the motion of a wheel and of the
/// loads on it, in the axes of the base. docs/theory/generated.md (6), (7).
struct WheelPlaces {
  struct Column {  // a coordinate that moves its carrier
    int v = 0;     // its speed, and its sign in the equations
    double sign = 1;
    int force = 0;      // right-hand side of its equation
    int by = 0;         // u.w_j
    int center_by = 0;  // three: c_j, of the wheel's center
    int turn_by = 0;    // three: w_j, of its carrier
  };
  std::string name;  // of its joint
  int v = 0;         // its spin, and its sign about u
  double sign = 1;
  double axial_inertia = 0;  // [kg m^2]
  int axis = 0;              // three: u
  int center = 0;            // three: c, where its joint is
  int bias = 0;              // of its spin
  int base_force = 0;        // six: moment about the base's origin, then force
  std::vector<Column> columns;
  int spin_force = -1;  // for a wheel that is not axisymmetric: right-hand side of its spin
};

/// Where a generalized force on a speed is added in the work array, times its sign.
struct ForcePlace {
  int place = -1;  // -1 for the base's speeds and spins of wheels
  double sign = 1;
};

/// What a vehicle adds to code of its structure: its parameters, and what its state and the numbers
/// between the halves of the code mean. The state consists of the independent coordinates: q has
/// the base's quaternion and position, if it is free, then one coordinate per speed; v has the
/// base's [w; v] in its axes, then the speeds; a has the rates of v. Joints whose motion is given
/// follow the state: q has their positions from nq on, v their speeds from nv on and then their
/// accelerations; `motions` computes them for a time.
struct VehicleLayout {
  std::string name;
  std::string structure;  // the key of its structure: vehicle_survey.h
  std::vector<KernelUse> uses;
  int prologue_parameters = 0, epilogue_parameters = 0;            // how many,
  int first_prologue_parameter = 0, first_epilogue_parameter = 0;  // and where
  std::vector<double> parameters;
  int nq = 0, nv = 0;
  int given = 0;  // joints whose motion is given
  std::vector<std::string> given_names;
  codegen::Program motions;             // t -> their positions, speeds, accelerations, if any
  std::vector<int> q_places, v_places;  // in the tree's coordinates
  std::vector<std::string> v_names;
  /// The work array: values that need no kernel, then y of each use.
  int work_size = 0;
  std::vector<int> y_places;  // of each use
  std::vector<WheelPlaces> wheels;
  std::vector<ForcePlace> forces;  // of each speed
  int base_force = -1;             // six entries for external loads on the base, if it is free
};

/// The complete program.
struct VehicleProgram : VehicleLayout {
  std::vector<Kernel> kernels;
  codegen::Program prologue;  // (p, q, v) -> x of the uses, and values that need no kernel
  codegen::Program epilogue;  // (p, q, v, y, values that need no kernel) -> a
  ParameterPlan plan;

  /// Operations of one evaluation, all uses counted.
  symbolic::OperationCount count() const;
};

/// Throws std::invalid_argument naming the part that cannot be generated and the reason.
VehicleProgram generate(const multibody::Mechanism& mechanism);

}  // namespace camber::mechanism_code
