#include "camber/core/test/allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> count{0};

void* allocate(std::size_t size) noexcept {
  ++count;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

// All forms that the standard library calls, or a sanitizer sees memory come from one allocator and
// go to another. Not inlined: g++ 12 would see malloc() and delete meet, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  ++count;
  const auto a = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(a, (size + a - 1) / a * a)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace camber {

long allocation_count() { return count; }

}  // namespace camber
