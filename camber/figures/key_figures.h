#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/figures/figure_request.h"
#include "camber/figures/signals.h"

namespace camber::figures {

/// A number that a figure needs to know beside its window.
struct FigureParameter {
  std::string_view name, unit, meaning;
  std::optional<double> fallback = {};  // none: it must be given
};

/// What a key figure is.
struct KeyFigure {
  std::string_view name, unit, definition;
  std::vector<std::string_view> channels;  // that it reads, or columns of them
  std::vector<FigureParameter> parameters = {};
};

/// All of them, as `camber check` and the manual list them.
std::span<const KeyFigure> key_figures();
/// nullptr if there is none of this name.
const KeyFigure* find_key_figure(std::string_view name);
std::vector<std::string> key_figure_names();

/// What figures must know of the vehicle and its course; 0 where nobody does.
struct FigureContext {
  double wheelbase = 0, track = 0;               // [m]
  double vehicle_length = 0, vehicle_width = 0;  // outline [m]
  double course_x = 0, course_y = 0;             // entry of section 1 of ISO 3888-1 [m]
  double course_heading = 0;                     // [rad]
  double held_speed = 0;                         // that the driver holds [m/s]
};

enum class FigureStatus { kNoBounds, kPassed, kFailed };

struct FigureResult {
  FigureRequest request;
  std::string unit;
  std::optional<double> value = {};  // none: `problem` says why; with bounds it has failed then
  std::string problem = {};
  FigureStatus status = FigureStatus::kNoBounds;
};

/// The figures of a recorded drive, in the order of the requests. A figure that has no value, for
/// want of a channel or because what it measures did not happen, says so in its result. Throws
/// std::invalid_argument for a name that is none, with a suggestion.
std::vector<FigureResult> calc_key_figures(std::span<const FigureRequest> requests,
                                           const Signals& signals, const FigureContext& context);

}  // namespace camber::figures
