#include "camber/report/key_figure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/report/markup.h"
#include "camber/report/plot.h"

namespace camber::report {

KeyFigure make_key_figure(std::string name, double value, std::string unit,
                          std::optional<double> lower, std::optional<double> upper,
                          std::string source) {
  const bool passed = (!lower || value >= *lower) && (!upper || value <= *upper);
  return {std::move(name), value, std::move(unit), lower, upper, passed, std::move(source)};
}

bool all_passed(const std::vector<KeyFigure>& figures) {
  return std::ranges::all_of(figures, &KeyFigure::passed);
}

std::string customary_text(double value, const std::string& unit) {
  constexpr double kDegrees = 180 / std::numbers::pi, kGravity = 9.80665;
  struct Customary {
    const char *unit, *customary;
    double factor;
  };
  constexpr Customary kUnits[] = {{"rad s^2/m", "deg/g", kDegrees * kGravity},
                                  {"rad/s", "deg/s", kDegrees},
                                  {"rad", "deg", kDegrees},
                                  {"m/s", "km/h", 3.6},
                                  {"m/s^2", "g", 1 / kGravity},
                                  {"m/s^2/rad", "g per 100 deg", 100 / kDegrees / kGravity}};
  for (const Customary& c : kUnits)
    if (unit == c.unit && std::isfinite(value))
      return concat(short_text(value * c.factor, 4), " ", c.customary);
  return "";
}

std::string bounds_text(const KeyFigure& figure) {
  if (figure.lower && figure.upper) {
    return concat(short_text(*figure.lower), " to ", short_text(*figure.upper));
  }
  if (figure.lower) return "at least " + short_text(*figure.lower);
  if (figure.upper) return "at most " + short_text(*figure.upper);
  return "";
}

std::string to_html(const std::vector<KeyFigure>& figures) {
  std::string html =
      "<div class=\"wide\"><table class=\"figures\">\n<thead><tr><th>figure</th>"
      "<th class=\"number\">value</th><th>unit</th><th>required</th><th></th><th>source</th></tr>"
      "</thead>\n<tbody>\n";
  for (const KeyFigure& figure : figures) {
    const char* verdict = !figure.is_judged() ? "<td></td>"
                          : figure.passed     ? "<td class=\"good\">\u2713 passed</td>"
                                              : "<td class=\"bad\">\u2717 failed</td>";
    const std::string customary = customary_text(figure.value, figure.unit);
    html +=
        concat("<tr><td>", escape(figure.name), "</td><td class=\"number\">",
               std::isfinite(figure.value) ? short_text(figure.value, 5) : "none", "</td><td>",
               unit_markup(figure.unit),
               customary.empty() ? "" : concat(" <span class=\"aside\">(", customary, ")</span>"),
               "</td><td>", escape(bounds_text(figure)), "</td>", verdict, "<td class=\"wrap\">",
               escape(figure.source), "</td></tr>\n");
  }
  return html + "</tbody></table></div>\n";
}

std::string to_html(const std::vector<Tile>& tiles) {
  std::string html = "<div class=\"tiles\">\n";
  for (const Tile& tile : tiles) {
    html += concat("<div class=\"tile\"><h3>", escape(tile.title));
    if (const std::string unit = unit_markup(tile.unit); !unit.empty())
      html += concat(" [", unit, "]");
    html += "</h3><dl>";
    for (const Tile::Value& value : tile.values) {
      html += concat("<dt>", escape(value.of), "</dt><dd>", escape(value.text),
                     "</dd><dd class=\"aside\">", escape(value.aside), "</dd>");
    }
    html += "</dl></div>\n";
  }
  return html + "</div>\n";
}

}  // namespace camber::report
