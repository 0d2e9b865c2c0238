#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace camber {

/// FNV-1a with 64 bits [Fowler, Noll, Vo, draft-eastlake-fnv]: the same bytes give the same number
/// on every machine. It distinguishes results and does not protect against forgery. For bytes that
/// come in pieces, `hash` is the result for the pieces before.
std::uint64_t fnv1a64(std::span<const std::byte> bytes, std::uint64_t hash = 0xcbf29ce484222325ULL);

/// "fnv1a64:" and 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);
/// The same over the bytes of values, least significant first: equal for two states that are equal
/// bit by bit.
std::string hash_values(std::span<const double> values);
/// The same over the bytes of a file, read in pieces. Throws FileError.
std::string hash_file(const std::string& path);

}  // namespace camber
