// What the readers that join several files have in common.
#pragma once

#include "schemas/data_readers/csv.hpp"
#include "schemas/data_readers/numpy.hpp"

namespace lbann::data_readers {

/// How files that are joined are read: as the reader of that name does.
enum class MergedFormat : std::uint8_t { numpy, csv };

}  // namespace lbann::data_readers

namespace lbann {

template <>
inline constexpr auto enum_names<data_readers::MergedFormat> =
    std::array<std::string_view, 2>{data_readers::numpy::name, data_readers::csv::name};

namespace data_readers {

struct merged_files : reader {
  std::string data_filedir;
  std::string data_file_pattern;
  MergedFormat format = MergedFormat::numpy;
  std::int64_t num_labels = 0;
  std::string separator = ",";
  std::int64_t skip_cols = 0;
  std::int64_t skip_rows = 0;
  bool has_header = true;

  static constexpr auto merged_fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &merged_files::data_filedir, "Folder of the files.")),
            path(field("data_file_pattern", &merged_files::data_file_pattern,
                       "Names of the files, `*` for any characters and `?` for one; they are read "
                       "in the order of their names.",
                       Presence::required)),
            field("format", &merged_files::format, "Format of the files.", Presence::required),
            field("num_labels", &merged_files::num_labels,
                  "Number of classes; needed where `labels` are used.", counted_from_zero),
            field("separator", &merged_files::separator,
                  "Character between two columns of a csv file."),
            field("skip_cols", &merged_files::skip_cols,
                  "Columns to leave out at the begin of a line of a csv file.", counted_from_zero),
            field("skip_rows", &merged_files::skip_rows,
                  "Lines to leave out at the begin of a csv file, before the header.",
                  counted_from_zero),
            field("has_header", &merged_files::has_header,
                  "Whether the first line of a csv file that is not empty names the columns.")});
  }

  /// What reads one of the files, with samples alone.
  csv csv_of_samples() const {
    csv of_one;
    of_one.separator = separator;
    of_one.skip_cols = skip_cols;
    of_one.skip_rows = skip_rows;
    of_one.has_header = has_header;
    of_one.num_labels = num_labels;
    of_one.disable_labels = true;
    return of_one;
  }

  std::int64_t samples() const { return -1; }
};

}  // namespace data_readers
}  // namespace lbann
