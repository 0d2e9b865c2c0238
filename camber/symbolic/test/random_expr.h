#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "camber/core/random.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/expr.h"

// Random expressions for tests: every function occurs, and nearly all points have a value, as
// arguments are led into the functions' domains.

namespace camber::symbolic::test {

struct RandomExprOptions {
  int depth = 4;
  bool smooth = false;  // no abs, sign, min, max, select: differentiable everywhere
};

class RandomExpr {
 public:
  explicit RandomExpr(std::uint64_t seed, RandomExprOptions options = {})
      : random_(RandomStream(seed).substream("expressions")), options_(options) {
    for (const char* name : {"a", "b", "k_1"}) {
      leaves_.push_back(symbol(name));
    }
    for (const char* name : {"q1", "q2"}) {
      leaves_.push_back(variable(name));
      leaves_.push_back(variable(name, 1));
    }
  }

  const std::vector<Expr>& leaves() const { return leaves_; }
  Expr operator()() { return make(options_.depth); }
  Expr leaf() { return leaves_[pick(leaves_.size())]; }

  /// A value for each leaf, between 0.2 and 1.7 in size, of either sign.
  Bindings point() {
    Bindings bindings;
    for (const Expr& x : leaves_) {
      const double size = random_.uniform(0.2, 1.7);
      bindings[x] = random_.integer(0, 1) == 0 ? size : -size;
    }
    return bindings;
  }

  RandomStream& random() { return random_; }

 private:
  std::size_t pick(std::size_t n) {
    return static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(n) - 1));
  }

  Expr number() {
    switch (pick(3)) {
      case 0:
        return Number(random_.integer(-7, 7));
      case 1:
        return Number(random_.integer(-9, 9), random_.integer(2, 7));
      default:
        return {random_.uniform(-2.0, 2.0)};
    }
  }

  Expr make(int depth) {
    if (depth <= 0) {
      return pick(5) == 0 ? number() : leaf();
    }
    switch (pick(options_.smooth ? 8 : 10)) {
      case 0:
      case 1:
        return make_sum(depth);
      case 2:
      case 3:
        return make_product(depth);
      case 4:
        return pow(make(depth - 1), Number(random_.integer(2, 3)));
      case 5:
      case 6:
        return make_function(depth);
      case 7:
        return make_power_or_quotient(depth);
      case 8:
        return make_kinked(depth);
      default:
        return select(make(depth - 1) < make(depth - 2), make(depth - 1), make(depth - 2));
    }
  }

  Expr make_sum(int depth) {
    Expr result = 0;
    for (std::size_t n = 2 + pick(3); n > 0; --n) {
      result += number() * make(depth - 1);
    }
    return result;
  }

  Expr make_product(int depth) {
    Expr result = 1;
    for (std::size_t n = 2 + pick(2); n > 0; --n) {
      result *= make(depth - 1);
    }
    return result;
  }

  Expr bounded(int depth) { return Number(9, 10) * sin(make(depth - 1)); }
  Expr positive(int depth) { return Number(3, 2) + bounded(depth); }

  Expr make_function(int depth) {
    switch (pick(13)) {
      case 0:
        return exp(bounded(depth));
      case 1:
        return log(positive(depth));
      case 2:
        return sin(make(depth - 1));
      case 3:
        return cos(make(depth - 1));
      case 4:
        return tan(bounded(depth));
      case 5:
        return asin(bounded(depth));
      case 6:
        return acos(bounded(depth));
      case 7:
        return atan(make(depth - 1));
      case 8:
        return sinh(bounded(depth));
      case 9:
        return cosh(bounded(depth));
      case 10:
        return tanh(make(depth - 1));
      case 11:
        return atan2(make(depth - 1), positive(depth));
      default:
        return sqrt(positive(depth));
    }
  }

  Expr make_power_or_quotient(int depth) {
    switch (pick(3)) {
      case 0:
        return pow(positive(depth), bounded(depth));
      case 1:
        return pow(positive(depth), Number(random_.integer(-5, 5), 2));
      default:
        return make(depth - 1) / positive(depth);
    }
  }

  Expr make_kinked(int depth) {
    switch (pick(4)) {
      case 0:
        return abs(make(depth - 1));
      case 1:
        return sign(make(depth - 1));
      case 2:
        return min(make(depth - 1), make(depth - 2));
      default:
        return max(make(depth - 1), make(depth - 2));
    }
  }

  RandomStream random_;
  RandomExprOptions options_;
  std::vector<Expr> leaves_;
};

}  // namespace camber::symbolic::test
