// camber._core: what Python sees of the library. The package above it (python/camber) gives it the
// words of the files and the manual.

#include "python/src/common.h"

namespace camber::python {

std::string program_name() { return "camber " CAMBER_VERSION; }

}  // namespace camber::python

PYBIND11_MODULE(_core, module) {
  using namespace camber::python;  // NOLINT(google-build-using-namespace)
  module.doc() = "The C++ core of camber: ground-vehicle dynamics.";
  module.attr("__version__") = CAMBER_VERSION;
  bind_errors(module);
  bind_expressions(module);
  bind_functions(module);
  bind_models(module);
  bind_commands(module);
  bind_runs(module);
  bind_systems(module);
  bind_views(module);
  bind_sensors(module);
  bind_drive(module);
  bind_batch(module);
  bind_studies(module);
  bind_analysis(module);
  bind_mechanism(module);
  bind_terrain(module);
}
