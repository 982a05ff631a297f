// Random numbers as a pure function of key and counter: Philox4x32-10, for host and device.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// Everything here is constexpr: device code calls it with nvcc's --expt-relaxed-constexpr.
namespace lbann {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

inline constexpr int philox_rounds = 10;

/// One round on a counter's words. Each stands in the low half of its number, the high half is of
/// no account: so do vector registers multiply.
constexpr void philox_round(std::uint64_t& c0, std::uint64_t& c1, std::uint64_t& c2,
                            std::uint64_t& c3, PhiloxKey key) {
  auto const low = std::uint64_t{0xD2511F53} * static_cast<std::uint32_t>(c0);
  auto const high = std::uint64_t{0xCD9E8D57} * static_cast<std::uint32_t>(c2);
  c0 = (high >> 32) ^ c1 ^ key[0];
  c1 = high;
  c2 = (low >> 32) ^ c3 ^ key[1];
  c3 = low;
}

/// Key of the round after the one with `key`.
constexpr PhiloxKey next_philox_key(PhiloxKey key) {
  return {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
}

/// Four random words. Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011; equal to Random123's philox4x32 with 10 rounds.
constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  std::uint64_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  for (int round = 0; round < philox_rounds; ++round, key = next_philox_key(key))
    philox_round(c0, c1, c2, c3, key);
  return {static_cast<std::uint32_t>(c0), static_cast<std::uint32_t>(c1),
          static_cast<std::uint32_t>(c2), static_cast<std::uint32_t>(c3)};
}

/// Bijection of 64 bits in which every bit of the input moves about half of the output's
/// (the finaliser of Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
constexpr std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// Key of the numbers that belong to `name` (`random_name`) in an experiment with this seed.
constexpr PhiloxKey random_key(std::int64_t seed, std::int64_t name) {
  auto const bits =
      scrambled(scrambled(static_cast<std::uint64_t>(seed)) ^ static_cast<std::uint64_t>(name));
  return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}

/// Number of a name, for the `key` of operator random: FNV-1a over its characters, scrambled.
constexpr std::int64_t random_name(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return static_cast<std::int64_t>(scrambled(hash));
}

/// Counter of elements 4 `block` ... 4 `block` + 3 of a global sample in a step. Distinct for
/// block < 2^32, sample and step < 2^48.
constexpr PhiloxCounter random_counter(std::int64_t step, std::int64_t sample, std::int64_t block) {
  auto const s = static_cast<std::uint64_t>(step), n = static_cast<std::uint64_t>(sample);
  return {
      static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(n),
      static_cast<std::uint32_t>(s),
      static_cast<std::uint32_t>((n >> 32) & 0xFFFF) | (static_cast<std::uint32_t>(s >> 32) << 16)};
}

/// Uniform in [0, 1), a multiple of 2^-24.
constexpr float unit_float(std::uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; }

/// Uniform in [0, 1), a multiple of 2^-32: one word per element in either type, so that draws in
/// f32 and f64 agree to 2^-24.
constexpr double unit_double(std::uint32_t word) { return static_cast<double>(word) * 0x1p-32; }

}  // namespace lbann
