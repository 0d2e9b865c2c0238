#pragma once

#include <map>
#include <optional>
#include <string>

namespace camber::figures {

/// A key figure that a scenario requests, and the bounds of its value.
struct FigureRequest {
  std::string figure;                   // a name of key_figures()
  std::string name;                     // in reports; the figure's own if the file gives none
  std::optional<double> after, before;  // time window [s]; empty: from the start, to the end
  std::optional<double> after_x = {},
                        before_x = {};       // besides: the vehicle's place in the world [m]
  std::map<std::string, double> parameters;  // of the figure, with defaults filled in
  std::optional<double> min, max;            // bounds; the figure may be equal to them
  std::string source;                        // where the bounds come from
};

}  // namespace camber::figures
