#include "camber/symbolic/pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

#include "camber/symbolic/user_function.h"

// Hash-consing. [Filliatre, Conchon 2006, "Type-safe modular hash-consing"], with two changes:
// nodes are never freed, so that an Expr is a bare pointer, and the table is read without a lock.
// Each shard holds an open-addressing table of atomic pointers. A reader probes it as it stands; a
// miss takes the shard's lock, looks again and inserts. A grown table replaces the old one, which
// is kept: a reader still probing it can only miss, and then takes the lock.

namespace camber::symbolic::internal {

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t value) {  // splitmix64 over a running state
  h += value + 0x9e3779b97f4a7c15U;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9U;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebU;
  return h ^ (h >> 31);
}

std::uint64_t hash_text(std::string_view text) {  // FNV-1a
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return h;
}

// Memory: each thread cuts nodes from its own block; blocks are kept for the life of the process.

constexpr std::size_t kBlockSize = std::size_t{1} << 18;

void* allocate(std::size_t bytes) {
  struct Block {
    char* at = nullptr;
    std::size_t left = 0;
  };
  thread_local Block block;
  bytes = (bytes + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) *
          alignof(std::max_align_t);
  if (bytes > block.left) {
    static std::mutex mutex;
    static std::vector<std::unique_ptr<char[]>>& blocks = *new std::vector<std::unique_ptr<char[]>>;
    const std::size_t size = std::max(kBlockSize, bytes);
    std::unique_ptr<char[]> fresh(new char[size]);
    block = {fresh.get(), size};
    const std::lock_guard lock(mutex);
    blocks.push_back(std::move(fresh));
  }
  void* result = block.at;
  block.at += bytes;
  block.left -= bytes;
  return result;
}

template <class T>
std::span<const T> copy_to_pool(std::span<const T> values) {
  if (values.empty()) return {};
  T* copy = static_cast<T*>(allocate(values.size_bytes()));
  std::uninitialized_copy(values.begin(), values.end(), copy);
  return {copy, values.size()};
}

// Sets of leaves.

class LeafSets {
 public:
  const LeafSet* intern(std::span<const Expr> sorted) {
    std::uint64_t key = 0;
    LeafSet set;
    for (const Expr& leaf : sorted) {
      key = mix(key, leaf.hash());
      set.mask |= std::uint64_t{1} << (leaf.hash() & 63U);
      set.has_variable |= leaf.kind() == Kind::kVariable;
    }
    const std::lock_guard lock(mutex_);
    const auto [first, last] = sets_.equal_range(key);
    for (auto it = first; it != last; ++it) {
      if (std::ranges::equal(it->second->leaves, sorted)) return it->second;
    }
    set.leaves = copy_to_pool(sorted);
    const LeafSet* kept = new (allocate(sizeof(LeafSet))) LeafSet(set);
    sets_.emplace(key, kept);
    return kept;
  }

 private:
  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, const LeafSet*> sets_;
};

LeafSets& leaf_sets() {
  static LeafSets& sets = *new LeafSets;
  return sets;
}

const LeafSet* empty_leaf_set() {
  static const LeafSet* set = leaf_sets().intern({});
  return set;
}

/// The same few unions are asked for again and again, so each thread remembers the latest.
const LeafSet* unite(const LeafSet* a, const LeafSet* b) {
  if (a == b || b->leaves.empty()) return a;
  if (a->leaves.empty()) return b;
  struct Remembered {
    const LeafSet* a = nullptr;
    const LeafSet* b = nullptr;
    const LeafSet* united = nullptr;
  };
  thread_local std::array<Remembered, 512> memory;
  const auto slot =
      mix(reinterpret_cast<std::uintptr_t>(a), reinterpret_cast<std::uintptr_t>(b)) % memory.size();
  Remembered& known = memory[slot];
  if (known.a == a && known.b == b) return known.united;
  std::vector<Expr> both;
  std::ranges::set_union(a->leaves, b->leaves, std::back_inserter(both), canonical_less);
  known = {a, b, leaf_sets().intern(both)};
  return known.united;
}

/// By halves: joined one after the other, the leaves of a sum of n different ones would make n
/// permanent sets of up to n leaves.
const LeafSet* unite_leaves(std::span<const Expr> args) {
  if (args.size() == 1) return args[0].node()->leaves;
  const std::size_t half = args.size() / 2;
  return unite(unite_leaves(args.first(half)), unite_leaves(args.subspan(half)));
}

// The table.

/// The identity of a node to be looked up.
struct Draft {
  Kind kind;
  std::uint64_t hash;
  std::span<const Expr> arguments;
  const void* payload = nullptr;  // the caller's; copied only when the node is new
};

bool same_payload(Kind kind, const void* a, const void* b) {
  switch (kind) {
    case Kind::kNumber:
      return *static_cast<const Number*>(a) == *static_cast<const Number*>(b);
    case Kind::kSymbol:
    case Kind::kVariable:
    case Kind::kNamed:
      return *static_cast<const NameAndOrder*>(a) == *static_cast<const NameAndOrder*>(b);
    case Kind::kCall: {
      const auto& x = *static_cast<const CallTarget*>(a);
      const auto& y = *static_cast<const CallTarget*>(b);
      return x.function == y.function && std::ranges::equal(x.orders, y.orders);
    }
    default:
      return true;
  }
}

bool same(const Draft& draft, const Node& node) {
  return node.hash == draft.hash && node.kind == draft.kind &&
         node.size == draft.arguments.size() &&
         std::equal(draft.arguments.begin(), draft.arguments.end(), node.args()) &&
         same_payload(node.kind, node.payload, draft.payload);
}

template <class T>
const void* keep(const T& payload) {
  return new (allocate(sizeof(T))) T(payload);
}

const void* keep_payload(const Draft& draft) {
  switch (draft.kind) {
    case Kind::kNumber:
      return keep(*static_cast<const Number*>(draft.payload));
    case Kind::kSymbol:
    case Kind::kVariable:
    case Kind::kNamed: {
      const auto& [text, order] = *static_cast<const NameAndOrder*>(draft.payload);
      const auto name = copy_to_pool(std::span(text));
      return keep(NameAndOrder{{name.data(), name.size()}, order});
    }
    case Kind::kCall: {
      const auto& target = *static_cast<const CallTarget*>(draft.payload);
      return keep(CallTarget{target.function, copy_to_pool(target.orders)});
    }
    default:
      return nullptr;
  }
}

/// The leaves and the place in the canonical order, computed once, when a node is new.
void complete(Node* node);

const Node* make(const Draft& draft) {
  Node* node = new (allocate(sizeof(Node) + draft.arguments.size_bytes())) Node;
  std::uninitialized_copy(draft.arguments.begin(), draft.arguments.end(),
                          reinterpret_cast<Expr*>(node + 1));
  node->hash = draft.hash;
  node->kind = draft.kind;
  node->size = static_cast<std::uint32_t>(draft.arguments.size());
  node->payload = keep_payload(draft);
  complete(node);
  return node;
}

class Shard {
 public:
  const Node* find_or_make(const Draft& draft) {
    if (const Node* found = find(table_.load(std::memory_order_acquire), draft)) return found;
    // A new node is finished before the lock is taken: making it may intern further nodes (a leaf's
    // set).
    const Node* fresh = make(draft);
    const std::lock_guard lock(mutex_);
    const Table* table = table_.load(std::memory_order_relaxed);
    if (const Node* found = find(table, draft))
      return found;  // another thread was first; its node counts
    if (2 * (count_ + 1) > table->slots.size()) table = grow(*table);
    insert(*table, fresh);
    ++count_;
    bytes_ += sizeof(Node) + draft.arguments.size_bytes();
    return fresh;
  }

  PoolStatistics statistics() {
    const std::lock_guard lock(mutex_);
    return {count_, bytes_ + table_.load(std::memory_order_relaxed)->slots.size() * sizeof(void*)};
  }

 private:
  struct Table {
    explicit Table(std::size_t size) : slots(size) {}
    mutable std::vector<std::atomic<const Node*>> slots;  // a power of two, at most half full
  };

  static const Node* find(const Table* table, const Draft& draft) {
    const std::size_t last = table->slots.size() - 1;
    for (std::size_t i = draft.hash & last;; i = (i + 1) & last) {
      const Node* node = table->slots[i].load(std::memory_order_acquire);
      if (node == nullptr) return nullptr;
      if (same(draft, *node)) return node;
    }
  }

  static void insert(const Table& table, const Node* node) {
    const std::size_t last = table.slots.size() - 1;
    std::size_t i = node->hash & last;
    while (table.slots[i].load(std::memory_order_relaxed) != nullptr) i = (i + 1) & last;
    table.slots[i].store(node, std::memory_order_release);
  }

  const Table* grow(const Table& old) {
    auto grown = std::make_unique<Table>(2 * old.slots.size());
    for (const auto& slot : old.slots) {
      if (const Node* node = slot.load(std::memory_order_relaxed)) insert(*grown, node);
    }
    tables_.push_back(std::move(grown));
    table_.store(tables_.back().get(), std::memory_order_release);
    return tables_.back().get();
  }

  static constexpr std::size_t kFirstSize = 64;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Table>> tables_ = [] {
    std::vector<std::unique_ptr<Table>> tables;
    tables.push_back(std::make_unique<Table>(kFirstSize));
    return tables;
  }();
  std::atomic<const Table*> table_ = tables_.front().get();
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

constexpr int kShardBits = 6;

std::array<Shard, 1U << kShardBits>& shards() {
  static auto& all = *new std::array<Shard, 1U << kShardBits>;
  return all;
}

Expr find_or_make(const Draft& draft) {
  return Expr(shards()[draft.hash >> (64 - kShardBits)].find_or_make(draft));
}

// The canonical order: seven characters of a leading name, then the complement of the degree.
// Symbols come first, then functions by kind, then sums: m*g*l*cos(q)*(a + b).

constexpr std::uint64_t kFirstFunction = 0x80;
constexpr std::uint64_t kFirstSum = 0xf0;

std::uint64_t order_of_name(std::string_view name) {
  std::uint64_t order = 0;
  for (std::size_t i = 0; i < 7; ++i)
    order = (order << 8U) | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0U);
  return (order << 8U) | 254U;
}

std::uint64_t with_degree(std::uint64_t order, int degree) {
  return (order & ~std::uint64_t{255}) |
         static_cast<std::uint64_t>(255 - std::clamp(degree, 0, 255));
}

/// A composite node sorts after its leading part: the first byte is the kind of node, the rest
/// comes from the leading part.
std::uint64_t order_led_by(std::uint64_t first_byte, std::uint64_t lead) {
  return (first_byte << 56U) | ((lead >> 8U) & 0x00ffffffffffff00U) | 254U;
}

int degree_of_product(std::span<const Expr> pairs) {
  int degree = 0;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const Node& exponent = *pairs[i + 1].node();
    const bool small = exponent.kind == Kind::kNumber && exponent.number().fits_int64() &&
                       exponent.number().as_int64() > -255 && exponent.number().as_int64() < 255;
    if (small)
      degree +=
          std::max(0, pairs[i].node()->degree() * static_cast<int>(exponent.number().as_int64()));
  }
  return degree;
}

void complete(Node* node) {
  const std::span<const Expr> args(node->args(), node->size);
  node->leaves = empty_leaf_set();
  if (!args.empty()) node->leaves = unite_leaves(args);
  switch (node->kind) {
    case Kind::kNumber:
      node->order = 255U;
      if (node->number().is_zero()) node->value = Node::Value::kZero;
      if (node->number().is_one()) node->value = Node::Value::kOne;
      break;
    case Kind::kSymbol:
    case Kind::kVariable: {
      node->order = order_of_name(name_and_order(*node).name);
      const Expr self(node);
      node->leaves = leaf_sets().intern(std::span(&self, 1));
      break;
    }
    case Kind::kNamed:
      node->order = order_of_name(name_and_order(*node).name);
      break;
    case Kind::kProduct:
      node->order = with_degree(args[0].node()->order, degree_of_product(args));
      break;
    case Kind::kSum:
      node->order = order_led_by(kFirstSum, args[1].node()->order);
      node->primitive = content(Expr(node)).is_one();
      break;
    default:
      node->order = order_led_by(kFirstFunction + static_cast<std::uint64_t>(node->kind),
                                 args.empty() ? 0 : args[0].node()->order);
      break;
  }
}

std::uint64_t hash_arguments(Kind kind, std::span<const Expr> arguments) {
  std::uint64_t h = mix(0, static_cast<std::uint64_t>(kind));
  for (const Expr& arg : arguments) h = mix(h, arg.node()->hash);
  return h;
}

Expr find_or_make(Kind kind, std::span<const Expr> arguments, const void* payload,
                  std::uint64_t payload_hash) {
  return find_or_make(
      Draft{kind, mix(hash_arguments(kind, arguments), payload_hash), arguments, payload});
}

/// Structure decides when hashes collide: smaller kind, fewer arguments, then the first that
/// differs.
bool structurally_less(const Node& a, const Node& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.size != b.size) return a.size < b.size;
  for (std::uint32_t i = 0; i < a.size; ++i) {
    if (a.args()[i] == b.args()[i]) continue;
    return canonical_less(a.args()[i], b.args()[i]);
  }
  switch (a.kind) {
    case Kind::kNumber:
      return a.number() < b.number();
    case Kind::kCall:
      if (call_target(a).function != call_target(b).function) {
        return Expr(&a).name() < Expr(&b).name();
      }
      return std::ranges::lexicographical_compare(call_target(a).orders, call_target(b).orders);
    default:
      if (name_and_order(a).name != name_and_order(b).name)
        return name_and_order(a).name < name_and_order(b).name;
      return name_and_order(a).order < name_and_order(b).order;
  }
}

bool is_named(const Node& node) {
  return node.kind == Kind::kSymbol || node.kind == Kind::kVariable || node.kind == Kind::kNamed;
}

}  // namespace

bool LeafSet::contains(const Node* leaf) const {
  if ((mask >> (leaf->hash & 63U) & 1U) == 0) return false;
  return std::ranges::binary_search(leaves, Expr(leaf), canonical_less);
}

Expr intern(Kind kind, std::span<const Expr> arguments) {
  return find_or_make(kind, arguments, nullptr, 0);
}

Expr intern_number(const Number& value) {
  return find_or_make(Kind::kNumber, {}, &value, value.hash());
}

Expr intern_name(Kind kind, std::string_view name, int order, std::span<const Expr> definition) {
  const NameAndOrder payload{name, order};
  return find_or_make(kind, definition, &payload,
                      mix(hash_text(name), static_cast<std::uint64_t>(order)));
}

Expr intern_call(const UserFunction& function, std::span<const int> orders,
                 std::span<const Expr> arguments) {
  const CallTarget payload{&function, orders};
  std::uint64_t h = hash_text(function.name());
  for (const int order : orders) h = mix(h, static_cast<std::uint64_t>(order));
  return find_or_make(Kind::kCall, arguments, &payload, h);
}

const CommonNumbers& common_numbers() {
  static const CommonNumbers numbers = [] {
    CommonNumbers n{};
    for (std::int64_t i = -CommonNumbers::kLargest; i <= CommonNumbers::kLargest; ++i) {
      n.whole[i + CommonNumbers::kLargest] = intern_number(Number(i)).node();
    }
    return n;
  }();
  return numbers;
}

}  // namespace camber::symbolic::internal

namespace camber::symbolic {

bool canonical_less(const Expr& a, const Expr& b) {
  const internal::Node& x = *a.node();
  const internal::Node& y = *b.node();
  if (&x == &y) return false;
  if (x.order != y.order) return x.order < y.order;
  if (internal::is_named(x) != internal::is_named(y)) return internal::is_named(x);
  if (internal::is_named(x)) {
    // Names that share their first characters still sort as names; q before q' before q''.
    const auto& [x_name, x_order] = internal::name_and_order(x);
    const auto& [y_name, y_order] = internal::name_and_order(y);
    if (x_name != y_name) return x_name < y_name;
    if (x_order != y_order) return x_order < y_order;
  }
  if (x.hash != y.hash) return x.hash < y.hash;
  return internal::structurally_less(x, y);
}

PoolStatistics pool_statistics() {
  PoolStatistics all;
  for (auto& shard : internal::shards()) {
    const PoolStatistics part = shard.statistics();
    all.nodes += part.nodes;
    all.bytes += part.bytes;
  }
  return all;
}

}  // namespace camber::symbolic
