// Quantities on meshes, as images.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples` [channels, data_height, data_width] and `responses` [data_height * data_width].
/// Sample i of channel C lies in `data_filedir`/CS/Ci.bin, S the suffix and i of `index_length`
/// digits from 0 on: 32-bit reals, row by row. The responses are a channel like the others.
struct mesh : reader {
  static constexpr std::string_view name = "mesh";
  static constexpr std::string_view summary = "Quantities on meshes, as images.";

  std::string data_filedir;
  std::vector<std::string> channels = {"Density",
                                       "Pressure",
                                       "VectorComp_AvgVelocity_R",
                                       "VolumeFractions_bubble",
                                       "aspectRatio",
                                       "conditionNumber",
                                       "distortion",
                                       "jacobian",
                                       "largestAngle",
                                       "oddy",
                                       "scaledJacobian",
                                       "shape",
                                       "shear",
                                       "skew",
                                       "smallestAngle",
                                       "stretch",
                                       "taper",
                                       "volume"};
  std::string target_name = "mask";
  std::string suffix = "128";
  std::int64_t data_height = 128;
  std::int64_t data_width = 128;
  std::int64_t index_length = 4;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &mesh::data_filedir, "Folder of the channels' folders.",
                       Presence::required)),
            field("channels", &mesh::channels, "Channels of `samples`, in their order."),
            field("target_name", &mesh::target_name, "Channel of `responses`."),
            field("suffix", &mesh::suffix, "What follows the channel in the name of its folder."),
            field("data_height", &mesh::data_height, "Rows of an image.", counted_from_one),
            field("data_width", &mesh::data_width, "Columns of an image.", counted_from_one),
            field("index_length", &mesh::index_length, "Digits of a number in names of files.",
                  Range{.least = 1, .most = 18})});
  }

  std::optional<FieldConflict> conflict() const {
    if (channels.empty()) return FieldConflict{"channels", "at least one channel is needed"};
    return std::nullopt;
  }
  std::vector<GivenField> gives() const {
    return {{"samples", {std::ssize(channels), data_height, data_width}},
            {"responses", {data_height * data_width}}};
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
