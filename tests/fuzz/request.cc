// Requests of anybody. What is accepted must be what was said: one Host, no body, and the same
// however it arrives.

#include <cstdlib>
#include <string_view>

#include "camber/server/http_request.h"
#include "tests/fuzz/targets.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

void camber::fuzz::read_request(std::string_view bytes) {
  using namespace camber::server;  // NOLINT(google-build-using-namespace): one function
  const HttpLimits limits{.target = 64, .head = 512, .headers = 16};
  const HttpParse whole = parse_http_request(bytes, limits);
  if (whole.status == 200) {
    check(whole.size <= bytes.size() && whole.size <= limits.head);
    check(whole.request.count("host") == 1 && whole.request.count("transfer-encoding") == 0);
    check(whole.request.target.size() <= limits.target && whole.request.target.front() == '/');
    check(whole.request.headers.size() <= limits.headers);
    // More input behind it changes nothing, and less of it is not complete.
    const HttpParse exact = parse_http_request(bytes.substr(0, whole.size), limits);
    check(exact.status == 200 && exact.size == whole.size);
    check(parse_http_request(bytes.substr(0, whole.size - 1), limits).status == 0);
  } else {
    check(whole.status == 0 || (whole.status >= 400 && whole.status < 500));
  }
}
