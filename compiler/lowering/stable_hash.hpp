// A hash of names that is the same on every machine, in every version.
#pragma once

#include <cstdint>
#include <string_view>

namespace lbann::compiler {

/// FNV-1a, 64 bits (Fowler, Noll, Vo). Random numbers are keyed by it: it must never change.
constexpr std::int64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (auto const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return static_cast<std::int64_t>(hash);
}

}  // namespace lbann::compiler
