#include "camber/tire/tire_file.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "camber/tire/tir_file.h"

namespace camber::tire {
namespace {

/// A figure at the nominal load and at twice of it.
struct AtLoads {
  double one, two;
};
AtLoads read_pair(const TomlNode& node, std::string_view unit) {
  const std::vector<double> pair = node.numbers(2, unit);
  if (pair.size() != 2) return {1, 1};
  for (const double x : pair)
    if (!(x > 0)) node.error("must be two numbers > 0, at the nominal load and at twice of it");
  return {pair[0], pair[1]};
}

void read_curve(const TomlNode& node, TmeasyCurve (&curve)[2]) {
  const auto read = [&](const char* key, std::string_view unit, double TmeasyCurve::*member) {
    const AtLoads pair = read_pair(node.at(key), unit);
    curve[0].*member = pair.one;
    curve[1].*member = pair.two;
  };
  read("slope", "N", &TmeasyCurve::slope);
  read("peak", "N", &TmeasyCurve::peak);
  read("sliding", "N", &TmeasyCurve::sliding);
  read("peak_slip", "", &TmeasyCurve::peak_slip);
  read("sliding_slip", "", &TmeasyCurve::sliding_slip);
  for (const TmeasyCurve& c : curve)
    if (!(c.sliding_slip > c.peak_slip))
      node.at("sliding_slip").error("must be more than peak_slip: it slides beyond its peak");
}

TmeasyTire read_tmeasy(const TomlNode& node) {
  TmeasyTire tire;
  tire.nominal_load = node.at("nominal_load").positive("N");
  tire.greatest_load = node.at("greatest_load").positive("N");
  read_curve(node.at("along"), tire.along);
  read_curve(node.at("across"), tire.across);
  const TomlNode trail = node.at("trail");
  const auto read = [&](const char* key, double(&values)[2]) {
    const AtLoads pair = read_pair(trail.at(key), "");
    values[0] = pair.one;
    values[1] = pair.two;
  };
  read("share", tire.trail);
  read("zero", tire.trail_zero);
  read("end", tire.trail_end);
  return tire;
}

BrushTire read_brush(const TomlNode& node) {
  BrushTire tire;
  tire.tread_stiffness = node.at("tread_stiffness").positive("N/m^2");
  tire.half_length = node.at("half_length").positive("m");
  tire.friction = node.at("friction").positive("");
  return tire;
}

FialaTire read_fiala(const TomlNode& node) {
  FialaTire tire;
  tire.slip_stiffness = node.at("slip_stiffness").positive("N");
  tire.cornering_stiffness = node.at("cornering_stiffness").positive("N/rad");
  tire.least_friction = node.at("least_friction").positive("");
  tire.most_friction = node.at("most_friction").positive("");
  tire.width = node.at("width").positive("m");
  if (tire.most_friction < tire.least_friction)
    node.at("most_friction").error("must not be less than least_friction");
  return tire;
}

/// A polygon of load over deflection, or one stiffness.
VerticalLaw read_vertical(const TomlNode& node) {
  VerticalLaw law;
  law.damping = node.at("damping").non_negative("N s/m");
  if (const TomlNode stiffness = node.find("stiffness")) {
    law.deflection = {0, 1};
    law.force = {0, stiffness.positive("N/m")};
    if (const TomlNode both = node.find("deflection"))
      both.error("is there beside a stiffness: give one of the two");
    return law;
  }
  const TomlNode deflection = node.at("deflection"), force = node.at("force");
  law.deflection = deflection.numbers("m");
  law.force = force.numbers("N");
  const auto rises_from_zero = [](const std::vector<double>& x) {
    if (x.size() < 2 || x[0] != 0) return false;
    for (std::size_t i = 1; i < x.size(); ++i)
      if (!(x[i] > x[i - 1])) return false;
    return true;
  };
  constexpr const char* kRises = "must begin with 0 and rise, with two numbers or more";
  if (!rises_from_zero(law.deflection)) deflection.error(kRises);
  if (!rises_from_zero(law.force)) force.error(kRises);
  if (law.deflection.size() != law.force.size()) force.error("must be as many as deflection has");
  return law;
}

/// What a .tir says itself, unless the table does.
MagicFormulaTire read_magic_formula(const TomlNode& node, const std::string& folder,
                                    TireFile* result) {
  const TomlNode file = node.at("file");
  const bool shifts = node.get("shifts", true).boolean();
  TirFile tir;
  try {
    tir = load_tir((std::filesystem::path(folder) / file.text()).string());
  } catch (const ModelFileError& e) {
    file.error(e.what());
    return {};
  }
  MagicFormulaTire left = shifts ? tir.tire : without_shifts(tir.tire);
  if (tir.side == TirFile::Side::kRight) left = mirror(left);
  if (tir.side != TirFile::Side::kSymmetric && shifts) {
    result->right.emplace();
    result->right->steady = mirror(left);
  }
  return left;
}

/// Its own size, spring and relaxation, for what the table leaves out.
void take_from(const MagicFormulaTire& data, RollingTire* tire) {
  tire->radius = data.UNLOADED_RADIUS;
  tire->width = data.WIDTH;
  tire->vertical = {{0, 1}, {0, data.VERTICAL_STIFFNESS}, data.VERTICAL_DAMPING};
  const RelaxationLengths<double> sigma = calc_relaxation_lengths(data, data.FNOMIN, 0.0);
  if (sigma.along > 0) tire->relaxation_along = sigma.along;
  if (sigma.across > 0) tire->relaxation_across = sigma.across;
}

/// A wheel without a tire: on soil a rigid cylinder, on rigid ground a stiff rim with a stiff
/// tread.
void make_rim(const TomlNode& node, RollingTire* tire) {
  BrushTire brush;
  brush.friction = node.at("friction").positive("");
  brush.half_length = 0.05;
  brush.tread_stiffness = 4e7;  // 200 kN for a slip of one
  tire->steady = brush;
  tire->vertical = {{0, 1},
                    {0, node.get("stiffness", 2e6).positive("N/m")},
                    node.get("damping", 8e3).non_negative("N s/m")};
  tire->relaxation_along = tire->relaxation_across = 0.05;
  tire->rolling_resistance = 0.002;
}

}  // namespace

TireFile read_tire(const TomlNode& node, const std::string& folder) {
  TireFile result;
  RollingTire& tire = result.tire;
  result.model = node.at("model").choice(
      {"tmeasy", "brush", "fiala", "magic_formula", "rigid", "relaxed_rolling"});
  const bool has_own = result.model == "magic_formula";
  if (result.model == "tmeasy") tire.steady = read_tmeasy(node.at("tmeasy"));
  if (result.model == "brush") tire.steady = read_brush(node.at("brush"));
  if (result.model == "fiala") tire.steady = read_fiala(node.at("fiala"));
  if (has_own) {
    const MagicFormulaTire data = read_magic_formula(node, folder, &result);
    tire.steady = data;
    take_from(data, &tire);
  }
  if (result.model == "rigid") make_rim(node, &tire);
  if (result.model == "relaxed_rolling")
    tire.constraint = {.friction = node.at("friction").positive(""),
                       .slip_speed = node.get("slip_speed", 0.5).positive("m/s")};
  tire.radius = (has_own ? node.get("radius", tire.radius) : node.at("radius")).positive("m");
  tire.width = (has_own ? node.get("width", tire.width) : node.at("width")).positive("m");
  if (result.model != "rigid") {
    if (const TomlNode vertical = has_own ? node.find("vertical") : node.at("vertical"))
      tire.vertical = read_vertical(vertical);
  }
  const auto read = [&](const char* key, double* value, std::string_view unit) {
    *value = node.get(key, *value).positive(unit);
  };
  read("relaxation_along", &tire.relaxation_along, "m");
  read("relaxation_across", &tire.relaxation_across, "m");
  tire.rolling_resistance =
      node.get("rolling_resistance", tire.rolling_resistance).non_negative("");
  read("low_speed", &tire.low_speed, "m/s");
  read("standing_deflection", &tire.standing_deflection, "m");
  read("standing_damping_time", &tire.standing_damping_time, "s");
  if (result.right) {
    const auto steady = result.right->steady;
    result.right = tire;
    result.right->steady = steady;
  }
  return result;
}

TireFile read_tire_file(TomlFile file, const std::string& path) {
  const TomlNode root = file.root();
  root.at("kind").choice({"tire"});
  const std::string name = root.at("name").text(), about = root.get("about", std::string()).text();
  TireFile result = read_tire(root.at("tire"), std::filesystem::path(path).parent_path().string());
  result.name = name;
  result.about = about;
  file.finish();
  return result;
}

TireFile load_tire(const std::string& path) { return read_tire_file(load_toml(path), path); }

}  // namespace camber::tire
