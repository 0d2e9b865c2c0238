#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "camber/core/diagnostics.h"

namespace camber::multibody {

/// What is wrong with a mechanism as a whole, seen when it is put together. `element` is the part
/// that its author has to look at, as messages call it: joint "crank"; with a key where one is
/// meant: joint "crank".motion. Empty: the whole of it.
class MechanismError : public std::invalid_argument {
 public:
  explicit MechanismError(const std::string& text, std::string element = {})
      : std::invalid_argument(text), element_(std::move(element)) {}
  const std::string& element() const { return element_; }

 private:
  std::string element_;
};

/// A mechanism whose loops do not close, or whose initial speeds or given motions contradict each
/// other; what() names the equations.
class AssemblyError : public MechanismError {
  using MechanismError::MechanismError;
};

/// Where the elements of a mechanism stand in its file, by what messages call them.
using MechanismPlaces = std::map<std::string, Position>;

/// The place of the element that the error tells, or of the first one that a message names; `file`
/// alone where there is none.
Position find_place(const MechanismPlaces& places, const std::string& file,
                    const std::invalid_argument& error);

/// The element of a constraint's row: joint "crank" of joint "crank", along y.
inline std::string element_of_row(const std::string& row) {
  return row.substr(0, row.find('"', row.find('"') + 1) + 1);
}

}  // namespace camber::multibody
