#include "camber/dynamics/lane_vehicles.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::dynamics {

namespace {

bool have_equal_places(const mechanism_code::WheelPlaces& a, const mechanism_code::WheelPlaces& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return x.v == y.v && x.sign == y.sign && x.force == y.force && x.by == y.by &&
           x.center_by == y.center_by && x.turn_by == y.turn_by;
  };
  return a.v == b.v && a.sign == b.sign && a.axis == b.axis && a.center == b.center &&
         a.bias == b.bias && a.base_force == b.base_force && a.spin_force == b.spin_force &&
         std::ranges::equal(a.columns, b.columns, equal);
}

const RigidGround& rigid_ground_of(const Ground& ground, std::size_t tire) {
  return std::get<RigidGround>(*ground.models()[tire]);
}

/// Of all wheels, on ground that does not yield.
bool have_equal_tires(const Ground& a, const Ground& b) {
  for (std::size_t i = 0; i < a.models().size(); ++i) {
    if (!std::holds_alternative<RigidGround>(*a.models()[i]) ||
        !std::holds_alternative<RigidGround>(*b.models()[i]))
      return false;
    if (a.models()[i] == b.models()[i]) continue;
    if (!(rigid_ground_of(a, i) == rigid_ground_of(b, i))) return false;
  }
  return true;
}

bool is_on_plane(const Ground& ground) {
  for (std::size_t i = 0; i < ground.models().size(); ++i)
    if (!is_contact_on_plane(rigid_ground_of(ground, i).contact, ground.terrain())) return false;
  return true;
}

template <int N>
void set_lane(math::Vec3<math::Lanes<N>>* to, int lane, const Vec3<double>& from) {
  for (int i = 0; i < 3; ++i) to->e[i].set_lane(lane, from[i]);
}
template <int N>
void set_lane(math::Mat3<math::Lanes<N>>* to, int lane, const math::Mat3<double>& from) {
  for (int i = 0; i < 3; ++i) set_lane(&to->c[i], lane, from.c[i]);
}
template <int N>
Vec3<double> lane_of(const math::Vec3<math::Lanes<N>>& x, int lane) {
  return {x[0].lane(lane), x[1].lane(lane), x[2].lane(lane)};
}

/// 0, or NaN in lanes where a number of x is not finite.
template <class T>
T sum_of_zeros(const std::vector<T>& x) {
  T sum(0);
  for (const T& value : x) sum += value * T(0);
  return sum;
}

}  // namespace

std::string find_lane_hindrance(GeneratedVehicle* car, int lanes) {
  DrivenVehicle<GeneratedChassis>& driven = car->car();
  const GeneratedChassis& chassis = driven.chassis();
  if (chassis.has_given_motions()) return "a joint whose motion is given";
  if (driven.tire_count() != driven.wheel_count()) return "dual tires";
  const driveline::Driveline& d = driven.equipment().driveline;
  if (d.coupling || d.fuel) return "a clutch, an electric motor or an account of fuel";
  if (driven.equipment().brake_modulator) return "pressures of single brakes";
  if (car->has_controllers() ||
      !(driven.actuation() == Actuation(static_cast<std::size_t>(driven.wheel_count()))))
    return "controllers";
  if (driven.equipment().steering.turns_freely) return "a steering wheel that is let go";
  for (int i = 0; i < driven.tire_count(); ++i) {
    const auto& model = *driven.ground().models()[static_cast<std::size_t>(i)];
    if (std::holds_alternative<SoilGround>(model)) return "a soil grid";
    if (driven.ground().constraint(i) != nullptr) return "tires with relaxed rolling";
  }
  try {
    if (lanes == 4) {
      find_lane_code<4>(chassis.code(), car->mechanism());
    } else {
      find_lane_code<8>(chassis.code(), car->mechanism());
    }
  } catch (const mechanism_code::CompileError& error) {
    return concat("code whose lanes cannot be compiled: ", error.what());
  }
  return "";
}

LaneStructure::LaneStructure(GeneratedVehicle* car) {
  DrivenVehicle<GeneratedChassis>& driven = car->car();
  const GeneratedChassis& chassis = driven.chassis();
  const mechanism_code::VehicleLayout& program = chassis.program();
  code = &chassis.code();
  parameters = program.parameters.size();
  work_size = static_cast<std::size_t>(program.work_size);
  for (int i = 0; i < chassis.wheel_count(); ++i) wheels.push_back(chassis.wheel_places(i));
  for (const driveline::DifferentialNode& node : driven.equipment().driveline.differentials)
    differentials.push_back(node.outputs);
  blocks = chassis.blocks();
  steering = chassis.steering_speed();
  base_force = program.base_force;
  if (steering >= 0) steering_force = program.forces[steering];
  places = driven.places();
  nq = driven.nq();
  nv = driven.nv();
  method = car->method();
}

// Blocks and places of the state follow from the numbers of speeds and wheels.
bool LaneStructure::operator==(const LaneStructure& o) const {
  return code == o.code && parameters == o.parameters && work_size == o.work_size &&
         std::ranges::equal(wheels, o.wheels, have_equal_places) &&
         differentials == o.differentials && steering == o.steering && base_force == o.base_force &&
         steering_force.place == o.steering_force.place &&
         steering_force.sign == o.steering_force.sign && nq == o.nq && nv == o.nv &&
         method == o.method;
}

template <int N>
LaneVehicles<N>::LaneVehicles(GeneratedVehicle* like) : structure_(like) {
  const std::string hindrance = find_lane_hindrance(like, N);
  require(hindrance.empty(), "LaneVehicles: the vehicle has ", hindrance);
  code_ = find_lane_code<N>(*structure_.code, like->mechanism());
  const auto nq = static_cast<std::size_t>(structure_.nq),
             nv = static_cast<std::size_t>(structure_.nv);
  coordinates_ = integrate::Coordinates(structure_.nq, structure_.nv, structure_.blocks);
  const std::size_t n = structure_.wheels.size();
  parameters_.resize(structure_.parameters, T(0));
  wheel_parameters_.resize(n);
  for (const auto& outputs : structure_.differentials)
    differentials_.push_back({.law = {}, .outputs = outputs});
  limits_.resize(nv, T(0));
  bend_limits_ = limits_;
  begin_.resize(nq, nv);
  end_ = begin_;
  work_.resize(nq, nv);
  code_work_.resize(structure_.work_size, T(0));
  motions_.resize(n);
  forces_.resize(n);
  for (std::vector<T>* list : {&shaft_speeds_, &drive_torques_, &brake_torques_})
    list->resize(n, T(0));
  car_motions_.resize(n);
  car_treads_.resize(n);
  car_forces_.resize(n);
}

/// Every number that a lane has beside state and inputs.
template <int N>
template <class Visit>
void LaneVehicles<N>::visit_parameters(const Visit& visit) {
  for (T& p : parameters_) visit(&p);
  for (math::Mat3<T>* R : {&R_WF_, &R_MB_})
    for (Vec3<T>& column : R->c)
      for (T& entry : column.e) visit(&entry);
  for (Vec3<T>* p : {&p_WF_, &p_MB_, &air_.center, &body_box_.min, &body_box_.max})
    for (T& entry : p->e) visit(&entry);
  for (Wheel& wheel : wheel_parameters_)
    for (T* x : {&wheel.axial_inertia, &wheel.reaction_share, &wheel.has_parking_brake,
                 &wheel.brake.capacity, &wheel.brake.twist, &wheel.brake.damping,
                 &wheel.brake.soft_speed, &wheel.valve.knee, &wheel.valve.slope})
      visit(x);
  for (auto& node : differentials_)
    for (T* x : {&node.law.first_share, &node.law.bias, &node.law.preload, &node.law.slip_speed,
                 &node.low_range_lock, &node.lock, &node.locked})
      visit(x);
  PowerSteering<T>& s = power_steering_;
  for (T* x : {&s.lag, &s.max_rate, &s.stiffness, &s.damping, &s.max_torque, &brake_lag_,
               &engine_inertia_, &air_.drag_area, &air_.density})
    visit(x);
  for (std::vector<T>* limits : {&limits_, &bend_limits_})
    for (T& limit : *limits) visit(&limit);
}

template <int N>
void LaneVehicles<N>::copy_lane(int from, int to) {
  const auto copy = [&](T* x) { x->set_lane(to, x->lane(from)); };
  visit_parameters(copy);
  for (T* x : {&steering_request_, &brake_request_, &parking_brake_, &h_}) copy(x);
  for (std::vector<T>* list : {&begin_.q, &begin_.v})
    for (T& x : *list) copy(&x);
  is_low_range_.pack[to] = is_low_range_.pack[from];
  const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
  drive_inputs_[b] = drive_inputs_[a];
  drivelines_[b] = drivelines_[a];
  grounds_[b] = grounds_[a];
}

template <int N>
void LaneVehicles<N>::put(int lane, GeneratedVehicle* car) {
  const bool is_first = std::ranges::all_of(cars_, [](const auto* c) { return c == nullptr; });
  cars_[static_cast<std::size_t>(lane)] = car;
  read_parameters(lane, car);
  take_state(lane);
  // Empty lanes do what another one does, so that they do no harm.
  if (is_first)
    for (int i = 0; i < N; ++i)
      if (i != lane) copy_lane(lane, i);
  compare_grounds();
}

template <int N>
void LaneVehicles<N>::take_out(int lane) {
  cars_[static_cast<std::size_t>(lane)] = nullptr;
  const auto* other = std::ranges::find_if(cars_, [](const auto* c) { return c != nullptr; });
  if (other == cars_.end()) {
    ground_ = nullptr;
    cache_.reset();
    return;
  }
  // All empty lanes: they may have done what this one did.
  for (int i = 0; i < N; ++i)
    if (is_empty(i)) copy_lane(static_cast<int>(other - cars_.begin()), i);
  compare_grounds();
}

template <int N>
void LaneVehicles<N>::compare_grounds() {
  const auto all_grounds = [&](const auto& holds) { return std::ranges::all_of(grounds_, holds); };
  const Ground& first = *grounds_[0];
  ground_ = &first;
  tire_lanes_ = TireLanes::kCarByCar;
  const bool has_equal_tires =
      all_grounds([&](const Ground* g) { return have_equal_tires(*g, first); });
  if (has_equal_tires && all_grounds([](const Ground* g) { return is_on_plane(*g); })) {
    tire_lanes_ = TireLanes::kOnPlanes;
    for (int i = 0; i < N; ++i) {
      const PlaneGround<double> plane = plane_of(grounds_[static_cast<std::size_t>(i)]->terrain());
      plane_.height.set_lane(i, plane.height);
      plane_.slope_x.set_lane(i, plane.slope_x);
      plane_.slope_y.set_lane(i, plane.slope_y);
      plane_.friction.set_lane(i, plane.friction);
    }
  } else if (has_equal_tires &&
             all_grounds([&](const Ground* g) { return &g->terrain() == &first.terrain(); })) {
    tire_lanes_ = TireLanes::kOnTerrain;
  }
  // A cache is of one terrain: as long as cars share it, it lives.
  if (tire_lanes_ != TireLanes::kOnTerrain) {
    cache_.reset();
  } else if (!cache_) {
    cache_ = first.terrain().make_cache();
  }
}

template <int N>
void LaneVehicles<N>::read_parameters(int lane, GeneratedVehicle* car) {
  DrivenVehicle<GeneratedChassis>& driven = car->car();
  const GeneratedChassis& chassis = driven.chassis();
  const Equipment& e = driven.equipment();
  const std::vector<double>& parameters = chassis.program().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters_[i].set_lane(lane, parameters[i]);
  const GeneratedChassis::BaseJoint base = chassis.base_joint();
  set_lane(&R_WF_, lane, base.R_WF);
  set_lane(&R_MB_, lane, base.R_MB);
  set_lane(&p_WF_, lane, base.p_WF);
  set_lane(&p_MB_, lane, base.p_MB);
  for (std::size_t i = 0; i < structure_.wheels.size(); ++i) {
    Wheel& wheel = wheel_parameters_[i];
    const driveline::Brake& brake = e.brakes[i];
    wheel.axial_inertia.set_lane(lane, chassis.wheel_places(static_cast<int>(i)).axial_inertia);
    wheel.reaction_share.set_lane(lane, driven.reaction_share(static_cast<int>(i)));
    wheel.has_parking_brake.set_lane(lane, e.has_parking_brake[i] ? 1 : 0);
    wheel.brake.capacity.set_lane(lane, brake.capacity);
    wheel.brake.twist.set_lane(lane, brake.twist);
    wheel.brake.damping.set_lane(lane, brake.damping);
    wheel.brake.soft_speed.set_lane(lane, brake.soft_speed);
    wheel.valve.knee.set_lane(lane, e.brake_valves[i].knee);
    wheel.valve.slope.set_lane(lane, e.brake_valves[i].slope);
  }
  for (std::size_t i = 0; i < differentials_.size(); ++i) {
    const driveline::DifferentialNode& from = e.driveline.differentials[i];
    driveline::BasicDifferentialNode<T>& to = differentials_[i];
    to.law.first_share.set_lane(lane, from.law.first_share);
    to.law.bias.set_lane(lane, from.law.bias);
    to.law.slip_speed.set_lane(lane, from.law.slip_speed);
    to.law.preload.set_lane(lane, from.law.preload);
    to.low_range_lock.set_lane(lane, from.low_range_lock);
    to.lock.set_lane(lane, from.lock);
    to.locked.set_lane(lane, from.locked);
  }
  brake_lag_.set_lane(lane, e.brake_lag);
  engine_inertia_.set_lane(lane, e.driveline.engine.inertia);
  const PowerSteering<double> gear = power_steering_of(e.steering);
  power_steering_.lag.set_lane(lane, gear.lag);
  power_steering_.max_rate.set_lane(lane, gear.max_rate);
  power_steering_.stiffness.set_lane(lane, gear.stiffness);
  power_steering_.damping.set_lane(lane, gear.damping);
  power_steering_.max_torque.set_lane(lane, gear.max_torque);
  air_.drag_area.set_lane(lane, e.air.drag_area);
  air_.density.set_lane(lane, e.air.density);
  set_lane(&air_.center, lane, e.air.center);
  set_lane(&body_box_.min, lane, driven.body_contact().box().min);
  set_lane(&body_box_.max, lane, driven.body_contact().box().max);
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    limits_[i].set_lane(lane, car->limits()[i]);
    bend_limits_[i].set_lane(lane, car->bend_limits()[i]);
  }
  drivelines_[static_cast<std::size_t>(lane)] = &e.driveline;
  grounds_[static_cast<std::size_t>(lane)] = &driven.ground();
}

template <int N>
void LaneVehicles<N>::take_state(int lane) {
  const DriveState& state = cars_[static_cast<std::size_t>(lane)]->state();
  take_inputs(lane);
  for (std::size_t i = 0; i < state.q.size(); ++i) begin_.q[i].set_lane(lane, state.q[i]);
  for (std::size_t i = 0; i < state.v.size(); ++i) begin_.v[i].set_lane(lane, state.v[i]);
}

template <int N>
void LaneVehicles<N>::write_state(int lane, DriveState* state) const {
  for (std::size_t i = 0; i < begin_.q.size(); ++i) state->q[i] = begin_.q[i].lane(lane);
  for (std::size_t i = 0; i < begin_.v.size(); ++i) state->v[i] = begin_.v[i].lane(lane);
}

template <int N>
void LaneVehicles<N>::take_inputs(int lane) {
  const auto i = static_cast<std::size_t>(lane);
  const DriveInputs& inputs = cars_[i]->car().inputs();
  steering_request_.set_lane(lane, inputs.steering);
  brake_request_.set_lane(lane, inputs.brake);
  parking_brake_.set_lane(lane, inputs.parking_brake);
  is_low_range_.pack[lane] = inputs.is_low_range ? -1 : 0;
  drive_inputs_[i] = {inputs.throttle, inputs.is_low_range, inputs.gear};
}

template <int N>
int LaneVehicles<N>::evaluations_per_step() const {
  switch (structure_.method) {
    case integrate::FixedStep::kSemiImplicitEuler:
      return 1;
    case integrate::FixedStep::kMidpoint:
      return 2;
    case integrate::FixedStep::kRungeKutta4:
      break;
  }
  return 4;
}

template <int N>
typename LaneVehicles<N>::Flags LaneVehicles<N>::step() {
  const Flags is_near_ground = find_bodies_near_ground();
  bool has_value = false;
  try {
    has_value = try_step();
  } catch (const FileError&) {  // ground that cannot be read, in one lane or more
  }
  if (!has_value) return step_one_by_one(is_near_ground);
  std::swap(begin_.q, end_.q);
  std::swap(begin_.v, end_.v);
  Flags is_whole;
  for (std::size_t i = 0; i < is_whole.size(); ++i) is_whole[i] = !is_near_ground[i];
  return is_whole;
}

// The body's contact has no lanes. A box around the body's points is far from most planes.
template <int N>
typename LaneVehicles<N>::Flags LaneVehicles<N>::find_bodies_near_ground() {
  constexpr double kMaxReach = 0.1, kFastest = 50;  // [m], [m/s]: as far as a body gets in a step
  Flags is_near;
  is_near.fill(false);
  const T* q = begin_.q.data();
  const math::Mat3<T> R_WM = R_WF_ * math::rotation_of_quaternion(q[0], q[1], q[2], q[3]),
                      R_WB = R_WM * R_MB_;
  const Vec3<T> p_WB = p_WF_ + R_WF_ * Vec3<T>(q[4], q[5], q[6]) + R_WM * p_MB_;
  const T reach = min(T(kMaxReach), kFastest * h_);
  if (tire_lanes_ == TireLanes::kOnPlanes &&
      all(calc_lowest_height(plane_, R_WB, p_WB, body_box_) > reach))
    return is_near;
  for (int i = 0; i < N; ++i) {
    if (is_empty(i)) continue;
    BodyMotion body;
    for (int k = 0; k < 3; ++k) body.R_WB.c[k] = lane_of(R_WB.c[k], i);
    body.p_WB = lane_of(p_WB, i);
    const auto lane = static_cast<std::size_t>(i);
    is_near[lane] = cars_[lane]->car().is_body_near_ground(body, reach.lane(i));
  }
  return is_near;
}

// From begin_ to end_; false if not all lanes have a value that is plausible.
template <int N>
bool LaneVehicles<N>::try_step() {
  using namespace integrate::internal;
  const auto calc = [this](const T& /*part*/, StepPoint<T>* at) { return calc_rates(at); };
  bool has_value = false;
  switch (structure_.method) {
    case integrate::FixedStep::kSemiImplicitEuler:
      has_value = step_semi_implicit_euler(h_, coordinates_, calc, &begin_, &work_, &end_);
      break;
    case integrate::FixedStep::kMidpoint:
      has_value = step_runge_kutta(kMidpointRule, h_, coordinates_, calc, &begin_, &work_, &end_);
      break;
    case integrate::FixedStep::kRungeKutta4:
      has_value = step_runge_kutta(kKuttaRule, h_, coordinates_, calc, &begin_, &work_, &end_);
      break;
  }
  if (!has_value) return false;
  T excess(-HUGE_VAL);
  for (std::size_t i = 0; i < end_.v.size(); ++i)
    excess = max(excess, T(abs(end_.v[i]) - limits_[i]));
  if (structure_.method != integrate::FixedStep::kSemiImplicitEuler) {
    for (std::size_t i = 0; i < end_.v.size(); ++i)
      excess = max(excess, T(abs(h_ * (work_.v_sum[i] - begin_.v_dot[i])) - bend_limits_[i]));
  }
  const T zero = sum_of_zeros(end_.q) + sum_of_zeros(end_.v);
  return all(excess <= 0.0 && zero == 0.0);
}

// Each lane by itself, in all lanes: what the others do cannot matter. Rare, and allocates.
template <int N>
typename LaneVehicles<N>::Flags LaneVehicles<N>::step_one_by_one(const Flags& is_near_ground) {
  Flags has_value;
  for (int i = 0; i < N; ++i) {
    const auto lane = static_cast<std::size_t>(i);
    has_value[lane] = false;
    if (is_empty(i) || is_near_ground[lane]) continue;
    LaneVehicles alone(*this);
    for (int k = 0; k < N; ++k)
      if (k != i) alone.copy_lane(i, k);
    alone.compare_grounds();
    try {
      has_value[lane] = alone.try_step();
    } catch (const FileError&) {  // ground that cannot be read: the car itself says which
    }
    if (!has_value[lane]) continue;
    for (std::size_t k = 0; k < begin_.q.size(); ++k)
      begin_.q[k].set_lane(i, alone.end_.q[k].lane(i));
    for (std::size_t k = 0; k < begin_.v.size(); ++k)
      begin_.v[k].set_lane(i, alone.end_.v[k].lane(i));
  }
  // Empty lanes go on with a lane that has a value.
  const auto* sound = std::ranges::find(has_value, true);
  for (int i = 0; i < N && sound != has_value.end(); ++i)
    if (is_empty(i)) copy_lane(static_cast<int>(sound - has_value.begin()), i);
  if (sound != has_value.end()) compare_grounds();
  return has_value;
}

template <int N>
bool LaneVehicles<N>::calc_rates(integrate::internal::StepPoint<T>* at) {
  const T *q = at->q.data(), *v = at->v.data();
  T* v_dot = at->v_dot.data();
  if (code_.motion(parameters_.data(), q, v, code_work_.data()) != 0) return false;
  base_.R_WM = R_WF_ * math::rotation_of_quaternion(q[0], q[1], q[2], q[3]);
  const Vec3<T> w(v[0], v[1], v[2]), v_M(v[3], v[4], v[5]);
  R_WB_ = base_.R_WM * R_MB_;
  base_.p_WM = p_WF_ + R_WF_ * Vec3<T>(q[4], q[5], q[6]);
  w_WB_ = base_.R_WM * w;
  v_WB_ = base_.R_WM * (v_M + cross(w, p_MB_));
  for (std::size_t i = 0; i < structure_.wheels.size(); ++i)
    motions_[i] = calc_wheel_motion(structure_.wheels[i], code_work_.data(), base_, w, v_M, v);
  calc_tires(v, v_dot);
  calc_axles(v, v_dot);
  T position(0), rate(0);
  if (structure_.steering >= 0) {
    position = q[structure_.steering + 1];  // the quaternion has one entry more
    rate = v[structure_.steering];
  }
  steering_load_ = calc_power_steering(power_steering_, steering_request_,
                                       v[structure_.places.power_steering], position, rate);
  v_dot[structure_.places.power_steering] = steering_load_.rate;
  air_load_ = calc_air_load(air_, R_WB_, v_WB_, w_WB_);
  if (!calc_accelerations(q, v, v_dot)) return false;
  WheelPowers<T> powers;
  for (std::size_t i = 0; i < structure_.wheels.size(); ++i)
    powers.add(drive_torques_[i], brake_torques_[i], shaft_speeds_[i], forces_[i]);
  calc_account_rates(powers, drive_.engine_torque, v[structure_.places.engine], engine_inertia_,
                     drive_.engine_rate, air_load_.power, steering_load_.torque, rate,
                     v_dot + structure_.places.accounts);
  return all(sum_of_zeros(at->v_dot) == 0.0);
}

template <int N>
void LaneVehicles<N>::calc_tires(const T* v, T* v_dot) {
  if (tire_lanes_ == TireLanes::kCarByCar) calc_tires_of_each(v);
  for (std::size_t i = 0; i < structure_.wheels.size(); ++i) {
    if (tire_lanes_ == TireLanes::kCarByCar) break;
    const RigidGround& rigid = rigid_ground_of(*ground_, i);
    const T* at = v + structure_.places.tires + 2 * i;
    const tire::TireState<T> tread{at[0], at[1]};
    if (tire_lanes_ == TireLanes::kOnPlanes) {
      forces_[i] = calc_wheel_on_plane(rigid.tire, plane_, motions_[i], tread);
    } else {
      forces_[i] = calc_wheel_on_ground(rigid.tire, rigid.contact, ground_->terrain(), &*cache_,
                                        motions_[i], tread);
    }
  }
  for (std::size_t i = 0; i < structure_.wheels.size(); ++i) {
    v_dot[structure_.places.tires + 2 * i] = forces_[i].rates.u;
    v_dot[structure_.places.tires + 2 * i + 1] = forces_[i].rates.w;
  }
}

// Cars with tires or terrains of their own: all wheels of a car at once. The same formulas, and so the
// same bits.
template <int N>
void LaneVehicles<N>::calc_tires_of_each(const T* v) {
  for (int lane = 0; lane < N; ++lane) {
    for (std::size_t i = 0; i < structure_.wheels.size(); ++i) {
      const WheelMotion<T>& motion = motions_[i];
      car_motions_[i] = {lane_of(motion.center, lane), lane_of(motion.axis, lane),
                         lane_of(motion.velocity, lane), lane_of(motion.hub_turn_rate, lane),
                         motion.spin.lane(lane)};
      const T* tread = v + structure_.places.tires + 2 * i;
      car_treads_[i] = {tread[0].lane(lane), tread[1].lane(lane)};
    }
    grounds_[static_cast<std::size_t>(lane)]->calc_in_lanes(car_motions_, car_treads_, car_forces_);
    for (std::size_t i = 0; i < structure_.wheels.size(); ++i) {
      const WheelForces<double>& from = car_forces_[i];
      WheelForces<T>& to = forces_[i];
      set_lane(&to.force, lane, from.force);
      set_lane(&to.torque, lane, from.torque);
      to.rates.u.set_lane(lane, from.rates.u);
      to.rates.w.set_lane(lane, from.rates.w);
      to.sliding_power.set_lane(lane, from.sliding_power);
      to.damping_power.set_lane(lane, from.damping_power);
      to.rolling_power.set_lane(lane, from.rolling_power);
      to.stored_power.set_lane(lane, from.stored_power);
      to.tread_power.set_lane(lane, from.tread_power);
    }
  }
}

// Engine, converter and gearbox are tables and decisions: one lane after the other. Differentials and
// brakes are in lanes.
template <int N>
void LaneVehicles<N>::calc_axles(const T* v, T* v_dot) {
  for (std::size_t i = 0; i < structure_.wheels.size(); ++i)
    shaft_speeds_[i] = calc_shaft_speed(motions_[i], wheel_parameters_[i].reaction_share, w_WB_);
  std::array<T, driveline::kMaxDifferentials> cases;
  calc_case_speeds(differentials_, std::span<const T>(shaft_speeds_), std::span<T>(cases));
  for (int lane = 0; lane < N; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    const driveline::DrivelineResult<double> one =
        calc_engine_side(*drivelines_[i], drive_inputs_[i], v[structure_.places.engine].lane(lane),
                         cases[0].lane(lane));
    drive_.engine_rate.set_lane(lane, one.engine_rate);
    drive_.engine_torque.set_lane(lane, one.engine_torque);
    drive_.output_torque.set_lane(lane, one.output_torque);
  }
  split_torque(differentials_, is_low_range_, 0, drive_.output_torque,
               std::span<const T>(shaft_speeds_), std::span<const T>(cases),
               std::span<T>(drive_torques_));
  v_dot[structure_.places.engine] = drive_.engine_rate;
  const T pressure = v[structure_.places.pressure];
  v_dot[structure_.places.pressure] = (brake_request_ - pressure) / brake_lag_;
  for (std::size_t i = 0; i < structure_.wheels.size(); ++i) {
    const Wheel& wheel = wheel_parameters_[i];
    const driveline::BrakeTorque<T> brake = calc_brake(
        wheel.brake,
        T(max(calc_valve(wheel.valve, pressure), T(wheel.has_parking_brake * parking_brake_))),
        shaft_speeds_[i], v[structure_.places.brakes + static_cast<int>(i)]);
    v_dot[structure_.places.brakes + static_cast<int>(i)] = brake.twist_rate;
    brake_torques_[i] = brake.torque;
  }
}

template <int N>
bool LaneVehicles<N>::calc_accelerations(const T* q, const T* v, T* v_dot) {
  // In place: loads are added to other numbers than those that say where they act.
  T* work = code_work_.data();
  for (std::size_t i = 0; i < structure_.wheels.size(); ++i) {
    const WheelLoad<T> load{forces_[i].force, forces_[i].torque,
                            drive_torques_[i] + brake_torques_[i]};
    add_wheel_load(structure_.wheels[i], wheel_parameters_[i].axial_inertia, load,
                   wheel_parameters_[i].reaction_share, base_.R_WM, work, work);
  }
  if (structure_.steering >= 0)
    work[structure_.steering_force.place] += structure_.steering_force.sign * steering_load_.torque;
  const Vec3<T> force = transpose_times(base_.R_WM, air_load_.force),
                torque = transpose_times(base_.R_WM, air_load_.torque);
  add_to_base(structure_.base_force, Vec3<T>(torque + cross(p_MB_, force)), force, work);
  return code_.solve(parameters_.data(), q, v, work, v_dot) == 0;
}

template class LaneVehicles<4>;
template class LaneVehicles<8>;

}  // namespace camber::dynamics
