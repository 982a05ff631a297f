// Images and labels in the IDX format of MNIST and its relatives.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples` [1, height, width] (bytes times `scale`) and `labels` [num_labels], one-hot.
/// Files may be plain or gzip; both are looked up in `data_filedir`.
struct mnist : reader {
  static constexpr std::string_view name = "mnist";
  static constexpr std::string_view summary = "Images and labels from a pair of IDX files.";

  std::string data_filedir;
  std::string data_filename;
  std::string label_filename;
  double scale = 1.0 / 255;
  std::int64_t num_labels = 10;
  std::int64_t first_n = 0;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &mnist::data_filedir, "Folder of both files.")),
            path(field("data_filename", &mnist::data_filename, "IDX file of images, plain or gzip.",
                       Presence::required)),
            path(field("label_filename", &mnist::label_filename,
                       "IDX file of labels, plain or gzip.", Presence::required)),
            field("scale", &mnist::scale, "Factor of every byte of an image."),
            field("num_labels", &mnist::num_labels, "Number of classes.", counted_from_one),
            field("first_n", &mnist::first_n,
                  "Samples to read, from the begin of the files; 0: all.", counted_from_zero)});
  }

  std::vector<GivenField> gives() const { return {{"samples", {}}, {"labels", {num_labels}}}; }
  std::int64_t samples() const { return -1; }
  double byte_scale() const { return scale; }
};

}  // namespace lbann::data_readers
