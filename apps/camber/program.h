#pragma once

#include "apps/camber/commands.h"

namespace camber::app {

/// What `camber ARGUMENTS` does: reads the arguments and runs the command that they choose. Results
/// go to std::cout, all else to std::cerr. Does not throw.
ExitCode run_program(int argc, const char* const* argv);

}  // namespace camber::app
