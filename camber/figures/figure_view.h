#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "camber/figures/key_figures.h"

namespace camber::figures::internal {

/// A figure has no value; what() says why.
class NoValue : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Series = std::span<const double>;

/// What one figure sees of a drive: the samples of its window, its parameters, the vehicle.
/// Throws NoValue for what is not there.
class FigureView {
 public:
  FigureView(const FigureRequest& request, const Signals& signals, const FigureContext& context);

  std::size_t size() const { return count_; }
  /// In the window: times [s], a column, all columns of a channel.
  Series times() const { return window(signals_->times()); }
  Series column(std::string_view name) const;
  std::vector<Series> columns(std::string_view channel) const;
  double parameter(std::string_view name) const;
  /// Of the context; `what` is what nobody gave, should it be 0.
  double known(double value, std::string_view what) const;
  const FigureContext& context() const { return *context_; }

 private:
  Series window(const std::vector<double>& values) const {
    return Series(values).subspan(first_, count_);
  }

  const FigureRequest* request_;
  const Signals* signals_;
  const FigureContext* context_;
  std::size_t first_ = 0, count_ = 0;
};

// --- Of one series over time ---

double greatest(Series x);
double least(Series x);
double greatest_size(Series x);
/// The integral over time by trapezoids, over the duration; the value itself of one sample.
double mean(Series t, Series x);
double root_mean_square(Series t, Series x);
/// Mean of the last second; of the last fifth of a window shorter than 5 s.
double steady_value(Series t, Series x);
/// When it first comes to `level` from below (from above if it begins above), between samples
/// along a line, looked for from sample `from` on. Throws NoValue with `what`.
double crossing_time(Series t, Series x, double level, std::string_view what, std::size_t from = 0);
/// Between samples along a line, constant outside.
double value_at(Series t, Series x, double time);
/// Slope of the line of least squares of y over x. Throws NoValue unless x varies.
double regression_slope(Series x, Series y);

// --- The figures, by subject; a row is a figure and how it comes about ---

struct FigureRow {
  KeyFigure figure;
  double (*calc)(const FigureView&);
};

std::vector<FigureRow> handling_figures();
std::vector<FigureRow> driving_figures();
std::vector<FigureRow> ground_figures();

}  // namespace camber::figures::internal
