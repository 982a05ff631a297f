// The three ways to multiply tiles.
#include "kernels/host/sixteen_bit/tile_product.hpp"

#include "kernels/host/vector.hpp"

#if defined(__AMX_BF16__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <cstring>

namespace lbann::kernels::host::sixteen_bit {

namespace {

#if defined(__AMX_BF16__)

/// Tiles 0 to 3 are sums, 4 and 5 left, 6 and 7 right: 16 rows of 64 bytes each.
struct alignas(64) TileConfiguration {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

/// Linux gives a process tile registers when it asks for them.
bool may_use_tile_registers() {
  constexpr long request_permission = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XTILEDATA
  static bool const granted = syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
  return granted;
}

void multiply_amx(PanelPair const& pair) {
  constexpr std::size_t row_bytes = 64;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  auto const *upper = pair.left[0], *lower = pair.left[1];
  auto const *first = pair.right[0], *second = pair.right[1];
  for (std::int64_t k = 0; k < pair.tiles; ++k) {
    _tile_loadd(4, upper, row_bytes);
    _tile_loadd(6, first, row_bytes);
    _tile_loadd(7, second, row_bytes);
    _tile_loadd(5, lower, row_bytes);
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
    upper += tile_elements;
    lower += tile_elements;
    first += tile_elements;
    second += tile_elements;
  }
  auto const bytes = static_cast<std::size_t>(pair.leading) * sizeof(float);
  float* const below = pair.sums + tile_lines * pair.leading;
  _tile_stored(0, pair.sums, bytes);
  _tile_stored(1, pair.sums + tile_lines, bytes);
  _tile_stored(2, below, bytes);
  _tile_stored(3, below + tile_lines, bytes);
}

#endif

using Sums = Vector<float>;
using Pairs = Vector<std::uint32_t>;

inline Sums values_of(Pairs bits) {
  Sums values;
  std::memcpy(&values, &bits, sizeof values);
  return values;
}

/// One pair in all lanes.
inline Pairs broadcast_pair(std::uint16_t const* numbers) {
  std::uint32_t pair;
  std::memcpy(&pair, numbers, sizeof pair);
  return Pairs{} + pair;
}

/// sums + a b of both numbers of each pair, the first before the second.
struct PlainPairs {
  static Sums add(Sums sums, Pairs a, Pairs b) {
    sums = multiply_add<float>(values_of(a << 16), values_of(b << 16), sums);
    return multiply_add<float>(values_of(a & 0xffff0000u), values_of(b & 0xffff0000u), sums);
  }
};

#if defined(__AVX512BF16__)
struct DotPairs {
  static Sums add(Sums sums, Pairs a, Pairs b) {
    // Not the intrinsic, on whose casts clang 16 crashes.
    asm("vdpbf16ps %2, %1, %0" : "+v"(sums) : "v"(b), "v"(a));
    return sums;
  }
};
#endif

/// A block of rows and two registers of columns at a time, whose sums fill half the registers. A
/// pair of a row is loaded once for both: two loads a cycle feed two multiplications.
template <class Unit>
void multiply_vectors(PanelPair const& pair) {
  constexpr int rows = vector_registers == 32 ? 8 : 4, registers = 2, width = lanes<float>;
  for (std::int64_t row = 0; row < 2 * tile_lines; row += rows) {
    auto const* const left = pair.left[row / tile_lines] + row % tile_lines * tile_depth;
    for (std::int64_t column = 0; column < 2 * tile_lines; column += registers * width) {
      std::uint16_t const* right[registers];
      for (int j = 0; j < registers; ++j) {
        auto const begin = column + j * width;
        right[j] = pair.right[begin / tile_lines] + begin % tile_lines * 2;
      }
      Sums sums[rows][registers] = {};
      for (std::int64_t k = 0; k < pair.tiles; ++k) {
        auto const at = k * tile_elements;
        for (std::int64_t p = 0; p < tile_depth / 2; ++p) {
          Pairs columns[registers];
#pragma GCC unroll 2
          for (int j = 0; j < registers; ++j)
            std::memcpy(&columns[j], right[j] + at + p * 2 * tile_lines, sizeof columns[j]);
#pragma GCC unroll 8
          for (int r = 0; r < rows; ++r) {
            auto const a = broadcast_pair(left + at + r * tile_depth + 2 * p);
#pragma GCC unroll 2
            for (int j = 0; j < registers; ++j) sums[r][j] = Unit::add(sums[r][j], a, columns[j]);
          }
        }
      }
      for (int r = 0; r < rows; ++r)
        for (int j = 0; j < registers; ++j)
          store_vector(pair.sums + (row + r) * pair.leading + column + j * width, sums[r][j]);
    }
  }
}

}  // namespace

bool has(TileUnit unit) {
  switch (unit) {
    case TileUnit::amx:
#if defined(__AMX_BF16__)
      return may_use_tile_registers();
#else
      return false;
#endif
    case TileUnit::avx512_bf16:
#if defined(__AVX512BF16__)
      return true;
#else
      return false;
#endif
    default:
      return true;
  }
}

TileUnit tile_unit() {
  static TileUnit const unit = has(TileUnit::amx)           ? TileUnit::amx
                               : has(TileUnit::avx512_bf16) ? TileUnit::avx512_bf16
                                                            : TileUnit::vectors;
  return unit;
}

TileRegisters::TileRegisters(TileUnit unit) : unit_(unit) {
#if defined(__AMX_BF16__)
  static TileConfiguration const configuration;
  if (unit_ == TileUnit::amx) _tile_loadconfig(&configuration);
#endif
}

TileRegisters::~TileRegisters() {
#if defined(__AMX_BF16__)
  if (unit_ == TileUnit::amx) _tile_release();
#endif
}

void TileRegisters::multiply(PanelPair const& pair) const {
#if defined(__AMX_BF16__)
  if (unit_ == TileUnit::amx) return multiply_amx(pair);
#endif
#if defined(__AVX512BF16__)
  if (unit_ == TileUnit::avx512_bf16) return multiply_vectors<DotPairs>(pair);
#endif
  multiply_vectors<PlainPairs>(pair);
}

}  // namespace lbann::kernels::host::sixteen_bit
