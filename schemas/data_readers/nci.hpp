// Responses of cancer cells to drugs, in the tables of the National Cancer Institute.
#pragma once

#include "schemas/data_readers/csv.hpp"

namespace lbann::data_readers {

/// Gives `samples`, flat (columns from the sixth on), `responses` [1] (the third column) and
/// `labels` [2], one-hot (the fourth: `rs`, responsive, is class 0, `nr` class 1). Columns are
/// separated by blanks; the first line is left out.
struct nci : reader {
  static constexpr std::string_view name = "nci";
  static constexpr std::string_view summary = "Responses of cancer cells to drugs.";

  std::string data_filedir;
  std::string data_filename;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{path(field("data_filedir", &nci::data_filedir, "Folder of the file.")),
                   path(field("data_filename", &nci::data_filename, "Text file, plain or gzip.",
                              Presence::required))});
  }

  /// What reads the file.
  csv csv_reader() const {
    csv table;
    table.data_filedir = data_filedir;
    table.data_filename = data_filename;
    table.separator = " ";
    table.skip_cols = 5;
    table.skip_rows = 1;
    table.has_header = false;
    table.label_col = 3;
    table.classes = {"rs", "nr"};
    table.response_col = 2;
    table.disable_responses = false;
    return table;
  }

  std::vector<GivenField> gives() const { return csv_reader().gives(); }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
