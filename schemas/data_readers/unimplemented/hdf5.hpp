// Data reader `hdf5`, declared but not built.
#pragma once

#include "schemas/data_readers/unimplemented/hdf5_volumes.hpp"

namespace lbann::data_readers {

struct hdf5 : hdf5_volumes {
  static constexpr std::string_view name = "hdf5";
  static constexpr std::string_view summary = "Volumes from HDF5 files, read in parallel.";
  static constexpr Support support = Support::unimplemented;
};

}  // namespace lbann::data_readers
