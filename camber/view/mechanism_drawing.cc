#include "camber/view/mechanism_drawing.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>

#include <nlohmann/json.hpp>

#include "camber/multibody/mechanism_file.h"
#include "camber/view/json_values.h"

namespace camber::view {
namespace {

using internal::round_length;
using internal::to_json;
using Json = nlohmann::ordered_json;

std::optional<multibody::Mechanism> parse(const std::string& text, const std::string& file) {
  try {
    return multibody::parse_mechanism(text, file);
  } catch (const std::exception&) {  // a vehicle, a robot, or a file of another version
    return {};
  }
}

/// The size that most of its parts have: what bars are thin against.
double find_size(const multibody::Mechanism& m) {
  std::vector<double> lengths;
  for (const multibody::Joint& joint : m.joints)
    for (const auto& [body, place] : {std::pair(joint.parent, joint.X_PF.translation().eval()),
                                      std::pair(joint.child, joint.X_BM.translation().eval())})
      if (body != multibody::kWorld)
        lengths.push_back(
            (place - m.bodies[static_cast<std::size_t>(body.value)].p_BoBcm_B).norm());
  std::erase_if(lengths, [](double l) { return !(l > 1e-6); });
  if (lengths.empty()) return 0.5;
  std::ranges::sort(lengths);
  return 2 * lengths[lengths.size() / 2];
}

}  // namespace

Json describe_mechanism(const std::string& name, const std::vector<std::string>& bodies,
                        const std::string& text, const std::string& file) {
  const std::optional<multibody::Mechanism> mechanism = parse(text, file);
  Json list = Json::array(), shapes = Json::array();
  list.push_back({{"name", "world"}, {"mass", 0}, {"center", {0, 0, 0}}});
  const auto find = [&](const std::string& body) {
    const auto found = std::ranges::find(bodies, body);
    return found == bodies.end() ? 0 : static_cast<int>(found - bodies.begin()) + 1;
  };
  const double size = mechanism ? find_size(*mechanism) : 0.5, radius = round_length(0.04 * size);
  std::vector<bool> is_drawn(bodies.size() + 1, false);
  double mass = 0;
  if (mechanism) {
    const multibody::Mechanism& m = *mechanism;
    const auto number = [&](multibody::BodyIndex b) {
      return b == multibody::kWorld ? 0 : find(m.bodies[static_cast<std::size_t>(b.value)].name);
    };
    for (const multibody::Joint& joint : m.joints)
      for (const auto& [body, place] : {std::pair(joint.parent, joint.X_PF.translation().eval()),
                                        std::pair(joint.child, joint.X_BM.translation().eval())}) {
        if (body == multibody::kWorld) continue;
        const Vector3& center = m.bodies[static_cast<std::size_t>(body.value)].p_BoBcm_B;
        if ((center - place).norm() < 1e-6) continue;
        is_drawn[static_cast<std::size_t>(number(body))] = true;
        shapes.push_back({{"kind", "bar"},
                          {"part", "arm"},
                          {"name", m.bodies[static_cast<std::size_t>(body.value)].name},
                          {"body", number(body)},
                          {"a", to_json(center)},
                          {"b", to_json(place)},
                          {"radius", radius}});
      }
    const auto add_link = [&](const char* part, const auto& e, double r) -> Json& {
      shapes.push_back({{"kind", "link"},
                        {"part", part},
                        {"name", e.name},
                        {"body_a", number(e.a)},
                        {"a", to_json(e.p_AP_A)},
                        {"body_b", number(e.b)},
                        {"b", to_json(e.p_BQ_B)},
                        {"radius", r}});
      return shapes.back();
    };
    for (const multibody::Rod& rod : m.rods) add_link("tie_rod", rod, 0.6 * radius);
    for (const multibody::SpringDamper& spring : m.springs) {
      const bool is_spring = spring.stiffness > 0 || spring.spring;
      Json& link = add_link(is_spring ? "spring" : "shock", spring, 1.5 * radius);
      if (!is_spring) continue;
      link["stiffness"] = spring.stiffness;
      link["free_length"] = round_length(spring.free_length);
    }
    for (const multibody::Rolling& rolling : m.rollings) {
      const int body = number(rolling.wheel);
      is_drawn[static_cast<std::size_t>(body)] = true;
      shapes.push_back({{"kind", "wheel"},
                        {"part", "wheel"},
                        {"name", rolling.name},
                        {"body", body},
                        {"center", to_json(rolling.p_BC_B)},
                        {"axis", to_json(rolling.axis_B)},
                        {"radius", round_length(rolling.radius)},
                        {"width", round_length(0.2 * rolling.radius)},
                        {"rim", round_length(0.5 * rolling.radius)}});
    }
    for (const multibody::Body& body : m.bodies) mass += body.mass;
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    double own = 0;
    Vector3 center = Vector3::Zero();
    if (mechanism)
      for (const multibody::Body& body : mechanism->bodies)
        if (body.name == bodies[b]) own = body.mass, center = body.p_BoBcm_B;
    list.push_back({{"name", bodies[b]}, {"mass", own}, {"center", to_json(center)}});
    const Vector3 half = Vector3::Constant((is_drawn[b + 1] ? 0.07 : 0.15) * size);
    if (own == 0 && is_drawn[b + 1]) continue;
    shapes.push_back({{"kind", "box"},
                      {"part", "body"},
                      {"name", bodies[b]},
                      {"body", b + 1},
                      {"min", to_json(Vector3(center - half))},
                      {"max", to_json(Vector3(center + half))}});
  }
  return {{"name", name},
          {"model", name},
          {"level", "full"},
          {"mass", mass},
          {"outline", {{"rear", -size}, {"front", size}, {"right", -size}, {"left", size}}},
          {"height", 0},
          {"wheelbase", size},
          {"track", size},
          {"shell", {{"kind", "boxes"}}},
          {"eye", {0, 0, size}},
          {"bodies", std::move(list)},
          {"corners", Json::array()},
          {"shapes", std::move(shapes)}};
}

}  // namespace camber::view
