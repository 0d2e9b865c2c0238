#include "camber/study/worker.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <set>
#include <sys/time.h>
#include <unistd.h>

#include <sys/prctl.h>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/study/drive_samples.h"
#include "camber/study/merge.h"

namespace camber::study {
namespace {

volatile std::sig_atomic_t stop_signal = 0;

void request_stop(int signal) { stop_signal = signal; }

// What the handler of faults writes: made before each sample, as little may be done in a handler.
char death_note[64];
std::size_t death_note_size = 0;
int death_descriptor = -1;

void note_death(int signal) {
  if (death_descriptor >= 0 && death_note_size > 0) [[maybe_unused]]
    const ssize_t size = write(death_descriptor, death_note, death_note_size);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// A sample that overflows the stack is noted, too.
alignas(16) char signal_stack[65536];

void install_handlers() {
  stack_t stack{};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = note_death;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF})
    sigaction(signal, &action, nullptr);
  action.sa_handler = request_stop;
  action.sa_flags = 0;  // reading from stdin ends
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) sigaction(signal, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a failed write, as on a full disk
}

void prepare_death_note(int descriptor, long k) {
  const std::string line = journal_line(concat("{\"died\":", k, "}"));
  death_note_size = std::min(line.size(), sizeof death_note);
  std::memcpy(death_note, line.data(), death_note_size);
  death_descriptor = descriptor;
}

/// SIGPROF after so much processor time of the process, for a sample that hangs inside a step; 0:
/// none.
void set_timer(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
  setitimer(ITIMER_PROF, &timer, nullptr);
}

/// Whether `camber study stop` was called; looks at the disk once a second.
class StopFile {
 public:
  explicit StopFile(std::string path) : path_(std::move(path)) {}
  bool is_there() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_look_ < std::chrono::seconds(1)) return is_there_;
    last_look_ = now;
    std::error_code ignored;
    is_there_ = std::filesystem::exists(path_, ignored);
    return is_there_;
  }

 private:
  std::string path_;
  bool is_there_ = false;
  std::chrono::steady_clock::time_point last_look_{};
};

/// A journal and a driver, with the hooks between them.
class Worker {
 public:
  Worker(const StudyFolder& folder, const Maker& maker, const std::string& label, int lanes)
      : folder_(folder),
        stop_file_(folder.stop_path()),
        maker_(&folder),
        journal_(folder.journals(), label, folder.journal_head(maker)),
        driver_(&folder.study(), &folder.facts(), lanes) {
    install_handlers();
  }

  bool is_stopped() { return stop_signal != 0 || stop_file_.is_there(); }
  JournalWriter& journal() { return journal_; }
  SampleMaker& samples() { return maker_; }

  void drive(const std::vector<Sample>& samples, const DriveHooks& more) {
    // Samples under way, several in lanes. A fault has a culprit only when there is one of them; else
    // they are driven again one by one.
    std::set<long> under_way;
    const auto watch = [&] {
      death_note_size = 0;
      if (under_way.size() == 1) prepare_death_note(journal_.descriptor(), *under_way.begin());
      set_timer((1.5 * folder_.study().failure.time_limit + 5) *
                static_cast<double>(under_way.size()));
    };
    driver_.drive(samples, {.begins =
                                [&](const Sample& sample) {
                                  journal_.begin(sample.k);
                                  under_way.insert(sample.k);
                                  watch();
                                  if (more.begins) more.begins(sample);
                                },
                            .ends =
                                [&](SampleResult result) {
                                  under_way.erase(result.k);
                                  watch();
                                  journal_.append(result);
                                  if (more.ends) more.ends(std::move(result));
                                },
                            .is_stopped = [&] { return is_stopped(); }});
    death_note_size = 0;
    set_timer(0);
  }

 private:
  const StudyFolder& folder_;
  StopFile stop_file_;
  SampleMaker maker_;
  JournalWriter journal_;
  SampleDriver driver_;
};

void say(const std::string& line) {
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t size = write(STDOUT_FILENO, line.data() + done, line.size() - done);
    if (size > 0)
      done += static_cast<std::size_t>(size);
    else if (errno != EINTR)
      std::_Exit(1);  // nobody listens
  }
}

/// A line of stdin without its end; false at the end of stdin, or when the work is stopped.
bool read_line(std::string* rest, std::string* line) {
  while (true) {
    const std::size_t end = rest->find('\n');
    if (end != std::string::npos) {
      *line = rest->substr(0, end);
      rest->erase(0, end + 1);
      return true;
    }
    char buffer[4096];
    const ssize_t size = read(STDIN_FILENO, buffer, sizeof buffer);
    if (size > 0)
      rest->append(buffer, static_cast<std::size_t>(size));
    else if (size == 0 || errno != EINTR || stop_signal != 0)
      return false;
  }
}

}  // namespace

std::vector<long> chunk_samples(long size, long chunk, long chunks) {
  require(chunks > 0 && chunk >= 0 && chunk < chunks, "chunk must be from 0 to ", chunks - 1,
          ", got ", chunk);
  const long length = (size + chunks - 1) / chunks;
  std::vector<long> samples;
  for (long k = chunk * length; k < std::min(size, (chunk + 1) * length); ++k) samples.push_back(k);
  return samples;
}

std::vector<long> chunk_samples(const std::vector<long>& samples, long chunk, long chunks) {
  std::vector<long> part;
  for (const long place : chunk_samples(static_cast<long>(samples.size()), chunk, chunks))
    part.push_back(samples[static_cast<std::size_t>(place)]);
  return part;
}

std::size_t find_batch_size(std::size_t left, std::size_t workers, std::size_t idle,
                            KernelKind kernel) {
  constexpr std::size_t kLanes = 8, kMost = 8;
  const std::size_t share = left / (4 * workers), even = (left + idle - 1) / idle;
  if (kernel != KernelKind::kLanes) return std::clamp<std::size_t>(share, 1, kMost);
  if (even <= kLanes) return std::max<std::size_t>(even, 1);
  return kLanes * std::clamp<std::size_t>(share / kLanes, 1, kMost);
}

WorkResult work_on(const StudyFolder& folder, const Maker& maker, const std::string& label,
                   const std::vector<long>& samples, int lanes) {
  const Merged merged = merge_journals(folder);
  std::vector<long> missing;
  for (const long k : samples)
    if (!merged.results.contains(k)) missing.push_back(k);
  WorkResult result;
  if (missing.empty()) return result;
  Worker worker(folder, maker, label, lanes);
  const std::size_t batch_size = folder.facts().kernel == KernelKind::kLanes ? 64 : 8;
  std::vector<Sample> batch;
  const auto drive = [&] {
    if (batch.empty()) return;
    worker.drive(batch, {.ends = [&](const SampleResult&) { ++result.driven; }});
    batch.clear();
  };
  for (const long k : missing) {
    if (worker.is_stopped()) break;
    const std::string crash = find_crash(folder.study(), merged, k);
    if (!crash.empty()) {
      worker.journal().append(make_crashed(folder.facts(), worker.samples().sample(k), crash));
      ++result.driven;
      continue;
    }
    // A sample that was under way when a worker ended is driven by itself.
    const bool is_suspect = merged.begun.contains(k) || merged.died.contains(k);
    if (is_suspect) drive();
    batch.push_back(worker.samples().sample(k));
    if (is_suspect || batch.size() == batch_size) drive();
  }
  if (!worker.is_stopped()) drive();
  worker.journal().sync();
  result.was_stopped = worker.is_stopped();
  result.is_out_of_time = stop_signal == SIGUSR1;
  return result;
}

void work_for_pool(const StudyFolder& folder, const Maker& maker, int lanes) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // a pool that is killed takes its workers with it
  try {
    Worker worker(folder, maker, "local", lanes);
    say("ready\n");
    std::string rest, line;
    while (!worker.is_stopped() && read_line(&rest, &line)) {
      std::vector<Sample> batch;
      for (std::size_t at = 0; at < line.size();) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        batch.push_back(worker.samples().sample(std::stol(line.substr(at, end - at))));
        at = end + 1;
      }
      worker.drive(
          batch, {.begins = [&](const Sample& s) { say(concat("begins ", s.k, "\n")); },
                  .ends = [&](const SampleResult& r) { say("ends " + study::to_text(r) + "\n"); }});
      if (!worker.is_stopped()) say("batch\n");
    }
    worker.journal().sync();
  } catch (const std::exception& error) {
    say(concat("error ", error.what(), "\n"));
    throw;
  }
}

}  // namespace camber::study
