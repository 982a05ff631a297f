// What readers of HDF5 files have alike whose samples are groups of datasets.
#pragma once

#include <algorithm>

#include "schemas/data_readers/hdf5_dataset.hpp"
#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives the fields of its datasets: flat where they are packed, or have no channels.
struct hdf5_records : reader {
  std::string data_filedir;
  /// Of each sample; no field of the reader: what the compiler makes of the schemas.
  std::vector<hdf5_dataset> datasets;

  static constexpr auto record_fields() {
    return std::tuple_cat(
        list_fields(),
        std::tuple{path(field("data_filedir", &hdf5_records::data_filedir,
                              "Folder of the files, instead of the one that the list names."))});
  }

  std::vector<GivenField> gives() const {
    std::vector<GivenField> fields;
    for (auto const& dataset : datasets) {
      auto found = std::ranges::find(fields, dataset.data_field, &GivenField::name);
      if (found == fields.end()) {
        std::vector<std::int64_t> dims;
        if (auto const numbers = dataset.numbers(); numbers > 0) {
          if (!dataset.packed && dataset.channels > 0) dims = dataset.dims;
          if (!dims.empty())
            dims.insert(dims.begin(), dataset.channels);
          else
            dims = {numbers};
        }
        fields.push_back({dataset.data_field, std::move(dims)});
      } else if (!found->dims.empty()) {
        // Of packed ones, which are flat.
        if (auto const numbers = dataset.numbers(); numbers > 0)
          found->dims[0] += numbers;
        else
          found->dims.clear();
      }
    }
    if (fields.empty())
      for (auto const* name : {"samples", "labels", "responses"})
        fields.push_back({name, {}, "what the files hold is not known here"});
    return fields;
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
