// [Williams, Aldrich, Theodorou 2017] Model predictive path integral control. A plan is an angle of
// the front wheels over time, linear between kKnots knots. In each of kRounds rounds, samples are the
// mean plan with random changes, and the next mean is
//   mean + sum_i w_i change_i,   w_i ~ exp(-(S_i - min S) / lambda)                              (1)
// with the cost S of a sample in meters: from its end to the target, for changes of steering, and
// for what is near, by the distance field of the map. Differs from the paper in two points: a share of
// the samples are arcs over the whole range of steering, so that a plan can leave a valley of the
// cost, and changes are not weighed against the probability of drawing them.
// The vehicle is the linear single track at constant speed u, in steps of time with the angle held:
//   (v, r)' = A (v, r) + B delta                                                                 (2)
// with v and r at the center of mass; A and B as in mpc_steering.cc (1), exact over a step.
// Costs only guide: the mean of the last round, then the best samples, are checked exactly with the
// whole footprint, and the first that is free for as long as the vehicle needs to stop is driven.

#include "camber/autonomy/mppi_planner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "camber/autonomy/way_look.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/math/lanes.h"

namespace camber::autonomy {
namespace {

using planning::Cell, planning::Footprint, planning::Pose;

constexpr int kLanes = 8;
using Wide = math::Lanes<kLanes>;

constexpr int kMppiSteps = 30, kKnots = 7;
constexpr int kSamples = 256, kGroups = kSamples / kLanes;
constexpr int kFan = 32;  // of them: arcs
constexpr int kRounds = 2;
constexpr int kChecked = 12;          // plans that are checked exactly
constexpr int kShown = 24;            // samples that pages get
constexpr double kTemperature = 0.4;  // lambda in (1) [m]
constexpr double kSlowest = 2;        // slower vehicles are planned as at this speed [m/s]
constexpr double kTouch = 40;  // cost of a sample that meets something, and per meter not driven
constexpr double kMaxClearance = 2;  // more counts as this much [m]

using Knots = std::array<double, kKnots>;

/// (2) over a step, for wheels at rest against the body.
struct SideMotion {
  double a[2][2], b[2];
};

/// The exponential of (2) with delta as a state, by Taylor's series of a small part, squared.
SideMotion make_side_motion(const SingleTrackFigures& f, double u, double h) {
  const double M[2][3] = {
      {-(f.front_stiffness + f.rear_stiffness) / (f.mass * u),
       (f.rear * f.rear_stiffness - f.front * f.front_stiffness) / (f.mass * u) - u,
       f.front_stiffness / f.mass},
      {(f.rear * f.rear_stiffness - f.front * f.front_stiffness) / (f.yaw_inertia * u),
       -(f.front * f.front * f.front_stiffness + f.rear * f.rear * f.rear_stiffness) /
           (f.yaw_inertia * u),
       f.front * f.front_stiffness / f.yaw_inertia}};
  double norm = 0;
  for (const auto& row : M)
    norm = std::max(norm, std::abs(row[0]) + std::abs(row[1]) + std::abs(row[2]));
  int squarings = 0;
  while (norm * h > 0.5) h *= 0.5, ++squarings;
  double sum[2][3] = {{1, 0, 0}, {0, 1, 0}}, term[2][3] = {{1, 0, 0}, {0, 1, 0}};
  for (int k = 1; k <= 12; ++k) {  // term = M term; the last row of M is zero
    double next[2][3];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j)
        next[i][j] =
            h / k *
            (M[i][0] * term[0][j] + M[i][1] * term[1][j] + (k == 1 && j == 2 ? M[i][2] : 0.0));
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) sum[i][j] += term[i][j] = next[i][j];
  }
  for (; squarings > 0; --squarings) {
    double square[2][3];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j)
        square[i][j] = sum[i][0] * sum[0][j] + sum[i][1] * sum[1][j] + (j == 2 ? sum[i][2] : 0.0);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) sum[i][j] = square[i][j];
  }
  return {{{sum[0][0], sum[0][1]}, {sum[1][0], sum[1][1]}}, {sum[0][2], sum[1][2]}};
}

/// The rear axle of vehicles that steer by plans; T is a double or lanes.
template <class T>
struct Track {
  T x, y, heading;
  T v, r;   // at the center of mass [m/s], [rad/s]
  T delta;  // [rad]
};

class MppiPlanner : public LocalPlanner {
 public:
  explicit MppiPlanner(const LocalSetup& setup)
      : setup_(setup), inflated_(setup.arcs.footprint.inflated(setup.arcs.margin)) {
    const SingleTrackFigures& f = setup.track;
    require(f.mass > 0 && f.yaw_inertia > 0 && f.front > 0 && f.rear > 0 && f.front_stiffness > 0 &&
                f.rear_stiffness > 0,
            "MppiPlanner: mass ", f.mass, " kg, yaw_inertia ", f.yaw_inertia, " kg m^2, front ",
            f.front, " m, rear ", f.rear, " m, front_stiffness ", f.front_stiffness,
            " N/rad and rear_stiffness ", f.rear_stiffness, " N/rad must be > 0");
    require(setup.arcs.min_radius > 0 && setup.steering.rate > 0, "MppiPlanner: min_radius ",
            setup.arcs.min_radius, " m and rate ", setup.steering.rate, " rad/s must be > 0");
    wheelbase_ = f.front + f.rear;
    understeer_ = f.mass * (f.rear / f.front_stiffness - f.front / f.rear_stiffness) / wheelbase_;
    knots_.resize(kSamples);
    costs_.resize(kSamples);
    order_.resize(kSamples);
    // Circles that cover the footprint's length, for costs.
    const Footprint& body = setup.arcs.footprint;
    const double length = body.front + body.rear;
    for (int k = 0; k < 3; ++k) middles_[k] = -body.rear + length * (2 * k + 1) / 6;
    inner_ = 0.5 * (body.left + body.right);
  }

  LocalPlan plan(const ObstacleMapper& mapper, const LocalInput& input) override {
    const planning::GridObstacles& obstacles = mapper.map().obstacles();
    prepare(input);
    ++plans_;
    for (int round = 0; round < kRounds; ++round) {
      draw(round);
      for (int group = 0; group < kGroups; ++group) weigh(obstacles, group);
      average();
    }
    LocalPlan result = choose(mapper);
    if (result.is_blocked) has_mean_ = false;
    return result;
  }

  std::vector<Candidate> candidates() const override {
    std::vector<Candidate> list;
    if (plans_ == 0) return list;
    const auto add = [&](const Knots& knots, bool is_taken, bool is_blocked) {
      Candidate candidate{.is_taken = is_taken, .is_blocked = is_blocked};
      Track<double> at = start_;
      candidate.points.push_back({at.x, at.y});
      for (int k = 0; k < kMppiSteps; ++k) {
        advance(angle_of(knots, k), &at);
        if (k % 2 == 1) candidate.points.push_back({at.x, at.y});
      }
      list.push_back(std::move(candidate));
    };
    for (int k = 0; k < kShown; ++k) {
      const auto sample = static_cast<std::size_t>(k * kSamples / kShown);
      add(knots_[sample], false, costs_[sample] >= kTouch);
    }
    if (has_mean_) add(mean_, true, false);
    return list;
  }

  void save(StateWriter* out) const override {
    out->write(static_cast<double>(plans_));
    out->write(has_mean_ ? 1 : 0);
    for (const double knot : mean_) out->write(knot);
    out->write(step_);
  }
  void restore(StateReader* in) override {
    plans_ = static_cast<std::uint64_t>(in->read());
    has_mean_ = in->read_bool();
    for (double& knot : mean_) knot = in->read();
    step_ = in->read();
  }

 private:
  /// The angle in the middle of a step of a plan [rad].
  template <class T>
  static T angle_of(const std::array<T, kKnots>& knots, int step) {
    const double place = (step + 0.5) * (kKnots - 1) / kMppiSteps;
    const int k = std::min(static_cast<int>(place), kKnots - 2);
    return knots[k] + (knots[k + 1] - knots[k]) * T(place - k);
  }

  /// Angle for a curvature and back, with understeer.
  double angle_for(double curvature) const {
    return std::atan(wheelbase_ * curvature) + understeer_ * speed_ * speed_ * curvature;
  }
  double curvature_for(double angle) const {
    double curvature = std::tan(angle) / wheelbase_;
    for (int k = 0; k < 8; ++k)
      curvature = std::tan(angle - understeer_ * speed_ * speed_ * curvature) / wheelbase_;
    return curvature;
  }

  /// One step: the angle goes to `wanted` as fast as it can, then (2).
  template <class T>
  void advance(const T& wanted, Track<T>* at) const {
    using std::cos, std::max, std::min, std::sin;
    const double turn = setup_.steering.rate * step_;
    const T change = min(max(wanted - at->delta, T(-turn)), T(turn));
    const T middle = at->delta + T(0.5) * change;
    at->delta = at->delta + change;
    const T v = T(side_.a[0][0]) * at->v + T(side_.a[0][1]) * at->r + T(side_.b[0]) * middle;
    const T r = T(side_.a[1][0]) * at->v + T(side_.a[1][1]) * at->r + T(side_.b[1]) * middle;
    const T rate = T(0.5) * (at->r + r);
    const T across = T(0.5) * (at->v + v) - T(setup_.track.rear) * rate;
    const T heading = at->heading + T(0.5 * step_) * rate;
    const T c = cos(heading), s = sin(heading);
    at->x = at->x + T(step_) * (T(model_speed_) * c - across * s);
    at->y = at->y + T(step_) * (T(model_speed_) * s + across * c);
    at->heading = at->heading + T(step_) * rate;
    at->v = v;
    at->r = r;
  }

  void prepare(const LocalInput& input) {
    const planning::ArcPlannerOptions& o = setup_.arcs;
    speed_ = std::max(input.speed, 0.0);
    model_speed_ = std::max(speed_, kSlowest);
    target_ = input.target;
    const double to_target =
        std::hypot(input.target.x - input.pose.x, input.target.y - input.pose.y);
    needed_ = speed_ * o.period + speed_ * speed_ / (2 * o.deceleration);
    length_ = std::max(std::min(o.length, to_target), needed_ + 0.1);
    const double before = step_;
    step_ = length_ / (model_speed_ * kMppiSteps);
    side_ = make_side_motion(setup_.track, model_speed_, step_);
    // The side motion that belongs to the curvature, if the estimate has none.
    start_ = {input.pose.x, input.pose.y, input.pose.heading, 0, 0, angle_for(input.curvature)};
    max_angle_ = std::min(setup_.steering.angle, angle_for(1 / o.min_radius));
    for (int k = 0; k < 200; ++k) {  // to rest at this angle
      const double v =
          side_.a[0][0] * start_.v + side_.a[0][1] * start_.r + side_.b[0] * start_.delta;
      start_.r = side_.a[1][0] * start_.v + side_.a[1][1] * start_.r + side_.b[1] * start_.delta;
      start_.v = v;
    }
    const double target_angle = angle_for(input.target_curvature);
    // Commands take effect after the latency; until then the angle goes to the last one.
    const Knots old = mean_;
    const double span = before * kMppiSteps, shift = has_mean_ ? o.period : 0;
    for (int k = 0; k < kKnots; ++k) {
      if (!has_mean_) {
        mean_[k] = target_angle;
        continue;
      }
      const double time = step_ * kMppiSteps * k / (kKnots - 1) + shift;
      const double place = std::clamp(time / span, 0.0, 1.0) * (kKnots - 1);
      const int i = std::min(static_cast<int>(place), kKnots - 2);
      mean_[k] = old[i] + (place - i) * (old[i + 1] - old[i]);
    }
  }

  /// Samples about the mean; the first are arcs, and one is the mean itself.
  void draw(int round) {
    RandomStream random = RandomStream(setup_.seed).substream("mppi", kRounds * plans_ + round);
    const double sigma = 0.35 * max_angle_ / (1 + round);
    for (int i = 0; i < kSamples; ++i) {
      Knots& knots = knots_[i];
      if (round == 0 && i < kFan) {
        knots.fill(max_angle_ * (2.0 * i / (kFan - 1) - 1));
        continue;
      }
      for (int k = 0; k < kKnots; ++k) {
        const double change = i == kSamples - 1 ? 0 : sigma * random.normal();
        knots[k] = std::clamp(mean_[k] + change, -max_angle_, max_angle_);
      }
    }
  }

  /// Costs of the samples of a group.
  void weigh(const planning::GridObstacles& obstacles, int group) {
    const planning::OccupancyGrid& grid = obstacles.grid();
    const planning::DistanceField& field = obstacles.field();
    const planning::ArcPlannerOptions& o = setup_.arcs;
    std::array<Wide, kKnots> knots;
    for (int k = 0; k < kKnots; ++k)
      for (int l = 0; l < kLanes; ++l) knots[k].set_lane(l, knots_[group * kLanes + l][k]);
    Track<Wide> at{start_.x, start_.y, start_.heading, start_.v, start_.r, start_.delta};
    Wide steering(0.0), nearest(kMaxClearance), driven(0.0), is_free(1.0);
    const double resolution = grid.resolution(), scale = 1 / resolution;
    const Wide low_x(grid.origin().x), low_y(grid.origin().y);
    for (int k = 0; k < kMppiSteps; ++k) {
      const Wide wanted = angle_of(knots, k);
      const Wide off = wanted - at.delta;
      steering += off * off;
      advance(wanted, &at);
      const Wide c = cos(at.heading), s = sin(at.heading);
      Wide distance(kMaxClearance + inner_);
      for (const double middle : middles_) {
        const Wide column = (at.x + middle * c - low_x) * scale,
                   row = (at.y + middle * s - low_y) * scale;
        Wide squared;
        for (int l = 0; l < kLanes; ++l) {
          const double x = column.lane(l), y = row.lane(l);
          const bool is_inside = x >= 0 && y >= 0 && x < grid.width() && y < grid.height();
          squared.set_lane(
              l, is_inside ? field.squared({static_cast<int>(x), static_cast<int>(y)}) : 0.0);
        }
        distance = min(distance, resolution * sqrt(squared));
      }
      const Wide clearance = distance - inner_;
      is_free = select(clearance < Wide(0.0), Wide(0.0), is_free);
      nearest = select(is_free > 0.0, min(nearest, clearance), nearest);
      driven += is_free * (length_ / kMppiSteps);
    }
    const Wide dx = at.x - target_.x, dy = at.y - target_.y;
    const Wide rest = sqrt(dx * dx + dy * dy);
    const Wide blocked = Wide(1.0) - is_free;
    const double angle_scale = 1 / (max_angle_ * max_angle_ * kMppiSteps);
    const Wide cost = o.goal_weight * rest +
                      o.clearance_weight / max(nearest - o.margin, Wide(0.1)) +
                      (4 * o.steering_weight * angle_scale) * steering +
                      blocked * (kTouch + kTouch * (Wide(1.0) - driven / length_));
    cost.store(&costs_[static_cast<std::size_t>(group) * kLanes]);
  }

  /// (1).
  void average() {
    const double least = *std::ranges::min_element(costs_);
    double sum = 0;
    Knots next{};
    for (int i = 0; i < kSamples; ++i) {
      const double weight = std::exp(-(costs_[i] - least) / kTemperature);
      sum += weight;
      for (int k = 0; k < kKnots; ++k) next[k] += weight * knots_[i][k];
    }
    for (int k = 0; k < kKnots; ++k) mean_[k] = next[k] / sum;
    has_mean_ = true;
  }

  /// How far a plan is free, exactly; clearance of the footprint with its margin along it.
  double check(const planning::GridObstacles& obstacles, const Knots& knots, double* clearance,
               WayLook* look) const {
    constexpr double kTolerance = 0.01;  // [m] of clearance, within the margin
    Track<double> at = start_;
    double free = 0;
    *clearance = kMaxClearance;
    for (int k = 0; k < kMppiSteps; ++k) {
      const Track<double> from = at;
      advance(angle_of(knots, k), &at);
      const double length = std::hypot(at.x - from.x, at.y - from.y);
      if (length < 1e-9) continue;
      // The step as an arc: its heading is that of the way, which is not quite the body's.
      const double way = std::atan2(at.y - from.y, at.x - from.x);
      const double turn = planning::wrap_angle(at.heading - from.heading);
      const double curvature = turn / length;
      const double drift = planning::wrap_angle(way - from.heading - 0.5 * turn);
      const Pose start{from.x, from.y, from.heading};
      const double step =
          obstacles.calc_free_length(inflated_, start, curvature, length, kTolerance);
      // What the side slip moves the body off this arc is within the margin.
      const double slip = std::abs(drift) * length;
      free += step;
      if (step < length) break;
      const Pose end{at.x, at.y, at.heading};
      *clearance = std::min(*clearance, obstacles.calc_clearance(inflated_, end, *clearance));
      if (*clearance < kTolerance + slip) {
        free -= step;
        break;
      }
      if (look != nullptr && !look->visit(end, free)) look = nullptr;
    }
    return free;
  }

  LocalPlan choose(const ObstacleMapper& mapper) {
    const planning::GridObstacles& obstacles = mapper.map().obstacles();
    for (int i = 0; i < kSamples; ++i) order_[i] = i;
    std::ranges::partial_sort(order_, order_.begin() + kChecked, [&](int a, int b) {
      return costs_[a] != costs_[b] ? costs_[a] < costs_[b] : a < b;
    });
    LocalPlan result;
    const double least = std::max(needed_, std::min(0.5, length_));
    for (int k = -1; k < kChecked; ++k) {
      const Knots& knots = k < 0 ? mean_ : knots_[order_[k]];
      double clearance = 0;
      WayLook look(mapper, setup_.arcs.footprint);
      const double free = check(obstacles, knots, &clearance, &look);
      if (free < least) continue;
      result.is_blocked = false;
      result.free_length = free;
      result.seen_length = look.seen(free);
      result.clearance = clearance;
      result.roughness = look.roughness();
      // What the wheels should be at when the next plan takes effect.
      const double place =
          std::min((setup_.arcs.period + setup_.arcs.latency) / step_, kMppiSteps - 1.0);
      result.curvature = std::clamp(curvature_for(angle_of(knots, static_cast<int>(place))),
                                    -1 / setup_.arcs.min_radius, 1 / setup_.arcs.min_radius);
      if (k >= 0) mean_ = knots;
      break;
    }
    if (result.is_blocked) return result;
    // The arc to the target, if nothing were in the way.
    const double ahead = std::cos(start_.heading) * (target_.x - start_.x) +
                         std::sin(start_.heading) * (target_.y - start_.y),
                 left = std::cos(start_.heading) * (target_.y - start_.y) -
                        std::sin(start_.heading) * (target_.x - start_.x);
    const double squared = std::max(ahead * ahead + left * left, 1e-9);
    const double bend =
        std::clamp(2 * left / squared, -1 / setup_.arcs.min_radius, 1 / setup_.arcs.min_radius);
    const double length = std::min(setup_.arcs.length, std::sqrt(squared));
    result.is_straight_free =
        obstacles.calc_free_length(inflated_, {start_.x, start_.y, start_.heading}, bend, length,
                                   0.01) >= length - 1e-6;
    return result;
  }

  LocalSetup setup_;
  Footprint inflated_;
  double wheelbase_ = 0, understeer_ = 0;  // [m], [rad s^2/m]
  double middles_[3] = {}, inner_ = 0;     // of circles along the body; their radius [m]

  // Of the plan that is made.
  double speed_ = 0, model_speed_ = kSlowest, max_angle_ = 0;  // [m/s], [m/s], [rad]
  double needed_ = 0, length_ = 0, step_ = 0.1;                // [m], [m], [s]
  planning::Point target_;
  Track<double> start_{};
  SideMotion side_{};
  std::vector<Knots> knots_;
  std::vector<double> costs_;
  std::vector<int> order_;

  // From plan to plan.
  Knots mean_{};
  bool has_mean_ = false;
  std::uint64_t plans_ = 0;
};

}  // namespace

std::unique_ptr<LocalPlanner> make_mppi_planner(const LocalSetup& setup) {
  return std::make_unique<MppiPlanner>(setup);
}

}  // namespace camber::autonomy
