// Data reader `merge_samples`, declared but not built.
#pragma once

#include "schemas/data_readers/unimplemented/merged_files.hpp"

namespace lbann::data_readers {

struct merge_samples : merged_files {
  static constexpr std::string_view name = "merge_samples";
  static constexpr std::string_view summary = "The samples of several files, one after the other.";
  static constexpr Support support = Support::unimplemented;
};

}  // namespace lbann::data_readers
