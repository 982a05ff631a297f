// The images that callbacks show: of the first samples of a pass.
#pragma once

#include <string>
#include <vector>

#include "runtime/callbacks/callback.hpp"
#include "runtime/observation/encode_image.hpp"

namespace lbann::runtime {

/// Outputs of layers of the first mini-batch of each validation (of each epoch of training where
/// there is none, or it is not shown) and of the test.
class FirstImages {
 public:
  struct Picture {
    std::string layer;
    Pixels pixels;
  };

  /// At most `count` samples; `execution_modes` as in an experiment.
  FirstImages(CallbackContext const& run, std::vector<std::string> const& layers,
              std::vector<std::string> execution_modes, std::int64_t count);

  /// Whether this step is the first one of its pass.
  bool reads(Iteration const& iteration) const;
  /// A picture for each layer, all samples in the same greys; nothing on other ranks than the
  /// trainer root. Collective, after a step that it reads.
  std::vector<Picture> take(Iteration const& iteration);

  /// See `Callback::state`.
  std::string state() const;
  void restore(std::span<std::string const> states);

 private:
  bool acts_in(ExecutionMode mode) const;

  CallbackContext const& run_;
  std::vector<std::string> execution_modes_;
  std::int64_t count_;
  std::array<std::vector<Observation const*>, run_modes> observations_;  ///< by ExecutionMode
  std::int64_t shown_epoch_ = -1;                                        ///< of training
};

}  // namespace lbann::runtime
