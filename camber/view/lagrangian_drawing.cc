#include "camber/view/lagrangian_drawing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/lagrange/model_file.h"
#include "camber/math/types.h"
#include "camber/symbolic/evaluate.h"
#include "camber/view/json_values.h"
#include "camber/view/state_frame.h"

namespace camber::view {

using internal::round_length;
using internal::to_json;
using Json = nlohmann::ordered_json;

struct LagrangianDrawing::State {
  lagrange::LagrangianModel model;
  symbolic::Bindings parameters;
  std::vector<symbolic::Expr> places;         // 12 per body: origin, then the rotation row by row
  std::array<double, 4> down = {0, 0, 0, 1};  // quaternion of body 0

  Vector3 evaluate(const symbolic::Vector3& v) const {
    Vector3 out;
    for (int i = 0; i < 3; ++i) out[i] = symbolic::evaluate(v(i), parameters);
    return out;
  }
};

namespace {

/// "parameters.l1=0.8": name and value; others do not concern frames.
std::map<std::string, double> find_parameters(const std::vector<std::string>& overrides) {
  std::map<std::string, double> found;
  constexpr std::string_view kPrefix = "parameters.";
  for (const std::string& text : overrides) {
    const std::size_t end = text.find('=');
    if (!text.starts_with(kPrefix) || end == std::string::npos) continue;
    double value = 0;
    const auto [at, error] =
        std::from_chars(text.data() + end + 1, text.data() + text.size(), value);
    if (error == std::errc() && at == text.data() + text.size())
      found[text.substr(kPrefix.size(), end - kPrefix.size())] = value;
  }
  return found;
}

/// The quaternion (x, y, z, w) of the shortest rotation that brings `gravity` to -z. (Eigen's
/// FromTwoVectors() does the same with a singular value decomposition, which takes 12 s to compile.)
std::array<double, 4> find_rotation_down(const Vector3& gravity) {
  const Vector3 g = gravity.normalized();
  if (g[2] > 1 - 1e-12) return {1, 0, 0, 0};  // upward: half a revolution about x
  // Half the angle: the sum of both directions lies in the middle of them.
  const Vector3 middle = (g - Vector3::UnitZ()).normalized();
  const Vector3 axis = g.cross(middle);
  return {axis[0], axis[1], axis[2], g.dot(middle)};
}

}  // namespace

LagrangianDrawing::LagrangianDrawing(const std::string& text, const std::string& file,
                                     const std::vector<std::string>& overrides)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.model = lagrange::parse_lagrangian(text, file);
  for (const auto& [name, value] :
       lagrange::parameter_values(s.model.system, find_parameters(overrides)))
    s.parameters[name] = symbolic::evaluate(value, {});
  for (const lagrange::Body& body : s.model.system.bodies) {
    const symbolic::Vector3 origin = body.frame.origin();
    const symbolic::Matrix3 R = body.frame.rotation();
    for (int i = 0; i < 3; ++i) s.places.push_back(origin(i));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) s.places.push_back(R(i, j));
  }
  require(!s.model.system.bodies.empty(), file, ": the model has no bodies");
  Vector3 gravity = Vector3::Zero();
  try {
    gravity = s.evaluate(s.model.system.gravity);
  } catch (const std::exception&) {  // gravity that is a function of time
  }
  if (gravity.norm() > 1e-9) {
    s.down = find_rotation_down(gravity);
  }
  // Whether all frames have a value where the coordinates are 0.
  std::vector<double> values(7 * static_cast<std::size_t>(body_count()));
  find_poses(0, std::vector<double>(coordinate_count(), 0.0), values);
}

LagrangianDrawing::~LagrangianDrawing() = default;

int LagrangianDrawing::body_count() const {
  return static_cast<int>(state_->model.system.bodies.size()) + 1;
}

std::size_t LagrangianDrawing::coordinate_count() const {
  return state_->model.system.coordinates.size();
}

void LagrangianDrawing::find_poses(double time, std::span<const double> coordinates,
                                   std::span<double> values) const {
  const State& s = *state_;
  require(coordinates.size() == coordinate_count() &&
              values.size() == 7 * static_cast<std::size_t>(body_count()),
          "LagrangianDrawing::find_poses: ", coordinates.size(), " coordinates and ", values.size(),
          " numbers for poses, expected ", coordinate_count(), " and ", 7 * body_count());
  symbolic::Bindings bindings = s.parameters;
  bindings[s.model.system.time] = time;
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    bindings[s.model.system.coordinates[k]] = coordinates[k];
  const std::vector<double> found = symbolic::evaluate(s.places, bindings);
  std::ranges::fill(values, 0.0);
  std::copy(s.down.begin(), s.down.end(), values.begin() + 3);
  for (std::size_t b = 0; 12 * b < found.size(); ++b) {
    const double* from = &found[12 * b];
    const double* r = from + 3;
    const math::Mat3<double> R = {{{r[0], r[3], r[6]}, {r[1], r[4], r[7]}, {r[2], r[5], r[8]}}};
    const internal::UnitQuaternion q = internal::to_quaternion(R);
    double* to = &values[7 * (b + 1)];
    std::copy_n(from, 3, to);
    to[3] = q.x, to[4] = q.y, to[5] = q.z, to[6] = q.w;
  }
}

Json LagrangianDrawing::describe(const std::string& name) const {
  const State& s = *state_;
  Json bodies = Json::array(), shapes = Json::array();
  bodies.push_back({{"name", "ground"}, {"mass", 0}, {"center", {0, 0, 0}}});
  struct Bar {
    int body;
    std::string name;
    Vector3 a, b;
  };
  std::vector<Bar> bars;
  std::vector<Vector3> centers;
  double size = 0;
  const auto value_of = [&](const symbolic::Expr& e) {
    try {
      return symbolic::evaluate(e, s.parameters);
    } catch (const std::exception&) {
      return 0.0;
    }
  };
  for (std::size_t b = 0; b < s.model.system.bodies.size(); ++b) {
    const lagrange::Body& body = s.model.system.bodies[b];
    Vector3 center;
    for (int i = 0; i < 3; ++i) center[i] = value_of(body.center_of_mass(i));
    centers.push_back(center);
    bodies.push_back(
        {{"name", body.name}, {"mass", value_of(body.mass)}, {"center", to_json(center)}});
    const int number = static_cast<int>(b) + 1;
    bars.push_back({number, body.name, Vector3::Zero(), center});
    for (const auto& [point_name, point] : s.model.points) {
      if (!(point.frame == body.frame)) continue;
      Vector3 p;
      for (int i = 0; i < 3; ++i) p[i] = value_of(point.coordinates(i));
      bars.push_back({number, point_name, center, p});
    }
  }
  for (const Bar& bar : bars) size = std::max(size, (bar.a - bar.b).norm());
  if (!(size > 1e-6)) size = 1;
  for (const Bar& bar : bars) {
    if ((bar.a - bar.b).norm() < 1e-6) continue;
    shapes.push_back({{"kind", "bar"},
                      {"part", "arm"},
                      {"name", bar.name},
                      {"body", bar.body},
                      {"a", to_json(bar.a)},
                      {"b", to_json(bar.b)},
                      {"radius", round_length(0.02 * size)}});
  }
  for (std::size_t b = 0; b < centers.size(); ++b) {
    const Vector3 half = Vector3::Constant(0.06 * size);
    shapes.push_back({{"kind", "box"},
                      {"part", "body"},
                      {"name", s.model.system.bodies[b].name},
                      {"body", b + 1},
                      {"min", to_json(Vector3(centers[b] - half))},
                      {"max", to_json(Vector3(centers[b] + half))}});
  }
  return {{"name", name},
          {"model", s.model.system.name},
          {"level", "full"},
          {"mass", 0},
          {"outline", {{"rear", -size}, {"front", size}, {"right", -size}, {"left", size}}},
          {"rear_end", -size},
          {"height", 0},
          {"wheelbase", size},
          {"track", size},
          {"shell", {{"kind", "boxes"}}},
          {"eye", {0, 0, size}},
          {"bodies", std::move(bodies)},
          {"corners", Json::array()},
          {"shapes", std::move(shapes)}};
}

}  // namespace camber::view
