#include "camber/tire/tire_file.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "camber/core/file.h"
#include "camber/core/file_reference.h"
#include "camber/core/require.h"
#include "camber/tire/tir_file.h"

namespace camber::tire {
namespace {

constexpr std::string_view kSpring = "VERTICAL_STIFFNESS";

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
  node.renamed("greatest_load", "max_load");
  TmeasyTire tire;
  tire.nominal_load = node.at("nominal_load").positive("N");
  tire.max_load = node.at("max_load").positive("N");
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
  if (const TomlNode sliding = node.find("sliding_friction")) {
    tire.friction_loss = tire.friction - sliding.positive("");
    if (tire.friction_loss < 0) sliding.error("must not be more than friction");
  }
  return tire;
}

FialaTire read_fiala(const TomlNode& node) {
  node.renamed("least_friction", "min_friction");
  node.renamed("most_friction", "max_friction");
  FialaTire tire;
  tire.slip_stiffness = node.at("slip_stiffness").positive("N");
  tire.cornering_stiffness = node.at("cornering_stiffness").positive("N/rad");
  tire.min_friction = node.at("min_friction").positive("");
  tire.max_friction = node.at("max_friction").positive("");
  tire.width = node.at("width").positive("m");
  tire.is_combined = node.get("combined", true).boolean();
  if (tire.max_friction < tire.min_friction)
    node.at("max_friction").error("must not be less than min_friction");
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

bool lacks(const TirFile& tir, std::string_view key) {
  return std::find(tir.missing.begin(), tir.missing.end(), key) != tir.missing.end();
}

/// Those that are missing, with what stands for them, in one line.
void note_coefficients(const TirFile& tir, const std::string& path, TireFile* result) {
  std::string list;
  int count = 0;
  for (const MagicFormulaKey& key : magic_formula_keys()) {
    const bool is_coefficient = key.name.size() <= 5 && key.name != "WIDTH";
    if (!is_coefficient || key.name.ends_with("REFF") || !lacks(tir, key.name)) continue;
    const double value = tir.tire.*key.member;
    list += concat(list.empty() ? "" : ", ", key.name);
    if (value != 0) list += concat(" (", value, ")");
    ++count;
  }
  if (list.empty()) return;
  result->notes.push_back(concat(path, ": coefficients that are missing and taken as 0: ", list));
  result->short_notes.push_back(
      concat(path, ": ", count, count == 1 ? " coefficient is" : " coefficients are",
             " missing and taken as 0 (`camber check ", path, "` lists them)"));
}

/// A tire with the size, spring and relaxation of a .tir, for both sides. Where the data are for
/// one side, the other gets their mirror image.
TireFile make_tire(const TirFile& tir, bool shifts, const std::string& path) {
  const MagicFormulaTire data = shifts ? tir.tire : without_shifts(tir.tire);
  TireFile result{.model = "magic_formula"};
  RollingTire& tire = result.tire;
  tire.radius = data.UNLOADED_RADIUS;
  tire.width = data.WIDTH;
  tire.vertical = {{0, 1}, {0, data.LCZ * data.VERTICAL_STIFFNESS}, data.VERTICAL_DAMPING};
  if (!lacks(tir, "BREFF") && !lacks(tir, "DREFF"))
    tire.rolling_radius = {.B = data.BREFF,
                           .D = data.DREFF,
                           .F = data.FREFF,
                           .unit = data.LFZO * data.FNOMIN / tire.vertical.force.back()};
  // At the load that the scaled coefficients refer to. At FNOMIN itself a tire that is scaled to a
  // smaller size (LFZO < 1) had a multiple of it: its tread took up 10 m of a slide on ice.
  const RelaxationLengths<double> sigma =
      calc_relaxation_lengths(data, data.LFZO * data.FNOMIN, 0.0);
  if (sigma.along > 0) tire.relaxation_along = sigma.along;
  if (sigma.across > 0) tire.relaxation_across = sigma.across;
  const bool is_for_right = tir.side == TirFile::Side::kRight;
  tire.steady = is_for_right ? mirror(data) : data;
  if (tir.side != TirFile::Side::kSymmetric && shifts) {
    result.right = tire;
    result.right->steady = is_for_right ? data : mirror(data);
  }
  std::string ignored;
  for (const std::string& key : tir.ignored) ignored += concat(ignored.empty() ? "" : ", ", key);
  if (!ignored.empty()) result.notes.push_back(concat(path, ": not used: ", ignored));
  const auto note = [&](std::string_view what, double value, std::string_view unit) {
    result.notes.push_back(concat(path, ": ", what, " is missing: taken as ", value, " ", unit));
    result.short_notes.push_back(result.notes.back());
  };
  if (lacks(tir, "WIDTH")) note("WIDTH", tire.width, "m");
  if (lacks(tir, "VERTICAL_DAMPING")) note("VERTICAL_DAMPING", tire.vertical.damping, "N s/m");
  note_coefficients(tir, path, &result);
  if (!(sigma.along > 0)) note("the relaxation length along", tire.relaxation_along, "m");
  if (!(sigma.across > 0)) note("the relaxation length across", tire.relaxation_across, "m");
  return result;
}

/// What a .tir says itself, unless the table does.
TireFile read_magic_formula(const TomlNode& node, const std::string& folder) {
  const TomlNode file = node.at("file");
  const bool shifts = node.get("shifts", true).boolean();
  const std::string path = (std::filesystem::path(folder) / file.text()).string();
  try {
    require_regular_file(path);
    const TirFile tir = load_tir(path);
    if (lacks(tir, kSpring) && !node.find("vertical"))
      file.error(concat(path, ": ", kSpring, " is missing: expected it there, or [tire.vertical]"));
    return make_tire(tir, shifts, path);
  } catch (const std::runtime_error& e) {  // ModelFileError or FileError
    file.error(e.what());
    return {.model = "magic_formula"};
  }
}

/// A wheel without a tire: on soil a rigid cylinder, on rigid ground a stiff rim with a stiff
/// tread.
void make_rim(const TomlNode& node, RollingTire* tire) {
  BrushTire brush;
  brush.friction = node.at("friction").positive("");
  brush.half_length = 0.05;
  brush.tread_stiffness = 4e7;  // 200 kN for a slip of one
  tire->steady = brush;
  const VerticalLaw spring = make_rim_spring();
  tire->vertical = make_rim_spring(node.get("stiffness", spring.force.back()).positive("N/m"),
                                   node.get("damping", spring.damping).non_negative("N s/m"));
  tire->relaxation_along = tire->relaxation_across = 0.05;
  tire->rolling_resistance = 0.002;
}

}  // namespace

TireFile read_tire(const TomlNode& node, const std::string& folder) {
  const TomlNode word = node.at("model");
  const std::string model =
      word.choice({"tmeasy", "brush", "fiala", "magic_formula", "rigid", "relaxed_rolling"});
  if (!word.is_text() || model != word.text()) {
    // What a tire of another model lacks would only hide that error.
    if (node.is_table()) node.entries();
    return {};
  }
  const bool has_own = model == "magic_formula";
  TireFile result = has_own ? read_magic_formula(node, folder) : TireFile{.model = model};
  RollingTire& tire = result.tire;
  if (result.model == "tmeasy") tire.steady = read_tmeasy(node.at("tmeasy"));
  if (result.model == "brush") tire.steady = read_brush(node.at("brush"));
  if (result.model == "fiala") tire.steady = read_fiala(node.at("fiala"));
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

VerticalLaw make_rim_spring(double stiffness, double damping) {
  return {{0, 1}, {0, stiffness}, damping};
}

TireFile load_tir_tire(const std::string& path) {
  const TirFile tir = load_tir(path);
  if (lacks(tir, kSpring))
    throw ModelFileError(Position{.file = path, .key = std::string(kSpring)},
                         "is missing: a tire that is to carry a vehicle needs it");
  return make_tire(tir, true, path);
}

TireFile load_tire(const std::string& path, const Overrides& overrides, std::string_view part) {
  return read_tire_file(load_toml(path, overrides, part), path);
}

}  // namespace camber::tire
