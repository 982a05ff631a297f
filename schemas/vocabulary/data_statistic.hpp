// Statistics of a data field over the training samples.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "schemas/vocabulary/field.hpp"

namespace lbann {

/// Over all samples: the mean m of x, or its standard deviation, the square root of the mean of
/// (x - m)^2, or 1 where that is 0, so that it can be divided by.
enum class DataStatistic : std::uint8_t { mean, deviation };

template <>
inline constexpr auto enum_names<DataStatistic> =
    std::array<std::string_view, 2>{"mean", "deviation"};

}  // namespace lbann
