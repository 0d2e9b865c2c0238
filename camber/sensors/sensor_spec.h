#pragma once

// Specification of a sensor by its file and the scenario's [[sensor]] table: plain values in SI
// units and radians (docs/manual/sensors.md). sensor_file.h reads them, make_sensor() in sensor.h
// makes the sensor.
//
// To add a kind: a struct here, its alternative and its word below, read_keys() in sensor_file.cc,
// a class derived from Sensor, and its line in make_sensor().

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "camber/math/vec3.h"
#include "camber/sensors/motion_track.h"
#include "camber/sensors/wgs84.h"

namespace camber::sensors {

/// The body whose frame is the vehicle's.
inline constexpr std::string_view kChassis = "chassis";

/// Where a sensor is fixed: on any body of the vehicle's mechanism.
struct Mount {
  std::string body = std::string(kChassis);
  Pose pose;  // of the sensor's frame S in the body's frame: p_BS, R_BS
};

/// kIdeal: the truth at once. kFull: with all errors and with latency.
enum class Fidelity { kIdeal, kFull };
inline constexpr std::string_view kFidelityWords[] = {"ideal", "full"};

/// When measurements are taken and when they arrive.
struct Timing {
  double rate = 10;    // [Hz]
  double phase = 0;    // time of the first measurement [s]
  double latency = 0;  // from the end of a measurement until it is available, at least [s]
  double jitter = 0;   // further delay, uniform from 0 to this [s]
};

struct ImuSpec {
  /// Errors of the three axes of gyroscope [rad/s] or accelerometer [m/s^2].
  struct Axes {
    double noise = 0;             // white, density [unit/sqrt(Hz)]
    double bias = 0;              // at switch-on, 1 sigma [unit]
    double bias_walk = 0;         // density of the bias' rate [unit/s/sqrt(Hz)]
    double bias_instability = 0;  // flat part of the Allan deviation [unit]
    double scale = 0;             // error of the scale factor, 1 sigma [1]
    double range = 0;             // saturation; 0: none [unit]
    double quantum = 0;           // of the output; 0: none [unit]
    double per_kelvin = 0;        // drift with temperature [unit/K]
  };
  Axes gyro, accelerometer;
  double misalignment = 0;        // of each axis, about each of the two others, 1 sigma [rad]
  double instability_time = 300;  // correlation time of the bias instability [s]
  double temperature_rise = 0;    // from switch-on until it is warm [K]
  double temperature_time = 600;  // time constant of the rise [s]
};

struct GnssSpec {
  Geodetic origin{0.7408922674987, -1.4491468797, 190};  // of the world's frame
  double heading = 0;              // of the world's x-axis, from east to north [rad]
  double horizontal = 1.5;         // slow error of position, 1 sigma of east and of north [m]
  double vertical = 3;             // [m]
  double correlation_time = 120;   // [s]
  double white = 0.3;              // fast error of each coordinate, 1 sigma [m]
  double velocity = 0.05;          // error of each velocity, 1 sigma [m/s]
  double ppm = 0;                  // of the distance to the base station, added to 1 sigma [1e-6]
  double baseline = 0;             // distance to the base station [m]
  bool has_sky_mask = false;       // satellites behind objects and ground are lost
  double elevation_mask = 0.1745;  // satellites below are not used [rad]
  double range_sigma = 1;          // of a satellite's range, for the sky mask [m]
  double time_of_day = 43200;      // where satellites are at t = 0 [s]
  bool has_multipath = false;      // with a sky mask: reflections at walls
  double wall_reflection = 0.4;    // amplitude of a reflected signal over the direct one [1]
};

struct OdometrySpec {
  int ticks = 48;           // per revolution of a wheel
  double radius_error = 0;  // of the radius that is assumed, 1 sigma, relative [1]
  double min_speed = 0;     // below, a wheel counts as standing [m/s]
  double radius = 0;        // that is assumed; 0: the tire's rolling radius [m]
};

/// Signals of the vehicle's bus.
struct BusSpec {
  double steering_quantum = 0.0017453;  // angle of the steering wheel [rad]
  double brake_quantum = 0.005;         // brake pressure, 0 to 1
  double pedal_quantum = 0.004;         // throttle and brake pedal, 0 to 1
  double engine_quantum = 0.0261799;    // engine speed [rad/s]
};

/// What fills the air.
struct Weather {
  double rain = 0;        // [mm/h]
  double visibility = 0;  // in fog; 0: clear [m]
  double dust = 0;        // extinction [1/m]
};

struct LidarSpec {
  enum class Pattern { kSpinning, kFlash, kRaster, kTable };
  enum class Returns { kStrongest, kLast, kDual };
  Pattern pattern = Pattern::kSpinning;
  // Spinning: lasers in firing order, `lasers_per_slot` at once; angles to the left and up.
  std::vector<double> elevation = {}, azimuth_offset = {};       // [rad]
  std::vector<double> height_offset = {}, left_offset = {};      // of the origins [m]; empty: 0
  double firing_cycle = 55.296e-6, channel_interval = 2.304e-6;  // [s]
  int lasers_per_slot = 1;
  bool is_clockwise = true;  // seen from above
  // Flash and raster: a picture of rays, uniform in the angles' tangents (flash) or angles (raster).
  int columns = 128, rows = 128;
  std::array<double, 2> azimuth_range = {-0.3927, 0.3927}, elevation_range = {-0.3927, 0.3927};
  // Table: (time [s], azimuth [rad], elevation [rad]) of each ray of a scan.
  std::vector<std::array<double, 3>> table = {};

  double max_range = 100, min_range = 0.9;  // of the reference target; of all [m]
  double reference_reflectivity = 0.8;      // for which max_range holds [1]
  double max_incidence = 1.4835;            // [rad]
  double sigma = 0.015;                     // of the range at high signal [m]
  double bias = 0;                          // 1 sigma of an offset of all ranges of the unit [m]
  double angle_sigma = 0;                   // of azimuth and elevation [rad]
  double quantum = 0.002;                   // of the range [m]
  std::array<double, 2> divergence = {0.003, 0.0015};  // full angle across, up [rad]
  int sub_rays = 1;                                    // per beam: 1, 4 or 9
  double pulse_length = 0.75;  // surfaces closer than this give one return [m]
  double wavelength = 903e-9;  // [m]
  double dropout = 0.002;      // share of returns that are lost
  Returns returns = Returns::kStrongest;
  bool sees_own_vehicle = true;
  Weather weather = {};
};
inline constexpr std::string_view kLidarPatternWords[] = {"spinning", "flash", "raster", "table"};
inline constexpr std::string_view kLidarReturnsWords[] = {"strongest", "last", "dual"};

struct CameraSpec {
  int width = 640, height = 360;
  double field_of_view = 1.2217;          // across the width [rad]
  double k1 = 0, k2 = 0, p1 = 0, p2 = 0;  // distortion [Brown 1966]
  double vignetting = 0;                  // 0: even light, 1: that of a thin lens, cos^4 [1]
  double readout = 0.02;                  // from the first line to the last; 0: all at once [s]
  double read_noise = 3;                  // [electrons]
  double full_well = 10000;               // electrons of a white pixel
  double exposure = 1;                    // factor on the radiance [1]
  bool has_auto_exposure = false;         // the factor makes the mean of a picture a middle gray
  double exposure_time = 0;               // in which things blur [s]
  int blur_samples = 1;                   // moments of the exposure that are cast
  bool has_flow = false;                  // optical flow, too
  double max_depth = 200;                 // of the depth image [m]
  double baseline = 0;                    // > 0: a stereo pair, the second camera to the right [m]
  double disparity_sigma = 0.25;          // [pixel]
  bool sees_own_vehicle = true;
  Weather weather = {};
  /// The sun at a date and place; without a date it is 57 deg high.
  std::optional<double> date = {};  // days since 2000-01-01 12:00 UTC, at t = 0
  double latitude = 0.7408922674987, longitude = -1.4491468797;  // [rad]
  double heading = 0;  // of the world's x-axis, from east to north [rad]
};

struct RadarSpec {
  std::array<double, 2> range = {0.2, 250};                               // [m]
  std::array<double, 2> azimuth_range = {-0.157, 0.157};                  // [rad]
  std::array<double, 2> elevation_range = {-0.087, 0.087};                // [rad]
  double range_sigma = 0.4, azimuth_sigma = 0.0017, speed_sigma = 0.028;  // [m], [rad], [m/s]
  double ray_spacing = 0.0087;          // between the rays that find objects [rad]
  double reference_cross_section = 10;  // whose detection is even at the max range [dBsm]
  int max_objects = 64;
  std::array<double, 2> beam_width = {0,
                                      0};  // half power, across, up; 0: the same everywhere [rad]
  bool has_ground_multipath = false;       // the way over the ground, too
  double wavelength = 3.893e-3;            // 77 GHz [m]
  double ground_permittivity = 5;          // relative, of asphalt [1]
  double ground_roughness = 3e-4;          // rms height of the ground between wavelengths [m]
  bool has_fluctuation = true;             // of cross sections from scan to scan (Swerling 1)
  bool has_ghosts = false;                 // objects in the mirror of a wall, too
  double wall_reflection = 0.4;            // amplitude after a reflection over that before [1]
};

using SensorKind =
    std::variant<ImuSpec, GnssSpec, OdometrySpec, BusSpec, LidarSpec, CameraSpec, RadarSpec>;
inline constexpr std::string_view kSensorKindWords[] = {
    "imu", "gnss", "wheel_odometry", "vehicle_bus", "lidar", "camera", "radar"};

/// Files of the run folder that get a sensor's scans and pictures.
enum class ScanFiles { kNone, kPcd, kLas, kBoth };
inline constexpr std::string_view kScanFilesWords[] = {"none", "pcd", "las", "both"};

struct SensorSpec {
  std::string name;   // of the sensor in its run
  std::string model;  // file that its values come from; empty: none
  std::string like;   // the product that its values are taken from
  Mount mount;
  Timing timing;
  Fidelity fidelity = Fidelity::kFull;
  ScanFiles files = ScanFiles::kPcd;  // of a camera: PNG unless kNone
  int save_every = 1;                 // 10: every tenth scan or picture
  int threads = 1;                    // that cast its rays; the results do not depend on it
  SensorKind kind;

  std::string_view kind_word() const { return kSensorKindWords[kind.index()]; }
};

}  // namespace camber::sensors
