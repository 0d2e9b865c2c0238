#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <ginac/ginac.h>

#include "bench/symbolic/measure.h"

namespace camber::bench {

/// The distinct sub-expressions of GiNaC expressions, arguments before users: what GiNaC's results
/// would cost if each were computed once. GiNaC itself has no common sub-expression elimination.
class GinacGraph {
 public:
  explicit GinacGraph(std::map<std::string, double> point) : point_(std::move(point)) {}

  /// The value of e at the point. Each sub-expression is counted when it is first met.
  double add(const GiNaC::ex& e);

  const Operations& operations() const { return operations_; }
  long nodes() const { return static_cast<long>(values_.size()); }

 private:
  double find_value(const GiNaC::ex& e);
  double add_sum(const GiNaC::ex& e);
  double add_product(const GiNaC::ex& e);
  double add_power(const GiNaC::ex& base, const GiNaC::ex& exponent);
  double add_function(const GiNaC::ex& e);

  std::map<std::string, double> point_;
  std::unordered_map<GiNaC::ex, double> values_;
  Operations operations_;
};

}  // namespace camber::bench
