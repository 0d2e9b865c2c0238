#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "camber/server/server.h"

namespace camber::server {

/// Makes answers in a separate thread, so that a tile that takes 50 ms does not delay the frames of
/// all clients.
class Maker {
 public:
  using Make = std::function<Answer(std::string_view target)>;

  /// `make` is called in the maker's thread. What it throws becomes an answer with status 400
  /// (std::invalid_argument) or 500.
  explicit Maker(Make make, std::size_t max_waiting = 512);
  ~Maker();
  Maker(const Maker&) = delete;
  Maker& operator=(const Maker&) = delete;

  /// Passes the answer to the server when it is made; 503 at once if too many requests are waiting.
  void ask(Server* server, RequestId request, std::string_view target);
  /// Ends the thread after the present answer. Waiting requests get none.
  void stop();

 private:
  struct Job {
    Server* server;
    RequestId request;
    std::string target;
  };
  void work();

  Make make_;
  std::size_t max_waiting_;
  std::mutex lock_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool ends_ = false;
  std::thread thread_;
};

/// A server of files that are made, without sockets: what `camber view` needs.
class MadeFiles : public Handler {
 public:
  explicit MadeFiles(Maker::Make make) : maker_(std::move(make)) {}

  void set_server(Server* server) { server_ = server; }
  void get(RequestId request, std::string_view target) override {
    maker_.ask(server_, request, target);
  }
  void end() override { maker_.stop(); }

 private:
  Server* server_ = nullptr;
  Maker maker_;
};

}  // namespace camber::server
