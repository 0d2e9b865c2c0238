// Samples of sensors as arrays.

#include "python/src/sensors.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <pybind11/stl.h>

#include "camber/sensors/camera.h"
#include "camber/sensors/point_cloud.h"
#include "camber/sensors/suite.h"
#include "python/src/arrays.h"

namespace camber::python {
namespace {

using sensors::CameraImage;
using sensors::PointCloud;

/// A sample that is kept: the sensor itself overwrites its own. Arrays are views of it.
struct KeptSample {
  std::string sensor;
  std::vector<sensors::Quantity> quantities;
  sensors::Sample sample;
  std::shared_ptr<const PointCloud> cloud;
  std::shared_ptr<const CameraImage> image;
  mutable std::shared_ptr<const std::vector<float>> points = {};  // made when asked for
};
using Kept = std::shared_ptr<const KeptSample>;

const PointCloud& cloud_of(const Kept& kept) {
  require(kept->cloud != nullptr, "sensor \"", kept->sensor, "\" has no points: it is not a LIDAR");
  return *kept->cloud;
}
const CameraImage& image_of(const Kept& kept) {
  require(kept->image != nullptr, "sensor \"", kept->sensor,
          "\" has no pictures: it is not a camera");
  return *kept->image;
}

py::dict values_of(const Kept& kept) {
  py::dict result;
  std::size_t first = 0;
  for (const sensors::Quantity& quantity : kept->quantities) {
    result[py::str(quantity.name)] = view_of(kept->sample.values.data() + first,
                                             {static_cast<py::ssize_t>(quantity.size())}, kept);
    first += quantity.size();
  }
  return result;
}

py::array points_of(const Kept& kept) {
  const PointCloud& cloud = cloud_of(kept);
  if (!kept->points) {
    auto points = std::make_shared<std::vector<float>>();
    points->reserve(4 * cloud.points.size());
    for (std::size_t i = 0; i < cloud.points.size(); ++i) {
      const auto p = cloud.position(i);
      for (int k = 0; k < 3; ++k) points->push_back(static_cast<float>(p[k]));
      points->push_back(static_cast<float>(cloud.points[i].intensity));
    }
    kept->points = std::move(points);
  }
  return view_of(kept->points->data(), {static_cast<py::ssize_t>(cloud.points.size()), 4},
                 kept->points);
}

template <class T, class Read>
py::array column_of(const PointCloud& cloud, int width, const Read& read) {
  std::vector<T> values;
  values.reserve(cloud.points.size() * static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < cloud.points.size(); ++i) read(i, &values);
  const auto n = static_cast<py::ssize_t>(cloud.points.size());
  return width == 1 ? to_array(std::move(values), {n}) : to_array(std::move(values), {n, width});
}

py::dict cloud_columns(const Kept& kept) {
  const PointCloud& cloud = cloud_of(kept);
  const auto vector = [](const auto& p, auto* out) {
    for (int k = 0; k < 3; ++k) out->push_back(p[k]);
  };
  py::dict result;
  result["position"] = column_of<double>(
      cloud, 3, [&](std::size_t i, auto* out) { vector(cloud.position(i), out); });
  result["world"] = column_of<double>(
      cloud, 3, [&](std::size_t i, auto* out) { vector(cloud.points[i].world, out); });
  result["range"] = column_of<double>(
      cloud, 1, [&](std::size_t i, auto* out) { out->push_back(cloud.points[i].range); });
  result["intensity"] = column_of<double>(
      cloud, 1, [&](std::size_t i, auto* out) { out->push_back(cloud.points[i].intensity); });
  result["time"] =
      column_of<double>(cloud, 1, [&](std::size_t i, auto* out) { out->push_back(cloud.time(i)); });
  result["ray"] = column_of<std::int32_t>(cloud, 1, [&](std::size_t i, auto* out) {
    out->push_back(static_cast<std::int32_t>(cloud.points[i].ray));
  });
  result["label"] = column_of<std::int32_t>(
      cloud, 1, [&](std::size_t i, auto* out) { out->push_back(cloud.points[i].label); });
  result["instance"] = column_of<std::int32_t>(
      cloud, 1, [&](std::size_t i, auto* out) { out->push_back(cloud.points[i].instance); });
  return result;
}

template <class T>
py::array picture_of(const Kept& kept, const std::vector<T>& values, int channels,
                     const char* what) {
  const CameraImage& image = image_of(kept);
  require(!values.empty(), "sensor \"", kept->sensor, "\" has no ", what);
  std::vector<py::ssize_t> shape = {image.height, image.width};
  if (channels > 1) shape.push_back(channels);
  return view_of(values.data(), std::move(shape), kept);
}

}  // namespace

std::vector<std::string> list_sensors(const run::Simulation& simulation) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < simulation.sensors().size(); ++i)
    names.push_back(simulation.sensors().sensor(i).name());
  return names;
}

py::object find_sample(const run::Simulation& simulation, const std::string& name) {
  const sensors::Sensor* sensor = simulation.sensors().find(name);
  require(sensor != nullptr, "there is no sensor \"", name, "\"");
  const sensors::Sample* sample = sensor->find_latest(simulation.time());
  if (sample == nullptr) return py::none();
  auto kept = std::make_shared<KeptSample>();
  kept->sensor = name;
  kept->quantities = sensor->quantities();
  kept->sample = *sample;
  if (const PointCloud* cloud = sensor->cloud(*sample))
    kept->cloud = std::make_shared<const PointCloud>(*cloud);
  if (const CameraImage* image = sensor->image(*sample))
    kept->image = std::make_shared<const CameraImage>(*image);
  return py::cast(std::shared_ptr<KeptSample>(std::move(kept)));
}

void bind_sensors(py::module_& module) {
  using Sample = std::shared_ptr<KeptSample>;
  py::class_<KeptSample, Sample>(
      module, "SensorSample",
      "What a sensor measured at one time. It does not change when time goes on.")
      .def_property_readonly(
          "number", [](const Sample& s) { return s->sample.number; }, "0 is the first sample.")
      .def_property_readonly(
          "measured", [](const Sample& s) { return s->sample.measured; },
          "Start of the measurement [s].")
      .def_property_readonly(
          "available", [](const Sample& s) { return s->sample.available; }, "When it arrived [s].")
      .def_property_readonly(
          "values", [](const Sample& s) { return values_of(s); },
          "Its quantities by name, in SI units.")
      .def_property_readonly(
          "units",
          [](const Sample& s) {
            py::dict result;
            for (const auto& quantity : s->quantities)
              result[py::str(quantity.name)] = quantity.units;
            return result;
          },
          "Units of the quantities.")
      .def_property_readonly(
          "points", [](const Sample& s) { return points_of(s); },
          "LIDAR: (n, 4) of x, y, z [m] in the sensor's frame and intensity.")
      .def_property_readonly(
          "cloud", [](const Sample& s) { return cloud_columns(s); },
          "LIDAR: every column of the points; SI units.")
      .def_property_readonly(
          "class_names",
          [](const Sample& s) { return s->cloud ? s->cloud->labels : image_of(s).labels; },
          "Names of the classes that labels are numbers of.")
      .def_property_readonly(
          "image", [](const Sample& s) { return picture_of(s, image_of(s).rgb, 3, "picture"); },
          "Camera: (height, width, 3) sRGB.")
      .def_property_readonly(
          "right",
          [](const Sample& s) { return picture_of(s, image_of(s).right, 3, "second picture"); },
          "Stereo camera: the second picture.")
      .def_property_readonly(
          "depth", [](const Sample& s) { return picture_of(s, image_of(s).depth, 1, "depth"); },
          "Camera: (height, width) along the optical axis [m].")
      .def_property_readonly(
          "labels", [](const Sample& s) { return picture_of(s, image_of(s).label, 1, "labels"); },
          "Camera: (height, width) class of what each pixel shows.")
      .def("__repr__", [](const Sample& s) {
        return concat("SensorSample(\"", s->sensor, "\", number ", s->sample.number,
                      ", measured at ", s->sample.measured, " s)");
      });
}

}  // namespace camber::python
