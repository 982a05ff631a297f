// Data reader `pilot2_molecular_reader`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct pilot2_molecular_reader : file_reader {
  static constexpr std::string_view name = "pilot2_molecular_reader";
  static constexpr std::string_view summary = "Molecules and their neighbours.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t num_neighbors = 0;
  std::int64_t max_neighborhood = 0;

  static constexpr auto fields() {
    return std::tuple_cat(
        file_fields(),
        std::tuple{field("num_neighbors", &pilot2_molecular_reader::num_neighbors,
                         "Neighbours of a molecule.", counted_from_zero),
                   field("max_neighborhood", &pilot2_molecular_reader::max_neighborhood,
                         "Most neighbours stored for a molecule.", counted_from_zero)});
  }
};

}  // namespace lbann::data_readers
