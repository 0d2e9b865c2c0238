#pragma once

// Vehicles of one structure in the lanes of registers, each with its own parameters, state, inputs
// and step:
//
//   LaneVehicles<8> lanes(first);                       // its structure
//   lanes.put(3, &car);                                 // parameters, state and inputs of a car
//   lanes.set_step(3, 0.001);
//   const auto has_value = lanes.step();                // one integration step of all lanes
//   lanes.write_state(3, &state);                       // has_value[3]: on to the car
//
// Formulas are the templates that DrivenVehicle runs on doubles. In each lane they give the same
// bits as in any other lane, with any neighbors, in lanes of four and of eight. Compared with a
// vehicle in doubles, the last digits differ because of the chassis' generated code
// (docs/theory/lanes.md).

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "camber/dynamics/full_vehicle.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/vehicle_formulas.h"
#include "camber/integrate/runge_kutta.h"

namespace camber::dynamics {

using GeneratedVehicle = FullVehicle<GeneratedChassis>;

/// Why a vehicle cannot be stepped in lanes of 4 or 8: a phrase that starts with the hindering part;
/// empty if it can. Compiles its code for lanes if that was not done before.
std::string find_lane_hindrance(GeneratedVehicle* car, int lanes);

/// Properties that vehicles must have in common to share lanes.
struct LaneStructure {
  explicit LaneStructure(GeneratedVehicle* car);
  bool operator==(const LaneStructure& other) const;

  const VehicleCode* code = nullptr;  // loaded code stays, so that its address is its name
  std::size_t parameters = 0, work_size = 0;
  std::vector<mechanism_code::WheelPlaces> wheels;  // but for their inertias
  std::vector<std::array<driveline::DriveOutput, 2>> differentials;
  std::vector<integrate::CoordinateBlock> blocks;
  int steering = -1, base_force = -1;
  mechanism_code::ForcePlace steering_force;
  StatePlaces places;
  int nq = 0, nv = 0;  // the vehicle's coordinates and speeds
  integrate::FixedStep method;
};

template <int N>
class LaneVehicles {
 public:
  using T = math::Lanes<N>;
  using Flags = std::array<bool, N>;

  /// All lanes are empty. Throws std::invalid_argument with what find_lane_hindrance() says.
  explicit LaneVehicles(GeneratedVehicle* like);
  const LaneStructure& structure() const { return structure_; }

  /// The car's parameters, state and inputs from now on, until put() or take_out(). The car must
  /// exist until then and have the same structure.
  void put(int lane, GeneratedVehicle* car);
  void take_out(int lane);
  bool is_empty(int lane) const { return cars_[static_cast<std::size_t>(lane)] == nullptr; }

  /// Reads the present inputs of the car in a lane; inputs and state.
  void take_inputs(int lane);
  void take_state(int lane);
  /// Length of the steps of a lane [s].
  void set_step(int lane, double h) { h_.set_lane(lane, h); }

  /// One step of all lanes that are not empty. False: the lane has no value, is beyond a limit of
  /// plausibility, its step is too long (FullVehicle::bend_limits()), its body may touch the ground, or
  /// its ground cannot be read. The car itself then makes the step, in parts if necessary, or gives the
  /// reason. Other lanes are not affected. Allocates nothing unless a lane fails.
  Flags step();

  /// Stores a lane's state.
  void write_state(int lane, DriveState* state) const;
  int evaluations_per_step() const;

 private:
  using Mask = math::LaneMask<N>;

  void read_parameters(int lane, GeneratedVehicle* car);
  /// Copies all of one lane to another.
  void copy_lane(int from, int to);
  template <class Visit>
  void visit_parameters(const Visit& visit);
  void compare_grounds();
  bool try_step();
  Flags step_one_by_one(const Flags& is_near_ground);
  Flags find_bodies_near_ground();

  bool calc_rates(integrate::internal::StepPoint<T>* at);
  void calc_tires(const T* v, T* v_dot);
  void calc_tires_of_each(const T* v);
  void calc_axles(const T* v, T* v_dot);
  bool calc_accelerations(const T* q, const T* v, T* v_dot);

  // --- Structure ---
  LaneStructure structure_;
  LaneCode<N> code_;
  integrate::Coordinates coordinates_;

  // --- Parameters, one per lane ---
  std::array<GeneratedVehicle*, N> cars_ = {};
  std::vector<T> parameters_;  // the generated code's, one register each
  math::Mat3<T> R_WF_, R_MB_;
  Vec3<T> p_WF_, p_MB_;
  struct Wheel {
    T axial_inertia{1}, reaction_share{1}, has_parking_brake{0};
    driveline::BasicBrake<T> brake;
    BasicBrakeValve<T> valve;
  };
  std::vector<Wheel> wheel_parameters_;
  std::vector<driveline::BasicDifferentialNode<T>> differentials_;
  T brake_lag_{1}, engine_inertia_{1};
  PowerSteering<T> power_steering_;
  BasicAirDrag<T> air_;
  BasicBodyBox<T> body_box_;
  std::vector<T> limits_, bend_limits_;  // of v
  std::array<const driveline::Driveline*, N> drivelines_ = {};
  std::array<Ground*, N> grounds_ = {};
  /// How tires are computed: in lanes where all cars have equal ones, on planes of their own or on
  /// one terrain; else car by car, all wheels of a car together. Bits are the same.
  enum class TireLanes { kOnPlanes, kOnTerrain, kCarByCar };
  TireLanes tire_lanes_ = TireLanes::kCarByCar;
  const Ground* ground_ = nullptr;  // of the first lane
  PlaneGround<T> plane_;
  std::optional<terrain::TerrainCache> cache_;  // kOnTerrain

  // --- Inputs, one per lane ---
  T steering_request_{0}, brake_request_{0}, parking_brake_{0}, h_{0.001};
  Mask is_low_range_ = false;
  std::array<driveline::DriveInputs, N> drive_inputs_ = {};

  // --- State and memory of a step ---
  integrate::internal::StepPoint<T> begin_, end_;
  integrate::internal::StepWork<T> work_;
  std::vector<T> code_work_;
  BasePose<T> base_;
  math::Mat3<T> R_WB_;
  Vec3<T> w_WB_, v_WB_;
  std::vector<WheelMotion<T>> motions_;
  std::vector<WheelForces<T>> forces_;
  std::vector<T> shaft_speeds_, drive_torques_, brake_torques_;
  driveline::DrivelineResult<T> drive_;
  SteeringLoad<T> steering_load_;
  AirLoad<T> air_load_;
  // Data of one car at a time.
  std::vector<WheelMotion<double>> car_motions_;
  std::vector<tire::TireState<double>> car_treads_;
  std::vector<WheelForces<double>> car_forces_;
};

}  // namespace camber::dynamics
