#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "camber/server/http_request.h"

namespace camber::server {

/// Access control. The token decides; the other checks prevent a foreign page from using the
/// browser.
class AccessRules {
 public:
  /// `hosts`: every "name:port" that this server is called by, exactly.
  AccessRules(std::vector<std::string> hosts, std::string token)
      : hosts_(std::move(hosts)), token_(std::move(token)) {}

  struct Refusal {
    int status = 0;  // 0: none
    const char* reason = "";
  };

  /// A name that a foreign DNS server points here is not accepted (DNS rebinding).
  Refusal check_host(const HttpRequest& request) const;
  /// Files of the page, which have no secrets: only as part of this page, or as the page itself in
  /// a window of its own.
  Refusal check_page(const HttpRequest& request) const;
  /// Everything below /api but the socket: from this page, with the token in a header.
  Refusal check_api(const HttpRequest& request) const;
  /// The socket: from this page, with the token as second subprotocol.
  Refusal check_socket(const HttpRequest& request) const;

  const std::string& token() const { return token_; }
  const std::vector<std::string>& hosts() const { return hosts_; }

 private:
  Refusal check_origin(const HttpRequest& request, bool is_needed) const;

  std::vector<std::string> hosts_;
  std::string token_;
};

}  // namespace camber::server
