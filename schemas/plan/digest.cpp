// XXH64, after the specification in doc/xxhash_spec.md of xxHash.
#include "schemas/plan/digest.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace lbann {

namespace {

constexpr std::array<std::uint64_t, 5> primes = {0x9E3779B185EBCA87u, 0xC2B2AE3D27D4EB4Fu,
                                                 0x165667B19E3779F9u, 0x85EBCA77C2B2AE63u,
                                                 0x27D4EB2F165667C5u};

/// The bytes from `at` on as a little-endian number.
template <class Number>
std::uint64_t number(std::uint8_t const* at) {
  Number value = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&value, at, sizeof value);
  } else {
    for (std::size_t i = 0; i < sizeof value; ++i) value |= Number{at[i]} << (8 * i);
  }
  return value;
}

std::uint64_t round(std::uint64_t accumulator, std::uint64_t lane) {
  return std::rotl(accumulator + lane * primes[1], 31) * primes[0];
}

std::uint64_t merged(std::uint64_t accumulator, std::uint64_t part) {
  return (accumulator ^ round(0, part)) * primes[0] + primes[3];
}

}  // namespace

std::uint64_t digest(std::span<std::uint8_t const> bytes, std::uint64_t seed) {
  auto const* at = bytes.data();
  auto left = bytes.size();
  std::uint64_t hash = seed + primes[4];
  if (left >= 32) {
    std::array<std::uint64_t, 4> lanes = {seed + primes[0] + primes[1], seed + primes[1], seed,
                                          seed - primes[0]};
    for (; left >= 32; left -= 32)
      for (auto& lane : lanes) {
        lane = round(lane, number<std::uint64_t>(at));
        at += 8;
      }
    hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
           std::rotl(lanes[3], 18);
    for (auto lane : lanes) hash = merged(hash, lane);
  }
  hash += bytes.size();
  for (; left >= 8; left -= 8, at += 8)
    hash = std::rotl(hash ^ round(0, number<std::uint64_t>(at)), 27) * primes[0] + primes[3];
  if (left >= 4) {
    hash = std::rotl(hash ^ (number<std::uint32_t>(at) * primes[0]), 23) * primes[1] + primes[2];
    left -= 4;
    at += 4;
  }
  for (; left > 0; --left, ++at) hash = std::rotl(hash ^ (*at * primes[4]), 11) * primes[0];
  hash = (hash ^ (hash >> 33)) * primes[1];
  hash = (hash ^ (hash >> 29)) * primes[2];
  return hash ^ (hash >> 32);
}

}  // namespace lbann
