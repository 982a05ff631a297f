// Data reader `imagenet`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct imagenet : file_reader {
  static constexpr std::string_view name = "imagenet";
  static constexpr std::string_view summary = "Images from a list of files and labels.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t num_labels = 0;

  static constexpr auto fields() {
    return std::tuple_cat(
        file_fields(), std::tuple{field("num_labels", &imagenet::num_labels, "Number of classes.",
                                        counted_from_zero)});
  }
};

}  // namespace lbann::data_readers
