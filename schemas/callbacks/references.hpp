// Fields of callbacks that name layers, weights, metrics or phases.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lbann::callbacks {

/// The kind of thing that a name refers to.
enum class Referent : std::uint8_t {
  layer,           ///< without a name: all of them
  optional_layer,  ///< without a name: none
  weights,
  trained_weights,  ///< naming weights that are not trained has no effect
  metric,
  measure,  ///< a metric, or `objective_word`; may be left out
  phase
};

/// Names the objective function where a metric could be named.
inline constexpr std::string_view objective_word = "objective";

/// A field whose texts are names of this kind. A callback with some declares `static constexpr
/// Reference references[]`.
struct Reference {
  std::string_view field;
  Referent referent;
};

/// The references of a callback's type.
template <class Callback>
constexpr std::span<Reference const> references_of() {
  if constexpr (requires { Callback::references; })
    return Callback::references;
  else
    return {};
}

/// The references of the runtime callback of this name; none if there is no such callback.
std::span<Reference const> references_of(std::string_view callback);

}  // namespace lbann::callbacks
