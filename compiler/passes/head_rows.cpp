// Following heads through reshapes and permutations.
#include "compiler/passes/head_rows.hpp"

#include <algorithm>

namespace lbann::compiler {

namespace {

/// What the axes of a tensor are made of: on each the extents, from the outermost on, that
/// neighbouring entries of it count through. Extents of 1 are left out.
class Arrangement {
 public:
  Arrangement(HeadMatrices const& of)
      : extents_{of.batch, of.rows, {of.heads, false}, {of.size, false}} {}

  void append(std::vector<std::size_t> const& axis) {
    auto& added = axes_.emplace_back();
    for (auto const part : axis)
      if (extents_[part] != Extent{1, false}) added.push_back(part);
  }

  /// Whether the axes can be followed through this instruction.
  bool take(Instruction const& step) {
    if (auto const* op = std::get_if<operators::permute>(&step.op)) {
      std::vector<std::vector<std::size_t>> permuted;
      for (auto const axis : op->axes) permuted.push_back(axes_[static_cast<std::size_t>(axis)]);
      axes_ = std::move(permuted);
      return true;
    }
    auto const* op = std::get_if<operators::reshape>(&step.op);
    return op != nullptr && reshape(op->shape);
  }

  friend bool operator==(Arrangement const& a, Arrangement const& b) { return a.axes_ == b.axes_; }

 private:
  bool reshape(Shape const& shape) {
    std::vector<std::size_t> parts;
    for (auto const& axis : axes_) parts.insert(parts.end(), axis.begin(), axis.end());
    axes_.assign(shape.rank(), {});
    auto part = parts.begin();
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      Extent filled{1, false};
      while (filled != shape.extents[axis]) {
        if (part == parts.end()) return false;
        auto const& extent = extents_[*part];
        filled = {filled.size * extent.size, filled.batch || extent.batch};
        if (filled.size > shape.extents[axis].size) return false;
        axes_[axis].push_back(*part++);
      }
    }
    return part == parts.end();
  }

  std::vector<Extent> extents_;  ///< of parts: the batch, rows, heads, a row of a head
  std::vector<std::vector<std::size_t>> axes_;
};

constexpr std::size_t batch = 0, rows = 1, heads = 2, size = 3;

Arrangement as_rows(HeadMatrices const& matrices) {
  Arrangement result(matrices);
  result.append({batch});
  result.append({rows});
  result.append({heads, size});
  return result;
}

Arrangement as_matrices(HeadMatrices const& matrices, std::size_t rank) {
  Arrangement result(matrices);
  result.append({batch});
  if (rank == 4) result.append({heads});
  result.append({matrices.transposed ? size : rows});
  result.append({matrices.transposed ? rows : size});
  return result;
}

bool leads(Arrangement from, std::vector<Instruction const*> const& steps, Arrangement const& to) {
  return std::ranges::all_of(steps, [&](auto const* step) { return from.take(*step); }) &&
         from == to;
}

}  // namespace

HeadMatrices::HeadMatrices(Shape const& shape, bool transposed_)
    : batch(shape.extents[0]),
      rows(shape.extents[shape.rank() - (transposed_ ? 1 : 2)]),
      heads(shape.rank() == 4 ? shape.extents[1].size : 1),
      size(shape.extents[shape.rank() - (transposed_ ? 2 : 1)].size),
      rank(shape.rank()),
      transposed(transposed_) {}

bool HeadMatrices::follow(std::vector<Instruction const*> const& steps) const {
  return leads(as_rows(*this), steps, as_matrices(*this, rank));
}

bool HeadMatrices::lead_back(std::vector<Instruction const*> const& steps) const {
  return leads(as_matrices(*this, rank), steps, as_rows(*this));
}

bool rearranges(Instruction const& instruction) {
  return std::holds_alternative<operators::permute>(instruction.op) ||
         std::holds_alternative<operators::reshape>(instruction.op);
}

}  // namespace lbann::compiler
