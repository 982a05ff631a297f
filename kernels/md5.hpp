// The MD5 digest of one number. RFC 1321, for messages that fit one block.
#pragma once

#include <cstdint>
#include <cstring>

#include "schemas/functions/function.hpp"

namespace lbann::kernels {

/// The last eight bytes of the MD5 digest of the `words` (one or two) little-endian words of a
/// message, as a little-endian number.
LBANN_FUNCTION std::uint64_t md5_upper_half(std::uint32_t const* message, int words) {
  constexpr std::uint32_t sines[64] = {
      0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
      0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
      0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
      0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
      0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
      0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
      0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
      0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
      0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
      0xeb86d391};
  constexpr int shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
  std::uint32_t block[16] = {};
  for (int i = 0; i < words; ++i) block[i] = message[i];
  block[words] = 0x80;
  block[14] = 32u * static_cast<std::uint32_t>(words);
  constexpr std::uint32_t start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::uint32_t a = start[0], b = start[1], c = start[2], d = start[3];
  for (int i = 0; i < 64; ++i) {
    int const round = i / 16;
    std::uint32_t const mixed = round == 0   ? (b & c) | (~b & d)
                                : round == 1 ? (b & d) | (c & ~d)
                                : round == 2 ? b ^ c ^ d
                                             : c ^ (b | ~d);
    int const word = round == 0 ? i : round == 1 ? 5 * i + 1 : round == 2 ? 3 * i + 5 : 7 * i;
    std::uint32_t const sum = a + mixed + sines[i] + block[word % 16];
    int const shift = shifts[4 * round + i % 4];
    a = d;
    d = c;
    c = b;
    b += (sum << shift) | (sum >> (32 - shift));
  }
  return std::uint64_t{c + start[2]} | std::uint64_t{d + start[3]} << 32;
}

/// The operator `uniform_hash` of one number.
template <class T>
LBANN_FUNCTION T uniform_hash_of(T x) {
  std::uint32_t words[sizeof(T) / 4];
  memcpy(words, &x, sizeof(T));
  return static_cast<T>(md5_upper_half(words, sizeof(T) / 4)) * static_cast<T>(0x1p-64);
}

}  // namespace lbann::kernels
