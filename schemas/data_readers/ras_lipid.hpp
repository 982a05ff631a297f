// Simulations of RAS proteins in membranes of lipids.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples`, the densities of lipids (array `density_sig1`), and `labels`, the states
/// (`states`), one-hot. `sequence_length` frames of a file, one after the other, are a sample; what
/// is left over at its end is not used.
struct ras_lipid : reader {
  static constexpr std::string_view name = "ras_lipid";
  static constexpr std::string_view summary =
      "Densities of lipids around a RAS protein from .npz files, and its states.";

  std::string data_filedir;
  std::string data_filename;
  std::int64_t num_labels = 3;
  std::int64_t sequence_length = 1;
  std::string normalization;
  bool z_score = false;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &ras_lipid::data_filedir,
                       "Folder of the list and of the files.")),
            path(field("data_filename", &ras_lipid::data_filename,
                       "Text that names an .npz file in each line.", Presence::required)),
            field("num_labels", &ras_lipid::num_labels, "Number of states.", counted_from_one),
            field("sequence_length", &ras_lipid::sequence_length, "Frames of a sample.",
                  counted_from_one),
            path(field("normalization", &ras_lipid::normalization,
                       "Text with maximum, minimum, mean and standard deviation of each kind "
                       "of lipid, a line each after a first one that is no such line. Empty: "
                       "densities as they are.")),
            field("z_score", &ras_lipid::z_score,
                  "Whether densities are divided by the deviation after the mean was taken "
                  "off, not brought to 0 to 1.")});
  }

  std::optional<FieldConflict> conflict() const {
    if (z_score && normalization.empty())
      return FieldConflict{"z_score", "it needs the means and deviations of `normalization`"};
    return std::nullopt;
  }
  std::vector<GivenField> gives() const {
    return {{"samples", {}}, {"labels", {num_labels * sequence_length}}};
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
