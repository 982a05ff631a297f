// Fields of callbacks whose texts are names of things in the model or in a run.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lbann::callbacks {

/// What a name is of.
enum class Referent : std::uint8_t {
  layer,
  weights,
  trained_weights,  ///< naming weights that are not trained has no effect
  metric,
  phase
};

/// A field of texts, each the name of such a thing. A callback with some declares
/// `static constexpr Reference references[]`.
struct Reference {
  std::string_view field;
  Referent referent;
};

/// Those of a callback's type.
template <class Callback>
constexpr std::span<Reference const> references_of() {
  if constexpr (requires { Callback::references; })
    return Callback::references;
  else
    return {};
}

/// Those of the callback of this name that the runtime acts on; none if there is no such callback.
std::span<Reference const> references_of(std::string_view callback);

}  // namespace lbann::callbacks
