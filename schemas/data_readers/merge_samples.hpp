// The samples of several files of one kind, one file after the other.
#pragma once

#include "schemas/data_readers/csv.hpp"
#include "schemas/data_readers/numpy.hpp"

namespace lbann::data_readers {

/// How files that are merged are read: as the reader of that name does.
enum class MergedFormat : std::uint8_t { numpy, csv };

}  // namespace lbann::data_readers

namespace lbann {

template <>
inline constexpr auto enum_names<data_readers::MergedFormat> =
    std::array<std::string_view, 2>{data_readers::numpy::name, data_readers::csv::name};

namespace data_readers {

/// Gives what each of the files gives, which must be of the same dims: `samples`, and `labels`
/// (one-hot) and `responses` where they are not disabled. In .npy files either is the last number
/// of a sample.
struct merge_samples : reader {
  static constexpr std::string_view name = "merge_samples";
  static constexpr std::string_view summary =
      "The samples of several .npy or csv files, one after the other.";

  std::string data_filedir;
  std::string data_file_pattern;
  MergedFormat format = MergedFormat::numpy;
  std::int64_t num_labels = 0;
  bool disable_labels = false;
  bool disable_responses = true;
  std::string separator = ",";
  std::int64_t skip_cols = 0;
  std::int64_t skip_rows = 0;
  bool has_header = true;
  std::int64_t label_col = -1;
  std::int64_t response_col = -1;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &merge_samples::data_filedir, "Folder of the files.")),
            path(field("data_file_pattern", &merge_samples::data_file_pattern,
                       "Names of the files, `*` for any characters and `?` for one; they are read "
                       "in the order of their names.",
                       Presence::required)),
            field("format", &merge_samples::format, "Format of the files.", Presence::required),
            field("num_labels", &merge_samples::num_labels,
                  "Number of classes; needed where `labels` are used.", counted_from_zero),
            field("disable_labels", &merge_samples::disable_labels, "Whether there are no labels."),
            field("disable_responses", &merge_samples::disable_responses,
                  "Whether there are no responses."),
            field("separator", &merge_samples::separator,
                  "Character between two columns of a csv file."),
            field("skip_cols", &merge_samples::skip_cols,
                  "Columns to leave out at the begin of a line of a csv file.", counted_from_zero),
            field("skip_rows", &merge_samples::skip_rows,
                  "Lines to leave out at the begin of a csv file, before the header.",
                  counted_from_zero),
            field("has_header", &merge_samples::has_header,
                  "Whether the first line of a csv file that is not empty names the columns."),
            field("label_col", &merge_samples::label_col,
                  "Column of the label in a csv file; the last if -1.", counted_or_last),
            field("response_col", &merge_samples::response_col,
                  "Column of the response in a csv file; the last if -1.", counted_or_last)});
  }

  /// What reads one of the files.
  csv csv_reader() const {
    csv of_one;
    of_one.separator = separator;
    of_one.skip_cols = skip_cols;
    of_one.skip_rows = skip_rows;
    of_one.has_header = has_header;
    of_one.label_col = label_col;
    of_one.response_col = response_col;
    of_one.num_labels = num_labels;
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
  std::int64_t samples() const { return -1; }
};

}  // namespace data_readers
}  // namespace lbann
