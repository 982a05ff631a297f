// Data reader `numpy_npz_conduit_reader`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct numpy_npz_conduit_reader : file_reader {
  static constexpr std::string_view name = "numpy_npz_conduit_reader";
  static constexpr std::string_view summary = "Samples from many .npz files.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t num_labels = 0;

  static constexpr auto fields() {
    return std::tuple_cat(file_fields(),
                          std::tuple{field("num_labels", &numpy_npz_conduit_reader::num_labels,
                                           "Number of classes.", counted_from_zero)});
  }
};

}  // namespace lbann::data_readers
