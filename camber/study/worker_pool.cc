// Pool and worker talk in lines. To the worker: numbers of samples with spaces between them. From the
// worker: "ready", "begins K", "ends RESULT", "batch" when all of a line are done, "error TEXT".

#include "camber/study/worker_pool.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <poll.h>
#include <spawn.h>

#include "camber/core/require.h"
#include "camber/study/worker.h"

namespace camber::study {

struct WorkerPool::Process {
  pid_t id = 0;
  int in = -1, out = -1;  // its stdin, its stdout
  std::string heard = {};
  std::vector<long> given = {};  // that have not ended
  std::vector<long> begun = {};  // of these, those under way: several in lanes
  bool is_ready = false;
  std::string error = {};

  bool is_alive() const { return id > 0; }
};

WorkerPool::WorkerPool(const StudyFolder* folder, Maker maker, std::vector<std::string> command,
                       int workers)
    : folder_(folder), maker_(std::move(maker)), command_(std::move(command)), count_(workers) {
  require(workers >= 1 && workers <= 4096, "workers must be from 1 to 4096, got ", workers);
  std::signal(SIGPIPE, SIG_IGN);
  for (int i = 0; i < workers; ++i) processes_.push_back(std::make_unique<Process>());
}

WorkerPool::~WorkerPool() {
  for (const auto& process : processes_) {
    if (!process->is_alive()) continue;
    close(process->in);
    kill(process->id, SIGTERM);  // drops a sample that is under way
  }
  for (const auto& process : processes_) {
    if (!process->is_alive()) continue;
    while (waitpid(process->id, nullptr, 0) < 0 && errno == EINTR) {
    }
    close(process->out);
  }
}

void WorkerPool::start(Process* process) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  if (pipe2(from, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
  // Ctrl-C goes to the pool, which ends its workers.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<char*> argv;
  for (std::string& argument : command_) argv.push_back(argument.data());
  argv.push_back(nullptr);
  *process = {};
  const int error =
      posix_spawnp(&process->id, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(to[0]);
  close(from[1]);
  if (error != 0) {
    close(to[1]);
    close(from[0]);
    process->id = 0;
    throw std::runtime_error(
        concat(command_.front(), ": cannot start a worker: ", std::strerror(error)));
  }
  process->in = to[1];
  process->out = from[0];
  fcntl(process->out, F_SETFL, O_NONBLOCK);
}

void WorkerPool::give(Process* process) {
  if (queue_.empty()) return;
  process->is_ready = false;
  const auto idle =
      std::ranges::count_if(processes_, [](const auto& other) { return other->given.empty(); });
  const std::size_t count = find_batch_size(
      queue_.size(), processes_.size(), std::max<std::size_t>(idle, 1), folder_->facts().kernel);
  std::string line;
  for (std::size_t i = 0; i < count && !queue_.empty(); ++i) {
    const bool is_suspect = suspects_.contains(queue_.back());
    if (is_suspect && i > 0) break;
    if (is_suspect) i = count;  // by itself
    process->given.push_back(queue_.back());
    line += concat(line.empty() ? "" : " ", queue_.back());
    queue_.pop_back();
  }
  line += '\n';
  // Lines are far shorter than a pipe; a worker that is gone is noticed when it is listened to.
  [[maybe_unused]] const ssize_t size = write(process->in, line.data(), line.size());
}

void WorkerPool::take_line(Process* process, const std::string& line) {
  if (line == "ready" || line == "batch") {
    process->is_ready = true;
    give(process);
  } else if (line.starts_with("begins ")) {
    process->begun.push_back(std::stol(line.substr(7)));
    idle_deaths_ = 0;
  } else if (line.starts_with("ends ")) {
    SampleResult result = parse_result(std::string_view(line).substr(5));
    std::erase(process->begun, result.k);
    std::erase(process->given, result.k);
    --left_;
    on_result_(result);
    add_result(std::move(result), "", merged_);
  } else if (line.starts_with("error ")) {
    process->error = line.substr(6);
  }
}

bool WorkerPool::listen(Process* process) {
  char buffer[65536];
  while (true) {
    const ssize_t size = read(process->out, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    if (size == 0) return false;
    process->heard.append(buffer, static_cast<std::size_t>(size));
    std::size_t begin = 0;
    for (std::size_t end; (end = process->heard.find('\n', begin)) != std::string::npos;
         begin = end + 1)
      take_line(process, process->heard.substr(begin, end - begin));
    process->heard.erase(0, begin);
  }
}

void WorkerPool::give_up(long k, const std::string& reason) {
  if (!journal_)
    journal_ =
        std::make_unique<JournalWriter>(folder_->journals(), "pool", folder_->journal_head(maker_));
  SampleResult result = make_crashed(folder_->facts(), SampleMaker(folder_).sample(k), reason);
  journal_->append(result);
  journal_->sync();
  --left_;
  on_result_(result);
  add_result(std::move(result), "", merged_);
}

void WorkerPool::bury(Process* process) {
  int status = 0;
  while (waitpid(process->id, &status, 0) < 0 && errno == EINTR) {
  }
  close(process->in);
  close(process->out);
  const std::string error = process->error;
  const std::vector<long> begun = process->begun;
  std::vector<long> back = process->given;
  *process = {};
  if (!error.empty()) throw std::runtime_error(concat("a worker ended: ", error));
  ++deaths_;
  if (begun.empty() && ++idle_deaths_ > 20 + 2 * static_cast<int>(processes_.size()))
    throw std::runtime_error(
        "workers end before they begin a sample; try `camber study work` by hand");
  std::ranges::sort(back, std::greater<>());
  if (begun.size() > 1) {  // one of them, nobody knows which
    suspects_.insert(begun.begin(), begun.end());
  } else if (begun.size() == 1) {
    const long present = begun.front();
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const bool is_own_fault = signal != SIGKILL && signal != SIGTERM && signal != SIGINT &&
                              signal != SIGHUP && signal != 0;
    ++(is_own_fault ? merged_->died : merged_->begun)[present];
    const std::string crash = find_crash(folder_->study(), *merged_, present);
    if (!crash.empty()) {
      std::erase(back, present);
      give_up(present, signal == 0 ? crash : concat(crash, " (", strsignal(signal), ")"));
    }
  }
  queue_.insert(queue_.end(), back.begin(), back.end());
}

bool WorkerPool::drive(const std::vector<long>& samples, Merged* merged,
                       const std::function<void(const SampleResult&)>& on_result,
                       const std::function<bool()>& go_on) {
  merged_ = merged;
  on_result_ = on_result;
  queue_.assign(samples.rbegin(), samples.rend());
  left_ = static_cast<long>(samples.size());
  for (const auto& [k, count] : merged->begun) suspects_.insert(k);
  // A sample that crashed in an earlier run as often as it may.
  std::erase_if(queue_, [&](long k) {
    const std::string crash = find_crash(folder_->study(), *merged, k);
    if (!crash.empty()) give_up(k, crash);
    return !crash.empty();
  });
  for (const auto& process : processes_)
    if (process->is_ready && process->given.empty()) give(process.get());
  while (left_ > 0) {
    if (!go_on()) return false;
    std::vector<pollfd> descriptors;
    std::vector<Process*> listened;
    for (const auto& process : processes_) {
      if (!process->is_alive() && !queue_.empty()) start(process.get());
      if (!process->is_alive()) continue;
      if (process->is_ready && process->given.empty()) give(process.get());
      descriptors.push_back({.fd = process->out, .events = POLLIN, .revents = 0});
      listened.push_back(process.get());
    }
    if (poll(descriptors.data(), descriptors.size(), 100) < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "poll");
    for (std::size_t i = 0; i < listened.size(); ++i)
      if (descriptors[i].revents != 0 && !listen(listened[i])) bury(listened[i]);
  }
  return true;
}

}  // namespace camber::study
