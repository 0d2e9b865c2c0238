// Octets of a WebSocket in two different cuts: the events are the same, and within the limits.

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

#include "camber/server/web_socket.h"
#include "tests/fuzz/targets.h"

namespace {

constexpr std::size_t kMaxMessage = 256;

void check(bool holds) {
  if (!holds) std::abort();
}

/// All events as one text.
std::string read_all(std::string_view bytes, std::size_t piece) {
  camber::server::MessageReader reader(kMaxMessage);
  std::string log;
  bool is_over = false;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.add(bytes.substr(at, piece));
    while (const auto event = reader.next()) {
      check(!is_over);
      check(event->payload.size() <= kMaxMessage);
      using Kind = camber::server::SocketEvent::Kind;
      if (event->is_text && event->kind == Kind::kMessage)
        check(camber::server::is_utf8(event->payload));
      is_over = event->kind == Kind::kClose || event->kind == Kind::kError;
      if (is_over) check(event->code >= 1000 && event->code < 5000);
      log += std::to_string(static_cast<int>(event->kind)) + ":" + std::to_string(event->code) +
             ":" + event->payload + ";";
    }
    check(reader.waiting() <= kMaxMessage + 14 + piece);
  }
  return log;
}

}  // namespace

void camber::fuzz::read_frame(std::string_view bytes) {
  check(read_all(bytes, 1) == read_all(bytes, bytes.empty() ? 1 : bytes.size()));
}
