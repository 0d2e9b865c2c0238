#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "camber/drive/chassis_loads.h"
#include "camber/generate/compiled_vehicle.h"
#include "camber/generate/vehicle_program.h"
#include "camber/vehicle/expand.h"

namespace camber::drive {

/// A vehicle's chassis and suspension by generated code, which computes the wheels' motion on the
/// way to the accelerations: the fastest there is. Its state is that of the independent coordinates
/// (generate::VehicleProgram). One per thread.
class GeneratedChassis {
 public:
  /// The library's own code where it has it, else what the system's compiler makes of it now or
  /// made before. Throws std::invalid_argument that names what cannot be generated (a wheel that is
  /// not round, a chassis that is held, ...), and what generate::CompiledVehicle throws.
  explicit GeneratedChassis(const vehicle::VehicleMechanism& vehicle,
                            const generate::CompileOptions& options = {});
  /// The same for a mechanism: bodies of its wheels in the order of wheel(i), and the joint that
  /// steers; empty: none.
  GeneratedChassis(const multibody::Mechanism& mechanism, const std::vector<std::string>& wheels,
                   const std::string& steering, const generate::CompileOptions& options = {});

  int nq() const { return program_->nq; }
  int nv() const { return program_->nv; }
  int wheel_count() const { return static_cast<int>(wheels_.size()); }
  std::span<const double> initial_q() const { return q0_; }
  std::span<const double> initial_v() const { return v0_; }
  const std::string& wheel_name(int i) const { return wheels_[i].name; }
  const generate::VehicleProgram& program() const { return *program_; }
  /// Or it was compiled for this vehicle.
  bool is_of_library() const { return compiled_ == nullptr; }

  /// Closes the loops and finds how everything moves; false where that is not possible: why().
  bool calc_motion(double t, std::span<const double> q, std::span<const double> v);
  // After it:
  WheelMotion<double> wheel(int i) const { return wheels_[i].motion; }
  const BodyMotion& body() const { return body_; }
  SteeringMotion steering() const;
  bool calc_accelerations(const ChassisLoads& loads, std::span<double> v_dot);

  void calc_position_rates(std::span<const double> q, std::span<const double> v,
                           std::span<double> q_dot) const;
  /// Behind a step: a quaternion of unit length. Loops are closed at any state.
  bool project(double t, std::span<double> q, std::span<double> v) const;

  const std::string& why() const { return why_; }

 private:
  struct Wheel {
    std::string name;
    generate::WheelPlaces places;
    WheelMotion<double> motion;
  };
  using Function = generate::CompiledVehicle::Function;
  using SolveFunction = generate::CompiledVehicle::SolveFunction;

  void find_code(const generate::CompileOptions& options);
  void find_base(const multibody::Mechanism& mechanism);
  void add_wheel(const multibody::Mechanism& mechanism, const std::string& body);
  void move_wheel(Wheel* wheel) const;
  void add_load(const Wheel& wheel, const WheelLoad<double>& load, double reaction_share);
  Vec3<double> at(int place) const;  // three numbers of work_
  void add_to_base(int place, const Vec3<double>& moment, const Vec3<double>& force);

  std::unique_ptr<generate::VehicleProgram> program_;
  std::unique_ptr<generate::CompiledVehicle> compiled_;  // null: the library's
  Function motion_ = nullptr;
  SolveFunction solve_ = nullptr;
  std::vector<Wheel> wheels_;
  int steering_ = -1;  // its speed; -1: none
  // The base's joint: F on the world, M on the chassis body B.
  math::Mat3<double> R_WF_ = math::Mat3<double>::identity(), R_MB_ = R_WF_;
  Vec3<double> p_WF_, p_MB_;

  std::vector<double> q0_, v0_, q_, v_;
  std::vector<double> work_, loaded_;  // without and with loads
  math::Mat3<double> R_WM_ = R_WF_;
  BodyMotion body_;
  std::string why_;
};

}  // namespace camber::drive
