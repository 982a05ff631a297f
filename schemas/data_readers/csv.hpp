// Numbers in the lines of a text file.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// One sample per line; empty lines are left out. Columns are counted from 0, those that
/// `skip_cols` leaves out included. Gives `labels` [num_labels], one-hot, and `responses` [1] where
/// they are not disabled, and the other columns as `samples`, flat.
struct csv : reader {
  static constexpr std::string_view name = "csv";
  static constexpr std::string_view summary = "Samples from the lines of a text file.";

  std::string data_filedir;
  std::string data_filename;
  std::string separator = ",";
  std::int64_t skip_cols = 0;
  std::int64_t skip_rows = 0;
  bool has_header = true;
  std::int64_t label_col = -1;
  std::int64_t response_col = -1;
  std::int64_t num_labels = 0;
  bool disable_labels = false;
  bool disable_responses = true;
  bool enable_labels = false;
  bool enable_responses = false;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &csv::data_filedir, "Folder of the file.")),
            path(field("data_filename", &csv::data_filename, "Text file, plain or gzip.",
                       Presence::required)),
            field("separator", &csv::separator, "Character between two columns."),
            field("skip_cols", &csv::skip_cols, "Columns to leave out at the begin of a line.",
                  counted_from_zero),
            field("skip_rows", &csv::skip_rows,
                  "Lines to leave out at the begin of the file, before the header.",
                  counted_from_zero),
            field("has_header", &csv::has_header,
                  "Whether the first line that is not empty names the columns."),
            field("label_col", &csv::label_col, "Column of the label; the last if -1.",
                  counted_or_last),
            field("response_col", &csv::response_col, "Column of the response; the last if -1.",
                  counted_or_last),
            field("num_labels", &csv::num_labels,
                  "Number of classes; needed where `labels` are used.", counted_from_zero),
            field("disable_labels", &csv::disable_labels, "Whether there are no labels."),
            field("disable_responses", &csv::disable_responses, "Whether there are no responses."),
            ignored(field("enable_labels", &csv::enable_labels, "Whether there are labels."),
                    "`disable_labels` decides"),
            ignored(
                field("enable_responses", &csv::enable_responses, "Whether there are responses."),
                "`disable_responses` decides")});
  }

  std::optional<FieldConflict> conflict() const {
    if (separator.size() != 1 || separator == "\n" || separator == "\"" || separator == "." ||
        separator == "-" || separator == "+" || (separator[0] >= '0' && separator[0] <= '9'))
      return FieldConflict{"separator", "a separator is one character that no number holds"};
    if (!disable_labels && !disable_responses && label_col == response_col)
      return FieldConflict{"response_col",
                           "label and response stand in the same column; name another one, or "
                           "disable one of them"};
    return std::nullopt;
  }

  std::vector<GivenField> gives() const {
    std::vector<GivenField> fields{{"samples", {}}};
    if (!disable_labels) fields.push_back(given_labels(num_labels));
    if (!disable_responses) fields.push_back({"responses", {1}});
    return fields;
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
