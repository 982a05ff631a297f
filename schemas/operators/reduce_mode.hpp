// What reductions take.
#pragma once

#include <cstdint>

namespace lbann::operators {

enum class ReduceMode : std::uint8_t { sum, max, min, product };

}  // namespace lbann::operators
