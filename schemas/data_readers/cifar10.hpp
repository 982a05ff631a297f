// Data reader `cifar10`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct cifar10 : file_reader {
  static constexpr std::string_view name = "cifar10";
  static constexpr std::string_view summary =
      "Images and labels of CIFAR-10, from its binary files.";
  static constexpr Support support = Support::unbuilt;

  static constexpr auto fields() { return file_fields(); }

  std::vector<GivenField> gives() const { return {{"samples", {3, 32, 32}}, {"labels", {10}}}; }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
