// What LBANN's readers of JAG simulations are told about their data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/part.hpp"

namespace lbann::compiler::sections {

struct jag_key_prefix_filter {
  static constexpr std::string_view name = "filter";
  static constexpr std::string_view summary = "Keys that begin alike, where all keys are used.";

  std::string key_prefix;
  std::int64_t min_len = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("key_prefix", &jag_key_prefix_filter::key_prefix, "Beginning of the keys."),
        field("min_len", &jag_key_prefix_filter::min_len, "Least length of a key that is left out.",
              at_least_zero)};
  }
};

/// Kinds of data of a sample.
inline constexpr std::array<std::string_view, 3> jag_kinds = {"JAG_Image", "JAG_Scalar",
                                                              "JAG_Input"};

struct jag_data_slice {
  static constexpr std::string_view name = "slice";
  static constexpr std::string_view summary = "Data that form one field.";

  std::vector<std::string> pieces;

  static constexpr auto fields() {
    return std::tuple{some_of(field("pieces", &jag_data_slice::pieces,
                                    "Kinds of data, one behind the other: JAG_Image, JAG_Scalar, "
                                    "JAG_Input."),
                              jag_kinds)};
  }
};

struct data_schema {
  static constexpr std::string_view name = "schema";
  static constexpr std::string_view summary = "Where data lie in a file.";

  std::string scalar_prefix;
  std::string image_prefix;
  std::string input_prefix;
  std::int64_t image_height = 0;
  std::int64_t image_width = 0;
  std::int64_t image_num_channels = 0;
  bool split_jag_image_channels = false;
  std::vector<std::string> jag_image_keys;
  std::vector<std::string> jag_scalar_keys;
  std::vector<std::string> jag_input_keys;
  std::vector<std::string> jag_scalar_filters;
  std::vector<std::string> jag_input_filters;

  static constexpr auto fields() {
    return std::tuple{
        field("scalar_prefix", &data_schema::scalar_prefix,
              "Groups of the scalars below a sample."),
        field("image_prefix", &data_schema::image_prefix, "Groups of the images."),
        field("input_prefix", &data_schema::input_prefix, "Groups of the inputs."),
        field("image_height", &data_schema::image_height,
              "Height of an image; 0: as many numbers as the file has, as one row.",
              Presence::optional, "pixels", counted_from_zero),
        field("image_width", &data_schema::image_width, "Width of an image; 0: as the height.",
              Presence::optional, "pixels", counted_from_zero),
        field("image_num_channels", &data_schema::image_num_channels,
              "Channels of an image; 0: one.", Presence::optional, "", counted_from_zero),
        field("split_jag_image_channels", &data_schema::split_jag_image_channels,
              "Whether the channels, which are last in the files, become the first axis; needed "
              "where "
              "there are several."),
        field("jag_image_keys", &data_schema::jag_image_keys,
              "Names of images below `image_prefix`, with groups."),
        field("jag_scalar_keys", &data_schema::jag_scalar_keys,
              "Names of scalars below `scalar_prefix`; empty: all numbers that the first sample "
              "has."),
        field(
            "jag_input_keys", &data_schema::jag_input_keys,
            "Names of inputs below `input_prefix`; empty: all numbers that the first sample has."),
        field("jag_scalar_filters", &data_schema::jag_scalar_filters,
              "Scalars to leave out where all are used."),
        field("jag_input_filters", &data_schema::jag_input_filters,
              "Inputs to leave out where all are used.")};
  }

  static constexpr auto parts() {
    return std::tuple{
        Part<PartForm::sections, jag_key_prefix_filter>{"jag_scalar_prefix_filters",
                                                        "Scalars to leave out."},
        Part<PartForm::sections, jag_key_prefix_filter>{"jag_input_prefix_filters",
                                                        "Inputs to leave out."},
        Part<PartForm::sections, jag_data_slice>{"independent",
                                                 "What `samples` are of, one behind the other."},
        Part<PartForm::sections, jag_data_slice>{"dependent", "What `responses` are of."}};
  }
};

struct jag_linear_normalization {
  static constexpr std::string_view name = "normalization";
  static constexpr std::string_view summary = "Factor and summand of a number.";

  double scale = 1;
  double bias = 0;

  static constexpr auto fields() {
    return std::tuple{field("scale", &jag_linear_normalization::scale, "The factor."),
                      field("bias", &jag_linear_normalization::bias, "The summand.")};
  }
};

struct data_normalization {
  static constexpr std::string_view name = "normalization";
  static constexpr std::string_view summary = "How numbers are scaled.";

  static constexpr auto fields() { return std::tuple<>{}; }

  static constexpr auto parts() {
    return std::tuple{
        Part<PartForm::sections, jag_linear_normalization>{
            "jag_image_normalization_params", "Of each channel of an image, in order."},
        Part<PartForm::sections, jag_linear_normalization>{"jag_scalar_normalization_params",
                                                           "Of each scalar, in order."},
        Part<PartForm::sections, jag_linear_normalization>{"jag_input_normalization_params",
                                                           "Of each input, in order."}};
  }
};

struct data_set_metadata {
  static constexpr std::string_view name = "data_set_metadata";
  static constexpr std::string_view summary =
      "What readers of JAG simulations need to know of their data.";

  static constexpr auto fields() { return std::tuple<>{}; }

  static constexpr auto parts() {
    return std::tuple{
        Part<PartForm::section, data_schema>{"schema", data_schema::summary},
        Part<PartForm::section, data_normalization>{"normalization", data_normalization::summary}};
  }
};

}  // namespace lbann::compiler::sections
