#include "camber/figures/key_figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/text.h"
#include "camber/figures/figure_view.h"

namespace camber::figures {
namespace {

using internal::FigureRow;
using internal::FigureView;

const std::vector<FigureRow>& rows() {
  static const std::vector<FigureRow> all = [] {
    std::vector<FigureRow> list = internal::handling_figures();
    for (auto part :
         {internal::maneuver_figures(), internal::driving_figures(), internal::ground_figures()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const FigureRow* find_row(std::string_view name) {
  const auto it = std::find_if(rows().begin(), rows().end(),
                               [&](const FigureRow& row) { return row.figure.name == name; });
  return it == rows().end() ? nullptr : &*it;
}

FigureResult calc_figure(const FigureRequest& request, const Signals& signals,
                         const FigureContext& context) {
  const FigureRow* row = find_row(request.figure);
  require(row != nullptr, "no key figure \"", request.figure, "\"",
          did_you_mean(request.figure, key_figure_names()));
  FigureResult result{.request = request, .unit = std::string(row->figure.unit)};
  if (request.after.value_or(0) < context.continued_from) {
    result.problem = concat("its window starts before this run, which continues from ",
                            short_text(context.continued_from), " s");
    result.status = FigureStatus::kNotJudged;
    return result;
  }
  try {
    const double value = row->calc(FigureView(request, signals, context));
    if (!std::isfinite(value)) throw internal::NoValue("its value is not finite");
    result.value = value;
  } catch (const internal::NoValue& reason) {
    result.problem = reason.what();
  }
  if (request.min || request.max) {
    const bool is_within = result.value && (!request.min || *result.value >= *request.min) &&
                           (!request.max || *result.value <= *request.max);
    result.status = is_within ? FigureStatus::kPassed : FigureStatus::kFailed;
  }
  return result;
}

}  // namespace

std::span<const KeyFigure> key_figures() {
  static const std::vector<KeyFigure> figures = [] {
    std::vector<KeyFigure> list;
    for (const FigureRow& row : rows()) list.push_back(row.figure);
    return list;
  }();
  return figures;
}

const KeyFigure* find_key_figure(std::string_view name) {
  const FigureRow* row = find_row(name);
  return row == nullptr ? nullptr : &row->figure;
}

std::vector<std::string> key_figure_names() {
  std::vector<std::string> names;
  for (const KeyFigure& figure : key_figures()) names.emplace_back(figure.name);
  return names;
}

std::string_view find_new_name(std::string_view old_name) {
  constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
      {"least_clearance", "min_clearance"},
      {"least_speed", "min_speed"},
      {"least_wheel_load", "min_wheel_load"}};
  for (const auto& [old, current] : kRenamed)
    if (old == old_name) return current;
  return {};
}

std::vector<FigureResult> calc_key_figures(std::span<const FigureRequest> requests,
                                           const Signals& signals, const FigureContext& context) {
  std::vector<FigureResult> results;
  for (const FigureRequest& request : requests)
    results.push_back(calc_figure(request, signals, context));
  return results;
}

}  // namespace camber::figures
