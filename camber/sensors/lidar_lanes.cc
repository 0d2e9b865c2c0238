#include "camber/sensors/lidar_lanes.h"

#include <bit>
#include <cmath>

#include "camber/math/lanes.h"
#include "camber/sensors/lidar.h"

namespace camber::sensors {
namespace {

constexpr int kLanes = static_cast<int>(EchoColumns::kLanes);
using Real = math::Lanes<kLanes>;
using Mask = math::LaneMask<kLanes>;

unsigned bits_of(const Mask& mask) { return math::internal::sign_bits<kLanes>(mask.pack); }

/// std::round() of numbers below 2^62: halves away from zero.
Real round_half_away(const Real& x) {
  const auto whole = __builtin_convertvector(x.pack, math::internal::Bits<kLanes>);
  const Real toward_zero(__builtin_convertvector(whole, Real::Pack));
  const Real rest = x - toward_zero;  // exact
  return toward_zero + select(rest >= 0.5, Real(1.0), select(rest <= -0.5, Real(-1.0), Real(0.0)));
}

}  // namespace

// Each line is that of the one by one, in the same order of operations. Detection is logistic in
// decibels, s^8.69/(1 + s^8.69): s^8 bounds it from one side, which nearly always decides.
unsigned measure_returns(const LidarSpec& spec, double bias, double min_cosine,
                         const EchoColumns& echoes, ReturnColumns* returns) {
  constexpr double kMargin = 1e-9;
  const Real range = Real::load(echoes.range), cosine = Real::load(echoes.cosine);
  const Real diffuse = Real::load(echoes.reflectivity) * cosine;
  const Real retro = Real::load(echoes.retroreflection);
  const Mask is_met = range < HUGE_VAL && cosine >= min_cosine;
  const Real ratio = spec.max_range / range;
  const Real signal = (diffuse + 100.0 * retro) / spec.reference_reflectivity * ratio * ratio;

  const Real chance = Real::load(echoes.chance);
  const Real luck = (chance - spec.dropout) / (1 - spec.dropout);
  const Real square = signal * signal, fourth = square * square, eighth = fourth * fourth;
  const Real bound = eighth / (1.0 + eighth);
  const Mask is_there = is_met && !(chance < spec.dropout);
  const Mask is_seen = signal >= 1.0 && luck < bound - kMargin;
  const Mask is_lost = signal <= 1.0 && luck > bound + kMargin;
  unsigned found = bits_of(is_there && is_seen);
  for (unsigned rest = bits_of(is_there && !is_seen && !is_lost); rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    if (luck.lane(l) < calc_detection(signal.lane(l))) found |= 1U << l;
  }

  const Real middle = signal * range / signal;  // the mean of one echo, weighted by its power
  Real measured = middle + bias + spec.sigma * sqrt(1.0 + 3.0 / signal) * Real::load(echoes.noise);
  if (spec.quantum > 0) measured = spec.quantum * round_half_away(measured / spec.quantum);
  measured.store(returns->range);
  const Real intensity = select(retro > 0.02, 101.0 + min(Real(154.0), 154.0 * retro),
                                min(Real(100.0), 100.0 * diffuse));
  round_half_away(intensity).store(returns->intensity);
  return found & bits_of(!(measured < spec.min_range));
}

}  // namespace camber::sensors
