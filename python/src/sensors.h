#pragma once

#include <string>
#include <vector>

#include "camber/run/simulation.h"
#include "python/src/common.h"

namespace camber::python {

std::vector<std::string> list_sensors(const run::Simulation& simulation);
/// The newest sample of a sensor that has arrived, as a SensorSample; None before the first.
py::object find_sample(const run::Simulation& simulation, const std::string& name);

}  // namespace camber::python
