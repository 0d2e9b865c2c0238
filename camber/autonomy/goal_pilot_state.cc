// The memory of a pilot as plain numbers.

#include <algorithm>

#include "camber/autonomy/goal_pilot.h"
#include "camber/core/require.h"

namespace camber::autonomy {

using planning::Point;

namespace {

void write_text(const std::string& text, StateWriter* out) {
  std::vector<double> letters(text.begin(), text.end());
  out->write_list(letters);
}

std::string read_text(StateReader* in) {
  std::string text;
  for (const double letter : in->read_list()) text.push_back(static_cast<char>(letter));
  return text;
}

void write_points(const std::vector<Point>& points, StateWriter* out) {
  std::vector<double> values;
  for (const Point& p : points) values.insert(values.end(), {p.x, p.y});
  out->write_list(values);
}

std::vector<Point> read_points(StateReader* in) {
  const std::vector<double> values = in->read_list();
  std::vector<Point> points;
  for (std::size_t k = 0; k + 1 < values.size(); k += 2)
    points.push_back({values[k], values[k + 1]});
  return points;
}

}  // namespace

// Pictures of plans are for pages only: a restored pilot starts a new list.
void GoalPilot::save(StateWriter* out) const {
  parts_.state->save(out);
  parts_.map->save(out);
  parts_.global->save(out);
  parts_.local->save(out);
  maneuver_.save(out);
  movers_.save(out);
  out->write(path_.is_found ? 1 : 0);
  out->write(path_.length);
  write_points(path_.points, out);
  write_text(path_.problem, out);
  for (const double value : {intent_.curvature,
                             intent_.speed,
                             intent_.acceleration,
                             intent_.free_length,
                             command_.steer,
                             command_.throttle,
                             command_.brake,
                             memory_.correction,
                             memory_.acceleration,
                             memory_.waited,
                             memory_.expected,
                             memory_.rate,
                             memory_.stalled,
                             memory_.push,
                             target_.x,
                             target_.y,
                             time_,
                             planned_,
                             globally_planned_,
                             blocked_since_,
                             best_,
                             best_since_,
                             engaged_,
                             pictured_,
                             view_.shortest,
                             tried_})
    out->write(value);
  for (const int value : {intent_.direction, memory_.is_braking ? 1 : 0, direction_,
                          is_started_ ? 1 : 0, maneuvers_, command_.selector,
                          static_cast<int>(view_.behavior), static_cast<int>(view_.changes.size())})
    out->write(value);
  for (const BehaviorChange& change : view_.changes) {
    for (const double value : {change.time, change.at.x, change.at.y,
                               static_cast<double>(static_cast<int>(change.behavior))})
      out->write(value);
    write_text(change.reason, out);
  }
}

void GoalPilot::restore(StateReader* in) {
  const auto read_behavior = [&] {
    const int number = in->read_int();
    require(number >= 0 && number < static_cast<int>(std::size(kBehaviorWords)),
            "GoalPilot: no behavior ", number);
    return static_cast<Behavior>(number);
  };
  parts_.state->restore(in);
  parts_.map->restore(in);
  parts_.global->restore(in);
  parts_.local->restore(in);
  maneuver_.restore(in);
  movers_.restore(in);
  path_.is_found = in->read_bool();
  path_.length = in->read();
  path_.points = read_points(in);
  path_.problem = read_text(in);
  for (double* value : {&intent_.curvature,
                        &intent_.speed,
                        &intent_.acceleration,
                        &intent_.free_length,
                        &command_.steer,
                        &command_.throttle,
                        &command_.brake,
                        &memory_.correction,
                        &memory_.acceleration,
                        &memory_.waited,
                        &memory_.expected,
                        &memory_.rate,
                        &memory_.stalled,
                        &memory_.push,
                        &target_.x,
                        &target_.y,
                        &time_,
                        &planned_,
                        &globally_planned_,
                        &blocked_since_,
                        &best_,
                        &best_since_,
                        &engaged_,
                        &pictured_,
                        &view_.shortest,
                        &tried_})
    *value = in->read();
  intent_.direction = in->read_int();
  memory_.is_braking = in->read_bool();
  direction_ = in->read_int();
  is_started_ = in->read_bool();
  maneuvers_ = in->read_int();
  command_.selector = in->read_int();
  view_.behavior = read_behavior();
  view_.changes.clear();
  for (int count = in->read_int(); count > 0; --count) {
    BehaviorChange change;
    for (double* value : {&change.time, &change.at.x, &change.at.y}) *value = in->read();
    change.behavior = read_behavior();
    change.reason = read_text(in);
    view_.changes.push_back(std::move(change));
  }
  view_.pictures.clear();
}

}  // namespace camber::autonomy
