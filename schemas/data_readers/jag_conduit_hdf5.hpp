// Simulations of JAG, all that files hold.
#pragma once

#include "schemas/data_readers/jag_records.hpp"

namespace lbann::data_readers {

/// Takes the samples whose simulation ended well, which their `performance/success` says.
struct jag_conduit_hdf5 : jag_records {
  static constexpr std::string_view name = "jag_conduit_hdf5";
  static constexpr std::string_view summary =
      "All simulations of JAG in HDF5 files of Conduit that ended well; `data_set_metadata` says "
      "what of them.";

  std::string data_filename;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{path(field("data_filedir", &jag_conduit_hdf5::data_filedir,
                              "Path of the files, with `*` for any characters and `?` for one in "
                              "their names; with `data_filename` the folder of its files.")),
                   path(field("data_filename", &jag_conduit_hdf5::data_filename,
                              "Text that names a file in each line, instead."))});
  }

  std::optional<FieldConflict> conflict() const {
    if (data_filedir.empty() && data_filename.empty())
      return FieldConflict{"data_filedir", "it or `data_filename` says which files there are"};
    return std::nullopt;
  }
};

}  // namespace lbann::data_readers
