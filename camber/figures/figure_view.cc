#include "camber/figures/figure_view.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "camber/core/require.h"
#include "camber/record/channel_names.h"

namespace camber::figures::internal {

FigureView::FigureView(const FigureRequest& request, const Signals& signals,
                       const FigureContext& context)
    : request_(&request), signals_(&signals), context_(&context) {
  const std::vector<double>& t = signals.times();
  auto begin = request.after ? std::lower_bound(t.begin(), t.end(), *request.after) : t.begin();
  auto end = request.before ? std::upper_bound(begin, t.end(), *request.before) : t.end();
  if (request.after_x) begin = std::max(begin, t.begin() + find_place(*request.after_x));
  if (request.before_x) end = std::min(end, t.begin() + find_place(*request.before_x));
  // The mean or max of two samples tells nothing about the drive between them.
  constexpr int kMinSamples = 10;
  if (end - begin < kMinSamples)
    throw NoValue(concat("needs ", kMinSamples, " samples in its window, has ", end - begin));
  first_ = static_cast<std::size_t>(begin - t.begin());
  count_ = static_cast<std::size_t>(end - begin);
}

/// The first sample at which the vehicle is at x or beyond.
std::ptrdiff_t FigureView::find_place(double x) const {
  const std::vector<double>* place = signals_->find_column(record::channel::kPositionX);
  if (place == nullptr)
    throw NoValue(concat("the drive has no channel ", record::channel::kPositionX));
  const auto it = std::find_if(place->begin(), place->end(), [x](double at) { return at >= x; });
  if (it == place->end()) throw NoValue(concat("the vehicle does not get to x = ", x, " m"));
  return it - place->begin();
}

Series FigureView::column(std::string_view name) const {
  const std::vector<double>* values = signals_->find_column(name);
  if (values == nullptr) throw NoValue(concat("the drive has no channel ", name));
  return window(*values);
}

std::vector<Series> FigureView::columns(std::string_view channel) const {
  std::vector<Series> columns;
  for (const auto* values : signals_->find_columns(channel)) columns.push_back(window(*values));
  if (columns.empty()) throw NoValue(concat("the drive has no channel ", channel));
  return columns;
}

double FigureView::parameter(std::string_view name) const {
  const auto it = request_->parameters.find(std::string(name));
  if (it != request_->parameters.end()) return it->second;
  for (const FigureParameter& parameter : find_key_figure(request_->figure)->parameters) {
    if (parameter.name == name && parameter.fallback) return *parameter.fallback;
  }
  throw NoValue(concat("its parameter ", name, " is not given"));
}

double FigureView::known(double value, std::string_view what) const {
  if (value == 0) throw NoValue(concat("the vehicle's ", what, " is not known"));
  return value;
}

double max_of(Series x) { return *std::max_element(x.begin(), x.end()); }

double min_of(Series x) { return *std::min_element(x.begin(), x.end()); }

double max_size(Series x) { return std::max(std::abs(max_of(x)), std::abs(min_of(x))); }

double mean(Series t, Series x) {
  double sum = 0;
  for (std::size_t i = 1; i < x.size(); ++i) sum += 0.5 * (x[i - 1] + x[i]) * (t[i] - t[i - 1]);
  const double duration = t.back() - t.front();
  return duration > 0 ? sum / duration : x.front();
}

double root_mean_square(Series t, Series x) {
  std::vector<double> squares(x.begin(), x.end());
  for (double& value : squares) value *= value;
  return std::sqrt(mean(t, squares));
}

double steady_value(Series t, Series x) {
  const double span = std::min(1.0, 0.2 * (t.back() - t.front()));
  const auto first =
      static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), t.back() - span) - t.begin());
  return mean(t.subspan(first), x.subspan(first));
}

double crossing_time(Series t, Series x, double level, std::string_view what, std::size_t from) {
  if (from < x.size() && x[from] == level) return t[from];
  for (std::size_t i = from + 1; i < x.size(); ++i) {
    const double before = x[i - 1] - level, now = x[i] - level;
    if (now == 0) return t[i];
    if ((before < 0) != (now < 0)) return t[i - 1] + (t[i] - t[i - 1]) * before / (before - now);
  }
  throw NoValue(std::string(what));
}

double value_at(Series t, Series x, double time) {
  const auto next = std::upper_bound(t.begin(), t.end(), time);
  if (next == t.begin()) return x.front();
  if (next == t.end()) return x.back();
  const auto i = static_cast<std::size_t>(next - t.begin());
  return x[i - 1] + (x[i] - x[i - 1]) * (time - t[i - 1]) / (t[i] - t[i - 1]);
}

double regression_slope(Series x, Series y) {
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i], mean_y += y[i];
  const auto n = static_cast<double>(x.size());
  mean_x /= n, mean_y /= n;
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (xx <= 1e-12 * n * (1 + mean_x * mean_x))
    throw NoValue("what it is the slope over does not vary");
  return xy / xx;
}

}  // namespace camber::figures::internal
