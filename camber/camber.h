#pragma once

// camber: ground-vehicle dynamics.
//
//   auto simulation = camber::Simulation::load("scenarios/step-steer.toml");
//   while (!simulation.is_done()) simulation.step(0.01);

// For users of the library: #include "camber/camber.h", link camber::camber
// (docs/manual/embedding.md). A file that needs little may include single headers instead and
// compiles faster.

// Expressions: build, differentiate, simplify, print and parse them.
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/expr.h"
#include "camber/symbolic/linear_solve.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/print.h"
#include "camber/symbolic/simplify.h"
#include "camber/symbolic/substitute.h"

// Code from expressions: programs that run at once or are written as C, C++ or Fortran.
#include "camber/codegen/interpreter.h"
#include "camber/codegen/program.h"
#include "camber/codegen/write.h"

// Equations of motion from a Lagrangian: derive, simulate, linearize.
#include "camber/lagrange/equations.h"
#include "camber/lagrange/model_file.h"
#include "camber/lagrange/modes.h"
#include "camber/lagrange/simulate.h"
#include "camber/lagrange/system.h"

// Mechanisms of bodies, joints and loops, built in code or read from files, and their dynamics.
#include "camber/multibody/dynamics.h"
#include "camber/multibody/mechanism.h"
#include "camber/multibody/mechanism_file.h"

// Steps through time: fixed steps, and SUNDIALS' integrators with error control.
#include "camber/integrate/fixed_step.h"
#include "camber/integrate/integrator.h"

// Vehicle files, and the mechanisms that they describe.
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle.h"
#include "camber/vehicle/vehicle_file.h"

// Ground, tires, and a vehicle that drives on them.
#include "camber/dynamics/driven_vehicle.h"
#include "camber/terrain/terrain.h"
#include "camber/terrain/terrain_file.h"
#include "camber/tire/tire_file.h"

// Scenarios that can be stepped: the whole simulator.
#include "camber/run/drive_run.h"
#include "camber/run/real_time.h"
#include "camber/run/record_run.h"
#include "camber/run/simulation.h"
#include "camber/scenario/scenario_file.h"
#include "camber/sensors/point_cloud.h"
#include "camber/sensors/suite.h"
#include "camber/world/world.h"

namespace camber {
using autonomy::Command;
using run::Simulation;
}  // namespace camber
