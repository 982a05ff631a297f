// Simulations of JAG from the files that match a pattern.
#pragma once

#include "schemas/data_readers/jag_records.hpp"

namespace lbann::data_readers {

/// Takes the samples whose simulation ended well, which their `performance/success` says.
struct multi_conduit : jag_records {
  static constexpr std::string_view name = "multi_conduit";
  static constexpr std::string_view summary =
      "The samples of several HDF5 files of Conduit, one file after the other; "
      "`data_set_metadata` says what of them.";

  std::string data_file_pattern;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &multi_conduit::data_filedir, "Folder of the files.")),
            path(field("data_file_pattern", &multi_conduit::data_file_pattern,
                       "Names of the files, `*` for any characters and `?` for one; they are read "
                       "in the order of their names.",
                       Presence::required))});
  }
};

}  // namespace lbann::data_readers
