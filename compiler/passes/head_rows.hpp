// Rows whose columns are several heads side by side, and tensors that hold them in another order.
#pragma once

#include <vector>

#include "schemas/program/program.hpp"

namespace lbann::compiler {

/// Matrices of several heads, [batch, heads, rows, size] or with the last axes exchanged, without
/// the second axis for one head, as reshapes and permutations of rows [batch, rows, heads size].
struct HeadMatrices {
  Extent batch, rows;
  std::int64_t heads, size;
  std::size_t rank;         ///< of the matrices: 3 without an axis for heads, else 4
  bool transposed = false;  ///< [..., size, rows]

  /// Of a tensor of rank 3 or 4.
  HeadMatrices(Shape const& shape, bool transposed);

  Shape shape_of_rows() const { return {batch, rows, {heads * size}}; }

  /// Whether `steps`, reshapes and permutations one after the other, lead from the rows to these
  /// matrices.
  bool follow(std::vector<Instruction const*> const& steps) const;
  /// Whether they lead from these matrices back to the rows.
  bool lead_back(std::vector<Instruction const*> const& steps) const;
};

/// Whether this is an instruction that `HeadMatrices` may be made by.
bool rearranges(Instruction const& instruction);

}  // namespace lbann::compiler
