// The machine that seconds are told for.
#pragma once

#include <string_view>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// What one rank has of it.
struct Machine {
  double flops = 1e11;    ///< floating-point operations per second
  double memory = 1e10;   ///< bytes per second from and to memory
  double network = 1e10;  ///< bytes per second that it sends
  double latency = 2e-6;  ///< seconds until a message arrives, beside its bytes
};

/// `flops=4e10,memory=2e10,network=1.2e10,latency=2e-6`, of which any may be left out. The problem
/// names what is none of them or no positive number.
Result<Machine> parse_machine(std::string_view text);

}  // namespace lbann
