// What data readers of image files have in common.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples` [channels, height, width], bytes times `scale`, whose sizes each file has for
/// itself, and `labels`, one-hot.
struct images : reader {
  std::string data_filedir;
  std::int64_t channels = 3;
  double scale = 1;
  std::int64_t num_labels = 0;

  template <SampleListUse use = SampleListUse::none>
  static constexpr auto image_fields() {
    return std::tuple_cat(
        shared_fields<use>(),
        std::tuple{
            field("channels", &images::channels,
                  "3: red, green and blue; 1: grey. Files are converted to it.", counted_from_one),
            field("scale", &images::scale, "Factor of every byte; 1 where transforms take bytes."),
            field("num_labels", &images::num_labels,
                  "Number of classes; needed where `labels` are used.", counted_from_zero)});
  }

  std::optional<FieldConflict> channels_conflict() const {
    if (channels == 1 || channels == 3) return std::nullopt;
    return FieldConflict{"channels", "an image is read with 1 channel or with 3"};
  }

  std::vector<GivenField> gives() const {
    return {{"samples", {channels, 0, 0}}, given_labels(num_labels)};
  }
  std::int64_t samples() const { return -1; }
  double byte_scale() const { return scale; }
};

}  // namespace lbann::data_readers
