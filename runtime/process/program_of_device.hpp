// Programs built for different devices lie side by side: lbann-run and lbann-run-cuda.
#pragma once

#include <cstdint>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// What kernels are to run on; `automatic`: a GPU where there is one.
enum class DeviceChoice : std::uint8_t { automatic, cpu, cuda };

/// Goes on as the program that was built for the device that `wanted` names, where that is another
/// than this one: `automatic` takes the one for CUDA if it lies beside this one and the machine has
/// NVIDIA's driver. The problem says why there is none. Called before anything is opened.
Result<Success> become_program_of(DeviceChoice wanted, char** arguments);

}  // namespace lbann::runtime
