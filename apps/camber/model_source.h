#pragma once

#include <optional>
#include <string>

#include "camber/core/overrides.h"
#include "camber/core/run_table.h"
#include "camber/core/toml_reader.h"
#include "camber/dynamics/equipment.h"
#include "camber/lagrange/model_file.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/urdf_file.h"
#include "camber/planning/plan_file.h"
#include "camber/rolling_wheel/wheel_file.h"
#include "camber/scenario/scenario.h"
#include "camber/terrain/terrain_file.h"
#include "camber/tire/tire_file.h"
#include "camber/vehicle/expand.h"

namespace camber::app {

/// A model's file, opened once: a pipe can be read only once.
class ModelSource {
 public:
  /// `overrides` replace values of the file; those of a URDF file set its joints, a .tir file takes
  /// none.
  /// Throws ModelFileError for a file that cannot be read or is not TOML.
  explicit ModelSource(const std::string& path, const Overrides& overrides = {});
  /// The same for text in memory; `path` is the name that messages show.
  ModelSource(const std::string& path, std::string text, const Overrides& overrides);

  /// "urdf" for a file of that ending, "tire" for a .tir, else the `kind` that a TOML file gives;
  /// empty if it gives none.
  const std::string& kind() const { return kind_; }
  /// Throws ModelFileError for a file without kind, or of one that there is not.
  void require_known_kind();
  /// Throws ModelFileError: "is of kind "tire"; camber rig takes ...".
  [[noreturn]] void refuse_kind(std::string_view takes) const;
  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  /// Places of the elements of the mechanism that was read.
  const multibody::MechanismPlaces& places() const { return places_; }
  /// How it is run if its user does not say otherwise.
  const RunTable& run_table() const { return run_table_; }
  /// What a robot in URDF has that was accepted although it is not sound.
  const multibody::UrdfNotes& notes() const { return notes_; }
  /// Whether its kind is a mechanism or becomes one.
  bool is_mechanism() const { return kind_ == "mechanism" || kind_ == "urdf" || is_vehicle(); }

  bool is_urdf() const { return kind_ == "urdf"; }
  bool is_vehicle() const { return kind_ == "vehicle"; }

  /// What a vehicle has that is not generated, said at its place in the file. Before it is read.
  void check_generated();

  /// What it holds; once, and only for its kind. Throws ModelFileError with every mistake.
  /// `is_standing`: a vehicle's wheels on the vertical springs of their tires; throws
  /// std::invalid_argument for a model that is not a vehicle.
  multibody::Mechanism read_mechanism(bool is_standing = false);
  vehicle::VehicleMechanism read_vehicle_mechanism(bool is_standing);
  vehicle::Vehicle read_vehicle();
  lagrange::LagrangianModel read_lagrangian();
  rolling_wheel::WheelScenario read_wheel();
  terrain::Terrain read_terrain();
  planning::PlanProblem read_plan();
  tire::TireFile read_tire();
  dynamics::Equipment read_equipment();
  scenario::Scenario read_scenario();

 private:
  void open();
  /// The file for its reader. Throws ModelFileError for a file of another format.
  TomlFile take_file();
  std::string path_, text_, kind_;
  Overrides overrides_;
  std::optional<TomlFile> file_;
  RunTable run_table_;
  multibody::MechanismPlaces places_;
  multibody::UrdfNotes notes_;
};

/// What to say of a vehicle that was not asked to stand.
inline constexpr const char* kFallsNote =
    "the vehicle has nothing to stand on: --standing puts its wheels on their tires' springs";

/// A message that names the joints of a robot whose limits have no stops; empty if all have.
std::string describe_loose_limits(const multibody::Mechanism& mechanism);

/// The mechanism of a source assembled. What its author can mend (it cannot be assembled, speeds or
/// motions that contradict each other, a joint that moves no inertia) is a ModelFileError at
/// the element that is to be looked at.
multibody::MechanismDynamics make_dynamics(const ModelSource& source,
                                           const multibody::Mechanism& mechanism,
                                           multibody::Formulation formulation,
                                           const multibody::Stabilization& stabilization = {});

}  // namespace camber::app
