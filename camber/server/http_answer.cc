#include "camber/server/connection.h"

namespace camber::server::internal {
namespace {

const char* words_of(int status) {
  switch (status) {
    case 101:
      return "Switching Protocols";
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 426:
      return "Upgrade Required";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

const char* further_headers(int status) {
  switch (status) {
    case 401:
      return "WWW-Authenticate: Camber\r\n";
    case 405:
      return "Allow: GET, HEAD\r\n";
    case 426:
      return "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    case 503:
      return "Retry-After: 1\r\n";
    default:
      return "";
  }
}

}  // namespace

// No inline code, no foreign address, no frame, no form; and script never makes markup from text
// (Trusted Types).
std::string make_policy(const std::vector<std::string>& hosts) {
  std::string sockets;
  for (const std::string& host : hosts) sockets += " ws://" + host;
  return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
         "connect-src 'self'" +
         sockets +
         "; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
         "require-trusted-types-for 'script'; trusted-types 'none'";
}

std::string make_head(int status, std::string_view type, std::size_t length, bool is_compressed,
                      bool closes, std::string_view policy) {
  std::string head = "HTTP/1.1 " + std::to_string(status) + " " + words_of(status) + "\r\n";
  head += further_headers(status);
  if (status != 204) {
    head += "Content-Type: ";
    head += type;
    head += "\r\nContent-Length: " + std::to_string(length) + "\r\n";
  }
  if (is_compressed) head += "Content-Encoding: gzip\r\n";
  head +=
      "Cache-Control: no-store\r\n"
      "Content-Security-Policy: ";
  head += policy;
  head +=
      "\r\n"
      "Cross-Origin-Embedder-Policy: require-corp\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "Permissions-Policy: camera=(), microphone=(), geolocation=(), usb=(), serial=()\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "X-Frame-Options: DENY\r\n";
  head += closes ? "Connection: close\r\n\r\n" : "Connection: keep-alive\r\n\r\n";
  return head;
}

}  // namespace camber::server::internal
