// Writes a log for log_by_h5py.py: write_sample_log FILE SAMPLES FLUSH_EVERY CHUNK COMPRESSION
// [MAX_BYTES]. SAMPLES may be 0: then until someone ends it. After each flush the number of samples
// goes to stdout. MAX_BYTES limits the file's size, which stands in for a full disk.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sys/resource.h>

#include "camber/record/test/sample_log.h"

using namespace camber::record;  // NOLINT(google-build-using-namespace)

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  const std::size_t samples = number(2);
  const std::size_t flush_every = number(3);
  if (argc > 6) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{number(6), number(6)};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
  }
  try {
    const LogLayout layout = make_sample_layout();
    LogWriter log(argv[1], layout, {.chunk_samples = number(4), .compression = std::atoi(argv[5])});
    SampleSource source(layout);
    for (std::size_t i = 1; i <= samples || samples == 0; ++i) {
      source.append_to(&log);
      if (flush_every > 0 && i % flush_every == 0) {
        log.flush();
        std::printf("%zu\n", i);
        std::fflush(stdout);
      }
    }
    log.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
