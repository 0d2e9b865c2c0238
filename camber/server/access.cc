#include "camber/server/access.h"

#include <algorithm>

#include "camber/server/token.h"
#include "camber/server/web_socket.h"

namespace camber::server {
namespace {

constexpr const char* kForeign = "the request comes from another page";
constexpr const char* kNoToken =
    "no token, or one of an earlier start of camber: open the link that camber printed";
constexpr std::string_view kTokenProtocol = "camber.token.";

}  // namespace

AccessRules::Refusal AccessRules::check_host(const HttpRequest& request) const {
  const bool is_ours = std::ranges::any_of(hosts_, [&](const std::string& host) {
    return equals_without_case(request.find("host"), host);
  });
  return is_ours ? Refusal{} : Refusal{403, "Host is not a name of this server"};
}

// `localhost` and 127.0.0.1 are two origins, and so are two ports: the origin is the one that this
// request was sent to.
AccessRules::Refusal AccessRules::check_origin(const HttpRequest& request, bool is_needed) const {
  if (request.count("origin") > 1) return {400, "two origins"};
  if (request.count("origin") == 0)
    return is_needed ? Refusal{403, "a socket needs an Origin"} : Refusal{};
  const std::string own = "http://" + std::string(request.find("host"));
  return equals_without_case(request.find("origin"), own) ? Refusal{} : Refusal{403, kForeign};
}

// Fetch Metadata [W3C], where the browser sends it. Another port of this machine is "same-site".
AccessRules::Refusal AccessRules::check_page(const HttpRequest& request) const {
  if (const Refusal refusal = check_origin(request, false); refusal.status != 0) return refusal;
  const std::string_view site = request.find("sec-fetch-site");
  if (site.empty() || site == "same-origin" || site == "none") return {};
  const bool is_window = request.find("sec-fetch-mode") == "navigate" &&
                         request.find("sec-fetch-dest") == "document" && request.path() == "/";
  return is_window ? Refusal{} : Refusal{403, kForeign};
}

AccessRules::Refusal AccessRules::check_api(const HttpRequest& request) const {
  if (const Refusal refusal = check_origin(request, false); refusal.status != 0) return refusal;
  const std::string_view site = request.find("sec-fetch-site");
  if (!site.empty() && site != "same-origin") return {403, kForeign};
  if (request.find("sec-fetch-mode") == "navigate") return {403, "this is not a page"};
  if (request.count("x-camber-token") != 1 || !equals_token(request.find("x-camber-token"), token_))
    return {401, kNoToken};
  return {};
}

AccessRules::Refusal AccessRules::check_socket(const HttpRequest& request) const {
  if (const Refusal refusal = check_origin(request, true); refusal.status != 0) return refusal;
  const std::string_view site = request.find("sec-fetch-site");
  if (!site.empty() && site != "same-origin") return {403, kForeign};
  if (request.count("upgrade") != 1 || !equals_without_case(request.find("upgrade"), "websocket") ||
      request.count("connection") != 1 || !has_entry(request.find("connection"), "upgrade"))
    return {426, "this address is a WebSocket"};
  if (request.count("sec-websocket-version") != 1 || request.find("sec-websocket-version") != "13")
    return {426, "WebSockets of version 13"};
  if (request.count("sec-websocket-key") != 1 ||
      !is_web_socket_key(request.find("sec-websocket-key")))
    return {400, "the key of a WebSocket is the base64 text of 16 bytes"};
  if (request.count("sec-websocket-protocol") != 1) return {401, kNoToken};
  const auto protocols = split_list(request.find("sec-websocket-protocol"));
  if (protocols.size() != 2 || protocols[0] != "camber.v1" ||
      !protocols[1].starts_with(kTokenProtocol) ||
      !equals_token(protocols[1].substr(kTokenProtocol.size()), token_))
    return {401, kNoToken};
  return {};
}

}  // namespace camber::server
