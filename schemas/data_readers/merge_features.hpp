// Samples whose numbers lie in several files.
#pragma once

#include "schemas/data_readers/merged_files.hpp"

namespace lbann::data_readers {

/// Gives `samples`, flat: the numbers of each file one behind the other; and `labels` (one-hot) of
/// `label_filename`, in whose first column they are. All files have the same number of samples.
/// Without `disable_labels` the last number of a sample in each file is no feature, as LBANN takes
/// it.
struct merge_features : merged_files {
  static constexpr std::string_view name = "merge_features";
  static constexpr std::string_view summary =
      "Samples whose numbers lie in several .npy or csv files.";

  std::string label_filename;
  bool disable_labels = true;

  static constexpr auto fields() {
    return std::tuple_cat(
        merged_fields(),
        std::tuple{path(field("label_filename", &merge_features::label_filename,
                              "File of class numbers, of the same format; empty: no labels.")),
                   field("disable_labels", &merge_features::disable_labels,
                         "Whether the last number of a sample in each file is no label.")});
  }

  /// What reads one of the files.
  csv csv_reader() const {
    auto of_one = csv_of_samples();
    of_one.disable_labels = disable_labels;
    return of_one;
  }
  numpy numpy_reader() const {
    numpy of_one;
    of_one.num_labels = num_labels;
    of_one.disable_labels = disable_labels;
    return of_one;
  }
  /// What reads the file of labels.
  csv csv_of_labels() const {
    auto of_labels = csv_of_samples();
    of_labels.skip_cols = 0;
    of_labels.label_col = 0;
    of_labels.disable_labels = false;
    return of_labels;
  }

  std::optional<FieldConflict> conflict() const {
    return format == MergedFormat::csv ? csv_reader().conflict() : std::nullopt;
  }
  std::vector<GivenField> gives() const {
    std::vector<GivenField> fields{{"samples", {}}};
    if (!label_filename.empty()) fields.push_back(given_labels(num_labels));
    return fields;
  }
};

}  // namespace lbann::data_readers
