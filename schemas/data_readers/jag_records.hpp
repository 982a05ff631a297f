// What the readers of JAG simulations have alike.
#pragma once

#include "schemas/data_readers/hdf5_records.hpp"

namespace lbann::data_readers {

/// Samples as Conduit writes them into HDF5 files, a group each, of which the section
/// `data_set_metadata` says what is used. Gives `samples` and `responses`, flat: what its
/// `independent` and its `dependent` name, one behind the other.
struct jag_records : hdf5_records {
  static constexpr bool takes_metadata = true;

  std::vector<GivenField> gives() const {
    if (!datasets.empty()) return hdf5_records::gives();
    std::string const why =
        "`data_set_metadata`, which says what of the files is used, is not here";
    return {{"samples", {}, why}, {"responses", {}, why}};
  }
};

}  // namespace lbann::data_readers
