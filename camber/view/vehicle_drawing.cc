#include "camber/view/vehicle_drawing.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/driveline/driveline.h"
#include "camber/vehicle/shape_mesh.h"
#include "camber/view/json_values.h"

namespace camber::view {
namespace {

using internal::round_length;
using internal::to_json;
using Json = nlohmann::ordered_json;
using scenario::DriveParts, scenario::Scenario, scenario::VehicleLevel;
using vehicle::Corner, vehicle::SuspensionType;

constexpr double kArmRadius = 0.018, kRodRadius = 0.012, kStubRadius = 0.03;  // [m]
constexpr double kShaftRadius = 0.02, kShockRadius = 0.03, kBarRadius = 0.014;
constexpr double kRim = 0.53;  // radius of a rim over that of its tire: 16.5 in in 37 in and alike

/// "front left lower arm"
std::string words_of(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

/// Gathers the shapes of one vehicle.
class Drawing {
 public:
  Drawing(const Scenario& scenario, const DriveParts& parts, MeshBook* meshes)
      : parts_(parts),
        mechanism_(parts.mechanism.mechanism),
        axles_(vehicle::all_axles(parts.vehicle)),
        is_full_(scenario.vehicle.level == VehicleLevel::kFull),
        meshes_(meshes) {
    if (!is_full_) find_shift();
    find_driven();
  }

  const Vector3& shift() const { return shift_; }
  Json take_shapes() { return std::move(shapes_); }

  void draw() {
    draw_shell(parts_.facts.shape, 0);
    if (parts_.vehicle.trailer && is_full_)
      draw_shell(parts_.vehicle.trailer->vehicle->shape, find_body("trailer_chassis"));
    if (is_full_) {
      draw_steering();
      draw_elements();
    }
    for (std::size_t i = 0; i < parts_.mechanism.corners.size(); ++i) {
      const Corner& corner = parts_.mechanism.corners[i];
      if (!is_full_ && corner.is_towed) continue;
      if (is_full_) draw_corner(corner, i);
      draw_wheel(corner, i);
    }
  }

  /// The driver sits on the left, a little ahead of the middle, 0.35 m below the roof. Of a body made
  /// of several boxes, such as a truck's, he sits in the cab: the tallest box, the foremost of equals.
  Vector3 find_eye() const {
    constexpr double kBelowRoof = 0.35, kBehindFront = 0.9, kEqual = 0.15;  // [m]
    const vehicle::Outline& o = parts_.facts.outline;
    const Vector3 eye(0.5 * (o.rear + o.front) + 0.02 * (o.front - o.rear) + shift_.x(),
                      0.26 * (o.left - o.right), top_ - kBelowRoof);
    const std::vector<vehicle::Box>& boxes = parts_.facts.shape.boxes;
    if (boxes.size() < 2 || has_plates()) return eye;
    const vehicle::Box* cab = nullptr;
    for (const vehicle::Box& box : boxes)
      if (box.max.z() + shift_.z() > top_ - kEqual && (!cab || box.max.x() > cab->max.x()))
        cab = &box;
    if (!cab) return eye;  // the roof is a mesh's
    const Vector3 min = cab->min + shift_, max = cab->max + shift_;
    const bool is_inside =
        eye.x() > min.x() && eye.x() < max.x() && eye.z() > min.z() && eye.z() < max.z();
    if (is_inside) return eye;
    return {max.x() - std::min(kBehindFront, 0.45 * (max.x() - min.x())), 0.52 * max.y(),
            std::max(0.5 * (min.z() + max.z()), max.z() - kBelowRoof)};
  }
  /// The page has plates for this model.
  bool has_plates() const { return parts_.vehicle.name.starts_with("hmmwv"); }

  /// Number of a body for the page, by its name; -1: the vehicle has none of this name.
  int find_body(const std::string& name) const {
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
      if (mechanism_.bodies[b].name == name) return static_cast<int>(b) - 1;
    return -1;
  }

  Json list_corners() const {
    Json list = Json::array();
    if (!is_full_) return list;
    for (std::size_t i = 0; i < parts_.mechanism.corners.size(); ++i) {
      const Corner& corner = parts_.mechanism.corners[i];
      const tire::RollingTire& tire = *parts_.tires.wheels[i].tire;
      Json points;
      vehicle::Hardpoints copy = corner.points;
      for (const vehicle::NamedPoint& p : vehicle::all_points(&copy))
        if (!p.point->isZero()) points[p.name] = to_json(*p.point);
      list.push_back({{"name", corner.name},
                      {"axle", corner.axle},
                      {"side", corner.is_left ? "left" : "right"},
                      {"suspension", vehicle::to_text(axle_of(corner).type)},
                      {"wheel", number(corner.wheel)},
                      {"carrier", number(corner.carrier)},
                      {"base", number(corner.base)},
                      {"center", to_json(corner.points.wheel)},
                      {"axis", to_json(corner.wheel_axis)},
                      {"radius", round_length(tire.radius)},
                      {"width", round_length(tire.width)},
                      {"dual_spacing", round_length(corner.dual_spacing)},
                      {"points", std::move(points)}});
    }
    return list;
  }

  Json list_bodies() const {
    Json list = Json::array();
    if (!is_full_) {
      list.push_back({{"name", "vehicle"},
                      {"mass", parts_.facts.mass},
                      {"center", to_json(Vector3(parts_.facts.center + shift_))}});
      return list;
    }
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
      const multibody::Body& body = mechanism_.bodies[b];
      list.push_back(
          {{"name", body.name}, {"mass", body.mass}, {"center", to_json(body.p_BoBcm_B)}});
    }
    return list;
  }

 private:
  static int number(multibody::BodyIndex body) { return body.value - 1; }
  const vehicle::Axle& axle_of(const Corner& corner) const {
    return axles_[static_cast<std::size_t>(corner.axle)];
  }
  bool has_part(const Corner& corner, std::string_view part) const {
    return find_body(concat(corner.name, "_", part)) >= 0;
  }

  void add_bar(std::string_view part, const std::string& name, int body, const Vector3& a,
               const Vector3& b, double radius) {
    if (body < 0 || (a - b).norm() < 1e-6) return;
    shapes_.push_back({{"kind", "bar"},
                       {"part", part},
                       {"name", words_of(name)},
                       {"body", body},
                       {"a", to_json(a)},
                       {"b", to_json(b)},
                       {"radius", radius}});
  }

  Json& add_link(std::string_view part, const std::string& name, multibody::BodyIndex body_a,
                 const Vector3& a, multibody::BodyIndex body_b, const Vector3& b, double radius) {
    shapes_.push_back({{"kind", "link"},
                       {"part", part},
                       {"name", words_of(name)},
                       {"body_a", number(body_a)},
                       {"a", to_json(a)},
                       {"body_b", number(body_b)},
                       {"b", to_json(b)},
                       {"radius", radius}});
    return shapes_.back();
  }

  // The frame of a level without suspension lies on the ground midway between the axles: where the
  // full vehicle's frame is in it, with the tires on the ground.
  void find_shift() {
    const dynamics::VehicleFacts& facts = parts_.facts;
    const double middle = facts.center.x() + 0.5 * (facts.front.distance - facts.rear.distance);
    double height = 0;
    int count = 0;
    for (std::size_t i = 0; i < parts_.mechanism.corners.size(); ++i) {
      const Corner& corner = parts_.mechanism.corners[i];
      if (corner.is_towed) continue;
      height += parts_.tires.wheels[i].tire->radius - corner.points.wheel.z();
      ++count;
    }
    shift_ = {-middle, 0, count > 0 ? height / count : parts_.vehicle.height};
  }

  void find_driven() {
    is_driven_.assign(parts_.mechanism.corners.size(), false);
    for (const driveline::DifferentialNode& node : parts_.equipment.driveline.differentials)
      for (const driveline::DriveOutput& output : node.outputs)
        if (output.wheel >= 0 && output.wheel < static_cast<int>(is_driven_.size()))
          is_driven_[static_cast<std::size_t>(output.wheel)] = true;
  }

  void draw_shell(const vehicle::Shape& shape, int body) {
    if (body < 0) return;
    std::vector<vehicle::Box> boxes = shape.boxes;
    if (shape.empty() && body == 0) {                 // as sensors see it
      constexpr double kClearance = 0.3, kTop = 1.6;  // above the ground [m]
      const vehicle::Outline& o = parts_.facts.outline;
      boxes = {{{o.rear, o.right, kClearance - parts_.vehicle.height},
                {o.front, o.left, kTop - parts_.vehicle.height}}};
    }
    for (const vehicle::Box& box : boxes) {
      const Vector3 min = box.min + shift_, max = box.max + shift_;
      if (body == 0) top_ = std::max(top_, max.z());
      shapes_.push_back({{"kind", "box"},
                         {"part", "body"},
                         {"name", body == 0 ? "body" : "trailer"},
                         {"body", body},
                         {"min", to_json(min)},
                         {"max", to_json(max)}});
    }
    if (!shape.mesh) return;
    if (body == 0) top_ = std::max(top_, shape.mesh->bounds.max.z() + shift_.z());
    std::vector<int> materials;
    for (const scene::Material& material : shape.mesh->materials)
      materials.push_back(meshes_->add_material(material));
    scene::Material paint;
    paint.name = "vehicle_paint";
    paint.color = {0.35, 0.38, 0.30};
    scene::Mesh mesh = shape.mesh->mesh;
    mesh.origin += shift_;
    shapes_.push_back({{"kind", "mesh"},
                       {"part", "body"},
                       {"name", body == 0 ? "body" : "trailer"},
                       {"body", body},
                       {"mesh", meshes_->add(mesh, materials, meshes_->add_material(paint))}});
  }

  void draw_steering() {
    if (!parts_.vehicle.steering) return;
    const vehicle::Steering& s = *parts_.vehicle.steering;
    if (s.type == vehicle::SteeringType::kPitman) {
      add_bar("steering", "pitman arm", find_body("pitman"), s.pitman_pivot, s.pitman_end,
              kArmRadius);
      add_bar("steering", "idler arm", find_body("idler"), s.idler_pivot, s.idler_end, kArmRadius);
      add_bar("steering", "steering link", find_body("steering_link"), s.pitman_end, s.idler_end,
              kArmRadius);
    } else {
      draw_rack("rack", s.axle);
    }
    for (const vehicle::LinkedSteering& linked : s.linked)
      draw_rack(linked.axle + "_rack", linked.axle);
  }

  // From the left tie rod to the right one.
  void draw_rack(const std::string& body, const std::string& axle) {
    std::vector<Vector3> ends;
    for (const Corner& corner : parts_.mechanism.corners)
      if (axle_of(corner).name == axle && !corner.is_towed)
        ends.push_back(corner.points.tie_rod_inner);
    if (ends.size() == 2) add_bar("steering", body, find_body(body), ends[0], ends[1], kArmRadius);
  }

  // Springs, shocks, rods without mass, and the bodies of tie rods and anti-roll bars.
  void draw_elements() {
    for (const multibody::SpringDamper& e : mechanism_.springs) {
      if (e.a == multibody::kWorld || e.b == multibody::kWorld) continue;
      if (e.name.ends_with("_spring")) {
        Json& link = add_link("spring", e.name, e.a, e.p_AP_A, e.b, e.p_BQ_B, 0.06);
        link["stiffness"] = e.stiffness;
        link["free_length"] = round_length(e.free_length);
      } else if (e.name.ends_with("_shock")) {
        add_link("shock", e.name, e.a, e.p_AP_A, e.b, e.p_BQ_B, kShockRadius);
      }
    }
    for (const multibody::Rod& rod : mechanism_.rods) {
      if (rod.a == multibody::kWorld || rod.b == multibody::kWorld) continue;
      const bool is_drop = rod.name.ends_with("_drop_link");
      add_link(is_drop ? "drop_link" : "tie_rod", rod.name, rod.a, rod.p_AP_A, rod.b, rod.p_BQ_B,
               kRodRadius);
    }
    for (const vehicle::Axle& axle : axles_) {
      if (!axle.anti_roll_bar) continue;
      const vehicle::AntiRollBar& bar = *axle.anti_roll_bar;
      for (const bool is_left : {true, false}) {
        const Vector3 side(1, is_left ? 1 : -1, 1);
        const std::string name = axle.name + (is_left ? "_left" : "_right") + "_anti_roll_bar";
        const Vector3 pivot = bar.pivot.cwiseProduct(side);
        add_bar("anti_roll_bar", name, find_body(name), {pivot.x(), 0, pivot.z()}, pivot,
                kBarRadius);
        add_bar("anti_roll_bar", name, find_body(name), pivot, bar.arm_end.cwiseProduct(side),
                kBarRadius);
      }
    }
  }

  void draw_corner(const Corner& corner, std::size_t i) {
    const vehicle::Hardpoints& p = corner.points;
    const auto bar = [&](std::string_view part, const Vector3& a, const Vector3& b,
                         double radius = kArmRadius) {
      const std::string name = concat(corner.name, "_", part);
      add_bar(part, name, find_body(name), a, b, radius);
    };
    switch (axle_of(corner).type) {
      case SuspensionType::kDoubleWishbone:
      case SuspensionType::kPlanarDoubleWishbone: {
        bar("lower_arm", p.lower_front, p.lower_ball);
        bar("lower_arm", p.lower_back, p.lower_ball);
        bar("upper_arm", p.upper_front, p.upper_ball);
        bar("upper_arm", p.upper_back, p.upper_ball);
        bar("upright", p.lower_ball, p.upper_ball, kStubRadius);
        const char* stub = has_part(corner, "spindle") ? "spindle" : "upright";
        bar(stub, closest(p.lower_ball, p.upper_ball, p.wheel), p.wheel, kStubRadius);
        bar(stub, closest(p.lower_ball, p.upper_ball, p.tie_rod_outer), p.tie_rod_outer);
        break;
      }
      case SuspensionType::kMcPherson:
        bar("lower_arm", p.lower_front, p.lower_ball);
        bar("lower_arm", p.lower_back, p.lower_ball);
        bar("strut", p.strut_top, p.strut_bottom, kArmRadius);
        bar("upright", p.lower_ball, p.strut_bottom, kStubRadius);
        bar("upright", closest(p.lower_ball, p.strut_bottom, p.wheel), p.wheel, kStubRadius);
        bar("upright", closest(p.lower_ball, p.strut_bottom, p.tie_rod_outer), p.tie_rod_outer);
        break;
      case SuspensionType::kTrailingArm:
        bar("arm", p.arm_inner, p.arm_outer, kStubRadius);
        bar("arm", 0.5 * (p.arm_inner + p.arm_outer), p.wheel, kStubRadius);
        break;
    }
    bar("tie_rod", p.tie_rod_inner, p.tie_rod_outer, kRodRadius);
    if (!is_driven_[i] || corner.is_towed) return;
    // From the differential's flange in the middle of the axle to the wheel's carrier.
    constexpr double kFlange = 0.16;  // [m]
    const Vector3 inner(p.wheel.x(), corner.is_left ? kFlange : -kFlange, p.wheel.z());
    if (std::abs(p.wheel.y()) > 2 * kFlange)
      add_link("half_shaft", corner.name + "_half_shaft", corner.base, inner, corner.carrier,
               p.wheel, kShaftRadius);
  }

  void draw_wheel(const Corner& corner, std::size_t i) {
    const tire::RollingTire& tire = *parts_.tires.wheels[i].tire;
    const Vector3 axis = corner.wheel_axis;
    std::vector<double> offsets = {0};
    if (corner.dual_spacing > 0) offsets = {-0.5 * corner.dual_spacing, 0.5 * corner.dual_spacing};
    for (const double offset : offsets)
      shapes_.push_back({{"kind", "wheel"},
                         {"part", "wheel"},
                         {"name", words_of(corner.name + "_wheel")},
                         {"body", is_full_ ? number(corner.wheel) : 0},
                         {"center", to_json(Vector3(corner.points.wheel + shift_ + offset * axis))},
                         {"axis", to_json(axis)},
                         {"radius", round_length(tire.radius)},
                         {"width", round_length(tire.width)},
                         {"rim", round_length(kRim * tire.radius)}});
  }

  /// The point of a line that is closest to p.
  static Vector3 closest(const Vector3& a, const Vector3& b, const Vector3& p) {
    const Vector3 along = b - a;
    const double length = along.squaredNorm();
    if (length < 1e-12) return a;
    return a + std::clamp(along.dot(p - a) / length, 0.0, 1.0) * along;
  }

  const DriveParts& parts_;
  const multibody::Mechanism& mechanism_;
  std::vector<vehicle::Axle> axles_;
  bool is_full_;
  MeshBook* meshes_;
  Vector3 shift_ = Vector3::Zero();
  std::vector<bool> is_driven_;  // by corner
  double top_ = 0;               // of the body [m]
  Json shapes_ = Json::array();
};

}  // namespace

int count_bodies(const Scenario& scenario, const DriveParts& parts) {
  return scenario.vehicle.level == VehicleLevel::kFull
             ? static_cast<int>(parts.mechanism.mechanism.bodies.size()) - 1
             : 1;
}

Json describe_vehicle(const std::string& name, const Scenario& scenario, const DriveParts& parts,
                      MeshBook* meshes) {
  Drawing drawing(scenario, parts, meshes);
  drawing.draw();
  const dynamics::VehicleFacts& facts = parts.facts;
  const Vector3& shift = drawing.shift();
  const vehicle::Outline& o = facts.outline;
  Json shell{{"kind", drawing.has_plates() ? "hmmwv" : "boxes"}};
  // Plates are drawn in the numbers of the full vehicle's frame.
  if (drawing.has_plates()) shell["offset"] = to_json(shift);
  // With a trailer, chase cameras stay behind it.
  double rear_end = o.rear + shift.x();
  if (parts.vehicle.trailer && scenario.vehicle.level == VehicleLevel::kFull)
    rear_end = std::min(rear_end, parts.vehicle.trailer->offset().x() +
                                      parts.vehicle.trailer->vehicle->shape.outline().rear);
  return {{"name", name},
          {"model", parts.vehicle.name},
          {"level", word_of(scenario.vehicle.level, scenario::kVehicleLevelWords)},
          {"mass", facts.total_mass()},
          {"outline",
           {{"rear", round_length(o.rear + shift.x())},
            {"front", round_length(o.front + shift.x())},
            {"right", round_length(o.right)},
            {"left", round_length(o.left)}}},
          {"rear_end", round_length(rear_end)},
          {"height", shift.isZero() ? round_length(parts.vehicle.height) : 0.0},
          {"wheelbase", round_length(facts.wheelbase())},
          {"track", round_length(facts.axles.empty() ? 0 : facts.axles.front().track)},
          {"shell", std::move(shell)},
          {"eye", to_json(drawing.find_eye())},
          {"bodies", drawing.list_bodies()},
          {"corners", drawing.list_corners()},
          {"shapes", drawing.take_shapes()}};
}

}  // namespace camber::view
