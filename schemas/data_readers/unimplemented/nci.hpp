// Data reader `nci`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct nci : file_reader {
  static constexpr std::string_view name = "nci";
  static constexpr std::string_view summary = "Responses of cancer cells to drugs.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return file_fields(); }

  std::vector<GivenField> gives() const { return {{"samples", {}}}; }
};

}  // namespace lbann::data_readers
