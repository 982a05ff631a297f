// Images and labels of CIFAR-10 in its binary format.
#pragma once

#include "schemas/data_readers/cifar.hpp"

namespace lbann::data_readers {

struct cifar10 : cifar {
  static constexpr std::string_view name = "cifar10";
  static constexpr std::string_view summary =
      "Images and labels of CIFAR-10, from its binary files.";

  static constexpr auto fields() {
    return cifar_fields(
        "One binary file, plain or gzip; empty: data_batch_1.bin to data_batch_5.bin for the role "
        "train, test_batch.bin for others.");
  }

  /// The files to read, in order.
  std::vector<std::string> filenames() const {
    if (!data_filename.empty()) return {data_filename};
    if (role != ExecutionMode::training) return {"test_batch.bin"};
    std::vector<std::string> names;
    for (char number = '1'; number <= '5'; ++number)
      names.push_back("data_batch_" + std::string(1, number) + ".bin");
    return names;
  }

  std::vector<GivenField> gives() const { return {{"samples", {3, 32, 32}}, {"labels", {10}}}; }
};

}  // namespace lbann::data_readers
