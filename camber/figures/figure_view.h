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

/// The data of a drive for one figure: the samples of its time window, its parameters, the vehicle.
/// Throws NoValue if data is missing.
class FigureView {
 public:
  FigureView(const FigureRequest& request, const Signals& signals, const FigureContext& context);

  std::size_t size() const { return count_; }
  /// In the window: times [s], a column, all columns of a channel.
  Series times() const { return window(signals_->times()); }
  Series column(std::string_view name) const;
  std::vector<Series> columns(std::string_view channel) const;
  double parameter(std::string_view name) const;
  /// A value of the context; throws NoValue with `what` if it is 0, that is, unknown.
  double known(double value, std::string_view what) const;
  const FigureContext& context() const { return *context_; }

 private:
  std::ptrdiff_t find_place(double x) const;
  Series window(const std::vector<double>& values) const {
    return Series(values).subspan(first_, count_);
  }

  const FigureRequest* request_;
  const Signals* signals_;
  const FigureContext* context_;
  std::size_t first_ = 0, count_ = 0;
};

// --- Functions of one series over time ---

double max_of(Series x);
double min_of(Series x);
double max_size(Series x);  // max of |x|
/// The integral over time by trapezoids, divided by the duration; for one sample, its value.
double mean(Series t, Series x);
double root_mean_square(Series t, Series x);
/// Mean of the last second; of the last fifth of a window shorter than 5 s.
double steady_value(Series t, Series x);
/// The time at which x first reaches `level` from below (from above if it starts above), linear
/// between samples, searched from sample `from` on. Throws NoValue with `what`.
double crossing_time(Series t, Series x, double level, std::string_view what, std::size_t from = 0);
/// Linear between samples, constant outside.
double value_at(Series t, Series x, double time);
/// Slope of y over x by least squares. Throws NoValue unless x varies.
double regression_slope(Series x, Series y);

// --- The figures, by subject; a row is a figure and its function ---

struct FigureRow {
  KeyFigure figure;
  double (*calc)(const FigureView&);
};

std::vector<FigureRow> handling_figures();
std::vector<FigureRow> maneuver_figures();
std::vector<FigureRow> driving_figures();
std::vector<FigureRow> ground_figures();

}  // namespace camber::figures::internal
