// Data reader `merge_features`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct merge_features : file_reader {
  static constexpr std::string_view name = "merge_features";
  static constexpr std::string_view summary = "Samples joined from several files.";
  static constexpr Support support = Support::unimplemented;

  std::string data_file_pattern;
  std::string format;

  static constexpr auto fields() {
    return std::tuple_cat(
        file_fields(),
        std::tuple{path(field("data_file_pattern", &merge_features::data_file_pattern,
                              "Pattern of the file names.")),
                   field("format", &merge_features::format, "Format of the files: numpy or csv.")});
  }
};

}  // namespace lbann::data_readers
