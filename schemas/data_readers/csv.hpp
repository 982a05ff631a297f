// Data reader `csv`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct csv : file_reader {
  static constexpr std::string_view name = "csv";
  static constexpr std::string_view summary = "Samples from the lines of a text file.";
  static constexpr Support support = Support::unbuilt;

  std::string separator = ",";
  std::int64_t skip_cols = 0;
  std::int64_t skip_rows = 0;
  bool has_header = true;
  std::int64_t label_col = -1;
  std::int64_t response_col = -1;
  bool disable_labels = false;
  bool disable_responses = true;
  bool enable_labels = false;
  bool enable_responses = false;

  static constexpr auto fields() {
    return std::tuple_cat(
        file_fields(),
        std::tuple{
            field("separator", &csv::separator, "Character between two columns."),
            field("skip_cols", &csv::skip_cols, "Columns to leave out at the begin of a line.",
                  at_least_zero),
            field("skip_rows", &csv::skip_rows, "Lines to leave out at the begin of the file.",
                  at_least_zero),
            field("has_header", &csv::has_header, "Whether the first line names the columns."),
            field("label_col", &csv::label_col, "Column of the label; the last if -1.",
                  Range{.least = -1}),
            field("response_col", &csv::response_col, "Column of the response; the last if -1.",
                  Range{.least = -1}),
            field("disable_labels", &csv::disable_labels, "Whether there are no labels."),
            field("disable_responses", &csv::disable_responses, "Whether there are no responses."),
            field("enable_labels", &csv::enable_labels,
                  "Whether there are labels; `disable_labels` decides."),
            field("enable_responses", &csv::enable_responses,
                  "Whether there are responses; `disable_responses` decides.")});
  }

  std::vector<GivenField> gives() const {
    return {{"samples", {}}, {"labels", {}}, {"responses", {}}};
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
