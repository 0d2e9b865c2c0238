#include "camber/multibody/mechanism_error.h"

#include <string_view>

namespace camber::multibody {

Position find_place(const MechanismPlaces& places, const std::string& file,
                    const std::invalid_argument& error) {
  const auto* named = dynamic_cast<const MechanismError*>(&error);
  if (named != nullptr && !named->element().empty()) {
    const std::string& element = named->element();
    auto found = places.find(element);
    // If the file has the key elsewhere, as in an array: the element as a whole.
    if (found == places.end()) found = places.find(element_of_row(element));
    if (found != places.end()) return found->second;
  }
  const std::string_view text = error.what();
  std::size_t first = text.size();
  Position where{.file = file};
  for (const auto& [element, position] : places) {
    const std::size_t at = text.find(element);
    if (at >= first) continue;
    first = at;
    where = position;
  }
  return where;
}

}  // namespace camber::multibody
