// What data readers of files that are not built have in common beside what all have.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

struct file_reader : reader {
  std::string data_filedir;
  std::string data_filename;
  std::string label_filename;

  static constexpr auto file_fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &file_reader::data_filedir, "Folder of the files.")),
            path(field("data_filename", &file_reader::data_filename, "File of the samples.")),
            path(field("label_filename", &file_reader::label_filename, "File of the labels."))});
  }

  /// What any of them may give.
  std::vector<GivenField> gives() const {
    return {{"samples", {}}, {"labels", {}}, {"responses", {}}};
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
