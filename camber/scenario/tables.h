#pragma once

// Common parts of the readers of a scenario's tables: one reader per table, *_table.cc.

#include <algorithm>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "camber/core/diagnostics.h"
#include "camber/core/toml_reader.h"
#include "camber/scenario/scenario.h"

namespace camber::scenario::internal {

// Limits of a scenario's values.
inline constexpr double kDegree = std::numbers::pi / 180;
inline constexpr double kFar = 1e7;        // max distance [m]
inline constexpr double kFast = 200;       // max speed [m/s]
inline constexpr double kLong = 1e6;       // max time [s]
inline constexpr double kShort = 1e-3;     // min duration of a drive and of a steering step [s]
inline constexpr double kRounding = 1e-9;  // of the ratio of two times

/// A scenario file while it is read.
struct TableReading {
  TomlNode root;
  std::string folder;  // the files that it names are relative to this folder
  const Diagnostics* found;
  bool is_gear_valid = true;  // otherwise the direction of travel is not known
};

// The readers, in the order in which they are called. read_run() compares with the driver,
// read_figures() with driver and run, read_sensors() with vehicle and run, read_others() with run,
// read_autonomy() with driver and sensors.
void read_vehicle(TableReading* in, Scenario* scenario);
void read_tire(const TableReading& in, TireSetup* tire);
/// In a city full vehicles have the contact "envelope" unless the table says otherwise: kerbs are
/// edges, which a contact at a point does not see.
void choose_contact(const TableReading& in, const Ground& ground, VehicleLevel level,
                    TireSetup* tire);
void read_ground(const TableReading& in, Ground* ground);
void read_driver(const TableReading& in, Scenario* scenario);
void read_run(const TableReading& in, Scenario* scenario);
/// Compares with the vehicle.
void read_log(const TableReading& in, Scenario* scenario);
void read_stops(const TableReading& in, std::vector<StopCondition>* stops);
void read_figures(const TableReading& in, Scenario* scenario);
void read_sensors(const TableReading& in, Scenario* scenario);
void read_others(const TableReading& in, Scenario* scenario);
void read_things(const TableReading& in, Scenario* scenario);
void read_autonomy(const TableReading& in, Scenario* scenario);

/// Whether a name can be part of a channel's.
inline bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

/// The number of the word that a node has.
template <std::size_t N>
std::size_t read_choice(const TomlNode& node, const std::string_view (&words)[N]) {
  const std::string word = node.choice(std::span<const std::string_view>(words));
  return static_cast<std::size_t>(std::find(words, words + N, word) - words);
}

template <class Enum, std::size_t N>
Enum read_word(const TomlNode& node, const std::string_view (&words)[N]) {
  return static_cast<Enum>(read_choice(node, words));
}

template <class Enum, std::size_t N>
Enum read_word_or(const TomlNode& table, std::string_view key, const std::string_view (&words)[N],
                  Enum fallback) {
  return read_word<Enum>(table.get(key, std::string(word_of(fallback, words))), words);
}

template <class Variant, std::size_t I = 0>
Variant make_alternative(std::size_t index) {
  if constexpr (I + 1 < std::variant_size_v<Variant>) {
    if (index != I) return make_alternative<Variant, I + 1>(index);
  }
  return Variant(std::in_place_index<I>);
}

/// The alternative that the word at a node stands for, with default values.
template <class Variant, std::size_t N>
Variant read_kind(const TomlNode& node, const std::string_view (&words)[N]) {
  static_assert(N == std::variant_size_v<Variant>);
  return make_alternative<Variant>(read_choice(node, words));
}

inline double read_degrees(const TomlNode& node, double max) {
  return node.in_range(-max, max, "deg") * kDegree;
}

inline double number_or(const TomlNode& table, std::string_view key, double fallback, double low,
                        double high, std::string_view unit) {
  return table.get(key, fallback).in_range(low, high, unit);
}

}  // namespace camber::scenario::internal
