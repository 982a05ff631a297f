// How cuDNN computes one product of a convolution: an engine of its own, chosen for a device.
#pragma once

#include <memory>

#include "kernels/vendor/cudnn/descriptor.hpp"
#include "kernels/vendor/cudnn/problem.hpp"

namespace lbann::kernels::cudnn {

/// The engine that cuDNN expects to be the fastest of those that give the same bits each time and
/// need no more than `most_workspace` bytes: in TF32 if the problem allows it, else in f32.
class Plan {
 public:
  static constexpr std::int64_t most_workspace = std::int64_t{256} << 20;

  /// Null if cuDNN has no such engine for the device with these properties (properties.hpp).
  static std::unique_ptr<Plan> make(Problem const& problem, Descriptor const& properties);
  /// For the device in use; the process ends if there is none.
  static std::unique_ptr<Plan> for_device(Problem const& problem);

  /// Bytes, on the device that it was made for.
  std::int64_t workspace_bytes() const;
  std::int64_t engine() const { return engine_; }  ///< its number in this version of cuDNN

  /// Where the tensors and the workspace lie, before the first run; aligned as the problem says.
  void bind(void const* x, void const* kernel, void const* y, void* workspace);
  /// Queues the product on the device's stream.
  void run() const;

 private:
  Plan(Descriptor configuration, Descriptor plan, std::int64_t engine)
      : configuration_(std::move(configuration)), plan_(std::move(plan)), engine_(engine) {}

  Descriptor configuration_;  ///< of the engine; the plan may refer to it
  Descriptor plan_;
  std::int64_t engine_;
  Descriptor pointers_{CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR};
};

}  // namespace lbann::kernels::cudnn
