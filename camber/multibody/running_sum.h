#pragma once

#include <vector>

namespace camber::multibody::internal {

/// The running sum from the tips to the base. It sums the branches of one link, `of`; where a
/// branch of another link starts, it is stored at `of`, unless that is the world.
template <class Quantity>
struct RunningSum {
  Quantity sum;
  int of = 0;

  /// Stores the sum if it does not belong to this link. `Link` has the flags of model.h.
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
