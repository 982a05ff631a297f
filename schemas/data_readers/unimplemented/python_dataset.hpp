// Data reader `python_dataset`, declared but not built.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

struct python_dataset : reader {
  static constexpr std::string_view name = "python_dataset";
  static constexpr std::string_view summary = "Samples from a pickled Python data set.";
  static constexpr Support support = Support::unimplemented;

  std::string dataset_path;
  std::string module_dir;
  std::int64_t prefetch_factor = 1;

  static constexpr auto fields() {
    return std::tuple_cat(common_fields(),
                          std::tuple{path(field("dataset_path", &python_dataset::dataset_path,
                                                "The pickled data set.", Presence::required)),
                                     path(field("module_dir", &python_dataset::module_dir,
                                                "Folder of the module that defines it.")),
                                     field("prefetch_factor", &python_dataset::prefetch_factor,
                                           "Mini-batches each worker reads ahead.", at_least_one)});
  }

  std::vector<GivenField> gives() const {
    return {{"samples", {}}, {"labels", {}}, {"responses", {}}};
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
