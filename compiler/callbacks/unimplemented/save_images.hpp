// Callback `save_images`, declared but not built.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct save_images {
  static constexpr std::string_view name = "save_images";
  static constexpr std::string_view summary =
      "Writes outputs of layers as images at the end of an epoch and of a test.";
  static constexpr Support support = Support::unimplemented;

  std::vector<std::string> layers;
  std::string image_format = "png";
  std::string image_prefix;

  static constexpr auto fields() {
    return std::tuple{
        field("layers", &save_images::layers, "Names of layers whose outputs are images."),
        field("image_format", &save_images::image_format,
              "Ending and format of the files: png, jpg, pgm."),
        written_path(
            field("image_prefix", &save_images::image_prefix, "Beginning of the file names."))};
  }
};

}  // namespace lbann::callbacks
