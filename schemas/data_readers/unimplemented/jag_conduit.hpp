// Data reader `jag_conduit`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct jag_conduit : file_reader {
  static constexpr std::string_view name = "jag_conduit";
  static constexpr std::string_view summary =
      "Simulations of JAG from Conduit files; `data_set_metadata` says what of them.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return file_fields(); }
};

}  // namespace lbann::data_readers
