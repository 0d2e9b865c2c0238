#include "camber/server/maker.h"

#include <exception>
#include <stdexcept>
#include <utility>

namespace camber::server {
namespace {

Answer make_text(int status, const std::string& text) {
  return {status, "text/plain; charset=utf-8", text + "\n"};
}

}  // namespace

Maker::Maker(Make make, std::size_t max_waiting)
    : make_(std::move(make)), max_waiting_(max_waiting), thread_([this] { work(); }) {}

Maker::~Maker() { stop(); }

void Maker::stop() {
  {
    const std::lock_guard lock(lock_);
    ends_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Maker::ask(Server* server, RequestId request, std::string_view target) {
  {
    const std::lock_guard lock(lock_);
    if (jobs_.size() < max_waiting_) {
      jobs_.push_back({server, request, std::string(target)});
      wake_.notify_one();
      return;
    }
  }
  server->answer(request, make_text(503, "too much work waits: try again"));
}

void Maker::work() {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(lock_);
      wake_.wait(lock, [&] { return ends_ || !jobs_.empty(); });
      if (ends_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    Answer answer;
    try {
      answer = make_(job.target);
    } catch (const std::invalid_argument& error) {
      answer = make_text(400, error.what());
    } catch (const std::exception& error) {
      answer = make_text(500, error.what());
    }
    job.server->answer(job.request, std::move(answer));
  }
}

}  // namespace camber::server
