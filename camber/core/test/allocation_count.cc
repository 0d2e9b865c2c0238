#include "camber/core/test/allocation_count.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

// Eigen and C libraries ask malloc() and its relatives, not operator new, which asks malloc()
// itself. A program's own definitions of them come before the C library's, in shared libraries,
// too; glibc's own stay reachable under other names. A sanitizer has its own memory and cannot be
// stood in front of: there, and without glibc, operator new alone is counted.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAMBER_COUNTS_MALLOC 1
#else
#define CAMBER_COUNTS_MALLOC 0
#endif

namespace {

// Constant-initialized: counted from before main(), when the first shared library wants memory.
constinit std::atomic<long> count{0};

}  // namespace

#if CAMBER_COUNTS_MALLOC

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): glibc's names
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  ++count;
  return __libc_calloc(number, size);
}
void* realloc(void* memory, std::size_t size) {
  ++count;
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  ++count;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"

#else

namespace {

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

#endif

namespace camber {

long allocation_count() { return count; }
bool counts_malloc() { return CAMBER_COUNTS_MALLOC; }

}  // namespace camber
