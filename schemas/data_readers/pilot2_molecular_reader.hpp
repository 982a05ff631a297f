// Molecules of a membrane and their neighbours.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples` [num_neighbors + 1, beads, features]: a molecule, then its neighbours, the
/// nearest first; zeros where there are fewer. The .npz file holds `features` [frames, molecules,
/// beads, features] and `neighbors` [frames, molecules, n], numbers of molecules of the same frame,
/// the first of which is the molecule's own, -1 for none. Of every 20 features the first three,
/// positions, are divided by 320, and the last twelve, lengths of bonds, by 10.
struct pilot2_molecular_reader : reader {
  static constexpr std::string_view name = "pilot2_molecular_reader";
  static constexpr std::string_view summary = "Molecules and their neighbours.";

  std::string data_filedir;
  std::string data_filename;
  std::int64_t num_neighbors = 0;
  std::int64_t max_neighborhood = 0;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &pilot2_molecular_reader::data_filedir,
                       "Folder of the file.")),
            path(field("data_filename", &pilot2_molecular_reader::data_filename,
                       ".npz file with the arrays features and neighbors.", Presence::required)),
            field("num_neighbors", &pilot2_molecular_reader::num_neighbors,
                  "Neighbours of a molecule in a sample.", counted_from_zero),
            field("max_neighborhood", &pilot2_molecular_reader::max_neighborhood,
                  "Half of the neighbours that the file holds for a molecule; 0: as many as it "
                  "does.",
                  counted_from_zero)});
  }

  std::vector<GivenField> gives() const { return {{"samples", {}}}; }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
