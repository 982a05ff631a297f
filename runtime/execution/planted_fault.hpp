// A fault that is asked for, to test what follows from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lbann::runtime {

/// Kinds of fault: an instruction of `train` that throws, a mini-batch that cannot be read.
enum class PlantedFault : std::uint8_t { instruction, read };

/// How many times that goes well first on `rank`, if the environment asks for such a fault there:
/// LBANN_PLANT_FAULT=RANK:instruction:TIMES or RANK:read:TIMES. Nothing if it does not.
std::optional<std::int64_t> planted_fault(PlantedFault kind, std::int64_t rank);

}  // namespace lbann::runtime
