#pragma once

#include <string>
#include <string_view>

namespace camber::server {

/// What a request gets.
struct Answer {
  int status = 200;
  std::string type = "application/octet-stream";
  std::string body = {};
};

/// A file of the page. The bytes live as long as the program.
struct PageFile {
  std::string path;  // "/app.js"
  std::string type;  // "text/javascript; charset=utf-8"
  std::string_view bytes;
  bool is_compressed = true;  // by gzip
};

}  // namespace camber::server
