#include "camber/server/token.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

#include <sys/random.h>

#include "camber/core/file.h"

namespace camber::server {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

/// Closes a file when it goes.
struct OpenFile {
  int number;
  ~OpenFile() { ::close(number); }
};

void write_token(int file, const std::string& path, const std::string& token) {
  const std::string line = token + "\n";
  if (::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw FileError(path, std::string("cannot write: ") + std::strerror(errno));
}

}  // namespace

std::string make_token() {
  std::array<unsigned char, kTokenDigits / 2> bytes;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::getrandom(bytes.data() + done, bytes.size() - done, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw std::runtime_error(std::string("no random numbers for a token: ") +
                               std::strerror(errno));
    done += static_cast<std::size_t>(got);
  }
  std::string token;
  for (const unsigned char byte : bytes) {
    token += kDigits[byte >> 4];
    token += kDigits[byte & 15];
  }
  return token;
}

bool is_token_text(std::string_view text) {
  return text.size() == kTokenDigits && std::ranges::all_of(text, [](char c) {
           return kDigits.find(c) != std::string_view::npos;
         });
}

bool equals_token(std::string_view given, std::string_view token) {
  if (given.size() != token.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < token.size(); ++i)
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i]);
  return difference == 0;
}

std::string read_token_file(const std::string& path) {
  const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (made >= 0) {
    const OpenFile file{made};
    const std::string token = make_token();
    write_token(file.number, path, token);
    return token;
  }
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (number < 0)
    throw FileError(path, std::string("cannot read the token: ") + std::strerror(errno));
  const OpenFile file{number};
  struct stat info {};
  if (::fstat(number, &info) != 0 || !S_ISREG(info.st_mode))
    throw FileError(path, "the token is not in a plain file");
  if ((info.st_mode & 077) != 0)
    throw FileError(path, "others may read or change the token: chmod 600 it");
  if (info.st_uid != ::geteuid()) throw FileError(path, "the token's file belongs to another user");
  std::array<char, 128> text;
  const ssize_t size = ::read(number, text.data(), text.size());
  std::string token(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  if (!is_token_text(token))
    throw FileError(path, "a token has 32 digits of 0-9 and a-f, and nothing else is in its file");
  return token;
}

}  // namespace camber::server
