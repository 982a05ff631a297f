// Random numbers of callbacks: functions of seed, name and step, the same on all ranks.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "runtime/observation/observer.hpp"
#include "schemas/vocabulary/philox.hpp"

namespace lbann::runtime {

/// Numbers for what `callback` makes of the thing called `name`; others for other trainers.
class RandomChange {
 public:
  RandomChange(RunView const& run, std::string_view callback, std::string_view name)
      : key_(random_key(run.plan.random_seed + run.trainer,
                        random_name(callback) ^ random_name(name))) {}

  struct Numbers {
    double normal;   ///< standard normal
    double uniform;  ///< in [0, 1)
  };

  /// Those of an entry in a step.
  Numbers at(std::int64_t step, std::int64_t entry = 0) const {
    auto const words = philox(random_counter(step, 0, entry), key_);
    // Box and Muller, 1958.
    auto const normal = std::sqrt(-2 * std::log(1 - unit_double(words[0]))) *
                        std::cos(2 * std::numbers::pi * unit_double(words[1]));
    return {normal, unit_double(words[2])};
  }

 private:
  PhiloxKey key_;
};

}  // namespace lbann::runtime
