// 32 numbers of 16 bits in vector registers.
#pragma once

#include <array>
#include <bit>

#include "kernels/host/vector.hpp"

namespace lbann::kernels::host::sixteen_bit {

/// A line of a tile.
class Numbers {
 public:
  static constexpr int count = 32;

  Numbers() = default;
  explicit Numbers(std::uint16_t const* from) {
    for (int i = 0; i < registers; ++i) parts_[i] = load_vector(from + i * width);
  }

  void store(std::uint16_t* to) const {
    for (int i = 0; i < registers; ++i) store_vector(to + i * width, parts_[i]);
  }
  Numbers& operator|=(Numbers const& other) {
    for (int i = 0; i < registers; ++i) parts_[i] |= other.parts_[i];
    return *this;
  }

  /// The first 16 pairs (a[i], b[i]) to `first`, the others to `second`.
  static void store_pairs(Numbers const& a, Numbers const& b, std::uint16_t* first,
                          std::uint16_t* second) {
    for (int i = 0; i < registers; ++i) {
      auto const lower = shuffle<LowerHalves, std::uint16_t>(a.parts_[i], b.parts_[i]);
      auto const upper = shuffle<UpperHalves, std::uint16_t>(a.parts_[i], b.parts_[i]);
      auto const at = [&](int half) {
        auto const begin = (2 * i + half) * width;
        return begin < count ? first + begin : second + begin - count;
      };
      store_vector(at(0), lower);
      store_vector(at(1), upper);
    }
  }

 private:
  using Register = Vector<std::uint16_t>;
  static constexpr int width = lanes<std::uint16_t>, registers = count / width;

  friend class MaskedNumbers;
  Register parts_[registers] = {};
};

/// Where some of 32 numbers lie: number i at from[i * step] if bit i is set, others are zeros.
/// Nothing else is read.
class MaskedNumbers {
 public:
  MaskedNumbers() = default;
  MaskedNumbers(std::uint32_t bits, std::int64_t step) : bits_(bits), step_(step) {
#if defined(__AVX512BW__)
    if (step == 2) halves_ = {spread(bits & 0xffff), spread(bits >> 16)};
#endif
  }

  Numbers load(std::uint16_t const* from) const {
#if defined(__AVX512BW__)
    Numbers numbers;
    if (step_ == 1) {
      numbers.parts_[0] = masked(bits_, from);
      return numbers;
    }
    if (step_ == 2) {
      numbers.parts_[0] = shuffle<EvenLanes, std::uint16_t>(
          masked(halves_[0], from), masked(halves_[1], from + Numbers::count));
      return numbers;
    }
#else
    if (step_ == 1 && bits_ == ~0u) return Numbers(from);
#endif
    std::uint16_t values[Numbers::count] = {};
    for (auto rest = bits_; rest != 0; rest &= rest - 1) {
      auto const i = std::countr_zero(rest);
      values[i] = from[i * step_];
    }
    return Numbers(values);
  }

 private:
#if defined(__AVX512BW__)
  static Numbers::Register masked(std::uint32_t bits, std::uint16_t const* from) {
    return (Numbers::Register)_mm512_maskz_loadu_epi16(bits, from);
  }
  /// Bit i of 16 at bit 2 i.
  static std::uint32_t spread(std::uint32_t bits) {
    for (int distance : {8, 4, 2, 1})
      bits = (bits | bits << distance) & (~0u / ((1u << distance) + 1));
    return bits;
  }

  std::array<std::uint32_t, 2> halves_ = {};
#endif
  std::uint32_t bits_ = 0;
  std::int64_t step_ = 1;
};

}  // namespace lbann::kernels::host::sixteen_bit
