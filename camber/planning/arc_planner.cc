// The rule of ROAMS [004], its section on autonomous driving: from the current place a number
// of arcs, those that meet an obstacle drop out, and of the others the one that ends nearest to the
// goal is driven until the next plan. The paper does not give number, length or margin.
// The second rule follows Morphin and GESTALT [Goldberg, Maimone, Matthies 2002] in its costs. An arc
// is accepted if the vehicle could stop on it after one more period, so that "all blocked" at the
// next plan still finds room to brake: docs/theory/planning.md, section 5.

#include "camber/planning/arc_planner.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber::planning {
namespace {

constexpr double kTolerance = 0.01;  // [m] of clearance, within the margin
constexpr double kRampStep = 0.25;   // [m]
constexpr double kMinSpeed = 1;      // [m/s], below which steering is as fast as at this speed

double distance_to(const Pose& pose, Point goal) {
  return std::hypot(goal.x - pose.x, goal.y - pose.y);
}

}  // namespace

CurvatureRamp::Piece CurvatureRamp::next(double max_length) {
  const double change = to_ - at_, whole = std::abs(change) / rate_;
  if (whole < 1e-9) {
    at_ = to_;
    return {to_, max_length};
  }
  const double length = std::min({max_length, kRampStep, whole});
  const double before = at_;
  at_ = length == whole ? to_ : at_ + std::copysign(rate_ * length, change);
  return {0.5 * (before + at_), length};
}

ArcPlanner::ArcPlanner(const ArcPlannerOptions& options)
    : options_(options), inflated_(options.footprint.inflated(options.margin)) {
  require(options.arcs >= 3 && options.arcs <= 1001, "ArcPlanner: ", options.arcs,
          " arcs, must be 3 to 1001");
  require(options.min_radius > 0 && options.length > 0 && options.margin >= 0,
          "ArcPlanner: min_radius ", options.min_radius, " m and length ", options.length,
          " m must be > 0, margin ", options.margin, " m not negative");
  require(options.max_curvature_rate > 0 && options.deceleration > 0 && options.latency >= 0 &&
              options.period >= options.latency && options.max_clearance > 0,
          "ArcPlanner: max_curvature_rate ", options.max_curvature_rate, ", deceleration ",
          options.deceleration, " and max_clearance ", options.max_clearance,
          " must be > 0, latency ", options.latency, " s from 0 to the period, ", options.period,
          " s");
  plan_.arcs.resize(options.arcs);
}

void ArcPlanner::follow(const ClearanceMap& obstacles, double speed, double length,
                        Arc* arc) const {
  const bool is_roams = options_.rule == ArcPlannerOptions::Rule::kNearestEnd;
  CurvatureRamp ramp(is_roams ? arc->curvature : plan_.start_curvature, arc->curvature,
                     options_.max_curvature_rate / std::max(speed, kMinSpeed));
  Pose at = plan_.start;
  arc->free_length = 0;
  arc->clearance = options_.max_clearance;
  while (arc->free_length < length) {
    CurvatureRamp::Piece piece = ramp.next(length - arc->free_length);
    const double free =
        obstacles.calc_free_length(inflated_, at, piece.curvature, piece.length, kTolerance);
    const bool is_cut = free < piece.length;
    if (!is_roams) {
      // Clearance at every half meter; between, it is at most that much less.
      const int parts = std::max(1, static_cast<int>(free / 0.5));
      for (int k = 1; k <= parts; ++k) {
        const Pose there = drive(at, piece.curvature, free * k / parts);
        arc->clearance =
            std::min(arc->clearance, obstacles.calc_clearance(inflated_, there, arc->clearance));
      }
    }
    at = drive(at, piece.curvature, free);
    arc->free_length += free;
    if (is_cut) break;
    if (length - arc->free_length < 1e-9) arc->free_length = length;
  }
  arc->end = at;
}

const ArcPlan& ArcPlanner::plan(const ClearanceMap& obstacles, const ArcPlannerInput& input) {
  require(input.speed >= 0 && std::isfinite(input.speed), "ArcPlanner::plan: speed ", input.speed,
          " m/s must not be negative");
  require(std::isfinite(input.pose.x + input.pose.y + input.pose.heading + input.goal.x +
                        input.goal.y + input.curvature + input.target_curvature),
          "ArcPlanner::plan: a pose, goal or curvature is not finite");
  const bool is_roams = options_.rule == ArcPlannerOptions::Rule::kNearestEnd;
  plan_.taken.reset();
  plan_.start = input.pose;
  plan_.start_curvature = input.curvature;
  plan_.needed_length = 0;
  if (!is_roams) {
    CurvatureRamp ramp(input.curvature, input.target_curvature,
                       options_.max_curvature_rate / std::max(input.speed, kMinSpeed));
    for (double rest = input.speed * options_.latency; rest > 1e-12;) {
      const CurvatureRamp::Piece piece = ramp.next(rest);
      plan_.start = drive(plan_.start, piece.curvature, piece.length);
      rest -= piece.length;
    }
    plan_.start_curvature = ramp.curvature();
    plan_.needed_length =
        input.speed * options_.period + input.speed * input.speed / (2 * options_.deceleration);
  }
  const double to_goal = distance_to(plan_.start, input.goal);
  const double length = std::max(std::min(options_.length, to_goal), plan_.needed_length + 0.1);

  double best = INFINITY;
  for (int k = 0; k < options_.arcs; ++k) {
    Arc& arc = plan_.arcs[k];
    arc = {};
    // Symmetric to the bit, so that a mirrored world gives the mirrored plan.
    const double fraction = static_cast<double>(2 * k - (options_.arcs - 1)) / (options_.arcs - 1);
    arc.curvature = fraction / options_.min_radius;
    follow(obstacles, input.speed, length, &arc);
    const double rest = distance_to(arc.end, input.goal);
    if (is_roams) {
      arc.clearance = 0;
      arc.cost = rest;
      arc.fate = arc.free_length < length ? Arc::Fate::kBlocked : Arc::Fate::kFree;
    } else {
      arc.cost = options_.goal_weight * rest +
                 options_.clearance_weight / std::max(arc.clearance, 0.05) +
                 options_.steering_weight * options_.min_radius *
                     std::abs(arc.curvature - input.target_curvature);
      arc.fate = arc.free_length <= 0                    ? Arc::Fate::kBlocked
                 : arc.free_length < plan_.needed_length ? Arc::Fate::kTooShort
                                                         : Arc::Fate::kFree;
      // A vehicle at rest needs room to start.
      if (arc.fate == Arc::Fate::kFree && arc.free_length < std::min(0.5, length)) {
        arc.fate = Arc::Fate::kTooShort;
      }
    }
    if (arc.fate != Arc::Fate::kFree) continue;
    // At equal costs the straighter arc, then the one to the right.
    const bool is_straighter =
        plan_.taken && arc.cost == best &&
        std::abs(arc.curvature) < std::abs(plan_.arcs[*plan_.taken].curvature);
    if (arc.cost < best || is_straighter) {
      best = arc.cost;
      plan_.taken = k;
    }
  }
  if (plan_.taken) plan_.arcs[*plan_.taken].fate = Arc::Fate::kTaken;
  return plan_;
}

}  // namespace camber::planning
