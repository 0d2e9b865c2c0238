#include <iomanip>
#include <ostream>

#include "bench/symbolic/report.h"
#include "bench/wheel/work_precision.h"
#include "camber/core/text.h"
#include "camber/report/plot.h"

namespace camber::bench {

using nlohmann::json;

void print_table(const WheelComparison& comparison, std::ostream& out) {
  out << "fewest evaluations of the right-hand side for an error of x [m] and x' [m/s] below\n"
      << std::left << std::setw(24) << "";
  for (const double target : comparison.targets) {
    out << std::right << std::setw(9) << camber::short_text(target);
  }
  out << '\n';
  for (const WheelEnvelope& e : comparison.envelopes) {
    out << std::left << std::setw(24) << std::string(to_text(e.law)) + ", " + name_of(e.method);
    for (const long n : e.evaluations) {
      out << std::right << std::setw(9) << (n > 0 ? std::to_string(n) : "-");
    }
    out << '\n';
  }
  out << '\n';
  for (const Check& check : comparison.checks) print_check(check, out);
}

json to_json(const WheelComparison& comparison) {
  json figures = json::array(), envelopes = json::array(), checks = json::array();
  for (const WheelFigures& f : comparison.figures) {
    figures.push_back({{"law", to_text(f.law)},
                       {"method", name_of(f.method)},
                       {"tolerance", f.tolerance},
                       {"absolute_tolerance", f.absolute_tolerance},
                       {"slip_speed", f.slip_speed},
                       {"evaluations", f.evaluations},
                       {"error", f.error}});
  }
  for (const WheelEnvelope& e : comparison.envelopes) {
    envelopes.push_back(
        {{"law", to_text(e.law)}, {"method", name_of(e.method)}, {"evaluations", e.evaluations}});
  }
  for (const Check& check : comparison.checks) checks.push_back(to_json(check));
  return {{"targets", comparison.targets},
          {"figures", figures},
          {"envelopes", envelopes},
          {"checks", checks}};
}

std::string draw(const WheelComparison& comparison) {
  report::Plot plot{.title = "Work and precision, figure 4: the best runs of each law and method",
                    .x = {.label = "error of x [m] and x' [m/s]", .is_log = true},
                    .y = {.label = "evaluations", .is_log = true}};
  for (const WheelEnvelope& e : comparison.envelopes) {
    report::Series series{.label = std::string(to_text(e.law)) + ", " + name_of(e.method),
                          .style = e.law == rolling_wheel::WheelLaw::kEvents
                                       ? report::Series::Style::kDashed
                                       : report::Series::Style::kLineAndPoints};
    // All that no other run of the same kind beats in both.
    std::vector<WheelFigures> own;
    for (const WheelFigures& f : comparison.figures) {
      if (f.law == e.law && f.method == e.method && f.error < 10) own.push_back(f);
    }
    std::ranges::sort(own, {}, &WheelFigures::error);
    long fewest = 0;
    for (const WheelFigures& f : own) {
      if (fewest > 0 && f.evaluations >= fewest) continue;
      fewest = f.evaluations;
      series.x.push_back(f.error);
      series.y.push_back(static_cast<double>(f.evaluations));
    }
    plot.series.push_back(std::move(series));
  }
  return to_svg(plot);
}

}  // namespace camber::bench
