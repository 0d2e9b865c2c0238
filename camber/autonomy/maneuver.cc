// In the direction of travel the rear axle moves like a unicycle, forward and in reverse:
//   e' = sin(psi), psi' = kappa - kappa_path                                        over s    (1)
// kappa = kappa_path - e / d^2 - 2 psi / d brings e to zero with both roots at -1/d            (2)
// In reverse, turning left in the direction of travel needs wheels to the right.

#include "camber/autonomy/maneuver.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace camber::autonomy {

using planning::PathPiece, planning::Pose;

namespace {

constexpr double kDistance = 1.8;  // d in (2) [m]

}  // namespace

Maneuver::Maneuver(const Pose& start, std::vector<PathPiece> pieces)
    : start_(start), pieces_(std::move(pieces)) {
  Pose at = start;
  for (const PathPiece& piece : pieces_) {
    const int direction = piece.length < 0 ? -1 : 1;
    if (legs_.empty() || legs_.back().direction != direction) legs_.push_back({at, direction, {}});
    legs_.back().pieces.push_back(piece);
    at = planning::drive(at, piece.curvature, piece.length);
  }
  end_ = at;
}

double Maneuver::length(const Leg& leg) {
  double sum = 0;
  for (const PathPiece& piece : leg.pieces) sum += std::abs(piece.length);
  return sum;
}

Maneuver::Point Maneuver::find(const Leg& leg, double s) {
  Pose at = leg.start;
  double rest = std::max(s, 0.0), curvature = 0;
  for (const PathPiece& piece : leg.pieces) {
    const double part = std::min(rest, std::abs(piece.length));
    at = planning::drive(at, piece.curvature, leg.direction * part);
    curvature = leg.direction * piece.curvature;
    rest -= part;
    if (rest <= 0) return {at, curvature};
  }
  return {planning::drive(at, 0, leg.direction * rest), 0};
}

void Maneuver::follow(const Pose& rear) {
  if (is_over()) return;
  const Leg& leg = legs_[leg_];
  const auto travel = [&](const Pose& pose) {
    return pose.heading + (leg.direction < 0 ? std::numbers::pi : 0);
  };
  // A few steps along the tangent: the vehicle moves little between two looks.
  for (int k = 0; k < 4; ++k) {
    const Point here = find(leg, at_);
    const double heading = travel(here.pose);
    const double ahead =
        std::cos(heading) * (rear.x - here.pose.x) + std::sin(heading) * (rear.y - here.pose.y);
    deviation_ =
        std::cos(heading) * (rear.y - here.pose.y) - std::sin(heading) * (rear.x - here.pose.x);
    at_ = std::max(0.0, at_ + std::clamp(ahead, -0.5, 0.5));
  }
}

double Maneuver::calc_curvature(const Pose& rear, double ahead) const {
  if (is_over()) return 0;
  const Leg& leg = legs_[leg_];
  const Point here = find(leg, at_), next = find(leg, std::min(at_ + ahead, length(leg)));
  const double psi = planning::wrap_angle(rear.heading - here.pose.heading);
  const double e = std::clamp(deviation_, -1.0, 1.0);
  const double curvature =
      next.curvature - e / (kDistance * kDistance) - 2 * psi / kDistance;  // (2)
  return leg.direction * curvature;
}

double Maneuver::first_curvature() const {
  return is_over() ? 0 : legs_[leg_].pieces.front().curvature;
}

Pose Maneuver::pose_ahead(double ahead) const {
  if (is_over()) return end_;
  const Leg& leg = legs_[leg_];
  return find(leg, std::min(at_ + ahead, length(leg))).pose;
}

void Maneuver::save(StateWriter* out) const {
  std::vector<double> values{start_.x, start_.y, start_.heading};
  for (const PathPiece& piece : pieces_)
    values.insert(values.end(), {piece.curvature, piece.length});
  out->write_list(values);
  for (const double value : {static_cast<double>(leg_), at_, deviation_}) out->write(value);
}

void Maneuver::restore(StateReader* in) {
  const std::vector<double> values = in->read_list();
  std::vector<PathPiece> pieces;
  for (std::size_t k = 3; k + 1 < values.size(); k += 2)
    pieces.push_back({values[k], values[k + 1]});
  *this = values.size() < 3 ? Maneuver()
                            : Maneuver({values[0], values[1], values[2]}, std::move(pieces));
  leg_ = static_cast<std::size_t>(in->read_int());
  at_ = in->read();
  deviation_ = in->read();
}

}  // namespace camber::autonomy
