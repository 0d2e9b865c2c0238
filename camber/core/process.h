#pragma once

#include <string>
#include <vector>

namespace camber {

struct ProcessResult {
  int status = 0;  // exit status; 128 + signal when one ended it; 127 when it could not be started
  std::string output;  // all of stdout
};

/// Where the stderr of a process goes.
enum class ErrorOutput {
  kOurs,
  kNobodys,
  kWithOutput,  // into its stdout
};

/// Runs a program to its end, without a shell, found on PATH when its name has no '/'.
ProcessResult run_process(const std::vector<std::string>& arguments,
                          ErrorOutput errors = ErrorOutput::kOurs);

}  // namespace camber
