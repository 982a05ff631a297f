// Image files that a text file lists with their labels.
#pragma once

#include "schemas/data_readers/images.hpp"

namespace lbann::data_readers {

/// A line of `data_filename` is the path of a JPEG or PNG file, blanks, and its label, counted from
/// 0. A sample list names the files alone, and in its fourth line a text of such lines.
struct imagenet : images {
  static constexpr std::string_view name = "imagenet";
  static constexpr std::string_view summary =
      "JPEG and PNG images from a list of files and labels.";

  std::string data_filename;

  static constexpr auto fields() {
    return std::tuple_cat(
        image_fields<SampleListUse::optional>(),
        std::tuple{
            path(field("data_filedir", &imagenet::data_filedir,
                       "Folder below which the images are that the list names; left out: where "
                       "data are looked for, or the folder that a sample list says.")),
            path(field("data_filename", &imagenet::data_filename,
                       "Text file with the path of an image and its label in each line; it is "
                       "not looked up in `data_filedir`."))});
  }

  std::optional<FieldConflict> conflict() const {
    if (auto conflict = channels_conflict()) return conflict;
    return list_conflict("data_filename", !data_filename.empty());
  }
};

}  // namespace lbann::data_readers
