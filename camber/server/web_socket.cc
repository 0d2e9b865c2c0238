#include "camber/server/web_socket.h"

#include <utility>

#include "camber/server/sha1.h"

namespace camber::server {
namespace {

constexpr std::string_view kKeyEnd = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // RFC 6455, 1.3
constexpr std::size_t kMaxControl = 125;

/// Codes that may be in a close frame [RFC 6455, section 7.4].
bool is_close_code(unsigned code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
         (code >= 3000 && code <= 4999);
}

std::uint8_t byte_at(std::string_view text, std::size_t i) {
  return static_cast<std::uint8_t>(text[i]);
}

}  // namespace

std::string accept_key(std::string_view key) {
  const auto hash = calc_sha1(std::string(key) + std::string(kKeyEnd));
  return encode_base64({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

bool is_web_socket_key(std::string_view key) { return count_base64_bytes(key) == 16; }

std::string make_frame(Opcode opcode, std::string_view payload) {
  std::string frame;
  frame.reserve(payload.size() + 10);
  frame += static_cast<char>(0x80 | static_cast<unsigned>(opcode));
  const std::uint64_t size = payload.size();
  const int length_bytes = size <= 125 ? 0 : size <= 0xffff ? 2 : 8;
  frame += static_cast<char>(length_bytes == 0 ? size : length_bytes == 2 ? 126 : 127);
  for (int i = length_bytes - 1; i >= 0; --i) frame += static_cast<char>(size >> (8 * i) & 0xff);
  frame += payload;
  return frame;
}

std::string make_close_frame(std::uint16_t code, std::string_view reason) {
  std::string payload = {static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
  payload += reason.substr(0, kMaxControl - 2);
  return make_frame(Opcode::kClose, payload);
}

std::optional<SocketEvent> MessageReader::fail(std::uint16_t code) {
  is_over_ = true;
  input_.clear();
  return SocketEvent{.kind = SocketEvent::Kind::kError, .code = code};
}

std::optional<SocketEvent> MessageReader::take_control(Opcode opcode, std::string payload) {
  if (opcode == Opcode::kPing)
    return SocketEvent{.kind = SocketEvent::Kind::kPing, .payload = std::move(payload)};
  if (opcode == Opcode::kPong)
    return SocketEvent{.kind = SocketEvent::Kind::kPong, .payload = std::move(payload)};
  if (payload.size() == 1) return fail(kCloseProtocolError);
  std::uint16_t code = kCloseDone;
  if (!payload.empty()) {
    code = static_cast<std::uint16_t>(byte_at(payload, 0) << 8 | byte_at(payload, 1));
    if (!is_close_code(code)) return fail(kCloseProtocolError);
    if (!is_utf8(std::string_view(payload).substr(2))) return fail(kCloseBadText);
  }
  is_over_ = true;
  return SocketEvent{.kind = SocketEvent::Kind::kClose, .code = code};
}

std::optional<SocketEvent> MessageReader::next() {
  while (!is_over_) {
    if (input_.size() < 2) return {};
    const unsigned first = byte_at(input_, 0), second = byte_at(input_, 1);
    const bool is_final = (first & 0x80) != 0;
    const unsigned number = first & 0x0f;
    if ((first & 0x70) != 0) return fail(kCloseProtocolError);   // extensions: none
    if ((second & 0x80) == 0) return fail(kCloseProtocolError);  // clients mask
    const bool is_control = number >= 8;
    if (is_control ? number > 10 : number > 2) return fail(kCloseProtocolError);
    std::uint64_t length = second & 0x7f;
    if (is_control && (!is_final || length > kMaxControl)) return fail(kCloseProtocolError);
    const std::size_t length_bytes = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (input_.size() < 2 + length_bytes) return {};
    if (length_bytes > 0) {
      length = 0;
      for (std::size_t i = 0; i < length_bytes; ++i) length = length << 8 | byte_at(input_, 2 + i);
      // The shortest form is the only one, and the highest bit is 0.
      if (length <= (length_bytes == 2 ? 125u : 0xffffu) || length >> 63 != 0)
        return fail(kCloseProtocolError);
    }
    const auto opcode = static_cast<Opcode>(number);
    if (!is_control) {
      const bool continues = opcode == Opcode::kContinuation;
      if (continues != is_fragmented_) return fail(kCloseProtocolError);
      if (length > max_message_ || message_.size() + length > max_message_)
        return fail(kCloseTooBig);
    }
    const std::size_t head = 2 + length_bytes + 4;
    if (input_.size() < head + length) return {};
    std::string payload = input_.substr(head, length);
    for (std::size_t i = 0; i < payload.size(); ++i)
      payload[i] = static_cast<char>(byte_at(payload, i) ^ byte_at(input_, head - 4 + i % 4));
    input_.erase(0, head + length);
    if (is_control) return take_control(opcode, std::move(payload));
    if (opcode != Opcode::kContinuation) is_text_ = opcode == Opcode::kText;
    message_ += payload;
    is_fragmented_ = !is_final;
    if (!is_final) continue;
    SocketEvent event{.kind = SocketEvent::Kind::kMessage,
                      .is_text = is_text_,
                      .payload = std::exchange(message_, {})};
    if (event.is_text && !is_utf8(event.payload)) return fail(kCloseBadText);
    return event;
  }
  input_.clear();
  return {};
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const unsigned first = byte_at(text, i);
    const int more = first < 0x80   ? 0
                     : first < 0xc2 ? -1
                     : first < 0xe0 ? 1
                     : first < 0xf0 ? 2
                     : first < 0xf5 ? 3
                                    : -1;
    if (more < 0 || i + static_cast<std::size_t>(more) >= text.size()) return false;
    unsigned code = more == 0 ? first : first & (0x3fu >> more);
    for (int k = 1; k <= more; ++k) {
      const unsigned next = byte_at(text, i + static_cast<std::size_t>(k));
      if ((next & 0xc0) != 0x80) return false;
      code = code << 6 | (next & 0x3f);
    }
    if (more == 2 && (code < 0x800 || (code >= 0xd800 && code <= 0xdfff))) return false;
    if (more == 3 && (code < 0x10000 || code > 0x10ffff)) return false;
    i += static_cast<std::size_t>(more) + 1;
  }
  return true;
}

}  // namespace camber::server
