#pragma once

#include <string>
#include <utility>

#include "camber/server/answer.h"

namespace camber::view {

using server::Answer;

inline Answer refuse(int status, std::string text) {
  return {status, "text/plain; charset=utf-8", std::move(text)};
}

}  // namespace camber::view
