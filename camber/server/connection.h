#pragma once

// One connection of the server: received data, data to be written, and times.

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "camber/server/server.h"
#include "camber/server/web_socket.h"

namespace camber::server::internal {

using SteadyClock = std::chrono::steady_clock;
using TimePoint = SteadyClock::time_point;

constexpr std::size_t kFirstLook = 2200;       // bytes: longer than a request line may be
constexpr std::size_t kMaxInput = 128 * 1024;  // bytes that are not parsed yet

struct Connection {
  enum class State {
    kRequest,  // a request is awaited or on its way
    kAnswer,   // the handler works on the answer
    kSocket,   // a WebSocket
    kFlush,    // what is in `out` is the last thing; then it lingers
    kLinger,   // shut for writing; input is thrown away until the other side closes, too
    kGone,     // to be removed
  };
  struct Frame {
    std::uint32_t number = 0;
    TimePoint sent;
  };

  Connection(int number, TimePoint now, std::size_t max_message)
      : file(number), since(now), request_since(now), progress(now), reader(max_message) {}

  int file;
  State state = State::kRequest;
  TimePoint since;          // it is open
  TimePoint request_since;  // of the state, or of the request's first octet
  TimePoint progress;       // of writing
  std::string in, out;
  std::size_t written = 0;           // of `out`
  std::size_t scanned = 0;           // of `in`: it has no end of a request
  std::size_t look_at = kFirstLook;  // bytes of `in` at which the request is parsed
  bool is_processing = false;        // requests of `in`
  bool has_token = false;            // showed it once
  bool has_request = false;          // octets of a request have come

  // kAnswer
  RequestId request = 0;

  // kSocket
  ClientId client = 0;
  MessageReader reader;
  std::deque<Frame> under_way;  // frames without acknowledgement
  std::uint32_t newest = 0;     // frame that was sent
  bool has_frames = false;      // one was sent
  TimePoint rate_since;
  int rate_count = 0;

  bool wants_input() const {
    if (state == State::kRequest) return in.size() < kMaxInput;
    return state == State::kSocket || state == State::kLinger;
  }
  bool has_output() const { return written < out.size(); }
  void append(std::string_view bytes) {
    if (!has_output()) {
      out.clear();
      written = 0;
    }
    out += bytes;
  }
};

/// Status line and headers of an answer, for every status that the server gives.
std::string make_head(int status, std::string_view type, std::size_t length, bool is_compressed,
                      bool closes, std::string_view policy);
/// Content-Security-Policy of the page.
std::string make_policy(const std::vector<std::string>& hosts);

}  // namespace camber::server::internal
