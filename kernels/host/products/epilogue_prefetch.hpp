// Prefetching of what an epilogue reads, line by line while the product before it is computed.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "kernels/host/map/engine.hpp"
#include "kernels/host/products/microkernel.hpp"
#include "kernels/shapes/division.hpp"

namespace lbann::kernels::host {

/// Rows of a right factor, along which lines of a list are prefetched, `at_once` at each of them.
template <class Rows>
struct LinePrefetchingRows : Rows {
  std::byte const* origin;
  std::int64_t const* lines;  ///< bytes from `origin`
  std::int64_t written;       ///< the first of them, which are requested for ownership
  std::int64_t count, at_once;

  void prefetch(std::int64_t k) const {
    auto const end = std::min((k + 1) * at_once, count);
    for (auto i = k * at_once; i < end; ++i)
      if (i < written)
        __builtin_prefetch(origin + lines[i], 1, 3);
      else
        __builtin_prefetch(origin + lines[i], 0, 3);
  }
};

/// The cache lines that an epilogue reads beside the elements of a register tile.
///
/// To update weights moves so many bytes that it takes about a third of the time of the product
/// that is their gradient. Prefetched step by step within that product, they arrive meanwhile;
/// prefetched all at once, before a tile or a panel, they delay the loads of the microkernel.
template <class T>
class EpiloguePrefetch {
 public:
  EpiloguePrefetch() = default;

  /// Of the matrices of `columns` columns that `epilogue` reads element by element.
  EpiloguePrefetch(MapEngine const& epilogue, std::int64_t columns) : columns_(columns) {
    add_lines(epilogue.code(), true);
    written_ = static_cast<std::int64_t>(lines_.size());
    add_lines(epilogue.code(), false);
  }

  bool empty() const { return lines_.empty(); }

  /// `rows` for the register tile at (row, column), whose inner extent is `depth`.
  template <class Rows>
  LinePrefetchingRows<Rows> rows(Rows rows, std::int64_t row, std::int64_t column,
                                 std::int64_t depth) const {
    auto const count = static_cast<std::int64_t>(lines_.size());
    return {rows,  origin_ + (row * columns_ + column) * size,          lines_.data(), written_,
            count, ceil_divide(count, std::max<std::int64_t>(depth, 1))};
  }

 private:
  static constexpr std::int64_t size = sizeof(T), line = 64;

  /// Lines of the operands that are updated in place, or of the others.
  void add_lines(MapCode const& code, bool in_place) {
    auto const outputs = std::span(code.outputs).first(code.output_count);
    for (auto const& operand : std::span(code.operands).first(code.operand_count).subspan(1)) {
      if (operand.access != Access::linear || operand.type != code.compute) continue;
      bool const is_output = std::any_of(outputs.begin(), outputs.end(), [&](auto const& output) {
        return output.data == operand.data;
      });
      if (is_output != in_place) continue;
      auto const* const data = static_cast<std::byte const*>(operand.data);
      if (origin_ == nullptr) origin_ = data;
      for (std::int64_t row = 0; row < tile_rows; ++row)
        for (std::int64_t byte = 0; byte < tile_columns<T> * size; byte += line)
          lines_.push_back(data - origin_ + row * columns_ * size + byte);
    }
  }

  std::int64_t columns_ = 0, written_ = 0;
  std::byte const* origin_ = nullptr;
  std::vector<std::int64_t> lines_;
};

}  // namespace lbann::kernels::host
