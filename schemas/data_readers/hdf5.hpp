// Samples from datasets of HDF5 files.
#pragma once

#include "schemas/data_readers/hdf5_volumes.hpp"

namespace lbann::data_readers {

struct hdf5 : hdf5_volumes {
  static constexpr std::string_view name = "hdf5";
  static constexpr std::string_view summary =
      "Samples, labels and responses from datasets of HDF5 files.";
};

}  // namespace lbann::data_readers
