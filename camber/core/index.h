#pragma once

#include <cassert>
#include <compare>
#include <cstddef>
#include <functional>

namespace camber {

/// A position in one kind of list. The tag makes each kind a type of its own, so that a wheel's
/// number cannot look up a body:
///   using BodyIndex = Index<struct BodyTag>;
///   using WheelIndex = Index<struct WheelTag>;
/// A default-constructed index is invalid: the parent of the world, a body that was not found.
template <class Tag>
struct Index {
  int value = -1;

  constexpr Index() = default;
  constexpr explicit Index(int v) : value(v) { assert(v >= 0); }
  constexpr explicit Index(std::size_t v) : Index(static_cast<int>(v)) {}

  constexpr bool valid() const { return value >= 0; }

  /// The next one, for loops over a whole list.
  constexpr Index& operator++() {
    assert(valid());
    ++value;
    return *this;
  }

  /// An invalid index sorts before all valid ones.
  // clang-tidy 14 takes the comparison's zero for a pointer.
  friend constexpr auto operator<=>(const Index&,
                                    const Index&) = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace camber

template <class Tag>
struct std::hash<camber::Index<Tag>> {
  std::size_t operator()(const camber::Index<Tag>& index) const noexcept {
    return std::hash<int>()(index.value);
  }
};
