#include "camber/codegen/network.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace camber::codegen::internal {

int power_cost(int exponent) {
  int cost = 0;
  for (; exponent > 1; exponent >>= 1) {
    cost += 1 + (exponent & 1);
  }
  return cost;
}

namespace {

constexpr int kMaxRatioBits = 256;

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15u;
  return h ^ (h >> 29);
}

std::uint64_t hash_powers(std::span<const Power> powers) {
  std::uint64_t h = powers.size();
  for (const Power& p : powers) {
    h = mix(h,
            static_cast<std::uint64_t>(p.literal) << 32 | static_cast<std::uint32_t>(p.exponent));
  }
  return h;
}

}  // namespace

CubeTable::CubeTable() : first_{0}, slots_(64, 0) { intern({}); }

bool CubeTable::is_slot_of(int slot_cube, std::span<const Power> wanted) const {
  const auto have = powers(slot_cube);
  return std::equal(have.begin(), have.end(), wanted.begin(), wanted.end());
}

int CubeTable::intern(std::span<const Power> powers) {
  const std::uint64_t hash = hash_powers(powers);
  std::size_t i = hash & (slots_.size() - 1);
  for (; slots_[i] != 0; i = (i + 1) & (slots_.size() - 1)) {
    const int cube = slots_[i] - 1;
    if (hash_[cube] == hash && is_slot_of(cube, powers)) {
      return cube;
    }
  }
  const int cube = size();
  slots_[i] = cube + 1;
  pool_.insert(pool_.end(), powers.begin(), powers.end());
  first_.push_back(static_cast<int>(pool_.size()));
  hash_.push_back(hash);
  int cost = std::max(0, static_cast<int>(powers.size()) - 1);
  for (const Power& p : powers) {
    cost += power_cost(p.exponent);
  }
  cost_.push_back(cost);
  if (2 * hash_.size() > slots_.size()) {
    grow();
  }
  return cube;
}

void CubeTable::grow() {
  slots_.assign(2 * slots_.size(), 0);
  for (int cube = 0; cube < size(); ++cube) {
    std::size_t i = hash_[cube] & (slots_.size() - 1);
    while (slots_[i] != 0) {
      i = (i + 1) & (slots_.size() - 1);
    }
    slots_[i] = cube + 1;
  }
}

int CubeTable::of_literal(int literal) {
  const Power power{literal, 1};
  return intern({&power, 1});
}

int CubeTable::multiply(int a, int b) {
  if (a == kOne || b == kOne) {
    return a == kOne ? b : a;
  }
  std::vector<Power>& result = scratch_[0];
  result.clear();
  const auto pa = powers(a);
  const auto pb = powers(b);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < pa.size() || j < pb.size()) {
    if (j == pb.size() || (i < pa.size() && pa[i].literal < pb[j].literal)) {
      result.push_back(pa[i++]);
    } else if (i == pa.size() || pb[j].literal < pa[i].literal) {
      result.push_back(pb[j++]);
    } else {
      result.push_back({pa[i].literal, pa[i].exponent + pb[j].exponent});
      ++i, ++j;
    }
  }
  return intern(result);
}

CubeTable::Division CubeTable::divide(int a, int b) {
  auto& [common, rest_a, rest_b] = scratch_;
  common.clear();
  rest_a.clear();
  rest_b.clear();
  const auto pa = powers(a);
  const auto pb = powers(b);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < pa.size() && j < pb.size()) {
    if (pa[i].literal < pb[j].literal) {
      rest_a.push_back(pa[i++]);
    } else if (pb[j].literal < pa[i].literal) {
      rest_b.push_back(pb[j++]);
    } else {
      const int shared = std::min(pa[i].exponent, pb[j].exponent);
      common.push_back({pa[i].literal, shared});
      if (pa[i].exponent > shared) {
        rest_a.push_back({pa[i].literal, pa[i].exponent - shared});
      }
      if (pb[j].exponent > shared) {
        rest_b.push_back({pb[j].literal, pb[j].exponent - shared});
      }
      ++i, ++j;
    }
  }
  if (common.empty()) {
    return {kOne, a, b};
  }
  rest_a.insert(rest_a.end(), pa.begin() + static_cast<std::ptrdiff_t>(i), pa.end());
  rest_b.insert(rest_b.end(), pb.begin() + static_cast<std::ptrdiff_t>(j), pb.end());
  return {intern(common), intern(rest_a), intern(rest_b)};
}

NumberTable::NumberTable() {
  intern(Number(1));
  intern(Number(-1));
}

int NumberTable::intern(const Number& value) {
  const std::uint64_t hash = value.hash();
  for (auto [it, end] = ids_.equal_range(hash); it != end; ++it) {
    if (values_[it->second] == value) {
      return it->second;
    }
  }
  values_.push_back(value);
  const int id = static_cast<int>(values_.size()) - 1;
  ids_.emplace(hash, id);
  return id;
}

int NumberTable::negate(int id) { return is_unit(id) ? 1 - id : intern(-values_[id]); }

int NumberTable::divide(int a, int b) {
  if (is_unit(b)) {
    return b == kOne ? a : negate(a);
  }
  const Number& x = values_[a];
  const Number& y = values_[b];
  if (x.bits() + y.bits() > kMaxRatioBits) {
    return -1;
  }
  const double ratio = x.to_double() / y.to_double();
  return std::isnormal(ratio) ? intern(x / y) : -1;
}

int NumberTable::multiply(int a, int b) {
  if (is_unit(b)) {
    return b == kOne ? a : negate(a);
  }
  return intern(values_[a] * values_[b]);
}

std::uint32_t TieOrder::rank(int found) const {
  const auto place = static_cast<std::uint32_t>(found);
  return number == 0 ? place : static_cast<std::uint32_t>(mix(mix(0, number), place) >> 16);
}

int Network::add_literal(Literal literal) {
  literals.push_back(std::move(literal));
  names.emplace_back();
  return static_cast<int>(literals.size()) - 1;
}

int Network::add_form(Form form) {
  forms.push_back(std::move(form));
  return static_cast<int>(forms.size()) - 1;
}

}  // namespace camber::codegen::internal
