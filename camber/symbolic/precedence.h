#pragma once

#include <cstdint>

namespace camber::symbolic {

/// How tightly a piece of text binds, loosest first. A unary minus binds as a sum.
enum class Precedence : std::uint8_t {
  kLowest,  // the argument of a function: nothing needs parentheses
  kOr,
  kAnd,
  kNot,
  kComparison,
  kSum,
  kProduct,
  kPower,
  kAtom,  // a name, a non-negative literal, a call, anything in parentheses
};

}  // namespace camber::symbolic
