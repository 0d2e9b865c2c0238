#pragma once

#include <string>
#include <vector>

namespace camber::bench {

struct ProcessResult {
  int status = 0;  // exit status; 128 + signal when one ended it; 127 when it could not be started
  std::string output;  // all of stdout
};

/// Runs a program to its end, found on PATH when its name has no '/'. Its stderr is ours, or
/// nobody's when quiet.
ProcessResult run_process(const std::vector<std::string>& arguments, bool quiet = false);

}  // namespace camber::bench
