// A list of transforms, applied one after the other.
#pragma once

#include <optional>
#include <span>

#include "schemas/transforms/list.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann {

/// The transform in a record; nothing if there is none of this name with these fields.
std::optional<Transform> transform_of(Record const& record);

/// Dims of what a transform makes of samples of `dims`; the problem says what it is not made for.
Result<SampleDims> dims_after(Transform const& transform, SampleDims const& dims);

/// Whether it takes values to be bytes, 0 to 255.
bool takes_bytes(Transform const& transform);

/// Whether what it does to a sample is drawn at random.
bool is_random(Transform const& transform);

/// Applies all of them to one sample in one epoch. Its dims must be those that they are made for.
void apply_transforms(std::span<Transform const> transforms, SampleValues& sample, PhiloxKey key,
                      std::int64_t epoch, std::int64_t index);

}  // namespace lbann
