// Data reader `hdf5_data_reader`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct hdf5_data_reader : file_reader {
  static constexpr std::string_view name = "hdf5_data_reader";
  static constexpr std::string_view summary = "Samples from HDF5 files, described by two schemas.";
  static constexpr Support support = Support::unimplemented;

  std::string data_schema_filename;
  std::string experiment_schema_filename;

  static constexpr auto fields() {
    return std::tuple_cat(
        file_fields(),
        std::tuple{
            path(field("data_schema_filename", &hdf5_data_reader::data_schema_filename,
                       "YAML file that says what the files hold.")),
            path(field("experiment_schema_filename", &hdf5_data_reader::experiment_schema_filename,
                       "YAML file that says what of it is used."))});
  }
};

}  // namespace lbann::data_readers
