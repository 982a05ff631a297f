// Data reader `cosmoflow_hdf5`, declared but not built.
#pragma once

#include "schemas/data_readers/unimplemented/hdf5_volumes.hpp"

namespace lbann::data_readers {

struct cosmoflow_hdf5 : hdf5_volumes {
  static constexpr std::string_view name = "cosmoflow_hdf5";
  static constexpr std::string_view summary =
      "Volumes of CosmoFlow from HDF5 files, read in parallel.";
  static constexpr Support support = Support::unimplemented;
};

}  // namespace lbann::data_readers
