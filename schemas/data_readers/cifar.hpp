// What the readers of CIFAR have in common.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples` [3, 32, 32] (red, green and blue bytes times `scale`) and `labels`, one-hot.
/// Files are a row of records: bytes of labels, 3072 bytes of image.
/// https://www.cs.toronto.edu/~kriz/cifar.html
struct cifar : reader {
  std::string data_filedir;
  std::string data_filename;
  std::string label_filename;
  double scale = 1.0 / 255;

  static constexpr auto cifar_fields(std::string_view files) {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &cifar::data_filedir, "Folder of the files.")),
            path(field("data_filename", &cifar::data_filename, files)),
            ignored(path(field("label_filename", &cifar::label_filename, "File of the labels.")),
                    "labels stand beside the images"),
            field("scale", &cifar::scale, "Factor of every byte of an image.")});
  }

  std::int64_t samples() const { return -1; }
  double byte_scale() const { return scale; }
};

}  // namespace lbann::data_readers
