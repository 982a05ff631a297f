// Data reader `smiles`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct smiles : file_reader {
  static constexpr std::string_view name = "smiles";
  static constexpr std::string_view summary = "Molecules as sequences of character numbers.";
  static constexpr Support support = Support::unimplemented;

  std::string metadata_filename;

  static constexpr auto fields() {
    return std::tuple_cat(file_fields(),
                          std::tuple{path(field("metadata_filename", &smiles::metadata_filename,
                                                "File that says where each molecule lies."))});
  }

  std::vector<GivenField> gives() const { return {{"samples", {}}}; }
};

}  // namespace lbann::data_readers
