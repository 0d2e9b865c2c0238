#pragma once

#include <string>
#include <string_view>

#include "camber/city/city.h"
#include "camber/city/city_spec.h"
#include "camber/core/overrides.h"

namespace camber::city {

/// A file of kind "city" (docs/manual/city.md): made from its seed, or imported from the file that
/// it names. Throws ModelFileError with every mistake. `overrides` of this `part` replace values
/// of the file.
City load_city(const std::string& path, const Overrides& overrides = {},
               std::string_view part = "");

}  // namespace camber::city
