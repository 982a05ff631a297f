// Values of steps that a callback declares to read.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lbann::callbacks {

/// What a callback reads after steps. A declaration that reads something has a member
/// `ObservedValues observes() const`; the compiler derives from it the entry points
/// `<entry>.observed` and those of gradient checks. Phases are named as in `execution_modes`; none
/// means all.
struct ObservedValues {
  /// All outputs of these layers; of all layers if none is named.
  struct Outputs {
    std::vector<std::string> layers;
    std::vector<std::string> execution_modes;
  };

  std::vector<Outputs> outputs = {};
  bool gradients = false;      ///< of all trained weights, in training
  bool error_signals = false;  ///< of all outputs that the objective depends on, in training
  /// The phases in which gradients are compared with finite differences of the objective.
  std::optional<std::vector<std::string>> gradient_checks = {};
};

/// The values read by a callback of any declared type; none by default.
template <class Callback>
ObservedValues observed_by(Callback const& callback) {
  if constexpr (requires { callback.observes(); })
    return callback.observes();
  else
    return {};
}

}  // namespace lbann::callbacks
