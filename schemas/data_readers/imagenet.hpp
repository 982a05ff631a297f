// Image files that a text file lists with their labels.
#pragma once

#include "schemas/data_readers/images.hpp"

namespace lbann::data_readers {

/// A line of the list is the path of a JPEG or PNG file, blanks, and its label, counted from 0.
struct imagenet : images {
  static constexpr std::string_view name = "imagenet";
  static constexpr std::string_view summary =
      "JPEG and PNG images from a list of files and labels.";

  std::string data_filename;

  static constexpr auto fields() {
    return std::tuple_cat(
        image_fields(),
        std::tuple{
            path(field("data_filedir", &imagenet::data_filedir,
                       "Folder below which the images are that the list names.")),
            path(field("data_filename", &imagenet::data_filename,
                       "Text file with the path of an image and its label in each line; it is "
                       "not looked up in `data_filedir`.",
                       Presence::required))});
  }

  std::optional<FieldConflict> conflict() const { return channels_conflict(); }
};

}  // namespace lbann::data_readers
