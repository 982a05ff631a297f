// Prefetching of a matrix block in portions, while another is multiplied.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/shapes/division.hpp"

namespace lbann::kernels::host {

/// Prefetches `rows` rows of `width` elements, `pitch` elements apart, to the second-level cache in
/// equal portions. Waiting for them when they are packed would take as long as multiplying where
/// each element is used a few times only.
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

}  // namespace lbann::kernels::host
