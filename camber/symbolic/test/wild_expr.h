#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "camber/core/random.h"
#include "camber/symbolic/expr.h"
#include "camber/symbolic/user_function.h"

// Random expressions of every kind with no regard for their domains: what printers and parsers must
// cope with.

namespace camber::symbolic::test {

class WildExpr {
 public:
  explicit WildExpr(std::uint64_t seed) : random_(RandomStream(seed).substream("wild")) {}

  Expr operator()(int depth) {
    for (;;) {
      try {
        return make(depth);
      } catch (const std::domain_error&) {    // 1/0
      } catch (const std::overflow_error&) {  // 1e300 * 1e300
      }
    }
  }

  Condition condition(int depth) {
    switch (depth <= 0 ? pick(3) : pick(6)) {
      case 0:
        return make(depth - 1) < make(depth - 1);
      case 1:
        return make(depth - 1) <= make(depth - 1);
      case 2:
        return equal(make(depth - 1), make(depth - 1));
      case 3:
        return !condition(depth - 1);
      case 4:
        return condition(depth - 1) && condition(depth - 1);
      default:
        return condition(depth - 1) || condition(depth - 1);
    }
  }

 private:
  std::int64_t pick(std::int64_t n) { return random_.integer(0, n - 1); }

  Expr number() {
    switch (pick(6)) {
      case 0:
        return Number(random_.integer(-9, 9), random_.integer(1, 12));
      case 1: {  // more than 64 bits
        const Number big = Number::from_digits(std::to_string(random_.bits())) *
                           Number::from_digits(std::to_string(random_.bits()));
        return pick(2) == 0 ? big : Number(random_.integer(-99, 99)) / big;
      }
      case 2: {  // any double, the smallest and largest too
        const double any = std::bit_cast<double>(random_.bits());
        return std::isfinite(any) ? any : 0.1;
      }
      case 3:
        return random_.uniform(-3.0, 3.0);
      default:
        return random_.integer(-4, 4);
    }
  }

  Expr leaf() {
    static const std::vector<std::string> names = {"a",  "b", "sin", "pi", "k_1", "wheel.left.r",
                                                   "_x", "e1"};
    switch (pick(8)) {
      case 0:
      case 1:
        return number();
      case 2:
      case 3:
        return variable(pick(2) == 0 ? "q" : "theta", static_cast<int>(pick(6)));
      case 4:
        return named("kinetic_energy", symbol("m") * pow(variable("q", 1), 2) / 2);
      default:
        return symbol(
            names[static_cast<std::size_t>(pick(static_cast<std::int64_t>(names.size())))]);
    }
  }

  Expr user_call(int depth) {
    static const UserFunction& map = register_code(
        "engine.map", 2, 9, [](std::span<const double>, std::span<const int>) { return 0.0; });
    static const UserFunction& curve = register_table("damper_curve", {-1.5, 0.2, 2.5},
                                                      {-300.0, 10.0, 700.0}, Interpolation::kCubic);
    const Expr x = make(depth - 1);
    if (pick(2) == 0) {
      const int order[] = {static_cast<int>(pick(3))};
      return call(curve, std::span(&x, 1), order);
    }
    const Expr both[] = {x, make(depth - 1)};
    const int orders[] = {static_cast<int>(pick(3)), static_cast<int>(pick(3))};
    return call(map, both, orders);
  }

  Expr unary(int depth) {
    using Function = Expr (*)(const Expr&);
    static constexpr Function kFunctions[] = {sqrt, exp,  log,  sin,  cos,  tan, asin,
                                              acos, atan, sinh, cosh, tanh, abs, sign};
    return kFunctions[pick(std::ssize(kFunctions))](make(depth - 1));
  }

  Expr sum_of_any(int depth) {
    std::vector<Expr> parts(static_cast<std::size_t>(2 + pick(3)));
    for (Expr& part : parts) part = number() * make(depth - 1);
    return sum(parts);
  }

  Expr product_of_any(int depth) {
    std::vector<Expr> parts(static_cast<std::size_t>(2 + pick(3)));
    for (Expr& part : parts) part = pick(3) == 0 ? 1 / make(depth - 1) : make(depth - 1);
    return product(parts);
  }

  Expr make(int depth) {
    if (depth <= 0) return leaf();
    switch (pick(13)) {
      case 0:
      case 1:
      case 2:
        return sum_of_any(depth);
      case 3:
      case 4:
      case 5:
        return product_of_any(depth);
      case 6:
        return pow(make(depth - 1), number());
      case 7:
        return pow(make(depth - 1), make(depth - 2));
      case 8:
        return atan2(make(depth - 1), make(depth - 1));
      case 9:
        return pick(2) == 0 ? min(make(depth - 1), make(depth - 1))
                            : max(make(depth - 1), make(depth - 1));
      case 10:
        return select(condition(depth - 1), make(depth - 1), make(depth - 1));
      case 11:
        return user_call(depth);
      default:
        return unary(depth);
    }
  }

  RandomStream random_;
};

}  // namespace camber::symbolic::test
