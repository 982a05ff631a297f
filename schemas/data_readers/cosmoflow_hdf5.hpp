// Volumes of CosmoFlow, a file for each.
#pragma once

#include "schemas/data_readers/hdf5_volumes.hpp"

namespace lbann::data_readers {

struct cosmoflow_hdf5 : hdf5_volumes {
  static constexpr std::string_view name = "cosmoflow_hdf5";
  static constexpr std::string_view summary =
      "The same as `hdf5`, as LBANN names it for the volumes of CosmoFlow.";
};

}  // namespace lbann::data_readers
