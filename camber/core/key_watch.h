#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace camber {

/// Learns what the readers of TOML files know: while an object lives, it records every key that this
/// thread's readers ask for and every word that they accept. Inputs for tests are made of these
/// (tests/fuzz). Objects may be nested; the inner one records.
class KeyWatch {
 public:
  KeyWatch();
  ~KeyWatch();
  KeyWatch(const KeyWatch&) = delete;
  KeyWatch& operator=(const KeyWatch&) = delete;

  /// By the path of their table, without the numbers of array elements: "axles.front", "stop[]". The
  /// file's own table is "".
  const std::map<std::string, std::set<std::string>>& keys() const { return keys_; }
  /// By key: "model" of [tire].
  const std::map<std::string, std::set<std::string>>& words() const { return words_; }

 private:
  friend void note_key(std::string_view table, std::string_view key);
  friend void note_words(std::string_view key, std::span<const std::string_view> words);
  KeyWatch* outer_;
  std::map<std::string, std::set<std::string>> keys_, words_;
};

/// Whether this thread has a KeyWatch; without one, a reader's notes cost this question.
bool is_watching_keys();
void note_key(std::string_view table, std::string_view key);
void note_words(std::string_view key, std::span<const std::string_view> words);

}  // namespace camber
