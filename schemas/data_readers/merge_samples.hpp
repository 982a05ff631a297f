// Data reader `merge_samples`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct merge_samples : file_reader {
  static constexpr std::string_view name = "merge_samples";
  static constexpr std::string_view summary = "The samples of several files, one after the other.";
  static constexpr Support support = Support::unbuilt;

  std::string data_file_pattern;
  std::string format;

  static constexpr auto fields() {
    return std::tuple_cat(
        file_fields(),
        std::tuple{field("data_file_pattern", &merge_samples::data_file_pattern,
                         "Pattern of the file names."),
                   field("format", &merge_samples::format, "Format of the files: numpy or csv.")});
  }

  std::vector<GivenField> gives() const {
    return {{"samples", {}}, {"labels", {}}, {"responses", {}}};
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
