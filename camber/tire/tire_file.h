#pragma once

// Tires by one key (docs/theory/tires.md, section 4):
//
//   kind = "tire"
//   name = "hmmwv-tmeasy"
//   [tire]
//   model = "tmeasy"    # "brush", "fiala", "magic_formula" with file = "x.tir", "rigid",
//                       # "relaxed_rolling"
//   radius = 0.4699
//   ...

#include <optional>
#include <string>
#include <vector>

#include "camber/core/overrides.h"
#include "camber/core/toml_reader.h"
#include "camber/tire/rolling_tire.h"

namespace camber::tire {

/// A tire of a file, for both sides of a vehicle.
struct TireFile {
  std::string name = {}, about = {};
  std::string model = {};                 // the key's word
  RollingTire tire = {};                  // of the left wheels
  std::optional<RollingTire> right = {};  // of the right ones, if they are not the same
  std::vector<std::string> notes = {};    // unused values of a .tir, and defaults of missing ones
  /// Of these, what every run says: how many there are, not which ones.
  std::vector<std::string> short_notes = {};
};

/// Throws ModelFileError with every mistake in it. `overrides` of this `part` replace values of the
/// file.
TireFile load_tire(const std::string& path, const Overrides& overrides = {},
                   std::string_view part = "");
/// The same for text in memory; a .tir is searched beside `path`.
TireFile read_tire_file(TomlFile file, const std::string& path);

/// The complete tire of a .tir: size, spring, relaxation and slip are the file's.
TireFile load_tir_tire(const std::string& path);

/// For a wheel without a tire.
VerticalLaw make_rim_spring(double stiffness = 2e6, double damping = 8e3);

/// The table [tire] of any file. Notes mistakes in the node's file; `folder` is searched for a
/// .tir.
TireFile read_tire(const TomlNode& node, const std::string& folder);

}  // namespace camber::tire
