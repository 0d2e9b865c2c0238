#include "camber/integrate/dae.h"

#include "camber/core/require.h"

namespace camber::integrate {

void check(const Dae& dae, const char* caller) {
  const auto n = static_cast<std::size_t>(dae.size);
  require(dae.size > 0, caller, ": size must be > 0, got ", dae.size);
  require(static_cast<bool>(dae.F), caller, ": F is missing");
  require(dae.names.empty() || dae.names.size() == n, caller, ": ", dae.names.size(), " names for ",
          dae.size, " components");
  require(dae.kinds.empty() || dae.kinds.size() == n, caller, ": ", dae.kinds.size(), " kinds for ",
          dae.size, " components");
  for (const Event& event : dae.events) {
    require(static_cast<bool>(event.g), caller, ": event \"", event.name, "\" has no function g");
  }
}

}  // namespace camber::integrate
