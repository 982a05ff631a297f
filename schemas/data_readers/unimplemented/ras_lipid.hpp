// Data reader `ras_lipid`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct ras_lipid : file_reader {
  static constexpr std::string_view name = "ras_lipid";
  static constexpr std::string_view summary = "Simulations of RAS and lipids.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t num_labels = 0;

  static constexpr auto fields() {
    return std::tuple_cat(
        file_fields(), std::tuple{field("num_labels", &ras_lipid::num_labels, "Number of classes.",
                                        counted_from_zero)});
  }
};

}  // namespace lbann::data_readers
