#pragma once

// Requests of HTTP/1.1 as a browser writes them, and nothing else: GET and HEAD without a body,
// lines that end in CR LF, one Host. Ambiguous requests are rejected, so that they cannot be used
// to hide another one [RFC 9112, section 11].

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace camber::server {

struct HttpLimits {
  std::size_t target = 2048;     // bytes of an address
  std::size_t head = 64 * 1024;  // bytes of request line and headers. Cookies of other ports
                                 // come with every request [RFC 6265, section 8.5] and are
                                 // longer than one thinks.
  std::size_t headers = 128;     // number of headers
  std::size_t method = 16;       // bytes of a method
};

struct HttpRequest {
  std::string method;
  std::string target;  // path and query as they came; nothing is decoded
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case

  std::string_view path() const;
  /// After the '?'; empty without one.
  std::string_view query() const;
  /// The number of headers of that name.
  int count(std::string_view name) const;
  /// The first one's value; empty if there is none.
  std::string_view find(std::string_view name) const;
};

struct HttpParse {
  /// 0: the request is not complete; 200: it is; otherwise the status of the rejection.
  int status = 0;
  const char* reason = "";  // of a refusal, for people
  std::size_t size = 0;     // bytes of a complete request
  HttpRequest request = {};
};

/// Reads the request at the start of `input`.
HttpParse parse_http_request(std::string_view input, const HttpLimits& limits = {});

/// Whether a comma-separated list has an entry, letters compared without case.
bool has_entry(std::string_view list, std::string_view entry);
/// The entries of a comma-separated list, without blanks around them.
std::vector<std::string_view> split_list(std::string_view list);
/// Equal without case, ASCII only.
bool equals_without_case(std::string_view a, std::string_view b);

}  // namespace camber::server
