// Samples that are groups of datasets in HDF5 files, described by two schemas.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "schemas/data_readers/hdf5_records.hpp"

namespace lbann::data_readers {

/// The data schema says what each sample holds, the experiment schema what of it is used, both what
/// becomes of the numbers.
struct hdf5_data_reader : hdf5_records {
  static constexpr std::string_view name = "hdf5_data_reader";
  static constexpr std::string_view summary = "Samples from HDF5 files, described by two schemas.";

  std::string data_schema_filename;
  std::string experiment_schema_filename;

  static constexpr auto fields() {
    return std::tuple_cat(
        record_fields(),
        std::tuple{
            path(field("data_schema_filename", &hdf5_data_reader::data_schema_filename,
                       "YAML file that says what each sample of the files holds.",
                       Presence::required)),
            path(field("experiment_schema_filename", &hdf5_data_reader::experiment_schema_filename,
                       "YAML file that says what of it is used.", Presence::required))});
  }

  /// The field and the path of the data schema, and of the experiment schema.
  std::array<std::pair<std::string_view, std::string>, 2> schema_files() const {
    return {{{"data_schema_filename", data_schema_filename},
             {"experiment_schema_filename", experiment_schema_filename}}};
  }
};

}  // namespace lbann::data_readers
