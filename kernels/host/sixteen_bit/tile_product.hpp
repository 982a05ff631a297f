// Products of tiles of bf16 numbers, summed in f32: with tile registers (AMX) where the processor
// has them and the system lets them be used, else with AVX512_BF16, else with plain vectors.
#pragma once

#include <cstdint>

namespace lbann::kernels::host::sixteen_bit {

/// Lines of a tile (rows of a left, columns of a right one), and the inner extent of a tile.
inline constexpr std::int64_t tile_lines = 16, tile_depth = 32;
/// Numbers of a tile: 1 KiB.
inline constexpr std::int64_t tile_elements = tile_lines * tile_depth;

/// Two panels of 16 rows times two panels of 16 columns. A panel is a run of tiles, one for each 32
/// of the inner extent: a left tile is [row][32], a right one [16 pairs of the inner
/// extent][column][2]. The sums are over the inner extent in order.
struct PanelPair {
  std::uint16_t const* left[2];
  std::uint16_t const* right[2];
  std::int64_t tiles;    ///< of each panel
  float* sums;           ///< 32 x 32, set
  std::int64_t leading;  ///< from one row of `sums` to the next
};

/// How tiles are multiplied; the sums of one differ from those of another by rounding.
enum class TileUnit : std::uint8_t { amx, avx512_bf16, vectors };

/// The fastest of this process.
TileUnit tile_unit();
/// Whether this build and processor have it.
bool has(TileUnit unit);

/// The tile registers of the calling thread, set up for `multiply` while it lives.
class TileRegisters {
 public:
  explicit TileRegisters(TileUnit unit = tile_unit());
  ~TileRegisters();
  TileRegisters(TileRegisters const&) = delete;
  TileRegisters& operator=(TileRegisters const&) = delete;

  void multiply(PanelPair const& pair) const;

 private:
  TileUnit unit_;
};

}  // namespace lbann::kernels::host::sixteen_bit
