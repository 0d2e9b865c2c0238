#include "camber/server/server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <unistd.h>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "camber/server/access.h"
#include "camber/server/connection.h"
#include "camber/server/token.h"

namespace camber::server {

using internal::Connection, internal::SteadyClock, internal::TimePoint;
using State = Connection::State;

namespace {

constexpr int kBacklog = 1024;
constexpr int kAcceptsPerRound = 256;
constexpr std::chrono::milliseconds kAcceptPause{100};  // when there are no file numbers left
constexpr std::chrono::milliseconds kCheckInterval{100};
constexpr std::chrono::milliseconds kIdleTick{50};
constexpr std::size_t kMaxUnread = 1 << 20;  // bytes
constexpr int kRefusedAtOnce = 64;
constexpr std::size_t kReadSize = 16384;

std::string error_text() { return std::strerror(errno); }

struct Address {
  sockaddr_storage bytes = {};
  socklen_t size = 0;
  bool is_v6 = false;
};

Address parse_address(const std::string& text, int port) {
  Address address;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.bytes);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.bytes);
  if (::inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof(sockaddr_in);
    if (v4->sin_addr.s_addr != 0) return address;
  } else if (::inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof(sockaddr_in6);
    address.is_v6 = true;
    if (!IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr)) return address;
  } else {
    throw std::invalid_argument("\"" + text +
                                "\" is not an address in numbers, such as 192.168.1.5");
  }
  throw std::invalid_argument(
      "\"" + text + "\" stands for all addresses of this machine: name the one to be called by");
}

}  // namespace

class Server::Loop {
 public:
  Loop(ServerOptions options, Handler* handler);
  ~Loop();

  void run();
  void stop() {
    is_stopping_ = true;
    wake();
  }
  void answer(RequestId request, Answer answer);

  void send_text(ClientId client, std::string_view text);
  void send_text_to_all(std::string_view text);
  void offer_frame(std::uint32_t number, std::string_view bytes);
  void acknowledge(ClientId client, std::uint32_t number);
  void drop(ClientId client, std::uint16_t code, std::string_view reason);
  int socket_count() const { return static_cast<int>(clients_.size()); }

  int port() const { return port_; }
  const std::string& token() const { return rules_->token(); }
  const std::string& host() const { return host_; }

 private:
  void listen();
  void wake();
  void accept_all(TimePoint now);
  bool make_room(TimePoint now);
  void read(Connection* c, TimePoint now);
  void write(Connection* c, TimePoint now);
  void process(Connection* c, TimePoint now);
  bool process_one(Connection* c, TimePoint now);
  void handle(Connection* c, const HttpRequest& request, TimePoint now);
  void start_socket(Connection* c, const HttpRequest& request, TimePoint now);
  void read_socket(Connection* c, std::string_view bytes, TimePoint now);
  void respond(Connection* c, const Answer& answer, bool closes, TimePoint now);
  void refuse(Connection* c, int status, const char* reason, TimePoint now);
  void close_socket(Connection* c, std::uint16_t code, std::string_view reason);
  void leave_socket(Connection* c);
  void send_to(Connection* c, std::string_view frame);
  void check_times(Connection* c, TimePoint now);
  void deliver_answers(TimePoint now);
  int poll_once(TimePoint until);
  Connection* find(ClientId client);
  /// Writes at once what goes; the rest when the socket is ready.
  void flush(Connection* c) { write(c, SteadyClock::now()); }

  ServerOptions options_;
  Handler* handler_;
  std::optional<AccessRules> rules_;
  std::string policy_, host_;
  int listener_ = -1, waker_ = -1, port_ = 0;
  TimePoint accept_after_, next_check_;
  std::map<int, std::unique_ptr<Connection>> connections_;  // by file number
  std::map<ClientId, Connection*> clients_;
  std::map<RequestId, Connection*> requests_;
  ClientId next_client_ = 1;
  RequestId next_request_ = 1;
  std::atomic<bool> is_stopping_ = false;
  std::mutex answers_lock_;
  std::vector<std::pair<RequestId, Answer>> answers_;
  std::vector<pollfd> polled_;
};

Server::Loop::Loop(ServerOptions options, Handler* handler)
    : options_(std::move(options)), handler_(handler) {
  if (options_.token.empty()) options_.token = make_token();
  listen();
  const auto with_port = [&](const std::string& name) {
    return name + ":" + std::to_string(port_);
  };
  const bool is_v6 = options_.address.find(':') != std::string::npos;
  host_ = with_port(is_v6 ? "[" + options_.address + "]" : options_.address);
  std::vector<std::string> hosts = {host_};
  if (options_.address == "127.0.0.1" || options_.address == "::1")
    hosts.push_back(with_port("localhost"));
  policy_ = internal::make_policy(hosts);
  rules_.emplace(std::move(hosts), options_.token);
}

Server::Loop::~Loop() {
  for (const auto& [file, connection] : connections_) ::close(file);
  if (listener_ >= 0) ::close(listener_);
  if (waker_ >= 0) ::close(waker_);
}

void Server::Loop::listen() {
  const Address address = parse_address(options_.address, options_.port);
  const std::string where = options_.address + " port " + std::to_string(options_.port);
  listener_ =
      ::socket(address.is_v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  waker_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (listener_ < 0 || waker_ < 0) throw std::runtime_error("no socket: " + error_text());
  const int one = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address.bytes), address.size) != 0 ||
      ::listen(listener_, kBacklog) != 0) {
    std::string text = "cannot listen on " + where + ": " + error_text();
    if (errno == EADDRINUSE) text += "; give another with --port";
    throw std::runtime_error(text);
  }
  Address bound;
  bound.size = sizeof bound.bytes;
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&bound.bytes), &bound.size);
  port_ = ntohs(address.is_v6 ? reinterpret_cast<sockaddr_in6*>(&bound.bytes)->sin6_port
                              : reinterpret_cast<sockaddr_in*>(&bound.bytes)->sin_port);
}

void Server::Loop::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t done = ::write(waker_, &one, sizeof one);
}

// ---------------------------------------------------------------------------------------- loop --

void Server::Loop::run() {
  TimePoint next_tick = SteadyClock::now();
  while (!is_stopping_) {
    TimePoint now = SteadyClock::now();
    if (now >= next_tick) {
      handler_->tick();
      const auto interval = handler_->has_sockets() ? SteadyClock::duration(options_.tick)
                                                    : SteadyClock::duration(kIdleTick);
      next_tick = std::max(next_tick + interval, now - interval);  // no burst after a pause
    }
    poll_once(next_tick);
  }
  for (const auto& [client, connection] : std::map(clients_))
    close_socket(connection, kCloseGoingAway, "camber ends");
  const TimePoint end = SteadyClock::now() + options_.linger_time;
  const auto is_busy = [](const auto& entry) {
    return entry.second->state == State::kFlush || entry.second->state == State::kLinger;
  };
  while (std::ranges::any_of(connections_, is_busy) && SteadyClock::now() < end)
    poll_once(SteadyClock::now() + std::chrono::milliseconds(20));
  handler_->end();
}

int Server::Loop::poll_once(TimePoint until) {
  TimePoint now = SteadyClock::now();
  polled_.clear();
  const bool accepts = now >= accept_after_ && !is_stopping_;
  polled_.push_back({waker_, POLLIN, 0});
  polled_.push_back({accepts ? listener_ : -1, POLLIN, 0});
  for (const auto& [file, c] : connections_) {
    short events = 0;
    if (c->wants_input()) events |= POLLIN;
    if (c->has_output()) events |= POLLOUT;
    polled_.push_back({file, events, 0});
  }
  until = std::min(until, now + kCheckInterval);
  const auto wait = std::chrono::duration_cast<std::chrono::nanoseconds>(until - now).count();
  timespec timeout{.tv_sec = 0, .tv_nsec = std::clamp<long>(wait, 0, 999'999'999)};
  const int ready = ::ppoll(polled_.data(), polled_.size(), &timeout, nullptr);
  now = SteadyClock::now();
  if (ready > 0) {
    if (polled_[0].revents != 0) {
      std::uint64_t count = 0;
      [[maybe_unused]] const ssize_t done = ::read(waker_, &count, sizeof count);
    }
    for (std::size_t i = 2; i < polled_.size(); ++i) {
      if (polled_[i].revents == 0) continue;
      const auto found = connections_.find(polled_[i].fd);
      if (found == connections_.end()) continue;
      Connection* c = found->second.get();
      if ((polled_[i].revents & POLLOUT) != 0) write(c, now);
      if ((polled_[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) read(c, now);
    }
    if (polled_[1].revents != 0) accept_all(now);
  }
  deliver_answers(now);
  if (now >= next_check_) {
    next_check_ = now + kCheckInterval;
    for (const auto& [file, c] : connections_) check_times(c.get(), now);
  }
  std::erase_if(connections_, [](const auto& entry) {
    if (entry.second->state != State::kGone) return false;
    ::close(entry.first);
    return true;
  });
  return ready;
}

// A flood of connections that never show a token must not keep the user out: the oldest of them
// goes first.
bool Server::Loop::make_room(TimePoint now) {
  if (static_cast<int>(connections_.size()) < options_.max_connections) return true;
  Connection* oldest = nullptr;
  for (const auto& [file, c] : connections_) {
    if (c->state == State::kGone) continue;
    if (c->has_token || now - c->since < std::chrono::milliseconds(250)) continue;
    if (oldest == nullptr || c->since < oldest->since) oldest = c.get();
  }
  if (oldest == nullptr) return false;
  const auto found = connections_.find(oldest->file);
  if (oldest->state == State::kAnswer) requests_.erase(oldest->request);
  ::close(oldest->file);
  connections_.erase(found);
  return true;
}

void Server::Loop::accept_all(TimePoint now) {
  for (int i = 0; i < kAcceptsPerRound; ++i) {
    const int file = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file < 0) {
      // Without file numbers the listener stays ready, and the loop would spin.
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
        accept_after_ = now + kAcceptPause;
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return;
    }
    const int one = 1;
    ::setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const bool has_room = make_room(now);
    auto connection = std::make_unique<Connection>(file, now, options_.max_message);
    Connection* c = connection.get();
    if (has_room) {
      connections_[file] = std::move(connection);
      continue;
    }
    // The answer is worth a few connections more; beyond them there is none.
    refuse(c, 503, "too many connections", now);
    if (static_cast<int>(connections_.size()) < options_.max_connections + kRefusedAtOnce)
      connections_[file] = std::move(connection);
    else
      ::close(file);
  }
}

void Server::Loop::read(Connection* c, TimePoint now) {
  std::array<char, kReadSize> bytes;
  const ssize_t got = ::recv(c->file, bytes.data(), bytes.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got == 0 && c->state == State::kRequest && c->has_output()) {
    c->state = State::kFlush;  // it asks for nothing more, and reads on
    return;
  }
  if (got <= 0) {
    if (c->state == State::kSocket) leave_socket(c);
    if (c->state == State::kAnswer) requests_.erase(c->request);
    c->state = State::kGone;
    return;
  }
  const std::string_view arrived(bytes.data(), static_cast<std::size_t>(got));
  if (c->state == State::kSocket) {
    read_socket(c, arrived, now);
  } else if (c->state == State::kRequest) {
    if (!std::exchange(c->has_request, true)) c->request_since = now;
    c->in += arrived;
    process(c, now);
  }
}

void Server::Loop::write(Connection* c, TimePoint now) {
  while (c->has_output()) {
    const ssize_t done =
        ::send(c->file, c->out.data() + c->written, c->out.size() - c->written, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (done <= 0) {
      if (c->state == State::kSocket) leave_socket(c);
      c->state = State::kGone;
      return;
    }
    c->written += static_cast<std::size_t>(done);
    c->progress = now;
  }
  c->out.clear();
  c->written = 0;
  if (c->state == State::kRequest && !c->in.empty() && !c->is_processing)
    process(c, now);  // what waited for room
  if (c->state != State::kFlush || c->has_output()) return;
  // Closing with unread input would reset the connection, and the answer could be lost.
  ::shutdown(c->file, SHUT_WR);
  c->state = State::kLinger;
  c->request_since = now;
}

// ---------------------------------------------------------------------------------------- HTTP --

void Server::Loop::process(Connection* c, TimePoint now) {
  c->is_processing = true;
  while (process_one(c, now)) {
  }
  c->is_processing = false;
}

/// One request of what has arrived; false if there is none, or not yet.
bool Server::Loop::process_one(Connection* c, TimePoint now) {
  if (c->state != State::kRequest || c->in.empty()) return false;
  // Who asks and does not read waits.
  if (c->out.size() - c->written > kMaxUnread) return false;
  // A request in many small pieces is looked at when it has its end, or is twice as long.
  const std::size_t from = c->scanned < 3 ? 0 : c->scanned - 3;
  c->scanned = c->in.size();
  if (c->in.find("\r\n\r\n", from) == std::string::npos && c->in.size() < c->look_at) return false;
  c->look_at = std::min(2 * std::max(c->look_at, c->in.size()), options_.http.head);
  const HttpParse parse = parse_http_request(c->in, options_.http);
  if (parse.status == 0) return false;
  if (parse.status != 200) {
    refuse(c, parse.status, parse.reason, now);
    return false;
  }
  c->in.erase(0, parse.size);
  c->scanned = 0;
  c->look_at = internal::kFirstLook;
  c->has_request = !c->in.empty();
  c->request_since = now;
  handle(c, parse.request, now);
  return true;
}

void Server::Loop::handle(Connection* c, const HttpRequest& request, TimePoint now) {
  if (const auto no = rules_->check_host(request); no.status != 0)
    return refuse(c, no.status, no.reason, now);
  const std::string_view path = request.path();
  const bool is_api = path.starts_with("/api/");
  const bool is_head = request.method == "HEAD" && !is_api;
  if (request.method != "GET" && !is_head)
    return refuse(c, 405, "only GET, and HEAD for files of the page", now);
  if (path == "/api/socket") return start_socket(c, request, now);
  if (is_api) {
    if (const auto no = rules_->check_api(request); no.status != 0)
      return refuse(c, no.status, no.reason, now);
    c->has_token = true;
    c->state = State::kAnswer;
    c->request = next_request_++;
    requests_[c->request] = c;
    handler_->get(c->request, request.target);
    return;
  }
  if (const auto no = rules_->check_page(request); no.status != 0)
    return refuse(c, no.status, no.reason, now);
  const auto file = std::ranges::find(options_.files, request.target, &PageFile::path);
  if (file == options_.files.end()) return refuse(c, 404, "no such address", now);
  c->append(internal::make_head(200, file->type, file->bytes.size(), file->is_compressed, false,
                                policy_));
  if (!is_head) c->append(file->bytes);
  write(c, now);
}

void Server::Loop::respond(Connection* c, const Answer& answer, bool closes, TimePoint now) {
  c->state = closes ? State::kFlush : State::kRequest;
  c->request_since = now;
  const bool has_body = answer.status != 204;
  c->append(
      internal::make_head(answer.status, answer.type, answer.body.size(), false, closes, policy_));
  if (has_body) c->append(answer.body);
  write(c, now);
}

void Server::Loop::refuse(Connection* c, int status, const char* reason, TimePoint now) {
  respond(c, {status, "text/plain; charset=utf-8", std::string(reason) + "\n"}, true, now);
}

void Server::Loop::answer(RequestId request, Answer answer) {
  {
    const std::lock_guard lock(answers_lock_);
    answers_.emplace_back(request, std::move(answer));
  }
  wake();
}

void Server::Loop::deliver_answers(TimePoint now) {
  std::vector<std::pair<RequestId, Answer>> ready;
  {
    const std::lock_guard lock(answers_lock_);
    ready.swap(answers_);
  }
  for (auto& [request, answer] : ready) {
    const auto found = requests_.find(request);
    if (found == requests_.end()) continue;
    Connection* c = found->second;
    requests_.erase(found);
    respond(c, answer, false, now);
    process(c, now);  // what came behind
  }
}

// ------------------------------------------------------------------------------------- sockets --

void Server::Loop::start_socket(Connection* c, const HttpRequest& request, TimePoint now) {
  if (const auto no = rules_->check_socket(request); no.status != 0)
    return refuse(c, no.status, no.reason, now);
  if (request.target != "/api/socket") return refuse(c, 400, "the socket has no parameters", now);
  if (!handler_->has_sockets()) return refuse(c, 404, "there is nothing live here", now);
  if (static_cast<int>(clients_.size()) >= options_.max_sockets)
    return refuse(c, 503, "too many viewers", now);
  c->has_token = true;
  c->append(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: " +
      accept_key(request.find("sec-websocket-key")) +
      "\r\nSec-WebSocket-Protocol: camber.v1\r\n\r\n");
  c->state = State::kSocket;
  c->client = next_client_++;
  c->rate_since = now;
  clients_[c->client] = c;
  handler_->open(c->client);
  write(c, now);
  if (c->state == State::kSocket && !c->in.empty()) read_socket(c, std::exchange(c->in, {}), now);
}

void Server::Loop::read_socket(Connection* c, std::string_view bytes, TimePoint now) {
  c->reader.add(bytes);
  while (c->state == State::kSocket) {
    const std::optional<SocketEvent> event = c->reader.next();
    if (!event) return;
    using Kind = SocketEvent::Kind;
    if (event->kind == Kind::kError) return close_socket(c, event->code, "");
    if (event->kind == Kind::kClose) return close_socket(c, event->code, "");
    if (now - c->rate_since > std::chrono::seconds(1)) {
      c->rate_since = now;
      c->rate_count = 0;
    }
    if (++c->rate_count > options_.max_message_rate)
      return close_socket(c, kClosePolicy, "too many messages");
    if (event->kind == Kind::kPing) {
      send_to(c, make_frame(Opcode::kPong, event->payload));
      flush(c);
    } else if (event->kind == Kind::kMessage) {
      if (event->is_text) return close_socket(c, kCloseWrongKind, "messages here are binary");
      handler_->message(c->client, event->payload);
    }
  }
}

void Server::Loop::leave_socket(Connection* c) {
  if (clients_.erase(c->client) > 0) handler_->close(c->client);
}

void Server::Loop::close_socket(Connection* c, std::uint16_t code, std::string_view reason) {
  if (c->state != State::kSocket) return;
  c->append(make_close_frame(code, reason));
  c->state = State::kFlush;
  leave_socket(c);
  flush(c);
}

void Server::Loop::send_to(Connection* c, std::string_view frame) {
  if (!c->has_output()) c->progress = SteadyClock::now();
  if (c->out.size() - c->written + frame.size() > options_.max_waiting) {
    leave_socket(c);
    c->state = State::kGone;
    return;
  }
  c->append(frame);
}

Connection* Server::Loop::find(ClientId client) {
  const auto found = clients_.find(client);
  return found == clients_.end() ? nullptr : found->second;
}

void Server::Loop::send_text(ClientId client, std::string_view text) {
  Connection* c = find(client);
  if (c == nullptr) return;
  send_to(c, make_frame(Opcode::kText, text));
  flush(c);
}

void Server::Loop::send_text_to_all(std::string_view text) {
  const std::string frame = make_frame(Opcode::kText, text);
  for (const auto& [client, c] : std::map(clients_)) {
    send_to(c, frame);
    flush(c);
  }
}

void Server::Loop::offer_frame(std::uint32_t number, std::string_view bytes) {
  const TimePoint now = SteadyClock::now();
  std::string frame;
  for (const auto& [client, c] : std::map(clients_)) {
    if (c->has_output()) continue;  // it has not read what it has
    if (static_cast<int>(c->under_way.size()) >= options_.frames_under_way) continue;
    if (frame.empty()) frame = make_frame(Opcode::kBinary, bytes);
    c->under_way.push_back({number, now});
    c->newest = number;
    c->has_frames = true;
    send_to(c, frame);
    flush(c);
  }
}

void Server::Loop::acknowledge(ClientId client, std::uint32_t number) {
  Connection* c = find(client);
  if (c == nullptr) return;
  // Numbers may wrap around; the newest one that was sent is never behind.
  const bool is_known = c->has_frames && static_cast<std::int32_t>(c->newest - number) >= 0;
  if (!is_known) return close_socket(c, kClosePolicy, "a frame that was never sent");
  while (!c->under_way.empty() &&
         static_cast<std::int32_t>(number - c->under_way.front().number) >= 0)
    c->under_way.pop_front();
}

void Server::Loop::drop(ClientId client, std::uint16_t code, std::string_view reason) {
  if (Connection* c = find(client)) close_socket(c, code, reason);
}

// --------------------------------------------------------------------------------------- times --

void Server::Loop::check_times(Connection* c, TimePoint now) {
  if (c->state == State::kGone) return;
  if (c->has_output() && now - c->progress > options_.write_time) {
    if (c->state == State::kSocket) leave_socket(c);
    if (c->state == State::kAnswer) requests_.erase(c->request);
    c->state = State::kGone;
    return;
  }
  switch (c->state) {
    case State::kRequest:
      if (c->has_request && now - c->request_since > options_.request_time)
        refuse(c, 408, "the request is not complete", now);
      else if (!c->has_request && !c->has_output() &&
               now - c->request_since > (c->has_token ? options_.idle_time : options_.request_time))
        c->state = State::kGone;
      break;
    case State::kSocket:
      if (!c->under_way.empty() && now - c->under_way.front().sent > options_.silence_time)
        close_socket(c, kCloseNoAcknowledgement, "no acknowledgement");
      break;
    case State::kFlush:
    case State::kLinger:
      if (now - c->request_since > options_.linger_time && !c->has_output())
        c->state = State::kGone;
      break;
    default:
      break;
  }
}

// -------------------------------------------------------------------------------------- Server --

Server::Server(ServerOptions options, Handler* handler)
    : loop_(std::make_unique<Loop>(std::move(options), handler)) {}
Server::~Server() = default;

int Server::port() const { return loop_->port(); }
const std::string& Server::token() const { return loop_->token(); }
std::string Server::address_text() const { return "http://" + loop_->host() + "/"; }
std::string Server::url() const { return address_text() + "#token=" + token(); }
void Server::run() { loop_->run(); }
void Server::stop() { loop_->stop(); }
void Server::answer(RequestId request, Answer answer) { loop_->answer(request, std::move(answer)); }
void Server::send_text(ClientId client, std::string_view text) { loop_->send_text(client, text); }
void Server::send_text_to_all(std::string_view text) { loop_->send_text_to_all(text); }
void Server::offer_frame(std::uint32_t number, std::string_view bytes) {
  loop_->offer_frame(number, bytes);
}
void Server::acknowledge(ClientId client, std::uint32_t number) {
  loop_->acknowledge(client, number);
}
void Server::drop(ClientId client, std::uint16_t code, std::string_view reason) {
  loop_->drop(client, code, reason);
}
int Server::socket_count() const { return loop_->socket_count(); }

}  // namespace camber::server
