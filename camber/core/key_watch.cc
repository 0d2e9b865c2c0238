#include "camber/core/key_watch.h"

#include <cctype>
#include <cstddef>

namespace camber {
namespace {

constexpr std::size_t kMaxTables = 1000;  // paths have names that authors chose

thread_local KeyWatch* current = nullptr;

}  // namespace

KeyWatch::KeyWatch() : outer_(current) { current = this; }
KeyWatch::~KeyWatch() { current = outer_; }

bool is_watching_keys() { return current != nullptr; }

void note_key(std::string_view table, std::string_view key) {
  if (current == nullptr) return;
  std::string path;
  for (const char c : table) {
    const bool is_index = std::isdigit(static_cast<unsigned char>(c)) && path.ends_with('[');
    if (!is_index) path += c;
  }
  auto& keys = current->keys_;
  if (keys.size() < kMaxTables || keys.contains(path)) keys[path].emplace(key);
}

void note_words(std::string_view key, std::span<const std::string_view> words) {
  if (current == nullptr) return;
  current->words_[std::string(key)].insert(words.begin(), words.end());
}

}  // namespace camber
