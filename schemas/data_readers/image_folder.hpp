// A folder of images for each class.
#pragma once

#include "schemas/data_readers/images.hpp"

namespace lbann::data_readers {

/// The classes are the folders in `data_filedir`, those of `classes` or all in the order of their
/// names. Samples lie in the order of classes, then of paths.
struct image_folder : images {
  static constexpr std::string_view name = "image_folder";
  static constexpr std::string_view summary = "JPEG and PNG images from a folder for each class.";

  std::vector<std::string> classes;

  static constexpr auto fields() {
    return std::tuple_cat(
        image_fields(),
        std::tuple{
            path(field("data_filedir", &image_folder::data_filedir,
                       "Folder that has a folder of images for each class.", Presence::required)),
            field("classes", &image_folder::classes,
                  "Names of the classes' folders, label 0 first; none: all folders in the "
                  "order of their names.")});
  }

  std::optional<FieldConflict> conflict() const {
    if (!classes.empty() && num_labels > 0 &&
        num_labels != static_cast<std::int64_t>(classes.size()))
      return FieldConflict{"num_labels", "`classes` names " + std::to_string(classes.size()) +
                                             " classes, `num_labels` says " +
                                             std::to_string(num_labels)};
    return channels_conflict();
  }

  std::vector<GivenField> gives() const {
    auto given = images::gives();
    if (!classes.empty()) given[1] = {"labels", {static_cast<std::int64_t>(classes.size())}};
    return given;
  }
};

}  // namespace lbann::data_readers
