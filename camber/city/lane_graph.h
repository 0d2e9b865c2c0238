#pragma once

#include <vector>

#include "camber/city/street_plan.h"
#include "camber/planning/geometry.h"

namespace camber::city {

using planning::Polygon;

/// A lane between two crossings, or a path through a crossing. Traffic drives on the right.
struct Lane {
  std::vector<Point> center = {};             // in the direction of traffic [m]
  double start_heading = 0, end_heading = 0;  // [rad]
  double width = 0, speed = 0;                // [m], limit [m/s]
  double length = 0;                          // [m]
  bool is_turn = false;                       // a path through a crossing
  std::vector<int> successors = {}, predecessors = {};
  int left = -1, right = -1;  // neighbors of the same direction; -1: none

  /// Place and heading after `s` meters, clamped to the lane.
  planning::Pose at(double s) const;
};

/// A zebra crossing.
struct Crossing {
  Polygon area = {};
  Point ends[2] = {};           // on the two sidewalks
  std::vector<int> lanes = {};  // that it crosses
};

/// Where traffic drives and walkers cross.
struct LaneGraph {
  std::vector<Lane> lanes = {};
  std::vector<Crossing> crossings = {};

  /// Lane whose center line is nearest to a point, and how far along it that is; -1 if there is no
  /// lane within `reach`. Searches all lanes.
  struct Place {
    int lane = -1;
    double s = 0, distance = 0;  // [m]
  };
  Place find_nearest(Point p, double reach) const;
};

/// Adds a turn from the end of one lane to the start of another.
void connect(int from, int to, LaneGraph* graph);

/// Lengths of all lanes, from their center lines, and predecessors, from successors.
void complete(LaneGraph* graph);

LaneGraph make_lanes(const StreetPlan& plan);

}  // namespace camber::city
