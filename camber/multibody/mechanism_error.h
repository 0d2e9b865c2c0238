#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "camber/core/diagnostics.h"

namespace camber::multibody {

/// An error of a mechanism as a whole, found when it is assembled. `element` is the part to blame,
/// as messages name it: joint "crank"; with a key if one is meant: joint "crank".motion. Empty: the
/// whole mechanism.
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

/// Places of the elements of a mechanism in its file, by their names in messages.
using MechanismPlaces = std::map<std::string, Position>;

/// The place of the element that the error names, or of the first one in its message; only `file`
/// if there is none.
Position find_place(const MechanismPlaces& places, const std::string& file,
                    const std::invalid_argument& error);

/// The element of a constraint's row: joint "crank" of joint "crank", along y.
inline std::string element_of_row(const std::string& row) {
  return row.substr(0, row.find('"', row.find('"') + 1) + 1);
}

}  // namespace camber::multibody
