// Prefetching of a matrix block in portions, while another is multiplied.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/shapes/division.hpp"

namespace lbann::kernels::host {

/// Prefetches `rows` rows of `width` elements, `pitch` elements apart, in equal portions. Waiting
/// for them when they are packed would take as long as multiplying where each element is used a few
/// times only.
template <class T>
class BlockPrefetch {
 public:
  static constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));

  BlockPrefetch() = default;
  BlockPrefetch(T const* begin, std::int64_t rows, std::int64_t width, std::int64_t pitch,
                std::int64_t portions)
      : at_(begin),
        pitch_(pitch),
        lines_(ceil_divide(width, line)),
        left_(rows * lines_),
        portion_(ceil_divide(left_, std::max<std::int64_t>(portions, 1))) {}

  void prefetch_portion() {
    auto const count = std::min(portion_, left_);
    left_ -= count;
    for (std::int64_t i = 0; i < count; ++i) {
      __builtin_prefetch(at_ + in_row_ * line, 0, 2);
      if (++in_row_ < lines_) continue;
      in_row_ = 0;
      at_ += pitch_;
    }
  }

 private:
  T const* at_ = nullptr;
  std::int64_t pitch_ = 0, lines_ = 0, left_ = 0, portion_ = 0;
  std::int64_t in_row_ = 0;
};

/// Rows of a right factor that are multiplied between two portions.
inline constexpr std::int64_t rows_of_portion = 4;

/// Portions in a register tile of inner extent `depth`.
constexpr std::int64_t prefetched_portions(std::int64_t depth) {
  return ceil_divide(depth, rows_of_portion);
}

/// Rows of a right factor, along which a block is prefetched. All that belongs to a register tile
/// at once would delay the loads of the tile.
template <class T, class Rows>
struct BlockPrefetchingRows : Rows {
  BlockPrefetch<T>* block;

  void prefetch(std::int64_t k) const {
    if (k % rows_of_portion == 0) block->prefetch_portion();
  }
};

}  // namespace lbann::kernels::host
