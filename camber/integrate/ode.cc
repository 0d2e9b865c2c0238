#include "camber/integrate/ode.h"

#include "camber/core/require.h"

namespace camber::integrate {

void check(const Ode& ode, const char* caller) {
  require(ode.size > 0, caller, ": size must be > 0, got ", ode.size);
  require(static_cast<bool>(ode.f), caller, ": f is missing");
  require(ode.names.empty() || ode.names.size() == static_cast<std::size_t>(ode.size), caller, ": ",
          ode.names.size(), " names for ", ode.size, " components");
  for (const Event& event : ode.events) {
    require(static_cast<bool>(event.g), caller, ": event \"", event.name, "\" has no function g");
  }
}

std::string component_name(const Ode& ode, int component) {
  return ode.names.empty() ? concat("x[", component, "]") : ode.names[component];
}

}  // namespace camber::integrate
