#pragma once

#include <vector>

namespace camber::multibody::internal {

/// The sum that runs from the tips to the base. It is that of one link's branches, `of`; where a
/// branch of another link begins, it is put down at the first, unless that is the world.
template <class Quantity>
struct RunningSum {
  Quantity sum;
  int of = 0;

  /// Puts it down if it is not this link's business. `Link` has the marks of model.h's.
  template <class Link>
  [[gnu::always_inline]] void come_to(const Link& link, std::vector<Quantity>* place) const {
    if (link.continues_sum || of == 0) return;
    if (link.is_first_branch) {
      (*place)[of] = sum;
    } else {
      (*place)[of] += sum;
    }
  }
};

}  // namespace camber::multibody::internal
