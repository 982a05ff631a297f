// Arrays in a file of NumPy's .npz format.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives of the arrays `data`, `labels` and `responses` in the file: `samples` (16-bit integers
/// times `scaling_factor_int16`), `labels` (class numbers, given one-hot) and `responses`. The
/// first axis of each counts samples.
struct numpy_npz : reader {
  static constexpr std::string_view name = "numpy_npz";
  static constexpr std::string_view summary = "Samples, labels and responses from an .npz file.";

  std::string data_filedir;
  std::string data_filename;
  std::int64_t num_labels = 0;
  bool disable_labels = false;
  bool disable_responses = false;
  double scaling_factor_int16 = 1;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &numpy_npz::data_filedir, "Folder of the file.")),
            path(field("data_filename", &numpy_npz::data_filename,
                       ".npz file with the arrays data, labels, responses, compressed or not.",
                       Presence::required)),
            field("num_labels", &numpy_npz::num_labels,
                  "Number of classes; needed where `labels` are used.", counted_from_zero),
            field("disable_labels", &numpy_npz::disable_labels, "Whether there are no labels."),
            field("disable_responses", &numpy_npz::disable_responses,
                  "Whether there are no responses."),
            field("scaling_factor_int16", &numpy_npz::scaling_factor_int16,
                  "Factor of samples that are 16-bit integers.")});
  }

  std::vector<GivenField> gives() const {
    std::vector<GivenField> fields{{"samples", {}}};
    if (!disable_labels) fields.push_back(given_labels(num_labels));
    if (!disable_responses) fields.push_back({"responses", {}});
    return fields;
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
