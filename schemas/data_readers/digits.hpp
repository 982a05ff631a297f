// Handwritten-looking digits drawn from a seed: data that needs no file.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples` [1, size, size] in 0..1 and `labels` [10], one-hot. A digit is a function of
/// (seed, role, number), so readers of different roles never share one.
struct digits : reader {
  static constexpr std::string_view name = "digits";
  static constexpr std::string_view summary = "Varied digits 0 to 9, drawn procedurally.";

  std::int64_t num_samples = 10000;
  std::int64_t seed = 0;
  std::int64_t size = 28;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            field("num_samples", &digits::num_samples, "Number of digits.", counted_from_one),
            field("seed", &digits::seed, "Start of the drawing.", at_least_zero),
            field("size", &digits::size, "Height and width of an image in pixels.",
                  Range{.least = 8, .most = 1024})});
  }

  std::vector<GivenField> gives() const { return {{"samples", {1, size, size}}, {"labels", {10}}}; }
  std::int64_t samples() const { return num_samples; }
};

}  // namespace lbann::data_readers
