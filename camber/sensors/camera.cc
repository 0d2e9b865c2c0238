// Camera: rays through a lens with distortion, each line at its own time (rolling shutter), shaded by
// scene/render. docs/theory/sensors.md, section 5.

#include "camber/sensors/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "camber/scene/daylight.h"
#include "camber/scene/render.h"
#include "camber/sensors/drive_scene.h"
#include "camber/sensors/lidar.h"
#include "camber/sensors/sensor.h"

namespace camber::sensors {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kOwnVehicle = -3;       // in Pixel::instance, beside those of scene/ray.h
constexpr int kTile = 4;              // lines and columns that are cast together
constexpr double kMiddleGray = 0.18;  // mean of a picture with automatic exposure

Vector3 to_eigen(const Vec3<double>& x) { return {x[0], x[1], x[2]}; }

class Camera : public Sensor {
 public:
  Camera(const SensorSpec& spec, const RandomStream& stream)
      : Sensor(spec, stream,
               {{"end", {"s"}, {}, "Time of the last line"},
                {"pose",
                 {"m", "m", "m", "1", "1", "1", "1", "1", "1", "1", "1", "1"},
                 {"x", "y", "z", "r00", "r10", "r20", "r01", "r11", "r21", "r02", "r12", "r22"},
                 "Truth: pose of the camera at the first line, rotation by columns"}}),
        own_(std::get<CameraSpec>(spec.kind)) {
    RandomStream random = constants("pixels");
    key_ = random.bits();
    // Tiles of 4 x 4 pixels, which are cast together.
    for (int row = 0; row < own_.height; row += kTile)
      for (int column = 0; column < own_.width; column += kTile)
        for (int v = row; v < std::min(row + kTile, own_.height); ++v)
          for (int u = column; u < std::min(column + kTile, own_.width); ++u) {
            pixels_.push_back(static_cast<std::uint32_t>(v * own_.width + u));
            directions_.push_back(pixel_direction(own_, u + 0.5, v + 0.5));
          }
    images_.resize(slot_count());
  }

  double reach() const override { return own_.max_depth; }
  double duration() const override { return own_.readout + own_.exposure_time; }
  bool sees_own_vehicle() const override { return own_.sees_own_vehicle; }
  const CameraImage* image(const Sample& sample) const override {
    return &images_[slot_of(sample, images_.size())];
  }
  OwnView find_own_view(const DriveScene& scene) override {
    const double nearest = look_at_own_vehicle(scene, Vec3<double>());
    return {static_cast<double>(own_pixels_.size()) / static_cast<double>(pixels_.size()), nearest};
  }

 protected:
  void measure(const Readings& in, RandomStream*, Sample* sample) override;
  // Pictures are large and never needed twice: after a restore the last ones are empty.

 private:
  double look_at_own_vehicle(const DriveScene& scene, const Vec3<double>& offset);
  scene::Lighting find_light(double time) const;
  void aim(const Readings& in, double begin, const Vec3<double>& offset);
  void cast(const Readings& in, double begin, const scene::Lighting& light,
            std::vector<scene::Pixel>* out);
  void cast_own_vehicle(const Readings& in, const Vec3<double>& offset, scene::Lighting light,
                        std::vector<scene::Pixel>* out) const;
  void find_flow(const Readings& in, const std::vector<scene::Pixel>& seen,
                 CameraImage* image) const;
  void expose(const Readings& in, double begin, const Vec3<double>& offset, CameraImage* truth);
  void keep_truth(const Readings& in, const std::vector<scene::Pixel>& seen,
                  CameraImage* image) const;
  double find_exposure() const;
  void develop(double exposure, const RayRandom& random, std::uint32_t block,
               std::vector<std::uint8_t>* rgb) const;

  CameraSpec own_;
  std::uint64_t key_ = 0;
  std::vector<std::uint32_t> pixels_;      // in the order of casting
  std::vector<Vec3<double>> directions_;   // in the camera's frame
  std::vector<std::uint32_t> own_pixels_;  // places in that order that show the own vehicle
  std::vector<Motion> lines_;              // of the camera at the time of each line
  std::vector<scene::Ray> rays_;
  std::vector<scene::Pixel> seen_;
  std::vector<Vector3> light_;  // radiance of each pixel, in the order of casting
  std::vector<CameraImage> images_;
};

// Returns the shortest distance [m].
double Camera::look_at_own_vehicle(const DriveScene& scene, const Vec3<double>& offset) {
  own_pixels_.clear();
  double nearest = kInfinite;
  // From another body the chassis is seen to move, as part of the scene.
  if (!own_.sees_own_vehicle || !is_on_chassis() || scene.own_vehicle().instance_count() == 0)
    return nearest;
  const Pose& mount = spec().mount.pose;
  rays_.resize(pixels_.size());
  std::vector<scene::Hit> hits(pixels_.size());
  const Vector3 origin = to_eigen(mount.position + mount.rotation * offset);
  for (std::size_t k = 0; k < pixels_.size(); ++k)
    rays_[k] = {origin, to_eigen(mount.rotation * directions_[k]), kInfinite};
  scene.own_vehicle().cast(rays_, hits);
  for (std::size_t k = 0; k < hits.size(); ++k) {
    if (!hits[k].is_hit()) continue;
    own_pixels_.push_back(static_cast<std::uint32_t>(k));
    nearest = std::min(nearest, hits[k].range);
  }
  return nearest;
}

scene::Lighting Camera::find_light(double time) const {
  scene::Lighting light;
  if (own_.date) {
    constexpr double kDay = 86400;  // [s]
    const Vector3 enu = scene::calc_sun(*own_.date + time / kDay, own_.latitude, own_.longitude);
    const double c = std::cos(own_.heading), s = std::sin(own_.heading);
    light = scene::make_daylight({c * enu.x() + s * enu.y(), c * enu.y() - s * enu.x(), enu.z()});
  }
  light.fog_extinction = is_ideal() ? 0 : calc_extinction(own_.weather, 550e-9);
  return light;
}

// Each line from its own place.
void Camera::aim(const Readings& in, double begin, const Vec3<double>& offset) {
  Pose mount = spec().mount.pose;
  mount.position += mount.rotation * offset;
  lines_.resize(static_cast<std::size_t>(own_.height));
  for (int v = 0; v < own_.height; ++v) {
    const double time = begin + own_.readout * v / own_.height;
    lines_[v] = find_mounted_motion(in.motion->at(time), mount);
  }
  rays_.resize(pixels_.size());
  for (std::size_t k = 0; k < pixels_.size(); ++k) {
    const Pose& pose = lines_[pixels_[k] / own_.width].pose;
    rays_[k] = {to_eigen(pose.position), to_eigen(pose.rotation * directions_[k]), kInfinite};
  }
}

// What moves is put where it is in the middle of each row of tiles.
void Camera::cast(const Readings& in, double begin, const scene::Lighting& light,
                  std::vector<scene::Pixel>* out) {
  out->resize(pixels_.size());
  const std::span<const scene::Ray> rays(rays_);
  const std::span<scene::Pixel> pixels(*out);
  if (!in.scene->has_movers()) {
    scene::render(in.scene->scene(), light, rays, pixels);
    return;
  }
  const int together = own_.readout > 0 ? kTile : own_.height;
  for (int v = 0; v < own_.height; v += together) {
    const int count = std::min(together, own_.height - v);
    in.scene->set_time(begin + own_.readout * (v + 0.5 * count) / own_.height, *in.vehicles);
    const std::size_t first = static_cast<std::size_t>(v) * own_.width,
                      size = static_cast<std::size_t>(count) * own_.width;
    scene::render(in.scene->scene(), light, rays.subspan(first, size), pixels.subspan(first, size));
  }
}

// The own vehicle in its own frame, with the sun as seen from there.
void Camera::cast_own_vehicle(const Readings& in, const Vec3<double>& offset, scene::Lighting light,
                              std::vector<scene::Pixel>* out) const {
  if (own_pixels_.empty()) return;
  const Pose& mount = spec().mount.pose;
  const Mat3<double> R_WV = lines_[0].pose.rotation * transpose(mount.rotation);
  light.sun_direction =
      to_eigen(transpose_times(R_WV, Vec3<double>(light.sun_direction.x(), light.sun_direction.y(),
                                                  light.sun_direction.z())));
  std::vector<scene::Ray> rays(own_pixels_.size());
  std::vector<scene::Pixel> own(own_pixels_.size());
  const Vector3 origin = to_eigen(mount.position + mount.rotation * offset);
  for (std::size_t i = 0; i < rays.size(); ++i)
    rays[i] = {origin, to_eigen(mount.rotation * directions_[own_pixels_[i]]), kInfinite};
  scene::render(in.scene->own_vehicle(), light, rays, own);
  for (std::size_t i = 0; i < own.size(); ++i) {
    scene::Pixel& pixel = (*out)[own_pixels_[i]];
    if (!(own[i].range < pixel.range)) continue;
    pixel = own[i];
    pixel.instance = kOwnVehicle;
  }
}

// A point of the world in the camera's frame moves by its own velocity less that of the camera there;
// what is on the own chassis does not, and the sky only turns.
void Camera::find_flow(const Readings& in, const std::vector<scene::Pixel>& seen,
                       CameraImage* image) const {
  image->flow.resize(pixels_.size());
  for (std::size_t k = 0; k < pixels_.size(); ++k) {
    const scene::Pixel& pixel = seen[k];
    const Motion& camera = lines_[pixels_[k] / own_.width];
    const Mat3<double>& R = camera.pose.rotation;
    std::array<double, 2> velocity = {0, 0};
    if (pixel.instance != kOwnVehicle) {
      const bool is_sky = !(pixel.range < kInfinite);
      const Vec3<double> line = R * directions_[k] * (is_sky ? 1 : pixel.range);
      Vec3<double> speed = cross(line, camera.angular_velocity);
      if (!is_sky)
        speed += in.scene->velocity_at(pixel.instance, camera.pose.position + line, camera.time,
                                       *in.vehicles) -
                 camera.velocity;
      velocity = image_velocity(own_, transpose_times(R, line), transpose_times(R, speed));
    }
    image->flow[pixels_[k]] = {static_cast<float>(velocity[0]), static_cast<float>(velocity[1])};
  }
}

void Camera::keep_truth(const Readings& in, const std::vector<scene::Pixel>& seen,
                        CameraImage* image) const {
  const std::size_t count = pixels_.size();
  image->depth.resize(count);
  image->label.resize(count);
  image->instance.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t pixel = pixels_[k];
    const int instance = seen[k].instance;
    image->depth[pixel] = static_cast<float>(seen[k].range * directions_[k][0]);
    image->label[pixel] = seen[k].label;
    image->instance[pixel] = instance == kOwnVehicle ? in.vehicle
                             : instance < 0          ? instance
                                                     : in.scene->object_of(instance);
  }
  if (own_.has_flow) find_flow(in, seen, image);
}

// Light of the exposure's moments; truth is that of the middle one.
void Camera::expose(const Readings& in, double begin, const Vec3<double>& offset,
                    CameraImage* truth) {
  look_at_own_vehicle(*in.scene, offset);
  const int moments = own_.exposure_time > 0 ? own_.blur_samples : 1;
  light_.assign(pixels_.size(), Vector3::Zero());
  for (int m = 0; m < moments; ++m) {
    const double time = begin + own_.exposure_time * (m + 0.5) / moments;
    const scene::Lighting light = find_light(time);
    aim(in, time, offset);
    cast(in, time, light, &seen_);
    cast_own_vehicle(in, offset, light, &seen_);
    for (std::size_t k = 0; k < seen_.size(); ++k) light_[k] += seen_[k].rgb / moments;
    if (truth != nullptr && m == moments / 2) keep_truth(in, seen_, truth);
  }
  if (own_.vignetting == 0) return;
  for (std::size_t k = 0; k < light_.size(); ++k) light_[k] *= calc_vignette(own_, directions_[k]);
}

double Camera::find_exposure() const {
  if (!own_.has_auto_exposure) return own_.exposure;
  double sum = 0;
  for (const Vector3& rgb : light_)
    sum += rgb.cwiseMin(4.0).mean();  // the sun's disc counts little
  return sum > 0 ? own_.exposure * kMiddleGray * static_cast<double>(light_.size()) / sum : 1;
}

// Photons become electrons, with the noise of their number and of the reading.
void Camera::develop(double exposure, const RayRandom& random, std::uint32_t block,
                     std::vector<std::uint8_t>* rgb) const {
  rgb->resize(3 * pixels_.size());
  for (std::size_t k = 0; k < light_.size(); ++k) {
    const std::uint32_t pixel = pixels_[k];
    std::array<double, 4> noise{};
    if (!is_ideal()) {
      const auto a = random.normals(pixel, block), b = random.normals(pixel, block + 1);
      noise = {a[0], a[1], b[0], b[1]};
    }
    for (int c = 0; c < 3; ++c) {
      double value = exposure * light_[k][c];
      if (!is_ideal()) {
        const double electrons = std::max(0.0, value) * own_.full_well;
        const double sigma = std::sqrt(electrons + own_.read_noise * own_.read_noise);
        value = (electrons + sigma * noise[c]) / own_.full_well;
      }
      (*rgb)[3 * pixel + c] = scene::to_srgb(std::clamp(value, 0.0, 1.0));
    }
  }
}

void Camera::measure(const Readings& in, RandomStream*, Sample* sample) {
  CameraImage& image = images_[slot_of(*sample, images_.size())];
  const RayRandom random(key_, static_cast<std::uint64_t>(sample->number));
  const double begin = sample->measured;
  const Pose frame = in.motion->at(begin).pose;
  const Pose& mount = spec().mount.pose;
  image.width = own_.width;
  image.height = own_.height;
  image.begin = begin;
  image.period = period();
  image.pose = {frame.position + frame.rotation * mount.position, frame.rotation * mount.rotation};
  expose(in, begin, Vec3<double>(), &image);
  const double exposure = find_exposure();
  develop(exposure, random, 0, &image.rgb);
  if (own_.baseline > 0) {
    const double f = focal_length(own_);
    image.disparity.resize(pixels_.size());
    for (const std::uint32_t pixel : pixels_) {
      const double depth = image.depth[pixel];
      const double noise = is_ideal() ? 0 : own_.disparity_sigma * random.normals(pixel, 8)[0];
      image.disparity[pixel] =
          std::isfinite(depth) ? static_cast<float>(f * own_.baseline / depth + noise) : 0;
    }
    expose(in, begin, Vec3<double>(0, -own_.baseline, 0), nullptr);
    develop(exposure, random, 4, &image.right);
  }
  const scene::Scene& scene = in.scene->scene();
  image.labels.clear();
  for (int k = 0; k < scene.label_count(); ++k) image.labels.push_back(scene.label_name(k));
  std::vector<double>& out = sample->values;
  out[0] = begin + duration();
  for (int k = 0; k < 3; ++k) out[1 + k] = image.pose.position[k];
  for (int k = 0; k < 9; ++k) out[4 + k] = image.pose.rotation(k % 3, k / 3);
}

}  // namespace

std::unique_ptr<Sensor> make_camera(const SensorSpec& spec, const Carrier&,
                                    const RandomStream& stream) {
  return std::make_unique<Camera>(spec, stream);
}

}  // namespace camber::sensors
