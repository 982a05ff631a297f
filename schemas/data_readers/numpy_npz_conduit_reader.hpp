// .npz files of one sample each.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives of each file `samples` (its array `data`; 16-bit integers times `scaling_factor_int16`),
/// `labels` (`frm`, a class number, one-hot) and `responses`. The first axis of each array is 1.
struct numpy_npz_conduit_reader : reader {
  static constexpr std::string_view name = "numpy_npz_conduit_reader";
  static constexpr std::string_view summary = "Samples that are .npz files, one in each.";

  std::string data_filedir;
  std::string data_filename;
  std::int64_t num_labels = 0;
  double scaling_factor_int16 = 1;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{path(field("data_filedir", &numpy_npz_conduit_reader::data_filedir,
                              "Folder of the list and of the files.")),
                   path(field("data_filename", &numpy_npz_conduit_reader::data_filename,
                              "Text that names an .npz file in each line.", Presence::required)),
                   field("num_labels", &numpy_npz_conduit_reader::num_labels,
                         "Number of classes; needed where `labels` are used.", counted_from_zero),
                   field("scaling_factor_int16", &numpy_npz_conduit_reader::scaling_factor_int16,
                         "Factor of samples that are 16-bit integers.")});
  }

  std::vector<GivenField> gives() const {
    return {{"samples", {}}, given_labels(num_labels), {"responses", {}}};
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
