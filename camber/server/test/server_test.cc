// The server over real sockets of this machine, on a port of its own choice.

#include "camber/server/server.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "camber/core/file.h"
#include "camber/server/maker.h"
#include "camber/server/token.h"
#include "camber/server/web_socket.h"

namespace camber::server {
namespace {

/// A client that does what the test says.
class Client {
 public:
  explicit Client(int port) {
    file_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    if (::connect(file_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      ADD_FAILURE() << "cannot connect";
    const timeval timeout{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(file_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  }
  ~Client() { ::close(file_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(const std::string& bytes) {
    ASSERT_EQ(::send(file_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  /// Reads until `count` bytes are there or the server closes.
  std::string read(std::size_t count) {
    while (in_.size() < count && receive()) {
    }
    const std::string taken = in_.substr(0, count);
    in_.erase(0, taken.size());
    return taken;
  }
  std::string read_head() {
    while (in_.find("\r\n\r\n") == std::string::npos && receive()) {
    }
    const std::size_t end = in_.find("\r\n\r\n");
    return end == std::string::npos ? read(in_.size()) : read(end + 4);
  }
  /// One frame of the server; its opcode in front. Empty: closed.
  std::string read_frame() {
    const std::string head = read(2);
    if (head.size() < 2) return "";
    std::size_t length = static_cast<unsigned char>(head[1]);
    if (length >= 126) {
      const std::string more = read(length == 126 ? 2 : 8);
      length = 0;
      for (const char c : more) length = length << 8 | static_cast<unsigned char>(c);
    }
    return std::string(1, static_cast<char>(head[0] & 0x0f)) + read(length);
  }
  bool is_closed() { return read(1).empty(); }

 private:
  bool receive() {
    char bytes[4096];
    const ssize_t got = ::recv(file_, bytes, sizeof bytes, 0);
    if (got > 0) in_.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  }

  int file_;
  std::string in_;
};

std::string mask(unsigned first, const std::string& payload) {
  std::string frame = {
      static_cast<char>(first), static_cast<char>(0x80 | payload.size()), 1, 2, 3, 4};
  for (std::size_t i = 0; i < payload.size(); ++i)
    frame += static_cast<char>(payload[i] ^ static_cast<char>(1 + i % 4));
  return frame;
}

std::string number_text(std::uint32_t number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

/// Numbered frames of 400 bytes at every tick, and an echo.
class Echo : public Handler {
 public:
  void get(RequestId request, std::string_view target) override {
    server->answer(request, {200, "text/plain", std::string(target)});
  }
  bool has_sockets() const override { return true; }
  void open(ClientId client) override { server->send_text(client, "hello"); }
  void message(ClientId client, std::string_view bytes) override {
    std::uint32_t received = 0;
    if (bytes.size() != sizeof received) return server->drop(client, kClosePolicy, "what?");
    std::memcpy(&received, bytes.data(), sizeof received);
    server->acknowledge(client, received);
  }
  void tick() override {
    ++number;
    server->offer_frame(number, number_text(number) + std::string(396, 'x'));
  }

  Server* server = nullptr;
  std::atomic<std::uint32_t> number = 0;
};

class ServerTest : public testing::Test {
 protected:
  void start(ServerOptions options = {}) {
    options.files = {{"/", "text/html", "<p>page", false}};
    server_ = std::make_unique<Server>(std::move(options), &echo_);
    echo_.server = server_.get();
    thread_ = std::thread([this] { server_->run(); });
  }
  void TearDown() override {
    if (!server_) return;
    server_->stop();
    thread_.join();
  }
  std::string host() const { return "127.0.0.1:" + std::to_string(server_->port()); }
  std::string get(const std::string& target, const std::string& more = "") const {
    return "GET " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + more + "\r\n";
  }
  std::string token_header() const { return "X-Camber-Token: " + server_->token() + "\r\n"; }
  std::string upgrade() const {
    return get("/api/socket", "Origin: http://" + host() +
                                  "\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
                                  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                                  "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: camber.v1, "
                                  "camber.token." +
                                  server_->token() + "\r\n");
  }
  std::unique_ptr<Client> open_socket() const {
    auto client = std::make_unique<Client>(server_->port());
    client->send(upgrade());
    EXPECT_TRUE(client->read_head().starts_with("HTTP/1.1 101 "));
    EXPECT_EQ(client->read_frame(), "\x01hello");
    return client;
  }

  Echo echo_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

TEST_F(ServerTest, AnswersSeveralRequestsOfOneConnectionInTheirOrder) {
  start();
  Client client(server_->port());
  client.send(get("/") + get("/api/a?b", token_header()) + get("/api/c", token_header()));
  EXPECT_NE(client.read_head().find("Content-Security-Policy: default-src 'none'; "),
            std::string::npos);
  EXPECT_EQ(client.read(7), "<p>page");
  client.read_head();
  EXPECT_EQ(client.read(8), "/api/a?b");
  client.read_head();
  EXPECT_EQ(client.read(6), "/api/c");
}

TEST_F(ServerTest, AsksForTheToken) {
  start();
  for (const std::string& more :
       {std::string(), "X-Camber-Token: " + std::string(32, '0') + "\r\n",
        "Cookie: token=" + server_->token() + "\r\n", token_header() + token_header(),
        "X-Camber-Token: " + server_->token().substr(1) + "\r\n"}) {
    Client client(server_->port());
    client.send(get("/api/a?token=" + server_->token(), more));
    EXPECT_TRUE(client.read_head().starts_with("HTTP/1.1 401 ")) << more;
  }
}

TEST_F(ServerTest, SendsNoMoreThanThreeFramesWithoutAcknowledgement) {
  start({.tick = std::chrono::milliseconds(2)});
  const auto client = open_socket();
  std::uint32_t number = 0;
  for (int i = 0; i < 3; ++i) {
    const std::string frame = client->read_frame();
    ASSERT_EQ(frame.size(), 401u);
    std::memcpy(&number, frame.data() + 1, sizeof number);
  }
  // Some fifty frames later it gets the newest one, not the fourth.
  const std::uint32_t seen = echo_.number;
  while (echo_.number < seen + 50) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  client->send(mask(0x82, number_text(number)));
  const std::string frame = client->read_frame();
  std::memcpy(&number, frame.data() + 1, sizeof number);
  EXPECT_GE(number, seen + 50);
}

TEST_F(ServerTest, DropsWhoNeverAcknowledges) {
  start({.tick = std::chrono::milliseconds(5), .silence_time = std::chrono::milliseconds(300)});
  const auto client = open_socket();
  for (int i = 0; i < 3; ++i) client->read_frame();
  EXPECT_EQ(client->read_frame(), std::string("\x08\x0f\xa2", 3) + "no acknowledgement");
}

TEST_F(ServerTest, DropsWhoAcknowledgesWhatWasNeverSent) {
  start();
  const auto client = open_socket();
  client->send(mask(0x82, number_text(0x7fffff00)));
  std::string frame;
  while ((frame = client->read_frame()).starts_with('\x02')) {
  }
  EXPECT_EQ(frame.substr(0, 3), std::string("\x08\x03\xf0", 3));
}

TEST_F(ServerTest, DropsWhoSendsTooManyMessages) {
  start({.max_message_rate = 50});
  const auto client = open_socket();
  std::string pings;
  for (int i = 0; i < 60; ++i) pings += mask(0x89, "");
  client->send(pings);
  std::string frame;
  while (!(frame = client->read_frame()).empty() && !frame.starts_with('\x08')) {
  }
  EXPECT_EQ(frame.substr(0, 3), std::string("\x08\x03\xf0", 3));
}

TEST_F(ServerTest, EndsARequestThatIsNeverComplete) {
  start({.request_time = std::chrono::milliseconds(200)});
  Client client(server_->port());
  client.send("GET / HTTP/1.1\r\n");
  EXPECT_TRUE(client.read_head().starts_with("HTTP/1.1 408 "));
}

TEST_F(ServerTest, LetsTheOwnerInWhenStrangersHoldAllConnections) {
  start({.max_connections = 8});
  std::vector<std::unique_ptr<Client>> strangers;
  for (int i = 0; i < 8; ++i) strangers.push_back(std::make_unique<Client>(server_->port()));
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  Client client(server_->port());
  client.send(get("/api/a", token_header()));
  EXPECT_TRUE(client.read_head().starts_with("HTTP/1.1 200 "));
}

TEST_F(ServerTest, SaysGoodByeToSockets) {
  start();
  const auto client = open_socket();
  server_->stop();
  std::string frame;
  while ((frame = client->read_frame()).starts_with('\x02')) {
  }
  EXPECT_EQ(frame.substr(0, 3), std::string("\x08\x03\xe9", 3));
}

TEST(Server, RefusesToListenOnAllAddresses) {
  Echo echo;
  EXPECT_THROW(Server({.address = "0.0.0.0"}, &echo), std::invalid_argument);
  EXPECT_THROW(Server({.address = "::"}, &echo), std::invalid_argument);
  EXPECT_THROW(Server({.address = "localhost"}, &echo), std::invalid_argument);
}

TEST(Server, SaysThatThePortIsTaken) {
  Echo echo;
  const Server first({}, &echo);
  EXPECT_THROW(Server({.port = first.port()}, &echo), std::runtime_error);
}

TEST(Maker, TurnsWhatIsThrownIntoAnAnswer) {
  MadeFiles files([](std::string_view target) -> Answer {
    if (target == "/api/bad") throw std::invalid_argument("not a number");
    if (target == "/api/broken") throw std::runtime_error("broken");
    return {200, "text/plain", std::string(target)};
  });
  Server server({}, &files);
  files.set_server(&server);
  std::thread thread([&] { server.run(); });
  const auto get = [&](const std::string& target) {
    Client client(server.port());
    client.send("GET " + target + " HTTP/1.1\r\nHost: localhost:" + std::to_string(server.port()) +
                "\r\nX-Camber-Token: " + server.token() + "\r\n\r\n");
    std::string answer = client.read_head().substr(0, 13);
    return answer + client.read(6);
  };
  EXPECT_EQ(get("/api/x"), "HTTP/1.1 200 /api/x");
  EXPECT_EQ(get("/api/bad"), "HTTP/1.1 400 not a ");
  EXPECT_EQ(get("/api/broken"), "HTTP/1.1 500 broken");
  EXPECT_EQ(get("/api/socket"), "HTTP/1.1 403 a sock");
  server.stop();
  thread.join();
}

TEST(Token, IsMadeFreshAndReadFromAFileThatNobodyElseReads) {
  const std::string first = make_token(), second = make_token();
  EXPECT_TRUE(is_token_text(first));
  EXPECT_NE(first, second);
  EXPECT_TRUE(equals_token(first, first));
  EXPECT_FALSE(equals_token(first, second));
  EXPECT_FALSE(equals_token(first.substr(1), first));
  char folder[] = "/tmp/camber-token-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  const std::string path = std::string(folder) + "/token";
  const std::string made = read_token_file(path);
  EXPECT_TRUE(is_token_text(made));
  EXPECT_EQ(read_token_file(path), made);
  ::chmod(path.c_str(), 0640);
  EXPECT_THROW(read_token_file(path), FileError);
  ::chmod(path.c_str(), 0600);
  write_file_atomically(path, "short\n");
  EXPECT_THROW(read_token_file(path), FileError);
  ::unlink(path.c_str());
  ASSERT_EQ(::symlink("/etc/hostname", path.c_str()), 0);
  EXPECT_THROW(read_token_file(path), FileError);
  ::unlink(path.c_str());
  ::rmdir(folder);
}

}  // namespace
}  // namespace camber::server
