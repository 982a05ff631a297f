// Random numbers in the place of data, for timing and tests.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples` and `responses` of standard normal numbers, `labels` (one-hot, uniformly drawn),
/// and every other field in `data_fields` (standard normal) with the dims that `fields` declares.
/// Labels and responses of dims that are not given are as a loss of the model takes them.
struct synthetic : reader {
  static constexpr std::string_view name = "synthetic";
  static constexpr std::string_view summary = "Normally distributed samples, random labels.";

  std::int64_t num_samples = 0;
  std::vector<std::int64_t> synth_dimensions;
  std::int64_t num_labels = 0;
  std::vector<std::int64_t> synth_response_dimensions;
  std::vector<std::string> data_fields;
  std::int64_t seed = 0;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            field("num_samples", &synthetic::num_samples, "Number of samples.", counted_from_one,
                  Presence::required),
            field("synth_dimensions", &synthetic::synth_dimensions,
                  "Sizes of one sample, channels first.", at_least_one, Presence::required),
            field("num_labels", &synthetic::num_labels,
                  "Number of classes of `labels`; 0: as a loss takes them.", counted_from_zero),
            field("synth_response_dimensions", &synthetic::synth_response_dimensions,
                  "Sizes of one sample of `responses`; empty: as a loss takes them.", at_least_one),
            field("data_fields", &synthetic::data_fields,
                  "Names of further fields, whose dims stand in `fields`."),
            field("seed", &synthetic::seed, "Start of the random numbers.", at_least_zero)});
  }

  std::vector<GivenField> gives() const {
    std::vector<GivenField> fields{
        {"samples", synth_dimensions}, {"labels", {}}, {"responses", synth_response_dimensions}};
    if (num_labels > 0) fields[1].dims = {num_labels};
    for (auto const& other : data_fields) fields.push_back({other, {}});
    return fields;
  }
  std::int64_t samples() const { return num_samples; }
};

}  // namespace lbann::data_readers
