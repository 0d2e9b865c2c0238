#include "camber/symbolic/text_builder.h"

#include <stdexcept>

#include "camber/core/require.h"

namespace camber::symbolic::internal {

void TextBuilder::append(const std::string& text, std::string* result) const {
  if (text.size() > max_size_ - result->size()) {
    throw std::length_error(concat("the expression is too large to print: its text exceeds ",
                                   max_size_, " characters"));
  }
  result->append(text);
}

}  // namespace camber::symbolic::internal
