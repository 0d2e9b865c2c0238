// Requests of anybody. What is accepted must be what was said: one Host, no body, and the same
// however it arrives.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "camber/server/http_request.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace camber::server;  // NOLINT(google-build-using-namespace): one function
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const HttpLimits limits{.target = 64, .head = 512, .headers = 16};
  const HttpParse whole = parse_http_request(text, limits);
  if (whole.status == 200) {
    check(whole.size <= text.size() && whole.size <= limits.head);
    check(whole.request.count("host") == 1 && whole.request.count("transfer-encoding") == 0);
    check(whole.request.target.size() <= limits.target && whole.request.target.front() == '/');
    check(whole.request.headers.size() <= limits.headers);
    // More input behind it changes nothing, and less of it is not complete.
    const HttpParse exact = parse_http_request(text.substr(0, whole.size), limits);
    check(exact.status == 200 && exact.size == whole.size);
    check(parse_http_request(text.substr(0, whole.size - 1), limits).status == 0);
  } else {
    check(whole.status == 0 || (whole.status >= 400 && whole.status < 500));
  }
  return 0;
}
