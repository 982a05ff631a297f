// Arrays in NumPy's .npy format; the first axis counts samples.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples` (the remaining axes of the array times `scale`), `labels` (one-hot) where a
/// `label_filename` is given, `responses` where a `response_filename` is. Files are looked up in
/// `data_filedir`. LBANN's way is to keep either in the samples' own file: without `disable_labels`
/// (`disable_responses`) the last number of each sample is its label (response), and `samples` are
/// the numbers before it, flat.
struct numpy : reader {
  static constexpr std::string_view name = "numpy";
  static constexpr std::string_view summary = "Samples from .npy files.";

  std::string data_filedir;
  std::string data_filename;
  std::string label_filename;
  std::string response_filename;
  std::int64_t num_labels = 0;
  double scale = 1;
  bool disable_labels = true;
  bool disable_responses = true;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{path(field("data_filedir", &numpy::data_filedir, "Folder of the files.")),
                   path(field("data_filename", &numpy::data_filename,
                              ".npy file of samples, real or integer.", Presence::required)),
                   path(field("label_filename", &numpy::label_filename,
                              ".npy file of class numbers, one per sample; empty: no labels.")),
                   path(field("response_filename", &numpy::response_filename,
                              ".npy file of responses; empty: no responses.")),
                   field("num_labels", &numpy::num_labels,
                         "Number of classes; needed where `labels` are used.", counted_from_zero),
                   field("scale", &numpy::scale, "Factor of every number of a sample."),
                   field("disable_labels", &numpy::disable_labels,
                         "Whether the last number of a sample is no label."),
                   field("disable_responses", &numpy::disable_responses,
                         "Whether the last number of a sample is no response.")});
  }

  /// Whether the last number of a sample is something of its own.
  bool splits() const { return !disable_labels || !disable_responses; }

  std::optional<FieldConflict> conflict() const {
    if (!disable_labels && !disable_responses)
      return FieldConflict{"disable_responses",
                           "the last number of a sample cannot be both its label and its response; "
                           "disable one of them"};
    if (!disable_labels && !label_filename.empty())
      return FieldConflict{"label_filename",
                           "labels come from this file or, with `disable_labels: false`, from the "
                           "samples"};
    if (!disable_responses && !response_filename.empty())
      return FieldConflict{"response_filename",
                           "responses come from this file or, with `disable_responses: false`, "
                           "from the samples"};
    return std::nullopt;
  }

  std::vector<GivenField> gives() const {
    std::vector<GivenField> fields{{"samples", {}}};
    if (!disable_labels || !label_filename.empty()) fields.push_back(given_labels(num_labels));
    if (!disable_responses) fields.push_back({"responses", {1}});
    if (!response_filename.empty()) fields.push_back({"responses", {}});
    return fields;
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
