#include "camber/view/page_text.h"

#include <zlib.h>

#include "camber/core/require.h"
#include "camber/view/deflate.h"

namespace camber::view {

std::string internal::deflate_all(const std::string& bytes, int level) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), level);
  require(result == Z_OK, "deflate_all: zlib fails with ", result);
  out.resize(size);
  return out;
}

std::string inflate_gzip(std::string_view bytes, std::size_t max_bytes) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;  // the largest window, with gzip's header
  require(inflateInit2(&stream, kGzip) == Z_OK, "inflate_gzip: zlib cannot start");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib reads only
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  int result = Z_OK;
  while (result == Z_OK && out.size() <= max_bytes) {
    char piece[1 << 16];
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    result = inflate(&stream, Z_NO_FLUSH);
    out.append(piece, sizeof piece - stream.avail_out);
  }
  inflateEnd(&stream);
  require(result == Z_STREAM_END, "inflate_gzip: the bytes are damaged or longer than ", max_bytes);
  return out;
}

PageText read_page(std::span<const server::PageFile> files) {
  const auto find = [&](std::string_view path) {
    for (const server::PageFile& file : files)
      if (file.path == path)
        return file.is_compressed ? inflate_gzip(file.bytes) : std::string(file.bytes);
    require(false, "read_page: the page has no ", path);
    return std::string();
  };
  return {find("/"), find("/app.js"), find("/style.css")};
}

}  // namespace camber::view
