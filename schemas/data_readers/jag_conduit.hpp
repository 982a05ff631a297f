// Simulations of JAG that a sample list names.
#pragma once

#include "schemas/data_readers/jag_records.hpp"

namespace lbann::data_readers {

struct jag_conduit : jag_records {
  static constexpr std::string_view name = "jag_conduit";
  static constexpr std::string_view summary =
      "Simulations of JAG from HDF5 files of Conduit; `data_set_metadata` says what of them.";

  static constexpr auto fields() { return record_fields(); }
};

}  // namespace lbann::data_readers
