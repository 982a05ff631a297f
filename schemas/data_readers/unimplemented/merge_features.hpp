// Data reader `merge_features`, declared but not built.
#pragma once

#include "schemas/data_readers/unimplemented/merged_files.hpp"

namespace lbann::data_readers {

struct merge_features : merged_files {
  static constexpr std::string_view name = "merge_features";
  static constexpr std::string_view summary = "Samples joined from several files.";
  static constexpr Support support = Support::unimplemented;
};

}  // namespace lbann::data_readers
