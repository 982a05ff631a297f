// The samples of several files of one kind, one file after the other.
#pragma once

#include "schemas/data_readers/merged_files.hpp"

namespace lbann::data_readers {

/// Gives what each of the files gives, which must be of the same dims: `samples`, and `labels`
/// (one-hot) and `responses` where they are not disabled. In .npy files either is the last number
/// of a sample.
struct merge_samples : merged_files {
  static constexpr std::string_view name = "merge_samples";
  static constexpr std::string_view summary =
      "The samples of several .npy or csv files, one after the other.";

  bool disable_labels = false;
  bool disable_responses = true;
  std::int64_t label_col = -1;
  std::int64_t response_col = -1;

  static constexpr auto fields() {
    return std::tuple_cat(
        merged_fields(),
        std::tuple{
            field("disable_labels", &merge_samples::disable_labels, "Whether there are no labels."),
            field("disable_responses", &merge_samples::disable_responses,
                  "Whether there are no responses."),
            field("label_col", &merge_samples::label_col,
                  "Column of the label in a csv file; the last if -1.", counted_or_last),
            field("response_col", &merge_samples::response_col,
                  "Column of the response in a csv file; the last if -1.", counted_or_last)});
  }

  /// What reads one of the files.
  csv csv_reader() const {
    auto of_one = csv_of_samples();
    of_one.label_col = label_col;
    of_one.response_col = response_col;
    of_one.disable_labels = disable_labels;
    of_one.disable_responses = disable_responses;
    return of_one;
  }
  numpy numpy_reader() const {
    numpy of_one;
    of_one.num_labels = num_labels;
    of_one.disable_labels = disable_labels;
    of_one.disable_responses = disable_responses;
    return of_one;
  }

  std::optional<FieldConflict> conflict() const {
    return format == MergedFormat::csv ? csv_reader().conflict() : numpy_reader().conflict();
  }
  std::vector<GivenField> gives() const {
    return format == MergedFormat::csv ? csv_reader().gives() : numpy_reader().gives();
  }
};

}  // namespace lbann::data_readers
