// What all data readers have in common: role, choice and order of samples, and what they give.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann {

template <>
inline constexpr auto enum_names<DataRole> = data_role_names;

namespace data_readers {

/// A data field a reader gives; `dims` is empty where only the data can tell.
struct GivenField {
  std::string name;
  std::vector<std::int64_t> dims;
};

/// Base of every reader. Order of operations: read, shuffle once if `shuffle`, keep
/// `absolute_sample_count` or `fraction_of_data_to_use`, cut `validation_fraction` off the tail.
struct reader {
  DataRole role = DataRole::train;
  bool shuffle = false;
  double validation_fraction = 0;
  std::int64_t absolute_sample_count = 0;
  double fraction_of_data_to_use = 1;

  static constexpr auto common_fields() {
    return std::tuple{
        field("role", &reader::role, "What the samples are for.", Presence::required),
        field("shuffle", &reader::shuffle, "Whether each epoch has an order of its own."),
        field("validation_fraction", &reader::validation_fraction,
              "Part of the samples of a train reader held back for validation.", zero_to_below_one),
        field("absolute_sample_count", &reader::absolute_sample_count,
              "Number of samples to use; 0 leaves it to `fraction_of_data_to_use`.", at_least_zero),
        field("fraction_of_data_to_use", &reader::fraction_of_data_to_use,
              "Part of the samples to use.", above_zero_to_one)};
  }
};

}  // namespace data_readers
}  // namespace lbann
