// A dataset that each sample of an HDF5 file has, and what becomes of its numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::data_readers {

/// What numbers are rounded to before they are scaled: nothing, a 32-bit float, a whole number
/// (towards zero).
enum class Rounding : std::uint8_t { none, single, whole };

}  // namespace lbann::data_readers

namespace lbann {

template <>
inline constexpr auto enum_names<data_readers::Rounding> =
    std::array<std::string_view, 3>{"none", "single", "whole"};

namespace data_readers {

/// As the compiler makes it of schemas, and as it travels in a plan. Numbers are rounded, then
/// multiplied by `scale` and added to `bias`, by channels where there are several of each.
struct hdf5_dataset {
  static constexpr std::string_view name = "hdf5_dataset";

  std::string path;
  std::string data_field;
  bool packed = false;
  std::vector<std::int64_t> dims;
  std::int64_t channels = 0;
  bool channels_last = false;
  bool to_channels_first = false;
  std::vector<double> scale;
  std::vector<double> bias;
  Rounding rounding = Rounding::none;

  static constexpr auto fields() {
    return std::tuple{
        field("path", &hdf5_dataset::path, "Groups and name below the sample."),
        field("data_field", &hdf5_dataset::data_field, "The data field that it is, or is part of."),
        field("packed", &hdf5_dataset::packed,
              "Whether the field is flat, its datasets one behind the other."),
        field("dims", &hdf5_dataset::dims, "Sizes without the channels; empty: as in the file.",
              counted_from_one),
        field("channels", &hdf5_dataset::channels, "Channels; 0: there are none.",
              counted_from_zero),
        field("channels_last", &hdf5_dataset::channels_last,
              "Whether the channels are the last axis in the file."),
        field("to_channels_first", &hdf5_dataset::to_channels_first,
              "Whether they are moved to the front."),
        field("scale", &hdf5_dataset::scale, "Factor, or one per channel; empty: 1."),
        field("bias", &hdf5_dataset::bias, "Summand, or one per channel; empty: 0."),
        field("rounding", &hdf5_dataset::rounding, "What numbers are rounded to before.")};
  }

  /// Numbers of a sample, 0 where only the file tells; no more than `most_numbers`.
  std::int64_t numbers() const {
    if (dims.empty()) return 0;
    auto product = channels > 0 ? channels : std::int64_t{1};
    for (auto const size : dims) {
      if (size > 0 && product > most_numbers / size) return most_numbers;
      product *= size;
    }
    return product;
  }
  /// More than any file has, and little enough that those of many datasets can be added.
  static constexpr std::int64_t most_numbers = std::int64_t{1} << 40;
  bool changes_nothing() const {
    return scale.empty() && bias.empty() && rounding != Rounding::whole && !to_channels_first;
  }
};

}  // namespace data_readers
}  // namespace lbann
