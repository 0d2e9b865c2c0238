#pragma once

// The names of the channels of a drive's log, and of their columns that other modules read. They
// are defined only here (docs/manual/logs.md).

namespace camber::record::channel {

inline constexpr const char* kPosition = "chassis/position";
inline constexpr const char* kPositionX = "chassis/position.x";
inline constexpr const char* kPositionY = "chassis/position.y";
inline constexpr const char* kPositionZ = "chassis/position.z";
inline constexpr const char* kAttitude = "chassis/attitude";
inline constexpr const char* kRoll = "chassis/attitude.roll";
inline constexpr const char* kPitch = "chassis/attitude.pitch";
inline constexpr const char* kYaw = "chassis/attitude.yaw";
inline constexpr const char* kVelocity = "chassis/velocity";
inline constexpr const char* kForwardSpeed = "chassis/velocity.forward";
inline constexpr const char* kLateralSpeed = "chassis/velocity.left";
inline constexpr const char* kRates = "chassis/rates";
inline constexpr const char* kYawRate = "chassis/rates.yaw";
inline constexpr const char* kAcceleration = "chassis/acceleration";
inline constexpr const char* kLateralAcceleration = "chassis/acceleration.left";
inline constexpr const char* kForwardAcceleration = "chassis/acceleration.forward";
inline constexpr const char* kVerticalAcceleration = "chassis/acceleration.up";
inline constexpr const char* kSideslip = "chassis/sideslip";
inline constexpr const char* kCommand = "driver/command";
inline constexpr const char* kThrottlePedal = "driver/command.throttle";
inline constexpr const char* kBrakePedal = "driver/command.brake";
inline constexpr const char* kSteerAngle = "steering/angle";
inline constexpr const char* kSteeringWheel = "steering/wheel";
inline constexpr const char* kSteeringWheelAngle = "steering/wheel.angle";
inline constexpr const char* kEngine = "drivetrain/engine";
inline constexpr const char* kGear = "drivetrain/gear";
inline constexpr const char* kClutch = "drivetrain/clutch";
inline constexpr const char* kFuel = "drivetrain/fuel";
inline constexpr const char* kFuelVolume = "drivetrain/fuel.volume";
inline constexpr const char* kBattery = "drivetrain/battery";
inline constexpr const char* kBatteryEnergy = "drivetrain/battery.energy";
inline constexpr const char* kWheelLoad = "wheels/load";
inline constexpr const char* kWheelLongitudinalForce = "wheels/longitudinal_force";
inline constexpr const char* kWheelLateralForce = "wheels/lateral_force";
inline constexpr const char* kWheelSlip = "wheels/slip";
inline constexpr const char* kWheelSlipAngle = "wheels/slip_angle";
inline constexpr const char* kWheelCamber = "wheels/camber";
inline constexpr const char* kWheelSpin = "wheels/spin";
inline constexpr const char* kWheelDeflection = "wheels/deflection";
inline constexpr const char* kWheelSinkage = "wheels/sinkage";
inline constexpr const char* kWheelDriveTorque = "wheels/drive_torque";
inline constexpr const char* kWheelBrakeTorque = "wheels/brake_torque";
inline constexpr const char* kWheelBrakePressure = "wheels/brake_pressure";
inline constexpr const char* kControllers = "controllers/activity";
inline constexpr const char* kWheelTravel = "wheels/travel";
inline constexpr const char* kWheelAligningTorque = "wheels/aligning_torque";
inline constexpr const char* kWheelGroundHeight = "wheels/ground_height";
inline constexpr const char* kAxleLoad = "axles/load";
inline constexpr const char* kAxleLongitudinalForce = "axles/longitudinal_force";
inline constexpr const char* kAxleLateralForce = "axles/lateral_force";
inline constexpr const char* kStrutForce = "suspension/force";
inline constexpr const char* kStrutLength = "suspension/length";
inline constexpr const char* kStrutRate = "suspension/rate";
inline constexpr const char* kBarTwist = "suspension/anti_roll_bar_twist";
inline constexpr const char* kBarTorque = "suspension/anti_roll_bar_torque";
inline constexpr const char* kRodForce = "joints/rods";
inline constexpr const char* kJointLoads = "joints/reactions";
inline constexpr const char* kAccelerometers = "accelerometers/";  // and its name
inline constexpr const char* kCoordinates = "coordinates/q";
inline constexpr const char* kEnergy = "energy/balance";
inline constexpr const char* kEnergyError = "energy/balance.error";
inline constexpr const char* kTireEnergy = "energy/tires";
inline constexpr const char* kPathDeviation = "path/deviation";
inline constexpr const char* kPathTarget = "path/target";
inline constexpr const char* kGoalBehavior = "autonomy/behavior";
inline constexpr const char* kGoalEstimate = "autonomy/estimate";
inline constexpr const char* kGoalTarget = "autonomy/target";
inline constexpr const char* kGoalSpeed = "autonomy/target_speed";
inline constexpr const char* kGoalCurvature = "autonomy/target_curvature";
inline constexpr const char* kGoalFreeLength = "autonomy/free_length";
inline constexpr const char* kGoalDistance = "autonomy/goal_distance";
inline constexpr const char* kClearance = "obstacles/clearance";

}  // namespace camber::record::channel
