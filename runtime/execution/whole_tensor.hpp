// Tensors of which every rank holds a part, brought together and taken apart.
#pragma once

#include <vector>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// Where a whole tensor is wanted.
enum class Wanted : std::uint8_t { on_root, everywhere };

/// A part of a tensor in memory.
struct TensorPart {
  Box box;                            ///< where it lies in the whole
  std::vector<std::int64_t> extents;  ///< of the whole
  DataType type = DataType::f32;
  std::byte* memory = nullptr;

  std::int64_t bytes_of_whole() const;
  bool is_whole() const;
};

/// This rank's part of a tensor without mini-batch, as `Executor::place` gives it.
TensorPart part_of(Executor const& executor, TensorId tensor);

/// Brings the parts of `tensor` that ranks hold, each `part`, together in `whole`, on the ranks
/// where it is wanted; elsewhere `whole` is left alone. Collective over the ranks of the trainer.
void gather_parts(Executor const& executor, TensorId tensor, TensorPart const& part, Wanted wanted,
                  std::byte* whole);

/// Copies to `part` what `whole` has of it.
void take_part(TensorPart const& part, std::byte const* whole);

/// The values of a tensor without mini-batch on all ranks together; of one that is not split the
/// rank's own. Null data where it is not wanted, and for a tensor without memory.
class WholeTensor {
 public:
  /// Collective for a tensor that is split.
  WholeTensor(Executor const& executor, TensorId tensor, Wanted wanted = Wanted::on_root);

  kernels::View const& view() const { return view_; }
  std::span<std::byte> bytes() const {
    return {view_.as<std::byte>(), view_.data == nullptr ? 0 : view_.bytes()};
  }

 private:
  std::vector<std::byte> memory_;  ///< of a tensor that is split
  kernels::View view_;
};

}  // namespace lbann::runtime
