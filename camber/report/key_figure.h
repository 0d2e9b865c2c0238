#pragma once

#include <optional>
#include <string>
#include <vector>

namespace camber::report {

/// A result of a run with its bounds: "largest roll angle", 0.052 rad, at most 0.07 rad.
struct KeyFigure {
  std::string name;
  double value = 0;
  std::string unit = {};
  std::optional<double> lower = {}, upper = {};  // none: told, not judged
  bool passed = true;
  std::string source = {};  // where the bound comes from, or why it has failed

  bool is_judged() const { return lower.has_value() || upper.has_value() || !passed; }
};

/// With `passed` from the bounds, which are included. NaN fails any bound.
KeyFigure make_key_figure(std::string name, double value, std::string unit,
                          std::optional<double> lower = {}, std::optional<double> upper = {},
                          std::string source = {});

/// Whether none of them has failed.
bool all_passed(const std::vector<KeyFigure>& figures);

/// The same in the unit that people use beside SI: "0.64 deg/g", "80 km/h"; empty if that is the same.
std::string customary_text(double value, const std::string& unit);

/// Its bounds as human-readable text: "0.2 to 0.5", "at most 0.5", "".
std::string bounds_text(const KeyFigure& figure);

/// A table of key figures with pass or fail, as HTML; its style is chart_style().
std::string to_html(const std::vector<KeyFigure>& figures);

/// One quantity for all parts that have it: "Camber [deg]", front 0.9, rear 2.4.
struct Tile {
  struct Value {
    std::string of;  // "front"
    std::string text;
    std::string aside = {};  // the same at another place, in small letters
  };
  std::string title, unit = {};
  std::vector<Value> values = {};
};

/// Small cards, as many in a row as fit; their style is chart_style().
std::string to_html(const std::vector<Tile>& tiles);

}  // namespace camber::report
