#pragma once

// Ways to hand data from one thread to another without a lock: the thread that drives never waits.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace camber::live {

/// A small value that one thread writes and any thread reads whole: its newest version.
template <class T>
class Seqlock {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  void write(const T& value) {
    std::array<std::uint64_t, kWords> words = {};
    std::memcpy(words.data(), &value, sizeof value);
    const std::uint32_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = 0; i < kWords; ++i) words_[i].store(words[i], std::memory_order_relaxed);
    version_.store(version + 2, std::memory_order_release);
  }

  T read() const {
    std::array<std::uint64_t, kWords> words;
    for (;;) {
      const std::uint32_t before = version_.load(std::memory_order_acquire);
      for (std::size_t i = 0; i < kWords; ++i) words[i] = words_[i].load(std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_acquire);
      if ((before & 1) == 0 && version_.load(std::memory_order_relaxed) == before) break;
    }
    T value;
    std::memcpy(static_cast<void*>(&value), words.data(), sizeof value);
    return value;
  }

 private:
  static constexpr std::size_t kWords = (sizeof(T) + 7) / 8;
  std::atomic<std::uint32_t> version_ = 0;
  std::array<std::atomic<std::uint64_t>, kWords> words_ = {};
};

/// The newest of a stream of large values: one thread fills, another reads, neither waits.
template <class T>
class TripleBuffer {
 public:
  explicit TripleBuffer(const T& start) : slots_{start, start, start} {}

  /// The slot to fill; publish() makes it the newest one.
  T& to_fill() { return slots_[filled_]; }
  void publish() { filled_ = middle_.exchange(filled_ | kFresh, std::memory_order_acq_rel) & 3; }

  /// The newest value, or null if it was read before. Good until the next call.
  const T* read() {
    if ((middle_.load(std::memory_order_relaxed) & kFresh) == 0) return nullptr;
    read_ = middle_.exchange(read_, std::memory_order_acq_rel) & 3;
    return &slots_[read_];
  }

 private:
  static constexpr unsigned kFresh = 4;
  std::array<T, 3> slots_;
  unsigned filled_ = 0, read_ = 1;
  std::atomic<unsigned> middle_ = 2;
};

/// A queue from one thread to another. Its size is a power of two.
template <class T>
class Ring {
 public:
  explicit Ring(std::size_t size) : slots_(size) {}

  std::size_t room() const {
    return slots_.size() -
           (head_.load(std::memory_order_relaxed) - tail_.load(std::memory_order_acquire));
  }
  /// All or nothing: false if there is not enough room.
  bool push(std::span<const T> values) {
    if (room() < values.size()) return false;
    std::size_t head = head_.load(std::memory_order_relaxed);
    for (const T& value : values) slots_[head++ & (slots_.size() - 1)] = value;
    head_.store(head, std::memory_order_release);
    return true;
  }
  bool push_one(const T& value) { return push(std::span<const T>(&value, 1)); }

  std::size_t size() const {
    return head_.load(std::memory_order_acquire) - tail_.load(std::memory_order_relaxed);
  }
  /// False if there are fewer values.
  bool pop(std::span<T> values) {
    if (size() < values.size()) return false;
    std::size_t tail = tail_.load(std::memory_order_relaxed);
    for (T& value : values) value = slots_[tail++ & (slots_.size() - 1)];
    tail_.store(tail, std::memory_order_release);
    return true;
  }
  bool pop_one(T* value) { return pop(std::span<T>(value, 1)); }

 private:
  std::vector<T> slots_;
  std::atomic<std::size_t> head_ = 0, tail_ = 0;
};

}  // namespace camber::live
