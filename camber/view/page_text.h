#pragma once

#include <span>
#include <string>
#include <string_view>

#include "camber/server/answer.h"

namespace camber::view {

/// The page's files as text.
struct PageText {
  std::string index, script, style;
};

/// Throws std::invalid_argument if one of /, /app.js and /style.css is missing or damaged.
PageText read_page(std::span<const server::PageFile> files);

/// Decompresses gzip data; at most `max_bytes`. Throws std::invalid_argument.
std::string inflate_gzip(std::string_view bytes, std::size_t max_bytes = 64 << 20);

}  // namespace camber::view
