#pragma once

#include <filesystem>
#include <memory>

namespace camber {

/// A shared library, loaded for as long as this lives.
class SharedObject {
 public:
  /// Throws std::runtime_error with the loader's message.
  explicit SharedObject(const std::filesystem::path& path);
  /// Throws std::runtime_error if the library has no symbol of this name.
  void* symbol(const char* name) const;
  /// Null if the library has no symbol of this name.
  void* find_symbol(const char* name) const;

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, Close> handle_;
};

}  // namespace camber
