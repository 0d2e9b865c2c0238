#pragma once

#include <optional>

#include "camber/autonomy/global_planner.h"
#include "camber/autonomy/local_planner.h"
#include "camber/autonomy/obstacle_map.h"
#include "camber/autonomy/state_estimator.h"

namespace camber::scenario {

/// A driver that finds a path to a goal: [autonomy] (docs/manual/autonomy.md).
struct AutonomySetup {
  planning::Point goal;                // [m]
  std::optional<double> goal_heading;  // [rad]
  double goal_radius = 1.5;            // [m]
  autonomy::StateKind state = autonomy::StateKind::kTruth;
  autonomy::MapKind map = autonomy::MapKind::kTruth;
  autonomy::LocalKind local = autonomy::LocalKind::kArcs;
  autonomy::GlobalKind global = autonomy::GlobalKind::kDStarLite;
  bool may_reverse = true;

  double max_speed = 5;             // [m/s]
  double deceleration = 3;          // [m/s^2]
  double lateral_acceleration = 2;  // [m/s^2]
  double reaction = 0.4;            // [s]
  double plan_period = 0.2;         // [s]
  int arcs = 31;
  double arc_length = 15;            // [m]
  double margin = 0.3;               // that the vehicle keeps from obstacles [m]
  std::optional<double> min_radius;  // empty: that of the vehicle [m]

  double cell = 0.25, window = 80;           // of the local map [m]
  double step_height = 0.1;                  // [m]
  double max_slope = 0.5;                    // rise over run
  double area_cell = 0.5, area_margin = 80;  // of the global map [m]
  double give_up = 8, no_progress = 60;      // [s]
  double max_sigma = 5;                      // of the place [m]
};

}  // namespace camber::scenario
