#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "camber/codegen/interpreter.h"
#include "camber/dynamics/chassis_formulas.h"
#include "camber/dynamics/chassis_loads.h"
#include "camber/dynamics/mechanism_chassis.h"
#include "camber/integrate/coordinates.h"
#include "camber/math/lanes.h"
#include "camber/mechanism_code/compiled_vehicle.h"
#include "camber/mechanism_code/sketch.h"
#include "camber/mechanism_code/vehicle_program.h"
#include "camber/vehicle/expand.h"

namespace camber::dynamics {

/// The two halves of a vehicle's code for N vehicles at once.
template <int N>
struct LaneCode {
  using L = math::Lanes<N>;
  int (*motion)(const L* p, const L* q, const L* v, L* work) = nullptr;
  int (*solve)(const L* p, const L* q, const L* v, const L* work, L* a) = nullptr;
};

/// Code that is ready to run, for all vehicles of one structure.
struct VehicleCode {
  mechanism_code::ParameterPlan plan;
  mechanism_code::CompiledVehicle::Function motion = nullptr;
  mechanism_code::CompiledVehicle::SolveFunction solve = nullptr;
  std::optional<mechanism_code::CompiledVehicle> compiled = {};  // nothing: it is the library's
  std::string structure = {};
  mechanism_code::CompileOptions options = {};
};

/// The lanes of a vehicle's code. Those of code that is not the library's are compiled when they are
/// asked for the first time, which takes as long as it did for the code: then it throws what
/// mechanism_code::CompiledLanes throws, again each time that it is asked for.
template <int N>
LaneCode<N> find_lane_code(const VehicleCode& code, const multibody::Mechanism& mechanism);

/// A vehicle's chassis and suspension by generated code, which computes the wheels' motion together
/// with the accelerations: the fastest formulation. Its state is that of the independent
/// coordinates (mechanism_code::VehicleProgram): loops are closed at any of them. One per thread.
class GeneratedChassis {
 public:
  /// Uses code of the vehicle's structure: that of the library if it has it, else code that was
  /// compiled earlier; else the code is derived and compiled now. Throws std::invalid_argument that
  /// names what cannot be generated (a chassis that is held, ...), and what
  /// mechanism_code::CompiledVehicle throws.
  explicit GeneratedChassis(const vehicle::VehicleMechanism& vehicle,
                            const mechanism_code::CompileOptions& options = {});
  /// The same, if the caller has the vehicle's chassis by `ce` at its start.
  GeneratedChassis(const vehicle::VehicleMechanism& vehicle, const MechanismChassis& embedded,
                   const mechanism_code::CompileOptions& options = {});

  int nq() const { return program_->nq; }
  int nv() const { return program_->nv; }
  int wheel_count() const { return static_cast<int>(wheels_.size()); }
  std::span<const double> initial_q() const { return q0_; }
  std::span<const double> initial_v() const { return v0_; }
  /// Height of the frame's origin above level ground, as the vehicle's file says [m].
  double design_height() const { return p_WF_[2]; }
  const std::string& wheel_name(int i) const { return wheels_[i].name; }
  /// Between two tires on a wheel's hub [m]; 0: one.
  double dual_spacing(int i) const { return wheels_[i].dual_spacing; }
  static bool is_towed(int /*wheel*/) { return false; }
  /// The wheels of the axle that the steering moves.
  const std::vector<int>& steered_wheels() const { return steered_wheels_; }
  const mechanism_code::VehicleLayout& program() const { return *program_; }
  /// Or its code was compiled.
  bool is_of_library() const { return code_->compiled == std::nullopt; }
  const VehicleCode& code() const { return *code_; }
  /// Joints whose motion the vehicle's file gives.
  bool has_given_motions() const { return motions_.has_value(); }
  const mechanism_code::WheelPlaces& wheel_places(int i) const { return wheels_[i].places; }
  /// The base's joint: from the world to its frame F, from its frame M to the chassis body B.
  struct BaseJoint {
    math::Mat3<double> R_WF, R_MB;
    Vec3<double> p_WF, p_MB;
  };
  BaseJoint base_joint() const { return {R_WF_, R_MB_, p_WF_, p_MB_}; }

  /// Closes the loops and computes the motion of all bodies; false if that is not possible: why().
  bool calc_motion(double t, std::span<const double> q, std::span<const double> v);
  // After it:
  const WheelMotion<double>& wheel(int i) const { return wheels_[i].motion; }
  const BodyMotion& body() const { return body_; }
  const BodyMotion& base(int /*wheel*/) const { return body_; }
  SteeringMotion steering() const;
  bool calc_accelerations(const ChassisLoads& loads, std::span<double> v_dot);
  /// The wheels' motion at other speeds.
  void move_wheels(std::span<const double> v, std::span<WheelMotion<double>> wheels);

  /// Does nothing: the integrators keep quaternions normalized.
  static constexpr bool has_projection() { return false; }
  bool project(double t, std::span<double> q, std::span<double> v) const;
  /// This state in the tree's coordinates; those that loops determine stay as they are.
  void to_tree(std::span<const double> q, std::span<const double> v, std::span<double> tree_q,
               std::span<double> tree_v) const;
  /// Moves the chassis body to a pose; coordinates relative to it do not change.
  void set_pose(const Quaternion& rotation, const Vector3& p_WB, std::span<double> q) const;
  /// Moves q along a displacement, one number per speed; loops stay closed, or it is false: why().
  bool move(std::span<const double> displacement, std::span<double> q);

  // For integrators and messages.
  std::vector<integrate::CoordinateBlock> blocks() const;
  std::vector<std::string> names() const;  // of q, then of v
  /// Places in v: of the chassis body's six, of each corner's coordinates, of each wheel's spin.
  static constexpr int body_speeds() { return 0; }
  const std::vector<int>& corner_speeds(int wheel) const { return wheels_[wheel].speeds; }
  int spin_speed(int wheel) const { return wheels_[wheel].places.v; }
  int steering_speed() const { return steering_; }       // -1 where nothing steers
  static std::vector<int> hitch_speeds() { return {}; }  // there is no trailer
  std::vector<SpeedKind> speed_kinds() const;            // of each of v
  std::vector<int> independent_speeds() const;           // places in v: all of them

  const std::string& why() const { return why_; }

 private:
  struct Wheel {
    std::string name;
    std::vector<int> speeds;  // of its corner
    mechanism_code::WheelPlaces places;
    WheelMotion<double> motion;
    double dual_spacing = 0;  // [m]
  };

  GeneratedChassis(const vehicle::VehicleMechanism& vehicle, const multibody::MechanismDynamics& ce,
                   mechanism_code::Wrenches wrenches,
                   const mechanism_code::CompileOptions& options);
  std::string describe_travel() const;
  void find_base(const vehicle::VehicleMechanism& vehicle);
  void add_wheel(const vehicle::VehicleMechanism& vehicle, const vehicle::Corner& corner);
  void find_start(const multibody::MechanismDynamics& ce);
  void give(double t);                             // the motions that the file gives
  int find_speed(const std::string& joint) const;  // -1: none that is independent

  // Constant: copies of a chassis share them.
  std::shared_ptr<const VehicleCode> code_;
  std::shared_ptr<const mechanism_code::VehicleLayout> program_;
  mechanism_code::CompiledVehicle::Function motion_ = nullptr;
  mechanism_code::CompiledVehicle::SolveFunction solve_ = nullptr;
  integrate::Coordinates coordinates_;
  std::vector<Wheel> wheels_;
  std::vector<int> steered_wheels_;
  int steering_ = -1;        // its speed; -1: none
  int given_steering_ = -1;  // or its place among the joints whose motion is given
  std::optional<codegen::Interpreter<double>> motions_;  // of these
  std::vector<double> given_;
  // The base's joint: F on the world, M on the chassis body B.
  math::Mat3<double> R_WF_ = math::Mat3<double>::identity(), R_MB_ = R_WF_;
  Vec3<double> p_WF_, p_MB_;

  std::vector<double> q0_, v0_, rest_;
  std::vector<double> q_, v_, other_v_;  // with given motions after the state
  double t_ = 0;
  bool has_motion_ = false;            // all below is that of q_ and v_
  std::vector<double> work_, loaded_;  // without and with loads
  BasePose<double> base_;
  BodyMotion body_;
  std::string why_;
};

}  // namespace camber::dynamics
