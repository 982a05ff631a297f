// Data reader `numpy_npz`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct numpy_npz : file_reader {
  static constexpr std::string_view name = "numpy_npz";
  static constexpr std::string_view summary = "Samples, labels and responses from an .npz file.";
  static constexpr Support support = Support::unbuilt;

  std::int64_t num_labels = 0;
  bool disable_labels = false;
  bool disable_responses = false;
  double scaling_factor_int16 = 1;

  static constexpr auto fields() {
    return std::tuple_cat(
        file_fields(),
        std::tuple{
            field("num_labels", &numpy_npz::num_labels, "Number of classes.", at_least_zero),
            field("disable_labels", &numpy_npz::disable_labels, "Whether there are no labels."),
            field("disable_responses", &numpy_npz::disable_responses,
                  "Whether there are no responses."),
            field("scaling_factor_int16", &numpy_npz::scaling_factor_int16,
                  "Factor of 16-bit integers.")});
  }

  std::vector<GivenField> gives() const {
    return {{"samples", {}}, {"labels", {}}, {"responses", {}}};
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
