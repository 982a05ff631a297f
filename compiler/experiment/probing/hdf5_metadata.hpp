// What stands under `metadata` in the schemas of `hdf5_data_reader`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {

/// Order of the axes of images and volumes.
enum class Hdf5Layout : std::uint8_t { unstated, chw, hwc, cdhw, dhwc };

/// Types that LBANN turns numbers to.
enum class Hdf5Coercion : std::uint8_t {
  none,
  float_,
  float16,
  float32,
  double_,
  float64,
  int_,
  int32,
  long_,
  int64
};

}  // namespace lbann::compiler

namespace lbann {

template <>
inline constexpr auto enum_names<compiler::Hdf5Layout> =
    std::array<std::string_view, 5>{"unstated", "chw", "hwc", "cdhw", "dhwc"};
template <>
inline constexpr auto enum_names<compiler::Hdf5Coercion> = std::array<std::string_view, 10>{
    "none", "float", "float16", "float32", "double", "float64", "int", "int32", "long", "int64"};

namespace compiler {

struct hdf5_metadata {
  static constexpr std::string_view name = "metadata";
  static constexpr std::string_view summary = "What becomes of the numbers below a node.";

  std::string pack;
  std::int64_t ordering = 0;
  std::vector<double> scale, bias;
  Hdf5Coercion coerce = Hdf5Coercion::none;
  std::vector<std::int64_t> dims;
  std::int64_t channels = 0;
  Hdf5Layout layout = Hdf5Layout::unstated;
  Hdf5Layout transpose = Hdf5Layout::unstated;
  Hdf5Layout hwc = Hdf5Layout::unstated;

  static constexpr auto fields() {
    return std::tuple{
        field("pack", &hdf5_metadata::pack, "Data field that the node is part of."),
        field("ordering", &hdf5_metadata::ordering, "The smaller, the further at its front."),
        field("scale", &hdf5_metadata::scale, "Factor, or one per channel."),
        field("bias", &hdf5_metadata::bias, "Summand, or one per channel."),
        field("coerce", &hdf5_metadata::coerce, "Type that numbers are turned to first."),
        field("dims", &hdf5_metadata::dims, "Sizes without the channels.", counted_from_one),
        field("channels", &hdf5_metadata::channels, "Channels of an image or a volume.",
              counted_from_one),
        field("layout", &hdf5_metadata::layout, "Order of the axes in the file."),
        field("transpose", &hdf5_metadata::transpose, "Order of the axes for the network."),
        field("hwc", &hdf5_metadata::hwc,
              "As LBANN said it before: the channels are last, and this is the order to make.")};
  }
};

}  // namespace compiler
}  // namespace lbann
