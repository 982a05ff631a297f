// Operands of AOT kernels, for tests.
#pragma once

#include "kernels/map/aot_kernels.hpp"

namespace lbann::testing {

/// Which operands of AOT kernel `number`, counted from 1, are of one element in its first variant.
inline std::uint16_t first_variant(std::size_t number) {
  std::uint16_t variant = 0;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    ((i + 1 == number ? variant = std::tuple_element_t<i, kernels::aot::List>::variants[0] : 0),
     ...);
  }(std::make_index_sequence<std::tuple_size_v<kernels::aot::List>>{});
  return variant;
}

}  // namespace lbann::testing
