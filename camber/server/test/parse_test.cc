#include <string>

#include <gtest/gtest.h>

#include "camber/server/http_request.h"
#include "camber/server/sha1.h"
#include "camber/server/web_socket.h"

namespace camber::server {
namespace {

std::string to_hex(const std::array<std::uint8_t, 20>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// RFC 3174, section 7.3: tests 1, 2, 4 and a million letters; the empty text is of FIPS 180-1's
// examples.
TEST(Sha1, HasTheVectorsOfItsStandard) {
  EXPECT_EQ(to_hex(calc_sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(to_hex(calc_sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(to_hex(calc_sha1(std::string(1000000, 'a'))),
            "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
  std::string repeated;
  for (int i = 0; i < 80; ++i) repeated += "01234567";
  EXPECT_EQ(to_hex(calc_sha1(repeated)), "dea356a2cddd90c7a7ecedc5ebb563934f460452");
  EXPECT_EQ(to_hex(calc_sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

// RFC 4648, section 10.
TEST(Base64, HasTheVectorsOfItsStandard) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(encode_base64(bytes), text);
    EXPECT_EQ(count_base64_bytes(text), static_cast<int>(std::string(bytes).size()));
  }
  for (const char* text :
       {"Zg=", "Zh==", "Zm9=", "Zg==Zg==", "Z===", "====", "Zm 9", "Zm9v=", "Zm-_"})
    EXPECT_EQ(count_base64_bytes(text), -1) << text;
}

// RFC 6455, section 1.3.
TEST(WebSocket, AcceptsTheKeyOfItsStandard) {
  EXPECT_EQ(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_TRUE(is_web_socket_key("dGhlIHNhbXBsZSBub25jZQ=="));
  EXPECT_FALSE(is_web_socket_key("YWJj"));
}

std::string make_request(const std::string& more, const std::string& line = "GET / HTTP/1.1") {
  return line + "\r\nHost: 127.0.0.1:8600\r\n" + more + "\r\n";
}

int status_of(const std::string& text) { return parse_http_request(text).status; }

TEST(HttpRequest, IsReadInAnyPieces) {
  const std::string text =
      make_request("Accept: */*\r\nX-Camber-Token: \t0f \r\n", "GET /api/slice?run=0 HTTP/1.1");
  for (std::size_t i = 0; i < text.size(); ++i) EXPECT_EQ(status_of(text.substr(0, i)), 0) << i;
  const HttpParse parse = parse_http_request(text + "GET");
  ASSERT_EQ(parse.status, 200);
  EXPECT_EQ(parse.size, text.size());
  EXPECT_EQ(parse.request.method, "GET");
  EXPECT_EQ(parse.request.path(), "/api/slice");
  EXPECT_EQ(parse.request.query(), "run=0");
  EXPECT_EQ(parse.request.find("x-camber-token"), "0f");
  EXPECT_EQ(parse.request.find("accept"), "*/*");
  EXPECT_EQ(parse.request.count("cookie"), 0);
}

TEST(HttpRequest, RefusesWhatCouldBeReadInTwoWays) {
  EXPECT_EQ(status_of(make_request("")), 200);
  for (const char* more :
       {"Transfer-Encoding: chunked\r\n", "Transfer-Encoding : chunked\r\n",
        "Content-Length: +0\r\n", "Content-Length: 0\r\nContent-Length: 0\r\n",
        "Content-Length: 0x0\r\n", "Content-Length: \r\n", "Content-Length: 0, 0\r\n",
        "Host: other\r\n", "X: a\r\n b\r\n", "X: a\nY: b\r\n", "X: a\rb\r\n", " X: a\r\n", "X\r\n",
        ": a\r\n", "X y: a\r\n", "Content-Length: 99999999999999999999\r\n"})
    EXPECT_EQ(status_of(make_request(more)), 400) << more;
  EXPECT_EQ(status_of(make_request(std::string("X: a\0b\r\n", 8))), 400);
  EXPECT_EQ(status_of(make_request("Content-Length: 5\r\n")), 413);
  for (const char* line :
       {"GET  / HTTP/1.1", "GET / HTTP/1.0", "GET / HTTP/2", "GET /", "G\tT / HTTP/1.1",
        "GET http://127.0.0.1/ HTTP/1.1", "GET * HTTP/1.1", "GET / / HTTP/1.1", "GET /#a HTTP/1.1",
        "GET /\\a HTTP/1.1", "GET /\x80 HTTP/1.1", " GET / HTTP/1.1"})
    EXPECT_EQ(status_of(make_request("", line)), 400) << line;
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
}

TEST(HttpRequest, HasLimits) {
  const HttpLimits limits;
  EXPECT_EQ(
      status_of(make_request("", "GET /" + std::string(limits.target - 1, 'a') + " HTTP/1.1")),
      200);
  EXPECT_EQ(status_of(make_request("", "GET /" + std::string(limits.target, 'a') + " HTTP/1.1")),
            414);
  EXPECT_EQ(status_of("GET /" + std::string(3000, 'a')), 414);
  EXPECT_EQ(status_of(make_request("Cookie: " + std::string(60000, 'a') + "\r\n")), 200);
  EXPECT_EQ(status_of(make_request("Cookie: " + std::string(70000, 'a') + "\r\n")), 431);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nCookie: " + std::string(70000, 'a')), 431);
  std::string many;
  for (std::size_t i = 0; i < limits.headers; ++i) many += "X: a\r\n";
  EXPECT_EQ(status_of(make_request(many)), 431);
}

std::string mask(unsigned first, const std::string& payload, const std::string& length = "") {
  std::string frame(1, static_cast<char>(first));
  frame += length.empty() ? std::string(1, static_cast<char>(0x80 | payload.size())) : length;
  const std::string key = "\x12\x34\x56\x78";
  frame += key;
  for (std::size_t i = 0; i < payload.size(); ++i)
    frame += static_cast<char>(payload[i] ^ key[i % 4]);
  return frame;
}

// RFC 6455, section 5.7: the masked "Hello".
TEST(MessageReader, ReadsTheExampleOfItsStandardInAnyPieces) {
  const std::string hello = "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58";
  for (std::size_t cut = 0; cut <= hello.size(); ++cut) {
    MessageReader reader;
    reader.add(hello.substr(0, cut));
    if (cut < hello.size()) {
      EXPECT_FALSE(reader.next()) << cut;
    }
    reader.add(hello.substr(cut));
    const auto event = reader.next();
    ASSERT_TRUE(event);
    EXPECT_EQ(event->kind, SocketEvent::Kind::kMessage);
    EXPECT_TRUE(event->is_text);
    EXPECT_EQ(event->payload, "Hello");
  }
}

TEST(MessageReader, PutsFragmentsTogetherWithAPingBetweenThem) {
  MessageReader reader;
  reader.add(mask(0x02, "ab") + mask(0x89, "p") + mask(0x80, "cd"));
  EXPECT_EQ(reader.next()->kind, SocketEvent::Kind::kPing);
  const auto event = reader.next();
  EXPECT_EQ(event->payload, "abcd");
  EXPECT_FALSE(event->is_text);
}

TEST(MessageReader, ClosesWithTheCodeOfTheMistake) {
  const auto code_of = [](const std::string& bytes) {
    MessageReader reader(64);
    reader.add(bytes);
    while (const auto event = reader.next()) {
      if (event->kind == SocketEvent::Kind::kError || event->kind == SocketEvent::Kind::kClose)
        return static_cast<int>(event->code);
    }
    return 0;
  };
  const std::string long_length = std::string("\xfe\x00\x05", 3);
  EXPECT_EQ(code_of(std::string("\x82\x01", 2) + "a"), 1002);  // not masked
  EXPECT_EQ(code_of(mask(0xc2, "a")), 1002);                   // reserved bit
  EXPECT_EQ(code_of(mask(0x83, "a")), 1002);                   // reserved opcode
  EXPECT_EQ(code_of(mask(0x8b, "a")), 1002);
  EXPECT_EQ(code_of(mask(0x80, "a")), 1002);                    // continues nothing
  EXPECT_EQ(code_of(mask(0x02, "a") + mask(0x82, "b")), 1002);  // a message in a message
  EXPECT_EQ(code_of(mask(0x09, "a")), 1002);                    // a ping in two pieces
  EXPECT_EQ(code_of(mask(0x82, "abcde", long_length)), 1002);   // 5 written as 0005
  EXPECT_EQ(code_of(mask(0x82, std::string(65, 'a'))), 1009);
  EXPECT_EQ(code_of(mask(0x02, std::string(40, 'a')) + mask(0x80, std::string(40, 'a'))), 1009);
  EXPECT_EQ(code_of(mask(0x88, "")), 1000);
  EXPECT_EQ(code_of(mask(0x88, "\x03")), 1002);
  EXPECT_EQ(code_of(mask(0x88, "\x03\xe9")), 1001);
  EXPECT_EQ(code_of(mask(0x88, std::string("\x03\xed", 2))), 1002);  // 1005 is never sent
  EXPECT_EQ(code_of(mask(0x88, "\x13\x88")), 1002);                  // 5000
  EXPECT_EQ(code_of(mask(0x88, "\x03\xe8\xff")), 1007);
  EXPECT_EQ(code_of(mask(0x81, "\xc0\x80")), 1007);
}

TEST(MakeFrame, HasTheShortestLength) {
  EXPECT_EQ(make_frame(Opcode::kBinary, std::string(125, 'a')).size(), 127u);
  EXPECT_EQ(make_frame(Opcode::kBinary, std::string(126, 'a')).substr(0, 4),
            std::string("\x82\x7e\x00\x7e", 4));
  EXPECT_EQ(make_frame(Opcode::kBinary, std::string(65536, 'a')).substr(0, 10),
            std::string("\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10));
}

TEST(Utf8, RefusesSurrogatesAndOverlongForms) {
  EXPECT_TRUE(is_utf8("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\x99"));
  for (const char* text : {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80",
                           "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc3\x28"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

}  // namespace
}  // namespace camber::server
