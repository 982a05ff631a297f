#pragma once

#include "compiler/initializers/initializer.hpp"

namespace lbann::compiler::initializers {

/// Numbers that a run takes from its training data before the first step; no instruction writes
/// them.
struct data_statistics_initializer {
  static constexpr std::string_view name = "data_statistics_initializer";
  static constexpr std::string_view summary =
      "Mean or standard deviation of a data field over the training samples.";
  static constexpr std::string_view formula =
      "w[c] = mean over samples and entries of channel c, or sqrt(mean (x - mean)^2), 1 for 0";
  static constexpr bool needs_fans = false;

  std::string data_field;
  DataStatistic statistic = DataStatistic::mean;

  static constexpr auto fields() {
    return std::tuple{
        field("data_field", &data_statistics_initializer::data_field,
              "Field of the training reader. Weights have an entry for each of its channels (first "
              "axis), or for each entry of a sample.",
              Presence::required),
        field("statistic", &data_statistics_initializer::statistic,
              "`mean`, or `deviation`: the standard deviation, 1 where all numbers are equal.")};
  }

  /// Of which field the run takes them.
  std::string const& statistic_of() const { return data_field; }
};

}  // namespace lbann::compiler::initializers
