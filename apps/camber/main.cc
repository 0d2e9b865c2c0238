#include <iostream>

#include "apps/camber/program.h"

int main(int argc, char** argv) {
  using camber::app::ExitCode;
  ExitCode code = camber::app::run_program(argc, argv);
  // A result that did not reach its reader is a failed run, whatever the command thinks.
  if (!std::cout.flush() && code == camber::app::kOk) {
    std::cerr << "camber: cannot write to standard output\n";
    code = camber::app::kRunFailed;
  }
  return code;
}
