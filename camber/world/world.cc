#include "camber/world/world.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::world {

World::World(std::shared_ptr<const terrain::Terrain> terrain) : terrain_(std::move(terrain)) {
  require(terrain_ != nullptr, "World: a terrain is needed");
}

int World::add(std::unique_ptr<dynamics::Vehicle> vehicle, const Outline& outline,
               std::string name) {
  require(vehicle->time() == time_, "World::add: the vehicle is at t = ", vehicle->time(),
          " s, the world at ", time_, " s");
  Member member{std::move(vehicle), outline, std::move(name), {}};
  if (ObstacleWatch::is_needed(*terrain_)) member.watch.emplace(terrain_.get(), outline);
  members_.push_back(std::move(member));
  return vehicle_count() - 1;
}

void World::add(MovingThing thing) {
  thing.check();
  things_.push_back(std::move(thing));
}

double World::max_step() const {
  double step = HUGE_VAL;
  for (const Member& member : members_) step = std::min(step, member.vehicle->max_step());
  return step;
}

std::string World::vehicle_name(int i) const {
  const Member& member = members_[i];
  return member.name.empty() ? concat(i, "_", member.vehicle->layout().name) : member.name;
}

std::string World::describe_vehicle(int i) const {
  const Member& member = members_[i];
  if (members_.size() == 1) return "the vehicle";
  return member.name.empty() ? concat("vehicle ", i, " (", member.vehicle->layout().name, ")")
                             : concat("vehicle \"", member.name, "\"");
}

std::string World::prefix_of(std::size_t member) const {
  return members_.size() > 1 ? describe_vehicle(static_cast<int>(member)) + ": " : std::string();
}

integrate::StepResult World::step(double end) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    integrate::StepResult result = members_[i].vehicle->step(end);
    if (result.ok()) continue;
    result.text = prefix_of(i) + result.text;
    return result;
  }
  time_ = end;
  return {};
}

void World::mark() {
  marked_time_ = time_;
  for (Member& member : members_) member.vehicle->mark();
}

void World::roll_back() {
  time_ = marked_time_;
  for (Member& member : members_) member.vehicle->roll_back();
}

integrate::StepResult World::observe() {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].vehicle->observe()) continue;
    integrate::StepResult result;
    result.status = integrate::Status::kNoValue;
    result.time = time_;
    result.text = concat("no value at t = ", short_text(time_), " s: ", prefix_of(i),
                         members_[i].vehicle->problem());
    return result;
  }
  return {};
}

bool World::has_obstacles(int vehicle) const {
  return members_[vehicle].watch.has_value() || members_.size() > 1 || !things_.empty();
}

PlacedOutline World::place(const Member& member) const {
  const autonomy::VehicleView& view = member.vehicle->view();
  return {member.outline, view.x, view.y, view.yaw};
}

Nearest World::find_nearest(int vehicle) {
  Member& own = members_[vehicle];
  const PlacedOutline here = place(own);
  Nearest nearest;
  const auto take = [&](double clearance, auto describe) {
    if (clearance < nearest.clearance) nearest = {clearance, describe()};
  };
  if (own.watch) {
    const ObstacleWatch::Nearest trunk = own.watch->find(here.x, here.y, here.yaw);
    take(trunk.clearance, [&] {
      if (trunk.prism != nullptr) {
        const terrain::Point2& corner = trunk.prism->corners.front();
        return concat("the ", trunk.prism->name, " at x = ", short_text(corner.x),
                      " m, y = ", short_text(corner.y), " m");
      }
      return concat("the trunk or post of ", short_text(trunk.obstacle.radius),
                    " m radius at x = ", short_text(trunk.obstacle.x),
                    " m, y = ", short_text(trunk.obstacle.y), " m");
    });
  }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (static_cast<int>(i) == vehicle) continue;
    take(find_clearance(here, place(members_[i])),
         [&] { return describe_vehicle(static_cast<int>(i)); });
  }
  for (const MovingThing& thing : things_)
    take(find_clearance(here, thing.place(time_)), [&] { return thing.name; });
  return nearest;
}

void World::save(StateWriter* out) const {
  for (const Member& member : members_) {
    StateWriter own;
    member.vehicle->save(&own);
    out->write_list(own.values());
    StateWriter searches;
    member.vehicle->save_searches(&searches);
    out->write_list(searches.values());
  }
}

void World::restore(double time, StateReader* in) {
  time_ = time;
  for (Member& member : members_) {
    const std::vector<double> values = in->read_list();
    StateReader own(values);
    member.vehicle->restore(time, &own);
    own.finish();
    const std::vector<double> searches = in->read_list();
    StateReader extra(searches);
    member.vehicle->restore_searches(&extra);
    extra.finish();
  }
  marked_time_ = time;
}

std::vector<double> World::state_values() const {
  StateWriter out;
  out.write(time_);
  for (const Member& member : members_) member.vehicle->save(&out);
  return out.take();
}

long World::steps() const {
  long steps = 0;
  for (const Member& member : members_) steps += member.vehicle->steps();
  return steps;
}

long World::evaluations() const {
  long evaluations = 0;
  for (const Member& member : members_) evaluations += member.vehicle->evaluations();
  return evaluations;
}

dynamics::RejectedSteps World::rejected_steps() const {
  dynamics::RejectedSteps all;
  for (const Member& member : members_) {
    const dynamics::RejectedSteps own = member.vehicle->rejected_steps();
    if (own.count == 0) continue;
    all.first_time = all.count == 0 ? own.first_time : std::min(all.first_time, own.first_time);
    all.count += own.count;
  }
  return all;
}

}  // namespace camber::world
