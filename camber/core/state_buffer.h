#pragma once

// The state of a simulation as plain numbers. Each part writes and reads its own:
//
//   void Gearbox::save(StateWriter* out) const { out->write(gear_); out->write(time_left_); }
//   void Gearbox::restore(StateReader* in) { gear_ = in->read_int(); time_left_ = in->read(); }
//
// A part that is restored from what it saved continues bit for bit.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace camber {

class StateWriter {
 public:
  void write(double value) { values_.push_back(value); }
  void write(std::span<const double> values) {
    values_.insert(values_.end(), values.begin(), values.end());
  }
  /// The number of values first, for a part whose length changes.
  void write_list(std::span<const double> values) {
    write(static_cast<double>(values.size()));
    write(values);
  }

  const std::vector<double>& values() const { return values_; }
  std::vector<double> take() { return std::move(values_); }
  /// Keeps its memory.
  void clear() { values_.clear(); }

 private:
  std::vector<double> values_;
};

class StateReader {
 public:
  explicit StateReader(std::span<const double> values) : values_(values) {}

  /// All throw std::invalid_argument if fewer numbers are left, or if the next number is not what
  /// is read: a state of another model.
  double read();
  int read_int();
  bool read_bool();
  void read(std::span<double> values);
  std::vector<double> read_list();
  /// Everything that is left.
  std::span<const double> read_rest();

  std::size_t left() const { return values_.size(); }
  /// Throws std::invalid_argument if numbers are left.
  void finish() const;

 private:
  std::span<const double> take(std::size_t count);

  std::span<const double> values_;
};

}  // namespace camber
