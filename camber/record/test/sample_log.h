#pragma once

#include <span>
#include <vector>

#include "camber/record/log_layout.h"
#include "camber/record/log_writer.h"

namespace camber::record {

/// Channels of several shapes, with labels of every kind; one name is not ASCII.
inline LogLayout make_sample_layout() {
  LogLayout layout;
  layout.channels = {
      {.name = "coordinates/q",
       .shape = {5},
       .units = {"m", "m", "rad", "rad", "m"},
       .names = {"x", "y", "psi", "δ", "z_1"},
       .description = "generalized positions"},
      {.name = "bodies/poses",
       .shape = {3, 7},
       .units = {"m", "m", "m", "1", "1", "1", "1"},
       .names = {"x", "y", "z", "qw", "qx", "qy", "qz"},
       .row_names = {"chassis", "axle", "wheel"}},
      {.name = "energy", .shape = {}, .units = {"J"}},
      {.name = "contact/front/force", .shape = {3}, .units = {"N"}},
  };
  layout.attributes = to_attributes({.model_file = "models/mule.toml",
                                     .model_text = "kind = \"mechanism\"\n# ü\n",
                                     .program = "camber 0.1.0",
                                     .formulation = "ce",
                                     .integrator = {{"method", "dopri5"}, {"rtol", 1e-6}},
                                     .start = {{"q.psi", 0.25}}});
  return layout;
}

/// The value of an entry of a channel in a sample, exact in binary.
inline double sample_value(std::size_t sample, std::size_t channel, std::size_t entry) {
  return static_cast<double>(sample) + static_cast<double>(channel) / 8.0 +
         static_cast<double>(entry) / 256.0;
}

constexpr double kSampleStep = 0.0078125;  // [s]

/// Appends sample after sample of the layout above.
class SampleSource {
 public:
  explicit SampleSource(const LogLayout& layout) {
    for (const Channel& channel : layout.channels) values_.emplace_back(channel.entries());
    for (const auto& value : values_) spans_.emplace_back(value);
  }

  void append_to(LogWriter* log) {
    for (std::size_t c = 0; c < values_.size(); ++c) {
      for (std::size_t e = 0; e < values_[c].size(); ++e) {
        values_[c][e] = sample_value(next_, c, e);
      }
    }
    log->append(kSampleStep * static_cast<double>(next_), spans_);
    ++next_;
  }

 private:
  std::size_t next_ = 0;
  std::vector<std::vector<double>> values_;
  std::vector<std::span<const double>> spans_;
};

}  // namespace camber::record
