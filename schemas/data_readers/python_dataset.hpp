// Samples from a pickled Python object, made in processes of its own.
#pragma once

#include "schemas/data_readers/python_processes.hpp"

namespace lbann::data_readers {

/// Gives those of `samples`, `labels` and `responses` that the object describes. It is one of class
/// `lbann.util.data.Dataset`, or has the same methods: `__len__()`; `get_sample_dims()`, sizes of
/// `sample`, `label` and `response`; `__getitem__(number)`, arrays of these names. One of class
/// `DistConvDataset` gives whole samples: it is told that there is one part.
struct python_dataset : python_processes {
  static constexpr std::string_view name = "python_dataset";
  static constexpr std::string_view summary = "Samples from a pickled Python data set.";

  std::string dataset_path;
  std::string module_dir;
  std::int64_t prefetch_factor = 1;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{path(field("dataset_path", &python_dataset::dataset_path,
                              "The pickled data set.", Presence::required)),
                   path(field("module_dir", &python_dataset::module_dir,
                              "Folder of the module that defines its class; empty: the working "
                              "directory.")),
                   ignored(field("prefetch_factor", &python_dataset::prefetch_factor,
                                 "Samples that each process makes ahead.", counted_from_one),
                           "mini-batches are made ahead of the steps that take them")},
        process_fields());
  }

  std::vector<GivenField> gives() const {
    return {{"samples", {}}, {"labels", {}}, {"responses", {}}};
  }
};

}  // namespace lbann::data_readers
