#pragma once

// Numbers as bytes, little endian, whatever the machine.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

namespace camber::view::internal {

static_assert(std::endian::native == std::endian::little,
              "numbers are copied as they are in memory");

template <class T>
void append(const T& value, std::string* out) {
  static_assert(std::is_arithmetic_v<T>);
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out->append(bytes, sizeof(T));
}

template <class T>
void append_all(std::span<const T> values, std::string* out) {
  static_assert(std::is_arithmetic_v<T>);
  out->append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

/// Writes into existing memory. The caller has checked the size.
class ByteWriter {
 public:
  explicit ByteWriter(std::byte* at) : at_(at) {}
  template <class T>
  void write(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    std::memcpy(at_, &value, sizeof(T));
    at_ += sizeof(T);
  }
  std::byte* at() const { return at_; }

 private:
  std::byte* at_;
};

}  // namespace camber::view::internal
