#include "camber/vehicle/vehicle_file.h"

#include <filesystem>
#include <numbers>
#include <sstream>
#include <system_error>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/file_reference.h"
#include "camber/core/require.h"
#include "camber/core/run_table.h"
#include "camber/multibody/mechanism_values.h"
#include "camber/scene/mesh_file.h"
#include "camber/vehicle/at_rest.h"
#include "camber/vehicle/problems.h"
#include "camber/vehicle/shape_mesh.h"

namespace camber::vehicle {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

class Reader {
 public:
  explicit Reader(const TomlNode& root)
      : root_(root), values_(root), folder_(folder_of(root.position().file)) {}

  Vehicle read() {
    root_.at("kind").choice({"vehicle"});
    vehicle_.name = root_.at("name").text();
    root_.get("about", std::string()).text();  // for people
    if (const auto gravity = root_.find("gravity"))
      vehicle_.gravity = values_.triple(gravity, "m/s^2");
    const TomlNode chassis = root_.at("chassis");
    vehicle_.chassis = read_part(chassis, Vector3::Zero());
    vehicle_.height = values_.number_or(chassis, "height", "m", 0);
    for (const TomlNode& node : root_.at("axles").entries())
      vehicle_.axles.push_back(read_axle(node));
    if (const auto steering = root_.find("steering")) vehicle_.steering = read_steering(steering);
    if (const auto file = root_.find("equipment"))
      vehicle_.equipment = read_file_reference(file, folder_, "equipment");
    if (const auto shape = root_.find("shape")) vehicle_.shape = read_shape(shape);
    if (const auto trailer = root_.find("trailer")) vehicle_.trailer = read_trailer(trailer);
    if (const auto drawbar = root_.find("drawbar"))
      vehicle_.drawbar = values_.triple(drawbar.at("point"), "m");
    return std::move(vehicle_);
  }

 private:
  // --- Values ---

  Vector3 read_point(const TomlNode& table, std::string_view key, const Vector3& origin) {
    return origin + values_.triple(table.at(key), "m");
  }

  /// Three numbers for the diagonal, or six: xx, yy, zz, xy, xz, yz.
  Matrix3 read_inertia(const TomlNode& node) {
    if (!node) return Matrix3::Identity();
    const std::vector<double> x = values_.numbers(node, "kg m^2");
    if (x.size() != 3 && x.size() != 6) {
      node.error(
          concat("must be [xx, yy, zz] or [xx, yy, zz, xy, xz, yz], got ", x.size(), " numbers"));
      return Matrix3::Identity();
    }
    Matrix3 inertia = Vector3(x[0], x[1], x[2]).asDiagonal();
    if (x.size() == 6) {
      inertia(0, 1) = inertia(1, 0) = x[3];
      inertia(0, 2) = inertia(2, 0) = x[4];
      inertia(1, 2) = inertia(2, 1) = x[5];
    }
    return inertia;
  }

  Part read_part(const TomlNode& node, const Vector3& origin) {
    Part part;
    part.mass = values_.positive(node.at("mass"), "kg");
    part.center = read_point(node, "center", origin);
    part.inertia = read_inertia(node.at("inertia"));
    return part;
  }

  /// A body along a line: a cylinder, where the file does not say more.
  Part read_rod(const TomlNode& node, const Vector3& origin, const Vector3& from,
                const Vector3& to) {
    Part part;
    part.mass = values_.positive(node.at("mass"), "kg");
    const double radius = values_.number_or(node, "radius", "m", 0.015);
    part.center =
        node.find("center") ? read_point(node, "center", origin) : Vector3(0.5 * (from + to));
    const Vector3 along = to - from;
    const double length2 = along.squaredNorm();
    const Matrix3 axis = along * along.transpose() / std::max(length2, 1e-12);
    const double about = 0.5 * part.mass * radius * radius;
    const double across = part.mass * (radius * radius / 4 + length2 / 12);
    part.inertia = across * (Matrix3::Identity() - axis) + about * axis;
    if (const auto inertia = node.find("inertia")) part.inertia = read_inertia(inertia);
    return part;
  }

  multibody::Table read_table(const TomlNode& node, std::string_view x_unit) {
    multibody::Table table;
    for (const TomlNode& row : node.elements()) {
      const std::vector<double> pair = row.numbers(2, x_unit);
      table.x.push_back(pair[0]);
      table.y.push_back(pair[1]);
    }
    for (std::size_t i = 1; i < table.x.size(); ++i) {
      if (table.x[i] > table.x[i - 1]) continue;
      node.error(
          concat("the first numbers must increase, got ", table.x[i], " after ", table.x[i - 1]));
      break;
    }
    if (table.x.size() < 2) node.error("needs two pairs [x, force] at least");
    return table;
  }

  std::string read_tire(const TomlNode& node) {
    const bool is_tir = node.is_text() && node.text().ends_with(".tir");
    return read_file_reference(node, folder_, is_tir ? "" : "tire");
  }

  // --- Shape and trailer ---

  Shape read_shape(const TomlNode& node) {
    Shape shape;
    if (const TomlNode mesh = node.find("mesh")) shape.mesh = read_shape_mesh(mesh);
    const TomlNode boxes = shape.mesh || node.find("mesh") ? node.find("box") : node.at("box");
    if (!boxes) return shape;
    for (const TomlNode& box : boxes.tables()) {
      const Box read{values_.triple(box.at("min"), "m"), values_.triple(box.at("max"), "m")};
      if (!(read.min.array() < read.max.array()).all())
        box.at("max").error("each number must be above that of min");
      shape.boxes.push_back(read);
    }
    return shape;
  }

  std::shared_ptr<const ShapeMesh> read_shape_mesh(const TomlNode& node) {
    scene::MeshOptions options;
    options.unit = node.get("unit", 1.0).positive("m");
    options.up =
        node.get("up", "z").choice({"z", "y"}) == "y" ? scene::UpAxis::kY : scene::UpAxis::kZ;
    Vector3 offset = Vector3::Zero();
    if (const TomlNode position = node.find("position")) offset = values_.triple(position, "m");
    const TomlNode file = node.at("file");
    const std::string path = read_file_reference(file, folder_, "");
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return nullptr;  // which was reported
    try {
      return load_shape_mesh(path, options, offset);
    } catch (const FileError& error) {
      file.error(error.what());
    }
    return nullptr;
  }

  std::optional<Trailer> read_trailer(const TomlNode& node) {
    Trailer trailer;
    trailer.hitch = values_.triple(node.at("hitch"), "m");
    const TomlNode file = node.at("file");
    const std::string path = read_file_reference(file, folder_, "vehicle");
    std::error_code problem;
    if (path.empty() || !std::filesystem::is_regular_file(path, problem)) return {};
    if (std::filesystem::equivalent(path, root_.position().file, problem)) {
      file.error("a vehicle cannot be its own trailer");
      return {};
    }
    try {
      trailer.vehicle = std::make_shared<const Vehicle>(load_vehicle(path));
    } catch (const ModelFileError& error) {
      file.error(to_text(error.diagnostics().front()));
      return {};
    }
    if (!trailer.vehicle->drawbar)
      file.error(concat(path, " has no [drawbar] with the point that the hitch holds"));
    if (trailer.vehicle->trailer) file.error(concat(path, " has a trailer itself"));
    if (trailer.vehicle->steering) file.error(concat(path, " has [steering]: a trailer is drawn"));
    return trailer;
  }

  // --- Axles ---

  Axle read_axle(const TomlNode& node) {
    Axle axle;
    axle.name = node.key();
    const std::string type =
        node.at("suspension")
            .choice({"double_wishbone", "planar_double_wishbone", "mcpherson", "trailing_arm"});
    axle.type = type == "double_wishbone"          ? SuspensionType::kDoubleWishbone
                : type == "planar_double_wishbone" ? SuspensionType::kPlanarDoubleWishbone
                : type == "mcpherson"              ? SuspensionType::kMcPherson
                                                   : SuspensionType::kTrailingArm;
    axle.is_mirrored = node.get("mirror", true).boolean();
    const Vector3 origin = node.find("at") ? values_.triple(node.at("at"), "m") : Vector3::Zero();
    read_points(node.at("points"), origin, &axle);
    read_bodies(node.at("bodies"), origin, &axle);
    axle.spring = read_spring(node.at("spring"));
    axle.shock = read_shock(node.at("shock"));
    if (const auto bar = node.find("anti_roll_bar")) axle.anti_roll_bar = read_bar(bar, origin);
    read_soft_hinges(node, &axle);
    axle.wheel = read_wheel(node.at("wheel"), axle.points.wheel);
    if (const auto rest = node.find("at_rest")) axle.at_rest = read_at_rest(rest);
    if (const auto tire = node.find("tire")) axle.tire = read_tire(tire);
    if (const auto tire = node.find("right_tire")) {
      axle.right_tire = read_tire(tire);
      if (axle.tire.empty()) tire.error("goes with tire, that of the left wheel");
      if (!axle.is_mirrored) tire.error("the axle has mirror = false: there is no right wheel");
    }
    if (const auto spacing = node.find("dual_spacing"))
      axle.dual_spacing = values_.positive(spacing, "m");
    return axle;
  }

  void read_points(const TomlNode& node, const Vector3& origin, Axle* axle) {
    Hardpoints& p = axle->points;
    const auto read = [&](std::string_view key, Vector3* point) {
      *point = read_point(node, key, origin);
    };
    read("wheel", &p.wheel);
    read("spring_top", &p.spring_top);
    read("spring_bottom", &p.spring_bottom);
    read("shock_top", &p.shock_top);
    read("shock_bottom", &p.shock_bottom);
    if (axle->type == SuspensionType::kTrailingArm) {
      read("arm_inner", &p.arm_inner);
      read("arm_outer", &p.arm_outer);
      return;
    }
    read("lower_front", &p.lower_front);
    read("lower_back", &p.lower_back);
    read("lower_ball", &p.lower_ball);
    read("tie_rod_inner", &p.tie_rod_inner);
    read("tie_rod_outer", &p.tie_rod_outer);
    if (axle->type == SuspensionType::kMcPherson) {
      read("strut_top", &p.strut_top);
      read("strut_bottom", &p.strut_bottom);
    } else {
      read("upper_front", &p.upper_front);
      read("upper_back", &p.upper_back);
      read("upper_ball", &p.upper_ball);
    }
  }

  void read_bodies(const TomlNode& node, const Vector3& origin, Axle* axle) {
    const Hardpoints& p = axle->points;
    if (axle->type == SuspensionType::kTrailingArm) {
      axle->arm = read_part(node.at("arm"), origin);
      return;
    }
    axle->lower_arm = read_part(node.at("lower_arm"), origin);
    axle->upright = read_part(node.at("upright"), origin);
    if (const auto rod = node.find("tie_rod")) {
      axle->has_tie_rod_body = true;
      axle->tie_rod = read_rod(rod, origin, p.tie_rod_inner, p.tie_rod_outer);
    }
    if (axle->type == SuspensionType::kMcPherson) {
      axle->strut = read_rod(node.at("strut"), origin, p.strut_bottom, p.strut_top);
      return;
    }
    axle->upper_arm = read_part(node.at("upper_arm"), origin);
    if (axle->type != SuspensionType::kPlanarDoubleWishbone) return;
    axle->spindle = read_part(node.at("spindle"), origin);
    const TomlNode lower = node.find("lower_shock"), upper = node.find("upper_shock");
    if (static_cast<bool>(lower) != static_cast<bool>(upper))
      (lower ? lower : upper).error("lower_shock and upper_shock go together");
    if (!lower || !upper) return;
    const Vector3 middle = 0.5 * (p.shock_bottom + p.shock_top);
    axle->has_shock_bodies = true;
    axle->lower_shock = read_rod(lower, origin, p.shock_bottom, middle);
    axle->upper_shock = read_rod(upper, origin, middle, p.shock_top);
  }

  Spring read_spring(const TomlNode& node) {
    Spring spring;
    spring.free_length = values_.positive(node.at("free_length"), "m");
    spring.stiffness = values_.number_or(node, "stiffness", "N/m", 0);
    spring.preload = values_.number_or(node, "preload", "N", 0);
    if (const auto table = node.find("table")) spring.table = read_table(table, "m or N");
    if (const auto bump = node.find("bump_length")) spring.bump_length = bump.positive("m");
    if (const auto rebound = node.find("rebound_length"))
      spring.rebound_length = rebound.positive("m");
    if (const auto stop = node.find("stop_table")) {
      spring.stop = read_table(stop, "m or N");
      if (!spring.bump_length && !spring.rebound_length)
        stop.error("acts from bump_length or rebound_length on: neither is there");
      if (spring.stop->x.size() > 1 && (spring.stop->x[0] != 0 || spring.stop->y[0] != 0))
        stop.error("must begin with [0, 0]");
    }
    return spring;
  }

  HydraulicStops read_stops(const TomlNode& node) {
    HydraulicStops stops;
    stops.shortest = values_.positive(node.at("shortest"), "m");
    stops.longest = values_.positive(node.at("longest"), "m");
    const TomlNode over = node.find("over");
    stops.over = over ? values_.positive(over, "m") : 0.002;
    stops.compression = node.at("compression").non_negative("N s/m");
    stops.rebound = node.at("rebound").non_negative("N s/m");
    if (!(stops.shortest < stops.longest))
      node.at("shortest")
          .error(concat("must be below longest, ", stops.longest, " m, got ", stops.shortest));
    return stops;
  }

  Shock read_shock(const TomlNode& node) {
    Shock shock;
    if (const auto stops = node.find("hydraulic_stops")) shock.stops = read_stops(stops);
    if (const auto table = node.find("table")) {
      shock.table = read_table(table, "m/s or N");
      for (const char* rate : {"compression", "rebound"})
        if (const auto given = node.find(rate)) given.error("give the table or the two rates");
      return shock;
    }
    shock.compression = node.at("compression").non_negative("N s/m");
    shock.rebound = node.at("rebound").non_negative("N s/m");
    return shock;
  }

  AntiRollBar read_bar(const TomlNode& node, const Vector3& origin) {
    AntiRollBar bar;
    bar.stiffness = values_.positive(node.at("stiffness"), "N m/rad");
    bar.pivot = read_point(node, "pivot", origin);
    bar.arm_end = read_point(node, "arm_end", origin);
    bar.link_end = read_point(node, "link_end", origin);
    bar.mass = values_.positive(node.at("mass"), "kg");
    return bar;
  }

  void read_soft_hinges(const TomlNode& node, Axle* axle) {
    const TomlNode lower = node.find("soft_lower_hinge"), upper = node.find("soft_upper_hinge");
    if (lower) axle->soft_lower_hinge = read_soft(lower);
    if (upper) axle->soft_upper_hinge = read_soft(upper);
    const bool has_both = axle->type == SuspensionType::kDoubleWishbone;
    const auto refuse = [&](const TomlNode& hinge) {
      hinge.error(concat("a suspension of type \"", to_text(axle->type), "\" has no such hinge"));
    };
    if (lower && !has_both && axle->type != SuspensionType::kMcPherson) refuse(lower);
    if (upper && !has_both) refuse(upper);
  }

  SoftHinge read_soft(const TomlNode& node) {
    SoftHinge soft;
    soft.stiffness = values_.triple(node.at("stiffness"), "N/m");
    soft.damping = values_.triple(node.at("damping"), "N s/m");
    soft.turning_stiffness = values_.triple(node.at("turning_stiffness"), "N m/rad");
    soft.turning_damping = values_.triple(node.at("turning_damping"), "N m s/rad");
    return soft;
  }

  Wheel read_wheel(const TomlNode& node, const Vector3& center) {
    Wheel wheel;
    wheel.part.mass = values_.positive(node.at("mass"), "kg");
    wheel.part.center = center;
    wheel.part.inertia = read_inertia(node.at("inertia"));
    wheel.radius = values_.positive(node.at("radius"), "m");
    wheel.vertical_stiffness = values_.number_or(node, "vertical_stiffness", "N/m", 0);
    wheel.vertical_damping = values_.number_or(node, "vertical_damping", "N s/m", 0);
    wheel.camber = values_.number_or(node, "camber_deg", "deg", 0) * kDegree;
    wheel.toe = values_.number_or(node, "toe_deg", "deg", 0) * kDegree;
    if (const auto tire = node.find("tire")) {
      tire.at("law").choice({"relaxed_rolling"});
      const TomlNode slip_speed = tire.find("slip_speed");
      wheel.tire = RelaxedRolling{.friction = tire.at("friction").non_negative(""),
                                  .slip_speed = slip_speed ? slip_speed.positive("m/s") : 0.05};
    }
    if (const auto brake = node.find("parking_brake"))
      wheel.parking_brake = brake.non_negative("N m");
    return wheel;
  }

  AtRest read_at_rest(const TomlNode& node) {
    constexpr double kMost = 10 * kDegree;
    AtRest rest{.travel = node.at("travel").in_range(-1, 1, "m"), .camber = {}, .toe = {}};
    const auto read = [&](const char* key, std::optional<double>* angle) {
      if (const auto given = node.find(key))
        *angle = given.in_range(-kMost / kDegree, kMost / kDegree, "deg") * kDegree;
    };
    read("camber_deg", &rest.camber);
    read("toe_deg", &rest.toe);
    return rest;
  }

  // --- Steering ---

  Steering read_steering(const TomlNode& node) {
    Steering steering;
    steering.axle = node.at("axle").text();
    const bool is_pitman = node.at("type").choice({"pitman", "rack"}) == "pitman";
    steering.type = is_pitman ? SteeringType::kPitman : SteeringType::kRack;
    if (is_pitman) {
      steering.pitman_pivot = values_.triple(node.at("pitman_pivot"), "m");
      steering.pitman_end = values_.triple(node.at("pitman_end"), "m");
      steering.idler_pivot = values_.triple(node.at("idler_pivot"), "m");
      steering.idler_end = values_.triple(node.at("idler_end"), "m");
      steering.axis = values_.triple(node.at("axis"), "");
      if (steering.axis.norm() < 1e-9) {
        node.at("axis").error("must not be zero");
        steering.axis = Vector3::UnitZ();
      }
      steering.pitman =
          read_rod(node.at("pitman"), Vector3::Zero(), steering.pitman_pivot, steering.pitman_end);
      steering.idler =
          read_rod(node.at("idler"), Vector3::Zero(), steering.idler_pivot, steering.idler_end);
      steering.link =
          read_rod(node.at("link"), Vector3::Zero(), steering.pitman_end, steering.idler_end);
    } else {
      steering.rack = read_part(node.at("rack"), Vector3::Zero());
      steering.axis = Vector3::UnitX();  // of the column
    }
    steering.damping = values_.number_or(node, "damping", is_pitman ? "N m s/rad" : "N s/m", 0);
    if (const auto motion = node.find("motion")) steering.motion = values_.motion(motion);
    if (const auto column = node.find("column")) {
      SteeringColumn c;
      c.ratio = values_.positive(column.at("ratio"), is_pitman ? "" : "rad/m");
      c.stiffness = values_.positive(column.at("stiffness"), "N m/rad");
      c.damping = values_.number_or(column, "damping", "N m s/rad", 0);
      c.inertia = values_.positive(column.at("inertia"), "kg m^2");
      steering.column = c;
    }
    if (const auto list = node.find("linked")) {
      for (const TomlNode& linked : list.tables())
        steering.linked.push_back({.axle = linked.at("axle").text(),
                                   .ratio = linked.at("ratio").number(is_pitman ? "m/rad" : ""),
                                   .rack = read_part(linked.at("rack"), Vector3::Zero())});
    }
    return steering;
  }

  TomlNode root_;
  multibody::internal::MechanismValues values_;
  std::string folder_;
  Vehicle vehicle_;
};

/// The node of a place such as "axles.front.points.upper_ball", or the last one on the way there.
TomlNode find_place(TomlNode node, const std::string& place) {
  std::istringstream parts(place);
  for (std::string part; std::getline(parts, part, '.');) {
    if (!node.is_table()) break;
    const TomlNode next = node.find(part);
    if (!next) break;
    node = next;
  }
  return node;
}

/// A failure names its place before a colon.
void adjust(TomlFile& file, Vehicle* vehicle) {
  try {
    adjust_to_rest(vehicle);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    const std::size_t colon = text.find(": ");
    const bool has_place = text.starts_with("axles") && colon != std::string::npos;
    find_place(file.root(), has_place ? text.substr(0, colon) : "axles")
        .error(has_place ? text.substr(colon + 2) : text);
  }
}

}  // namespace

Vehicle read_vehicle(TomlFile file) {
  Vehicle vehicle = Reader(file.root()).read();
  read_run_table(file.root());
  if (file.diagnostics().error_count() == 0) {
    for (const VehicleProblem& problem : find_problems(vehicle))
      find_place(file.root(), problem.place).error(problem.text);
  }
  if (file.diagnostics().error_count() == 0) adjust(file, &vehicle);
  file.finish();
  return vehicle;
}

Vehicle load_vehicle(const std::string& path, const Overrides& overrides, std::string_view part) {
  return read_vehicle(load_toml(path, overrides, part));
}

Vehicle parse_vehicle(std::string text, std::string file) {
  return read_vehicle(parse_toml(std::move(text), std::move(file)));
}

}  // namespace camber::vehicle
