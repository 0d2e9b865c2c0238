#include "camber/server/http_request.h"

#include <algorithm>

namespace camber::server {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; }

/// Characters of methods and names of headers [RFC 9110, section 5.6.2].
bool is_token_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_token_char);
}

/// Visible ASCII without what an address never has.
bool is_target_char(char c) {
  return c > ' ' && c < 0x7f && std::string_view("\"#<>\\^`{|}").find(c) == std::string_view::npos;
}

bool is_value_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= ' ' && byte != 0x7f);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

HttpParse refuse(int status, const char* reason) { return {.status = status, .reason = reason}; }

/// "GET /path HTTP/1.1"; returns the status to refuse it with, or 0.
int read_request_line(std::string_view line, const HttpLimits& limits, HttpRequest* out,
                      const char** reason) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  const auto fail = [&](int status, const char* why) {
    *reason = why;
    return status;
  };
  if (first == std::string_view::npos || first == last) return fail(400, "not a request line");
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (method.size() > limits.method || !is_token(method)) return fail(400, "not a method");
  if (line.substr(last + 1) != "HTTP/1.1") return fail(400, "not HTTP/1.1");
  if (target.size() > limits.target) return fail(414, "the address is too long");
  if (target.empty() || target.front() != '/') return fail(400, "the address is not a path");
  if (!std::ranges::all_of(target, is_target_char))
    return fail(400, "the address has a character that addresses do not have");
  out->method = method;
  out->target = target;
  return 0;
}

/// Returns the reason to refuse the header with, or null.
const char* read_header(std::string_view line, HttpRequest* out) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return "a header without a colon";
  const std::string_view name = line.substr(0, colon);
  if (!is_token(name)) return "a name of a header has a character that names do not have";
  const std::string_view value = trim(line.substr(colon + 1));
  if (!std::ranges::all_of(value, is_value_char)) return "a header has a control character";
  std::string lowered(name);
  std::ranges::transform(lowered, lowered.begin(), lower);
  out->headers.emplace_back(std::move(lowered), value);
  return nullptr;
}

/// What the headers say about a body: there is none.
HttpParse check_body(const HttpRequest& request) {
  if (request.count("transfer-encoding") > 0) return refuse(400, "requests here have no body");
  if (request.count("content-length") > 1) return refuse(400, "two lengths of a body");
  if (request.count("content-length") == 1) {
    const std::string_view length = request.find("content-length");
    if (length.empty() || length.size() > 19 || !std::ranges::all_of(length, is_digit))
      return refuse(400, "the length of the body is not a number");
    if (length != "0") return refuse(413, "requests here have no body");
  }
  return {};
}

}  // namespace

std::string_view HttpRequest::path() const {
  return std::string_view(target).substr(0, target.find('?'));
}

std::string_view HttpRequest::query() const {
  const std::size_t at = target.find('?');
  return at == std::string::npos ? std::string_view() : std::string_view(target).substr(at + 1);
}

int HttpRequest::count(std::string_view name) const {
  return static_cast<int>(
      std::ranges::count_if(headers, [&](const auto& header) { return header.first == name; }));
}

std::string_view HttpRequest::find(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (key == name) return value;
  return {};
}

HttpParse parse_http_request(std::string_view input, const HttpLimits& limits) {
  const std::size_t end = input.substr(0, limits.head).find(kHeadEnd);
  const std::size_t line_end = input.substr(0, limits.head).find(kLineEnd);
  const std::size_t max_line = limits.method + limits.target + 16;
  if (std::min(line_end, input.size()) > max_line) return refuse(414, "the address is too long");
  if (end == std::string_view::npos) {
    if (input.size() >= limits.head) return refuse(431, "the headers are too long");
    return {};
  }
  HttpParse parse;
  const char* reason = "";
  if (const int status =
          read_request_line(input.substr(0, line_end), limits, &parse.request, &reason);
      status != 0)
    return refuse(status, reason);
  std::string_view rest = input.substr(line_end + 2, end + 2 - (line_end + 2));
  while (!rest.empty()) {
    const std::size_t at = rest.find(kLineEnd);
    if (parse.request.headers.size() == limits.headers) return refuse(431, "too many headers");
    if (const char* problem = read_header(rest.substr(0, at), &parse.request); problem != nullptr)
      return refuse(400, problem);
    rest.remove_prefix(at + 2);
  }
  if (parse.request.count("host") != 1) return refuse(400, "exactly one Host is needed");
  if (const HttpParse body = check_body(parse.request); body.status != 0) return body;
  parse.status = 200;
  parse.size = end + kHeadEnd.size();
  return parse;
}

bool equals_without_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::vector<std::string_view> split_list(std::string_view list) {
  std::vector<std::string_view> entries;
  for (;;) {
    const std::size_t comma = list.find(',');
    entries.push_back(trim(list.substr(0, comma)));
    if (comma == std::string_view::npos) return entries;
    list.remove_prefix(comma + 1);
  }
}

bool has_entry(std::string_view list, std::string_view entry) {
  return std::ranges::any_of(split_list(list), [&](std::string_view candidate) {
    return equals_without_case(candidate, entry);
  });
}

}  // namespace camber::server
