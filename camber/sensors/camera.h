#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "camber/sensors/motion_track.h"
#include "camber/sensors/sensor_spec.h"

namespace camber::sensors {

/// What a camera delivers for one exposure: rows from the top, columns from the left.
struct CameraImage {
  int width = 0, height = 0;
  double begin = 0;                           // time of the first line [s]
  double period = 0;                          // until the next picture [s]
  Pose pose;                                  // truth: of the camera at that time
  std::vector<std::uint8_t> rgb;              // sRGB
  std::vector<std::uint8_t> right;            // second picture of a stereo pair, otherwise empty
  std::vector<float> depth;                   // truth, along the optical axis; infinite: sky [m]
  std::vector<float> disparity;               // of a stereo pair, with noise; 0: sky [pixel]
  std::vector<std::int32_t> label, instance;  // truth: class; object, -1 the ground, -2 the sky
  /// Truth: velocity in the picture (to the right, down) of what each pixel shows, at the time of its
  /// line; empty if it was not requested [pixel/s].
  std::vector<std::array<float, 2>> flow;
  std::vector<std::string> labels;  // names of the classes
};

/// A point in front of the camera, (x, y) = (left/ahead, up/ahead) with signs (-, -), to where it is
/// with the lens' distortion [Brown 1966]: radial k1, k2 and tangential p1, p2.
std::array<double, 2> distort(const CameraSpec& spec, double x, double y);
/// The inverse, by Newton's method.
std::array<double, 2> undistort(const CameraSpec& spec, double x, double y);
/// Focal length [pixel]: f = width / (2 tan(fov / 2)).
double focal_length(const CameraSpec& spec);
/// Direction of a pixel's middle in the camera's frame (x along the axis, y left, z up), unit.
Vec3<double> pixel_direction(const CameraSpec& spec, double u, double v);

/// Share of the light that reaches the sensor from a unit direction in the camera's frame: that of a
/// thin lens is cos^4 of the angle to the axis, of which `vignetting` counts.
double calc_vignette(const CameraSpec& spec, const Vec3<double>& direction);

/// Velocity in the picture (to the right, down) of a point X in the camera's frame that moves with
/// X_dot in this frame, or of a direction: only their ratios count [pixel/s].
std::array<double, 2> image_velocity(const CameraSpec& spec, const Vec3<double>& X,
                                     const Vec3<double>& X_dot);

/// Writes NAME.png (and NAME-right.png of a stereo pair), NAME-depth.png (16 bit, millimeters, 65535:
/// beyond 65.534 m or sky), NAME-class.png and NAME-instance.png (8 bit; instance + 2), and, with
/// optical flow, NAME-flow.flo [Baker 2007] as displacement until the next picture.
void write_image(const std::string& path_without_ending, const CameraImage& image);

}  // namespace camber::sensors
