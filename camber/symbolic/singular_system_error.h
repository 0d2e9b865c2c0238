#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace camber::symbolic {

/// A linear system that has no unique solution for any values of its symbols. what() names the
/// equations that depend on each other; equations() has their row numbers.
class SingularSystemError : public std::domain_error {
 public:
  SingularSystemError(const std::string& message, std::vector<int> equations)
      : std::domain_error(message), equations_(std::move(equations)) {}
  const std::vector<int>& equations() const { return equations_; }

 private:
  std::vector<int> equations_;
};

}  // namespace camber::symbolic
