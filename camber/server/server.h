#pragma once

// The server of the page: GET and one kind of WebSocket, for browsers on this machine.
//
//   server::Server server({.files = server::page_files()}, &handler);
//   std::cout << server.url() << '\n';
//   server.run();   // until stop() is called
//
// One thread does it all with poll(); run() is that thread. Only answer() and stop() may be called
// from others.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "camber/server/answer.h"
#include "camber/server/http_request.h"

namespace camber::server {

using ClientId = std::uint32_t;  // of a socket; 0: none
using RequestId = std::uint64_t;

/// The application behind the server. All calls come from the thread of run().
class Handler {
 public:
  virtual ~Handler() = default;

  /// GET /api/..., with a good token; `target` has path and query. To be answered once by
  /// Server::answer(), now or later.
  virtual void get(RequestId request, std::string_view target) = 0;

  virtual bool has_sockets() const { return false; }
  virtual void open(ClientId) {}
  /// A binary message.
  virtual void message(ClientId, std::string_view) {}
  virtual void close(ClientId) {}
  /// Called periodically; see ServerOptions::tick.
  virtual void tick() {}
  /// The server has stopped: no calls are allowed after this returns.
  virtual void end() {}
};

struct ServerOptions {
  std::string address = "127.0.0.1";  // one that this machine has, in numbers
  int port = 0;                       // 0: any that is free
  std::string token = {};             // empty: a new one
  std::vector<PageFile> files = {};
  HttpLimits http = {};
  std::chrono::microseconds tick{5000};  // of handlers with sockets; others have 50 ms

  int max_connections = 128;
  int max_sockets = 16;
  std::size_t max_message = 1024;      // bytes of a message of a client
  int max_message_rate = 400;          // per second
  std::size_t max_waiting = 64 << 20;  // bytes that wait for a client
  int frames_under_way = 3;
  std::chrono::milliseconds request_time{10000};  // for a whole request
  std::chrono::milliseconds idle_time{30000};     // between two requests
  std::chrono::milliseconds write_time{8000};     // without progress
  std::chrono::milliseconds silence_time{8000};   // of frames without acknowledgement
  std::chrono::milliseconds linger_time{1000};    // after the last octet was written
};

class Server {
 public:
  /// Listens from now on. Throws std::runtime_error if that is not possible.
  Server(ServerOptions options, Handler* handler);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  const std::string& token() const;
  /// "http://127.0.0.1:8600/#token=...": the fragment is never sent.
  std::string url() const;
  /// The same without the token.
  std::string address_text() const;

  /// Serves until stop(), then closes all sockets.
  void run();
  void stop();
  /// From any thread. A request that no longer exists is ignored.
  void answer(RequestId request, Answer answer);

  // --- In the thread of run() ---

  /// In order and without loss; a client that does not read them is disconnected.
  void send_text(ClientId client, std::string_view text);
  void send_text_to_all(std::string_view text);
  /// A frame for everyone who has acknowledged enough of the last ones; others never see it. So
  /// only the newest frame waits, however large the buffers in between are.
  void offer_frame(std::uint32_t number, std::string_view bytes);
  /// The client has received the frames up to this one. A number that was never sent disconnects
  /// it.
  void acknowledge(ClientId client, std::uint32_t number);
  void drop(ClientId client, std::uint16_t code, std::string_view reason);
  int socket_count() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace camber::server
