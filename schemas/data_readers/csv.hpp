// Numbers in the lines of a text file.
#pragma once

#include "schemas/data_readers/reader.hpp"
#include "schemas/vocabulary/named_texts.hpp"

namespace lbann::data_readers {

/// One sample per line; empty lines are left out. Cells may be quoted (RFC 4180). With `columns`
/// gives each field that is named there: a number per column, `labels` [num_labels] one-hot.
/// Otherwise `labels` and `responses` [1] where they are not disabled, and the other columns as
/// `samples`, flat; columns are counted from 0, those that `skip_cols` leaves out included.
struct csv : reader {
  static constexpr std::string_view name = "csv";
  static constexpr std::string_view summary = "Samples from the lines of a text file.";

  std::string data_filedir;
  std::string data_filename;
  std::vector<std::string> columns;
  std::string separator = ",";
  std::int64_t skip_cols = 0;
  std::int64_t skip_rows = 0;
  bool has_header = true;
  std::int64_t label_col = -1;
  std::int64_t response_col = -1;
  std::int64_t num_labels = 0;
  std::vector<std::string> classes;
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
            pairs(field("columns", &csv::columns,
                        "Columns of each data field by the names in the header: `{samples: "
                        "[length, width], labels: kind}`. Left out: by their place."),
                  "="),
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
            field("classes", &csv::classes,
                  "Classes as the column of the label names them, in the order of their numbers; "
                  "left out: it holds numbers."),
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
    if (!classes.empty() && num_labels > 0 && num_labels != std::ssize(classes))
      return FieldConflict{"num_labels", "`classes` names " + std::to_string(classes.size())};
    if (!disable_labels && !disable_responses && label_col == response_col)
      return FieldConflict{"response_col",
                           "label and response stand in the same column; name another one, or "
                           "disable one of them"};
    return columns.empty() ? std::nullopt : columns_conflict();
  }

  std::optional<FieldConflict> columns_conflict() const {
    if (!has_header) return FieldConflict{"has_header", "`columns` are named by a header"};
    for (auto const& [field, by_place] : {std::pair{"label_col", label_col >= 0},
                                          {"response_col", response_col >= 0},
                                          {"skip_cols", skip_cols > 0},
                                          {"disable_labels", disable_labels},
                                          {"disable_responses", !disable_responses}})
      if (by_place)
        return FieldConflict{field, "`columns` says which columns are used, and as what"};
    auto const fields_of_columns = NamedTexts::of_list(columns);
    if (!fields_of_columns)
      return FieldConflict{"columns", "each is a data field and a column: `samples=length`"};
    auto const* labels = fields_of_columns->find("labels");
    if (labels != nullptr && labels->size() != 1)
      return FieldConflict{"columns", "`labels` is one column of class numbers"};
    return std::nullopt;
  }

  /// The columns of each field.
  NamedTexts by_field() const { return NamedTexts::of_list(columns).value_or(NamedTexts{}); }
  std::int64_t num_classes() const { return classes.empty() ? num_labels : std::ssize(classes); }
  std::vector<GivenField> gives() const {
    std::vector<GivenField> named;
    for (auto const& [name, names] : by_field().entries)
      named.push_back(name == "labels" ? given_labels(num_classes())
                                       : GivenField{name, {std::ssize(names)}});
    if (!named.empty()) return named;
    std::vector<GivenField> fields{{"samples", {}}};
    if (!disable_labels) fields.push_back(given_labels(num_classes()));
    if (!disable_responses) fields.push_back({"responses", {1}});
    return fields;
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
