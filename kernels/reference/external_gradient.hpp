// The kernel of external_gradient: a call of the user's library.
#pragma once

#include "kernels/external_layer.hpp"

namespace lbann::kernels::reference {

template <class Number>
Implementation external_gradient_kernel() {
  return {"reference", [](Call const& call) { return ExternalLayer::open(call).good(); },
          [](Call const& call) { return ExternalLayer::bind(call); }};
}

}  // namespace lbann::kernels::reference
