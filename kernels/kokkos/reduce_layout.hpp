// How a reduction is cut into pieces of work: fixed by its shape, never by the number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace lbann::kernels::kokkos {

/// The iteration space as [z, a, b, c, d] in C order: a and c are kept, z, b and d reduced; output
/// element (a, c). z and b are walked as one. Every output is the sum over `b_blocks` x `d_blocks`
/// partial results.
struct ReduceLayout {
  std::int64_t z = 1, a = 1, b = 1, c = 1, d = 1;
  std::int64_t b_block = 1, b_blocks = 1;  ///< rows of z x b in one piece, number of pieces
  std::int64_t c_block = 1, c_blocks = 1;
  std::int64_t d_block = 1, d_blocks = 1;

  constexpr std::int64_t reduced_rows() const { return z * b; }
  constexpr std::int64_t outputs() const { return a * c; }
  constexpr std::int64_t partials() const { return b_blocks * d_blocks; }
  constexpr std::int64_t elements() const { return z * a * b * c * d; }
};

/// Most partial results of one output, see `reduce::scratch_bytes`.
inline constexpr std::int64_t max_partials = 256;
/// Most outputs a piece of work accumulates at once.
inline constexpr std::int64_t max_c_block = 512;

/// Nothing if kept and reduced axes alternate more often than [z, a, b, c, d] can say.
std::optional<ReduceLayout> reduce_layout(std::span<std::int64_t const> shape,
                                          std::span<std::int64_t const> axes, bool on_host);

}  // namespace lbann::kernels::kokkos
