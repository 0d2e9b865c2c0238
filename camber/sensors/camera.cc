// Camera: rays through a lens with distortion, each line at its own time (rolling shutter), shaded by
// scene/render. [Brown 1966] D. C. Brown, "Decentering distortion of lenses", Photogrammetric
// Engineering 32(3).

#include "camber/sensors/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "camber/scene/render.h"
#include "camber/sensors/drive_scene.h"
#include "camber/sensors/lidar.h"
#include "camber/sensors/sensor.h"
#include "camber/terrain/raster_file.h"

namespace camber::sensors {

std::array<double, 2> distort(const CameraSpec& s, double x, double y) {
  const double r2 = x * x + y * y;
  const double radial = 1 + r2 * (s.k1 + r2 * s.k2);
  return {x * radial + 2 * s.p1 * x * y + s.p2 * (r2 + 2 * x * x),
          y * radial + s.p1 * (r2 + 2 * y * y) + 2 * s.p2 * x * y};
}

std::array<double, 2> undistort(const CameraSpec& s, double x, double y) {
  double a = x, b = y;
  for (int i = 0; i < 30; ++i) {
    const auto [fx, fy] = distort(s, a, b);
    const double ex = fx - x, ey = fy - y;
    if (std::abs(ex) + std::abs(ey) < 1e-14) break;
    const double r2 = a * a + b * b, radial = 1 + r2 * (s.k1 + r2 * s.k2);
    const double slope = 2 * (s.k1 + 2 * r2 * s.k2);  // of radial by r2, times 2
    const double xx = radial + slope * a * a + 2 * s.p1 * b + 6 * s.p2 * a;
    const double xy = slope * a * b + 2 * s.p1 * a + 2 * s.p2 * b;
    const double yy = radial + slope * b * b + 6 * s.p1 * b + 2 * s.p2 * a;
    const double det = xx * yy - xy * xy;
    if (!(std::abs(det) > 1e-9)) break;
    a -= (yy * ex - xy * ey) / det;
    b -= (xx * ey - xy * ex) / det;
  }
  return {a, b};
}

double focal_length(const CameraSpec& spec) {
  return spec.width / (2 * std::tan(0.5 * spec.field_of_view));
}

// x-forward frames: u = cx - f Y/X, v = cy - f Z/X.
Vec3<double> pixel_direction(const CameraSpec& spec, double u, double v) {
  const double f = focal_length(spec);
  const auto [x, y] = undistort(spec, (u - 0.5 * spec.width) / f, (v - 0.5 * spec.height) / f);
  const Vec3<double> d(1, -x, -y);
  return d * (1 / std::sqrt(dot(d, d)));
}

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

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
    constexpr int kTile = 4;
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
  double duration() const override { return own_.readout; }
  const CameraImage* image(const Sample& sample) const override {
    return &images_[slot_of(sample, images_.size())];
  }
  double find_own_share(const DriveScene& scene) override {
    look_at_own_vehicle(scene, Vec3<double>());
    return static_cast<double>(own_pixels_.size()) / static_cast<double>(pixels_.size());
  }

 protected:
  void measure(const Readings& in, RandomStream*, Sample* sample) override;
  // Pictures are large and never needed twice: after a restore the last ones are empty.

 private:
  void look_at_own_vehicle(const DriveScene& scene, const Vec3<double>& offset);
  void render(const Readings& in, double begin, const Vec3<double>& offset,
              std::vector<scene::Pixel>* out);
  void develop(const std::vector<scene::Pixel>& seen, const RayRandom& random, std::uint32_t block,
               std::vector<std::uint8_t>* rgb) const;

  CameraSpec own_;
  std::uint64_t key_ = 0;
  std::vector<std::uint32_t> pixels_;      // in the order of casting
  std::vector<Vec3<double>> directions_;   // in the camera's frame
  std::vector<std::uint32_t> own_pixels_;  // places in that order that show the own vehicle
  std::vector<scene::Ray> rays_;
  std::vector<scene::Pixel> seen_;
  std::vector<CameraImage> images_;
};

void Camera::look_at_own_vehicle(const DriveScene& scene, const Vec3<double>& offset) {
  own_pixels_.clear();
  if (!own_.sees_own_vehicle || scene.own_vehicle().instance_count() == 0) return;
  const Pose& mount = spec().mount.pose;
  rays_.resize(pixels_.size());
  std::vector<scene::Hit> hits(pixels_.size());
  const Vector3 origin = to_eigen(mount.position + mount.rotation * offset);
  for (std::size_t k = 0; k < pixels_.size(); ++k)
    rays_[k] = {origin, to_eigen(mount.rotation * directions_[k]), kInfinite};
  scene.own_vehicle().cast(rays_, hits);
  for (std::size_t k = 0; k < hits.size(); ++k)
    if (hits[k].is_hit()) own_pixels_.push_back(static_cast<std::uint32_t>(k));
}

void Camera::render(const Readings& in, double begin, const Vec3<double>& offset,
                    std::vector<scene::Pixel>* out) {
  const Pose& mount = spec().mount.pose;
  look_at_own_vehicle(*in.scene, offset);
  rays_.resize(pixels_.size());
  out->resize(pixels_.size());
  // Pose of each line.
  std::vector<Pose> lines(static_cast<std::size_t>(own_.height));
  for (int v = 0; v < own_.height; ++v) {
    const double time = begin + own_.readout * v / own_.height;
    const Pose frame = in.motion->at(time).pose;
    lines[v] = {frame.position + frame.rotation * (mount.position + mount.rotation * offset),
                frame.rotation * mount.rotation};
  }
  for (std::size_t k = 0; k < pixels_.size(); ++k) {
    const Pose& pose = lines[pixels_[k] / own_.width];
    rays_[k] = {to_eigen(pose.position), to_eigen(pose.rotation * directions_[k]), kInfinite};
  }
  scene::Lighting light;
  light.fog_extinction = is_ideal() ? 0 : calc_extinction(own_.weather, 550e-9);
  scene::render(in.scene->scene(), light, rays_, *out);
  for (scene::Pixel& pixel : *out)
    pixel.instance = pixel.instance < 0 ? pixel.instance : in.scene->object_of(pixel.instance);
  if (own_pixels_.empty()) return;
  // The own vehicle in its own frame, with the sun as seen from there.
  const Mat3<double> R = in.motion->at(begin).pose.rotation;
  const Vec3<double> sun = transpose_times(
      R, Vec3<double>(light.sun_direction.x(), light.sun_direction.y(), light.sun_direction.z()));
  light.sun_direction = to_eigen(sun);
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
    pixel.instance = in.vehicle;
  }
}

// Photons become electrons, with the noise of their number and of the reading.
void Camera::develop(const std::vector<scene::Pixel>& seen, const RayRandom& random,
                     std::uint32_t block, std::vector<std::uint8_t>* rgb) const {
  rgb->resize(3 * pixels_.size());
  for (std::size_t k = 0; k < seen.size(); ++k) {
    const std::uint32_t pixel = pixels_[k];
    std::array<double, 4> noise{};
    if (!is_ideal()) {
      const auto a = random.normals(pixel, block), b = random.normals(pixel, block + 1);
      noise = {a[0], a[1], b[0], b[1]};
    }
    for (int c = 0; c < 3; ++c) {
      double value = own_.exposure * seen[k].rgb[c];
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
  image.pose = {frame.position + frame.rotation * mount.position, frame.rotation * mount.rotation};
  const std::size_t count = pixels_.size();
  render(in, begin, Vec3<double>(), &seen_);
  develop(seen_, random, 0, &image.rgb);
  image.depth.resize(count);
  image.label.resize(count);
  image.instance.resize(count);
  const double f = focal_length(own_);
  if (own_.baseline > 0) image.disparity.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t pixel = pixels_[k];
    const double depth = seen_[k].range * directions_[k][0];
    image.depth[pixel] = static_cast<float>(depth);
    image.label[pixel] = seen_[k].label;
    image.instance[pixel] = seen_[k].instance;
    if (own_.baseline <= 0) continue;
    const double noise = is_ideal() ? 0 : own_.disparity_sigma * random.normals(pixel, 8)[0];
    image.disparity[pixel] =
        std::isfinite(depth) ? static_cast<float>(f * own_.baseline / depth + noise) : 0;
  }
  if (own_.baseline > 0) {
    render(in, begin, Vec3<double>(0, -own_.baseline, 0), &seen_);
    develop(seen_, random, 4, &image.right);
  }
  const scene::Scene& scene = in.scene->scene();
  image.labels.clear();
  for (int k = 0; k < scene.label_count(); ++k) image.labels.push_back(scene.label_name(k));
  std::vector<double>& out = sample->values;
  out[0] = begin + own_.readout;
  for (int k = 0; k < 3; ++k) out[1 + k] = image.pose.position[k];
  for (int k = 0; k < 9; ++k) out[4 + k] = image.pose.rotation(k % 3, k / 3);
}

}  // namespace

void write_image(const std::string& path, const CameraImage& image) {
  const int w = image.width, h = image.height;
  terrain::write_png(path + ".png", w, h, 3, image.rgb);
  if (!image.right.empty()) terrain::write_png(path + "-right.png", w, h, 3, image.right);
  std::vector<std::uint16_t> depth(image.depth.size());
  for (std::size_t i = 0; i < depth.size(); ++i)
    depth[i] = static_cast<std::uint16_t>(std::min(65535.0, std::round(1000.0 * image.depth[i])));
  terrain::write_gray_png(path + "-depth.png", w, h, depth);
  std::vector<std::uint8_t> bytes(image.label.size());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(std::clamp(image.label[i], 0, 255));
  terrain::write_png(path + "-class.png", w, h, 1, bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(std::clamp(image.instance[i] + 2, 0, 255));
  terrain::write_png(path + "-instance.png", w, h, 1, bytes);
}

std::unique_ptr<Sensor> make_camera(const SensorSpec& spec, const Carrier&,
                                    const RandomStream& stream) {
  return std::make_unique<Camera>(spec, stream);
}

}  // namespace camber::sensors
