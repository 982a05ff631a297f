// A layer in a user's shared library, as include/lbann/external_layer.h describes it.
#pragma once

#include <memory>
#include <vector>

#include "include/lbann/external_layer.h"
#include "kernels/kernel.hpp"

namespace lbann::kernels {

/// One layer that a library has set up for a call of `external` or `external_gradient`, and the
/// tensors of that call.
class ExternalLayer {
 public:
  /// Opens the library (a file of that name, else what the loader finds) and has it set up the
  /// layer; the problem says what the library lacks.
  static Result<std::unique_ptr<ExternalLayer>> open(Call const& call);
  /// The kernel of a call that `open` accepts, else null.
  static std::unique_ptr<Kernel> bind(Call const& call);

  ~ExternalLayer();
  ExternalLayer(ExternalLayer const&) = delete;
  ExternalLayer& operator=(ExternalLayer const&) = delete;

  /// Calls the library: `forward`, or `backward` for the gradient.
  void run() const;

 private:
  explicit ExternalLayer(Call const& call);

  std::vector<View> views_;  ///< what the tensors' extents point into
  std::vector<lbann_tensor> inputs_, outputs_, output_gradients_, input_gradients_;
  std::shared_ptr<void> library_;
  lbann_external_layer layer_{};
};

/// Why no kernel executes a call of an external layer: its library is missing, or says why it
/// refuses. Empty for every other operator.
std::string refusal_of(Call const& call);

}  // namespace lbann::kernels
