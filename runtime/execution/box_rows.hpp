// The rows of memory that a part of a tensor lies in.
#pragma once

#include <cstdint>
#include <vector>

#include "schemas/specialization/mesh.hpp"

namespace lbann::runtime {

/// From which dimension on all that a box has lies in one row, in a tensor of these extents.
inline std::size_t first_inner(Box const& box, std::vector<std::int64_t> const& extents) {
  auto inner = box.rank;
  while (inner > 0 && box.parts[inner - 1].size == extents[inner - 1]) --inner;
  return inner == 0 ? 0 : inner - 1;
}

/// The rows of a box within a tensor of these extents, both of which must outlive it: runs of
/// neighbouring entries, of the dimensions from `inner` on.
class BoxRows {
 public:
  BoxRows(Box const& box, std::vector<std::int64_t> const& extents, std::int64_t element,
          std::size_t inner)
      : box_(box), extents_(extents), element_(element), inner_(inner), length_(element) {
    for (auto d = inner; d < box.rank; ++d) length_ *= box.parts[d].size;
    for (std::size_t d = 0; d < inner; ++d) count_ *= box.parts[d].size;
    if (length_ == 0) count_ = 0;
  }
  BoxRows(Box const& box, std::vector<std::int64_t> const& extents, std::int64_t element)
      : BoxRows(box, extents, element, first_inner(box, extents)) {}

  std::int64_t count() const { return count_; }
  std::int64_t length() const { return length_; }  ///< bytes of a row

  /// Where a row begins in the tensor, in bytes.
  std::int64_t begin(std::int64_t row) const {
    std::int64_t at = 0, stride = element_;
    for (auto d = box_.rank; d-- > 0; stride *= extents_[d]) {
      auto index = box_.parts[d].begin;
      if (d < inner_) {
        index += row % box_.parts[d].size;
        row /= box_.parts[d].size;
      }
      at += index * stride;
    }
    return at;
  }

 private:
  Box const& box_;
  std::vector<std::int64_t> const& extents_;
  std::int64_t element_;
  std::size_t inner_;
  std::int64_t length_, count_ = 1;
};

}  // namespace lbann::runtime
