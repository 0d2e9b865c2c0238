#pragma once

// WebSockets [RFC 6455] as used by camber's page: no extensions, small messages.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace camber::server {

/// Codes that a socket closes with [RFC 6455, section 7.4.1].
enum CloseCode : std::uint16_t {
  kCloseDone = 1000,
  kCloseGoingAway = 1001,
  kCloseProtocolError = 1002,
  kCloseWrongKind = 1003,
  kCloseBadText = 1007,
  kClosePolicy = 1008,
  kCloseTooBig = 1009,
  kCloseNoAcknowledgement = 4002,
};

/// The answer to Sec-WebSocket-Key.
std::string accept_key(std::string_view key);
/// Whether a key is the base64 text of 16 bytes.
bool is_web_socket_key(std::string_view key);

enum class Opcode : std::uint8_t {
  kContinuation = 0,
  kText = 1,
  kBinary = 2,
  kClose = 8,
  kPing = 9,
  kPong = 10,
};

/// A frame of the server: whole, not masked.
std::string make_frame(Opcode opcode, std::string_view payload);
std::string make_close_frame(std::uint16_t code, std::string_view reason = {});

/// What a client sent.
struct SocketEvent {
  enum class Kind { kMessage, kPing, kPong, kClose, kError } kind = Kind::kError;
  bool is_text = false;  // of a message
  std::string payload = {};
  std::uint16_t code = 0;  // kClose: to answer with; kError: to close with
};

/// Assembles frames into messages. Every byte that a client sends passes here.
class MessageReader {
 public:
  explicit MessageReader(std::size_t max_message = 4096) : max_message_(max_message) {}

  /// Adds what has arrived.
  void add(std::string_view bytes) { input_ += bytes; }
  /// The next event, if one is complete. After kClose or kError nothing more comes.
  std::optional<SocketEvent> next();
  /// Bytes that wait for the rest of their frame.
  std::size_t waiting() const { return input_.size(); }

 private:
  std::optional<SocketEvent> fail(std::uint16_t code);
  std::optional<SocketEvent> take_control(Opcode opcode, std::string payload);

  std::size_t max_message_;
  std::string input_, message_;
  bool is_text_ = false, is_fragmented_ = false, is_over_ = false;
};

/// Whether text is UTF-8 without surrogates and overlong forms [RFC 3629].
bool is_utf8(std::string_view text);

}  // namespace camber::server
