#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/figures/figure_request.h"
#include "camber/figures/signals.h"

namespace camber::figures {

/// A number that a figure needs besides its time window.
struct FigureParameter {
  std::string_view name, unit, meaning;
  std::optional<double> fallback = {};  // empty: it must be given
};

/// Definition of a key figure.
struct KeyFigure {
  std::string_view name, unit, definition;
  std::vector<std::string_view> channels;  // channels, or columns of channels, that it reads
  std::vector<FigureParameter> parameters = {};
};

/// All key figures, as `camber check` and the manual list them.
std::span<const KeyFigure> key_figures();
/// nullptr if no figure has this name.
const KeyFigure* find_key_figure(std::string_view name);
std::vector<std::string> key_figure_names();
/// The new name of a figure that was renamed; empty if `old_name` was not a name before.
std::string_view find_new_name(std::string_view old_name);

/// Data of the vehicle and its course for figures; 0 if unknown.
struct FigureContext {
  double wheelbase = 0, track = 0;               // [m]
  double steering_ratio = 0;                     // steering wheel's angle over the wheels' [1]
  double center_x = 0, front_axle_x = 0;         // from the log's origin: center of mass, axle [m]
  double front_tire_width = 0;                   // [m]
  double outline_front = 0, outline_half = 0;    // front end and half width of the body [m]
  double vehicle_length = 0, vehicle_width = 0;  // outline [m]
  int course_part = 1;                           // of ISO 3888
  double course_x = 0, course_y = 0;             // entry of its section 1 [m]
  double course_heading = 0;                     // [rad]
  double held_speed = 0;                         // target speed of the driver [m/s]
  double continued_from = 0;                     // a restarted run's log starts here [s]
};

enum class FigureStatus {
  kNoBounds,
  kPassed,
  kFailed,
  kNotJudged,  // the log of a restarted run lacks the start of its window
};

struct FigureResult {
  FigureRequest request;
  std::string unit;
  std::optional<double> value = {};  // empty: `problem` has the reason
  std::string problem = {};
  FigureStatus status = FigureStatus::kNoBounds;
};

/// The figures of a recorded drive, in the order of the requests. A figure without a value, because
/// a channel is missing or its event did not happen, has the reason in its result and fails if it
/// has bounds. Throws std::invalid_argument for an unknown name, with a suggestion.
std::vector<FigureResult> calc_key_figures(std::span<const FigureRequest> requests,
                                           const Signals& signals, const FigureContext& context);

}  // namespace camber::figures
