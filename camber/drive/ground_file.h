#pragma once

// The ground's model by one key, of a scenario's table:
//
//   [ground]
//   model = "rigid"      # or "lumped", "soil_grid"
//   contact = "point"    # rigid: "four_points", "envelope" with samples and planes

#include "camber/core/toml_reader.h"
#include "camber/drive/ground.h"
#include "camber/tire/tire_file.h"

namespace camber::drive {

/// The table's model for these tires, on this terrain, under this load of a wheel [N]. Notes
/// mistakes in the table's file; what comes back is good only if the file's finish() finds none.
GroundModel read_ground(const TomlNode& table, const tire::TireFile& tire,
                        const terrain::Terrain& terrain, double wheel_load);

}  // namespace camber::drive
