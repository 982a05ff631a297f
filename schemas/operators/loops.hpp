// The loops of an operator: along which dimensions its work can be split over ranks, and what the
// parts of a split loop compute.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "schemas/operators/operator.hpp"

namespace lbann {

/// What ranks compute where the range of a loop is split over them.
enum class LoopKind : std::uint8_t {
  /// Results that have a dimension of this loop: their part of it. All others: the same value.
  parallel,
  /// Results that have a dimension of this loop: their part of it. All others: a partial sum, for
  /// the loop is contracted. Of an operator with an epilogue this is said of what goes into it.
  summed,
  /// As `summed`, but partial results are merged by another formula than a sum: see `moments`.
  merged,
  /// Nothing of use: a loop of this kind must not be split.
  whole,
};

/// One loop of an operator's nest: its kind and its number of iterations.
struct Loop {
  LoopKind kind = LoopKind::whole;
  Extent extent;
};

/// What one dimension of an operand or result has to do with a loop.
struct LoopDimension {
  std::size_t loop = 0;      ///< index in `Loops::loops`, the label of the dimension
  std::int64_t granule = 1;  ///< neighbouring entries of the dimension per iteration of the loop
  /// The dimension is read through a sliding window: a part of the loop also needs entries at its
  /// borders that belong to other parts (a halo), and the extent is not a multiple of the loop's.
  bool window = false;
};

/// All loops of one instruction, and the loop of each dimension of its inputs and outputs.
struct Loops {
  std::vector<Loop> loops;

  /// One entry per dimension of the tensor.
  std::span<LoopDimension const> input(std::size_t index) const { return of_tensor(index); }
  std::span<LoopDimension const> output(std::size_t index) const {
    return of_tensor(input_count + index);
  }

  std::vector<LoopDimension> dimensions;  ///< of all inputs, then of all outputs
  std::vector<std::size_t> begins;        ///< per tensor: its first entry of `dimensions`; the end
  std::size_t input_count = 0;

 private:
  std::span<LoopDimension const> of_tensor(std::size_t index) const {
    return std::span(dimensions).subspan(begins[index], begins[index + 1] - begins[index]);
  }
};

namespace operators::rules {

/// Dimension `dimension` of tensor `tensor` among the inputs or outputs of an instruction.
struct TensorDimension {
  bool output = false;
  std::size_t tensor = 0;
  std::size_t dimension = 0;
  bool window = false;  ///< see LoopDimension
};

constexpr TensorDimension input(std::size_t tensor, std::size_t dimension) {
  return {false, tensor, dimension, false};
}
constexpr TensorDimension output(std::size_t tensor, std::size_t dimension) {
  return {true, tensor, dimension, false};
}
constexpr TensorDimension windowed(TensorDimension dimension) {
  dimension.window = true;
  return dimension;
}

/// Puts the loops of an operator together. A dimension that nothing is said of gets a loop of kind
/// `whole` to itself: what is forgotten is not split.
class LoopsBuilder {
 public:
  /// For an instruction of this signature, whose types the operator's `infer` has accepted.
  explicit LoopsBuilder(Signature const& signature);

  /// A loop of `extent` iterations; each is `dimension / extent` neighbouring entries of every one
  /// of `dimensions`. Gives its index.
  std::size_t add(LoopKind kind, Extent extent, std::initializer_list<TensorDimension> dimensions);
  /// A loop over `dimensions`, with as many iterations as the first of them has entries.
  std::size_t add(LoopKind kind, std::initializer_list<TensorDimension> dimensions);

  /// Says that a dimension belongs to a loop that is there.
  void set(TensorDimension const& of, std::size_t loop);
  /// For each dimension from `first` up to but not including `last` a loop that all these inputs
  /// and outputs have there.
  void add(LoopKind kind, std::size_t first, std::size_t last,
           std::initializer_list<std::size_t> inputs, std::initializer_list<std::size_t> outputs);

  /// For loops from 0 on that run over the dimensions of `space`: inputs from `first` on broadcast
  /// to `space` (aligned at the last dimension, extents of 1 stretch and stay `whole`).
  void broadcast(std::size_t first, Shape const& space);
  /// The same for all outputs, which have the shape `space`.
  void fill(Shape const& space);
  /// Sets `loop` for a dimension of the first output in what an epilogue adds to it: inputs from
  /// `first` on, broadcast to that output, and all other outputs.
  void set_in_epilogue(std::size_t first, std::size_t dimension, std::size_t loop);

  Loops finish() &&;

 private:
  TensorType const& type(bool output, std::size_t tensor) const;

  Signature signature_;
  Loops loops_;
  std::vector<bool> known_;  ///< per dimension: whether it has a loop
};

/// For an operator that works sample by sample: one loop over the batch, all else whole.
Loops loops_of_samples(Signature const& signature);

}  // namespace operators::rules

}  // namespace lbann
