// Images and labels of CIFAR-10 in its binary format.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples` [3, 32, 32] (red, green and blue bytes times `scale`) and `labels` [10],
/// one-hot. Files are a row of records: a byte of label, 3072 bytes of image.
/// https://www.cs.toronto.edu/~kriz/cifar.html
struct cifar10 : reader {
  static constexpr std::string_view name = "cifar10";
  static constexpr std::string_view summary =
      "Images and labels of CIFAR-10, from its binary files.";

  std::string data_filedir;
  std::string data_filename;
  std::string label_filename;
  double scale = 1.0 / 255;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &cifar10::data_filedir, "Folder of the files.")),
            path(field("data_filename", &cifar10::data_filename,
                       "One binary file, plain or gzip; empty: data_batch_1.bin to "
                       "data_batch_5.bin for the role train, test_batch.bin for others.")),
            ignored(path(field("label_filename", &cifar10::label_filename, "File of the labels.")),
                    "labels stand beside the images"),
            field("scale", &cifar10::scale, "Factor of every byte of an image.")});
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
  std::int64_t samples() const { return -1; }
  double byte_scale() const { return scale; }
};

}  // namespace lbann::data_readers
