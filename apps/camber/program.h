#pragma once

#include <string>
#include <vector>

#include "apps/camber/commands.h"

namespace camber::app {

/// What `camber ARGUMENTS` does: reads the arguments and runs the command that they choose. Results
/// go to std::cout, all else to std::cerr. Does not throw.
ExitCode run_program(int argc, const char* const* argv);

/// What starts this program where its file is not the process's own: an interpreter and a script.
/// Python sets it. Empty: the process's file.
std::vector<std::string>& program_words();

}  // namespace camber::app
