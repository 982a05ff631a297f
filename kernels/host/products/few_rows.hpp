// Products of few rows with a large matrix that is read where it lies.
#pragma once

#include <vector>

#include "kernels/host/map/engine.hpp"
#include "kernels/shapes/matrix_products.hpp"

namespace lbann::kernels::host {

/// c [rows, columns] = a [rows, inner] b^T, both factors stored row by row: a fully connected layer
/// of a mini-batch.
///
/// With few rows each element of b is used so seldom that packing it, which transposes it, takes a
/// fifth of the product's time. Here rows of c lie in the lanes of registers: a is packed, which is
/// small, and elements of b are broadcast from where they lie, along its rows.
template <class T>
class FewRowsProduct {
 public:
  /// Whether factors are stored so, and rows fill more than one register and are few.
  static bool suits(StridedMatrix<T> const& a, StridedMatrix<T> const& b, std::int64_t rows,
                    std::int64_t inner, std::int64_t columns);

  FewRowsProduct(std::int64_t rows, std::int64_t inner, std::int64_t columns);

  /// Elements of scratch. With `separate` no output holds the product.
  std::int64_t scratch_elements(bool separate) const;

  /// As `Gemm`: if `result` is null, tiles of it are in scratch until `epilogue` has run.
  void run(StridedMatrix<T> a, StridedMatrix<T> b, T* result, T* scratch,
           MapEngine const* epilogue) const;

 private:
  /// Some rows of c, in the lanes of whole registers.
  struct Group {
    std::int64_t begin, width;
  };

  void lay_out(StridedMatrix<T> a, T* to) const;
  void multiply(T const* laid_out, StridedMatrix<T> b, std::int64_t column, std::int64_t count,
                T* sums) const;

  std::int64_t rows_ = 0, inner_ = 0, columns_ = 0;
  std::vector<Group> groups_;
  std::int64_t lanes_ = 0;       ///< of all groups
  std::int64_t depth_ = 0;       ///< inner extent of a block
  std::int64_t task_width_ = 0;  ///< columns of a task
  bool is_serial_ = false;       ///< too little work for several threads
};

}  // namespace lbann::kernels::host
