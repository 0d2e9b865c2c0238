#pragma once

// Parts of a vehicle's layout that follow from its sketch alone. generate() and VehicleSurvey share
// them.

#include "camber/mechanism_code/sketch.h"
#include "camber/mechanism_code/vehicle_program.h"

namespace camber::mechanism_code {

/// Name, coordinates and speeds, and the joints whose motion is given.
void lay_out_state(const Sketch& sketch, VehicleLayout* layout);

/// Two uses of one kernel fill a register of two doubles: adds their parameters side by side.
void pair_uses(VehicleLayout* layout);

/// Whether other groups need its coordinates: its equations are part of the prologue.
bool lends_coordinates(const Sketch& sketch, const Group& group);

/// The link that coordinate y moves first.
const SketchLink& find_link(const Sketch& sketch, int y);

}  // namespace camber::mechanism_code
