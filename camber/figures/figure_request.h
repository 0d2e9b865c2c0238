#pragma once

#include <map>
#include <optional>
#include <string>

namespace camber::figures {

/// A key figure that a scenario wants, and what it must be.
struct FigureRequest {
  std::string figure;  // a name of key_figures()
  std::string name;    // that reports show; the figure's own if the file gives none
  std::optional<double> after, before;       // window of time; none: from the start, to the end [s]
  std::map<std::string, double> parameters;  // those the figure has, defaults filled in
  std::optional<double> least, most;         // bounds, both allowed
  std::string source;                        // where the bounds come from
};

}  // namespace camber::figures
