// Convolutions by kernels of one tap are products of matrices: filters x channels times channels x
// positions for each sample, as tensors lie in memory.
#pragma once

#include <algorithm>

#include "kernels/device/device.hpp"
#include "kernels/kokkos/launch.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/shapes/window_geometry.hpp"
#include "kernels/vendor/cublas/multiply.hpp"

namespace lbann::kernels::cublas {

/// The entries of the input that positions see, of which a step leaves some out.
struct SeenEntries {
  Divisor planes, rows, columns;  ///< of positions
  std::uint32_t entry_planes, entry_rows, entry_columns;
  std::uint32_t plane_step, row_step, column_step;

  explicit SeenEntries(WindowGeometry const& g)
      : planes(Divisor::of(g.axes[0].to)),
        rows(Divisor::of(g.axes[1].to)),
        columns(Divisor::of(g.axes[2].to)),
        entry_planes(static_cast<std::uint32_t>(g.axes[0].from)),
        entry_rows(static_cast<std::uint32_t>(g.axes[1].from)),
        entry_columns(static_cast<std::uint32_t>(g.axes[2].from)),
        plane_step(static_cast<std::uint32_t>(g.axes[0].stride)),
        row_step(static_cast<std::uint32_t>(g.axes[1].stride)),
        column_step(static_cast<std::uint32_t>(g.axes[2].stride)) {}

  /// The entry that position `index` of all channels sees.
  KOKKOS_FUNCTION std::uint32_t entry(std::uint32_t index) const {
    auto const c = divide(index, columns);
    auto const r = divide(c.quotient, rows);
    auto const p = divide(r.quotient, planes);
    auto const plane = p.quotient * entry_planes + p.remainder * plane_step;
    return (plane * entry_rows + r.remainder * row_step) * entry_columns +
           c.remainder * column_step;
  }
};

/// Copies the entries that are seen, one after the other.
template <class T>
struct TakeSeen {
  SeenEntries seen;
  T const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    to[index] = from[seen.entry(static_cast<std::uint32_t>(index))];
  }
};

/// Writes the entries that are seen; the others are zero already.
template <class T>
struct PutSeen {
  SeenEntries seen;
  T const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    to[seen.entry(static_cast<std::uint32_t>(index))] = from[index];
  }
};

/// A convolution x [samples, channels, entries] -> y [samples, filters, positions] of one tap. `T`:
/// the type of factors.
template <class T>
class Pointwise {
 public:
  using Sum = ComputeType<T>;

  explicit Pointwise(WindowGeometry const& geometry) : g_(geometry) {}

  static bool takes(WindowGeometry const& g) {
    for (auto const& axis : g.axes)
      if (axis.taps != 1 || axis.padding != 0) return false;
    return g.groups == 1 && g.samples * std::max(g.channels, g.filters) * g.entries() < most &&
           cublas::takes({g.filters, g.channels, g.positions()}, g.samples);
  }

  bool sees_all() const { return g_.entries() == g_.positions(); }
  std::int64_t seen() const { return g_.samples * g_.channels * g_.positions(); }
  /// Of a copy of these in T, or of sums for them.
  template <class Element>
  std::size_t seen_bytes() const {
    return sees_all() ? 0 : static_cast<std::size_t>(seen()) * sizeof(Element);
  }

  /// x without what no position sees: x itself, or a copy at `copy`.
  T const* seen_of(T const* x, T* copy) const {
    if (sees_all()) return x;
    kokkos::launch(seen(), 1, TakeSeen<T>{SeenEntries(g_), x, copy});
    return copy;
  }

  void output(T const* x, T const* kernel, Sum* y) const {
    auto const [samples, filters, channels, positions] = sizes();
    multiply(StridedMatrix<T>{kernel, channels, 1}, StridedMatrix<T>{x, positions, 1}, y,
             {filters, channels, positions}, samples,
             {0, channels * positions, filters * positions});
  }

  void input_gradient(T const* dy, T const* kernel, Sum* dx) const {
    auto const [samples, filters, channels, positions] = sizes();
    multiply(StridedMatrix<T>{kernel, 1, channels}, StridedMatrix<T>{dy, positions, 1}, dx,
             {channels, filters, positions}, samples,
             {0, filters * positions, channels * positions});
  }

  /// The gradient of each sample at `parts`.
  void kernel_gradients(T const* x, T const* dy, Sum* parts) const {
    auto const [samples, filters, channels, positions] = sizes();
    multiply(StridedMatrix<T>{dy, positions, 1}, StridedMatrix<T>{x, 1, positions}, parts,
             {filters, positions, channels}, samples,
             {filters * positions, channels * positions, filters * channels});
  }

  WindowGeometry const& geometry() const { return g_; }

 private:
  static constexpr std::int64_t most = std::int64_t{1} << 31;

  struct Sizes {
    std::int64_t samples, filters, channels, positions;
  };
  Sizes sizes() const { return {g_.samples, g_.filters, g_.channels, g_.positions()}; }

  WindowGeometry g_;
};

}  // namespace lbann::kernels::cublas
