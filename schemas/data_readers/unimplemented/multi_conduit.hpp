// Data reader `multi_conduit`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct multi_conduit : file_reader {
  static constexpr std::string_view name = "multi_conduit";
  static constexpr std::string_view summary = "Samples of several Conduit files.";
  static constexpr Support support = Support::unimplemented;

  std::string data_file_pattern;
  std::int64_t num_image_srcs = 1;

  static constexpr auto fields() {
    return std::tuple_cat(
        file_fields(), std::tuple{path(field("data_file_pattern", &multi_conduit::data_file_pattern,
                                             "Pattern of the file names.")),
                                  field("num_image_srcs", &multi_conduit::num_image_srcs,
                                        "Images of a sample.", at_least_one)});
  }
};

}  // namespace lbann::data_readers
