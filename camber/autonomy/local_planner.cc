#include "camber/autonomy/local_planner.h"

#include <algorithm>
#include <cmath>

#include "camber/autonomy/mppi_planner.h"
#include "camber/autonomy/way_look.h"

namespace camber::autonomy {
namespace {

using planning::Arc, planning::ArcPlan, planning::CurvatureRamp, planning::Pose;

/// Arcs by either rule of planning::ArcPlanner.
class ArcLocalPlanner : public LocalPlanner {
 public:
  explicit ArcLocalPlanner(const planning::ArcPlannerOptions& options) : planner_(options) {}

  LocalPlan plan(const ObstacleMapper& mapper, const LocalInput& input) override {
    speed_ = std::max(input.speed, 0.0);
    plan_ = &planner_.plan(mapper.map().obstacles(), {input.pose, speed_, input.curvature,
                                                      input.target_curvature, input.target});
    LocalPlan result;
    if (!plan_->taken) return result;
    const Arc& arc = plan_->arcs[static_cast<std::size_t>(*plan_->taken)];
    result.is_blocked = false;
    result.curvature = arc.curvature;
    result.free_length = result.seen_length = arc.free_length;
    result.clearance = arc.clearance;
    // The arc that would be taken if nothing were in the way.
    const double length =
        std::min(planner_.options().length, distance_to(plan_->start, input.target));
    const Arc* nearest = nullptr;
    double least = INFINITY;
    for (const Arc& other : plan_->arcs) {
      const Pose end = planning::drive(plan_->start, other.curvature, length);
      if (distance_to(end, input.target) >= least) continue;
      least = distance_to(end, input.target);
      nearest = &other;
    }
    result.is_straight_free = nearest->free_length >= length - 1e-6;
    constexpr double kStep = 0.5;  // [m]
    WayLook look(mapper, planner_.options().footprint);
    for_each_pose(arc, kStep, [&](const Pose& pose, double s) { return look.visit(pose, s); });
    result.seen_length = look.seen(arc.free_length);
    result.roughness = look.roughness();
    return result;
  }

  std::vector<Candidate> candidates() const override {
    std::vector<Candidate> list;
    if (plan_ == nullptr) return list;
    for (const Arc& arc : plan_->arcs) {
      Candidate candidate{
          .is_taken = arc.fate == Arc::Fate::kTaken,
          .is_blocked = arc.fate == Arc::Fate::kBlocked || arc.fate == Arc::Fate::kTooShort};
      candidate.points.push_back({plan_->start.x, plan_->start.y});
      for_each_pose(arc, 1.0, [&](const Pose& pose, double) {
        candidate.points.push_back({pose.x, pose.y});
        return true;
      });
      list.push_back(std::move(candidate));
    }
    return list;
  }

 private:
  static double distance_to(const Pose& pose, planning::Point target) {
    return std::hypot(pose.x - target.x, pose.y - target.y);
  }

  template <class Visit>
  void for_each_pose(const Arc& arc, double step, const Visit& visit) const {
    const planning::ArcPlannerOptions& o = planner_.options();
    const bool is_roams = o.rule == planning::ArcPlannerOptions::Rule::kNearestEnd;
    CurvatureRamp ramp(is_roams ? arc.curvature : plan_->start_curvature, arc.curvature,
                       o.max_curvature_rate / std::max(speed_, 1.0));
    Pose at = plan_->start;
    double next = step;
    for (double s = 0; s < arc.free_length - 1e-9;) {
      const CurvatureRamp::Piece piece = ramp.next(std::min(next, arc.free_length) - s);
      at = planning::drive(at, piece.curvature, piece.length);
      s += piece.length;
      if (s < std::min(next, arc.free_length) - 1e-9) continue;
      if (!visit(at, s)) return;
      next += step;
    }
  }

  planning::ArcPlanner planner_;
  const ArcPlan* plan_ = nullptr;
  double speed_ = 0;
};

}  // namespace

std::unique_ptr<LocalPlanner> make_local_planner(LocalKind kind, const LocalSetup& setup) {
  if (kind == LocalKind::kMppi) return make_mppi_planner(setup);
  planning::ArcPlannerOptions options = setup.arcs;
  options.rule = kind == LocalKind::kRoamsArcs ? planning::ArcPlannerOptions::Rule::kNearestEnd
                                               : planning::ArcPlannerOptions::Rule::kLowestCost;
  return std::make_unique<ArcLocalPlanner>(options);
}

}  // namespace camber::autonomy
