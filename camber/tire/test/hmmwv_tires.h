#pragma once

// The HMMWV's tires for tests, from the files of the repository.

#include <variant>

#include "camber/tire/tire_file.h"

namespace camber::tire {

inline const RollingTire& load_hmmwv_tire() {
  static const RollingTire tire = load_tire("models/tires/hmmwv-tmeasy.toml").tire;
  return tire;
}

inline const TmeasyTire& load_hmmwv_tmeasy() {
  return std::get<TmeasyTire>(load_hmmwv_tire().steady);
}

inline const FialaTire& load_hmmwv_fiala() {
  static const RollingTire tire = load_tire("models/tires/hmmwv-fiala.toml").tire;
  return std::get<FialaTire>(tire.steady);
}

/// The TMeasy set of Project Chrono's HMMWV data (BSD-3-Clause), of which the table is made: that of the
/// repository's file but for the sliding force along.
inline TmeasyTire make_chrono_tmeasy() {
  TmeasyTire tire = load_hmmwv_tmeasy();
  tire.along[0].sliding = 3954.570213043448;
  tire.along[1].sliding = 7252.542881674077;
  return tire;
}

/// A brush for the same wheel.
inline constexpr BrushTire kTestBrush{
    .tread_stiffness = 2.0e6, .half_length = 0.12, .friction = 0.8};

}  // namespace camber::tire
