// Ground, asked for at many points at once.

#include "camber/terrain/terrain.h"

#include <memory>

#include <pybind11/stl.h>

#include "python/src/arrays.h"
#include "python/src/models.h"

namespace camber::python {
namespace {

struct Ground {
  std::shared_ptr<const terrain::Terrain> terrain;
};

py::tuple query(const Ground& ground, const Numbers& x, const Numbers& y) {
  require(x.ndim() == 1 && y.ndim() == 1 && x.size() == y.size(), "query: x has ", x.size(),
          " numbers, y has ", y.size());
  require_finite(x, "query: x");
  require_finite(y, "query: y");
  const auto n = static_cast<std::size_t>(x.size());
  std::vector<double> height(n), normal(3 * n), curvature(n), friction(n);
  std::vector<int> soil(n);
  std::vector<std::uint8_t> inside(n);
  {
    const std::span<const double> xs = span_of(x), ys = span_of(y);
    const py::gil_scoped_release release;
    terrain::TerrainCache cache = ground.terrain->make_cache();
    Interrupts interrupts;
    for (std::size_t i = 0; i < n; ++i) {
      const terrain::Point2 point{xs[i], ys[i]};
      terrain::GroundPoint found;
      ground.terrain->query(std::span(&point, 1), &cache, std::span(&found, 1));
      height[i] = found.surface.h;
      const auto up = found.surface.normal();
      for (std::size_t k = 0; k < 3; ++k) normal[3 * i + k] = up[static_cast<int>(k)];
      curvature[i] = found.surface.mean_curvature();
      friction[i] = found.friction;
      soil[i] = found.soil;
      inside[i] = ground.terrain->contains(point.x, point.y);
      if (i % 1024 == 0) interrupts.check();
    }
  }
  const auto count = static_cast<py::ssize_t>(n);
  return py::make_tuple(to_array(std::move(height)), to_array(std::move(normal), {count, 3}),
                        to_array(std::move(curvature)), to_array(std::move(friction)),
                        to_array(std::move(soil)),
                        to_array(std::move(inside)).attr("astype")("bool"));
}

}  // namespace

void bind_terrain(py::module_& module) {
  py::class_<Ground>(module, "Ground", "Ground that was read.")
      .def(py::init([](const ModelText& model) {
             const py::gil_scoped_release release;
             return Ground{
                 std::make_shared<const terrain::Terrain>(open_source(model).read_terrain())};
           }),
           py::arg("source"))
      .def("query", &query, py::arg("x"), py::arg("y"),
           "Height [m], normal, mean curvature [1/m], friction, soil and whether it is inside, at "
           "points [m].")
      .def_property_readonly(
          "soils",
          [](const Ground& ground) {
            std::vector<std::string> names;
            for (const auto& soil : ground.terrain->soils) names.push_back(soil.name);
            return names;
          },
          "Names of the soils.")
      .def(
          "obstacles",
          [](const Ground& ground, double x0, double y0, double x1, double y1) {
            require(x0 <= x1 && y0 <= y1, "obstacles: needs x0 <= x1 and y0 <= y1");
            std::vector<double> rows;
            for (const auto& o : ground.terrain->find_obstacles({x0, y0, x1, y1}))
              rows.insert(rows.end(), {o.x, o.y, o.radius});
            const auto n = static_cast<py::ssize_t>(rows.size() / 3);
            return to_array(std::move(rows), {n, 3});
          },
          py::arg("x0"), py::arg("y0"), py::arg("x1"), py::arg("y1"),
          "Trees and posts in a box [m]: rows of x, y, radius [m].");
}

}  // namespace camber::python
