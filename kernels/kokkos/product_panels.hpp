// A product in panels of rows, each finished by its epilogue before the next one begins: for
// libraries and devices that compute whole matrices.
#pragma once

#include "kernels/kokkos/packing.hpp"
#include "kernels/kokkos/product_epilogue.hpp"

namespace lbann::kernels::kokkos {

struct ProductExtents {
  std::int64_t rows, inner, columns;
};

/// Of a call of matmul.
ProductExtents extents_of_product(Call const& call);

template <class T>
Strided<T> left_factor(Call const& call) {
  auto const& view = call.inputs[0];
  if (operator_of<operators::matmul>(call).transpose_a) return {view.as<T>(), 1, view.extents[1]};
  return {view.as<T>(), view.extents[1], 1};
}

template <class T>
Strided<T> right_factor(Call const& call) {
  auto const& view = call.inputs[1];
  if (operator_of<operators::matmul>(call).transpose_b) return {view.as<T>(), 1, view.extents[1]};
  return {view.as<T>(), view.extents[1], 1};
}

/// Rows [row, row + rows) of a product, to be computed at `product`, contiguous.
struct ProductPanel {
  std::int64_t row = 0, rows = 0;
  void* product = nullptr;
};

class ProductPanels {
 public:
  /// For a call of matmul that `fits`; the product lies in an output that can hold it, or in
  /// scratch, as many rows at a time as fit.
  ProductPanels(Call const& call, std::size_t element_bytes);

  static bool fits(Call const& call, std::size_t element_bytes);

  std::int64_t columns() const { return columns_; }

  /// Calls multiply(panel) for each panel, then its epilogue.
  template <class Multiply>
  void for_each(Multiply const& multiply) const {
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      multiply(panels_[p]);
      if (!epilogues_.empty()) epilogues_[p].run_parallel();
    }
  }

 private:
  std::int64_t columns_ = 0;
  std::vector<ProductPanel> panels_;
  std::vector<MapEngine> epilogues_;
};

}  // namespace lbann::kernels::kokkos
