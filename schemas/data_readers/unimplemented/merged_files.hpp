// What `merge_features` and `merge_samples` have alike.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct merged_files : file_reader {
  std::string data_file_pattern;
  std::string format;

  static constexpr auto fields() {
    return std::tuple_cat(
        file_fields(),
        std::tuple{path(field("data_file_pattern", &merged_files::data_file_pattern,
                              "Pattern of the file names.")),
                   field("format", &merged_files::format, "Format of the files: numpy or csv.")});
  }
};

}  // namespace lbann::data_readers
