// Values of samples in few bytes, from which the same bits come back.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "schemas/transforms/sample_values.hpp"

namespace lbann {

/// Appends dims and values to `bytes`: values as u8 or f32 where that changes none, else as f64.
void pack_values(SampleValues const& sample, std::vector<std::byte>& bytes);

/// What `pack_values` has appended as number `position` of the samples in `bytes`.
void unpack_values(std::span<std::byte const> bytes, std::size_t position, SampleValues& sample);

}  // namespace lbann
