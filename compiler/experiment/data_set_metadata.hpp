// What LBANN's readers of JAG simulations are told about their data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/part.hpp"

namespace lbann::compiler::sections {

struct jag_key_prefix_filter {
  static constexpr std::string_view name = "filter";
  static constexpr std::string_view summary = "Keys that begin alike.";
  static constexpr Support support = Support::unimplemented;

  std::string key_prefix;
  std::int64_t min_len = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("key_prefix", &jag_key_prefix_filter::key_prefix, "Beginning of the keys."),
        field("min_len", &jag_key_prefix_filter::min_len, "Least length of a key.", at_least_zero)};
  }
};

struct jag_data_slice {
  static constexpr std::string_view name = "slice";
  static constexpr std::string_view summary = "Data that form one field.";
  static constexpr Support support = Support::unimplemented;

  std::vector<std::string> pieces;

  static constexpr auto fields() {
    return std::tuple{field("pieces", &jag_data_slice::pieces,
                            "Kinds of data: JAG_Image, JAG_Scalar, JAG_Input.")};
  }
};

struct data_schema {
  static constexpr std::string_view name = "schema";
  static constexpr std::string_view summary = "Where data lie in a file.";
  static constexpr Support support = Support::unimplemented;

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
        field("scalar_prefix", &data_schema::scalar_prefix, "Path of scalars."),
        field("image_prefix", &data_schema::image_prefix, "Path of images."),
        field("input_prefix", &data_schema::input_prefix, "Path of inputs."),
        field("image_height", &data_schema::image_height, "Height of an image.", Presence::optional,
              "pixels", at_least_zero),
        field("image_width", &data_schema::image_width, "Width of an image.", Presence::optional,
              "pixels", at_least_zero),
        field("image_num_channels", &data_schema::image_num_channels, "Channels of an image.",
              Presence::optional, "", at_least_zero),
        field("split_jag_image_channels", &data_schema::split_jag_image_channels,
              "Whether each channel is an image."),
        field("jag_image_keys", &data_schema::jag_image_keys, "Names of images."),
        field("jag_scalar_keys", &data_schema::jag_scalar_keys, "Names of scalars."),
        field("jag_input_keys", &data_schema::jag_input_keys, "Names of inputs."),
        field("jag_scalar_filters", &data_schema::jag_scalar_filters, "Scalars to leave out."),
        field("jag_input_filters", &data_schema::jag_input_filters, "Inputs to leave out.")};
  }

  static constexpr auto parts() {
    return std::tuple{
        Part<PartForm::sections, jag_key_prefix_filter>{"jag_scalar_prefix_filters",
                                                        "Scalars to leave out."},
        Part<PartForm::sections, jag_key_prefix_filter>{"jag_input_prefix_filters",
                                                        "Inputs to leave out."},
        Part<PartForm::sections, jag_data_slice>{"independent", "What a model is given."},
        Part<PartForm::sections, jag_data_slice>{"dependent", "What it is to predict."}};
  }
};

struct jag_linear_normalization {
  static constexpr std::string_view name = "normalization";
  static constexpr std::string_view summary = "Factor and summand of a number.";
  static constexpr Support support = Support::unimplemented;

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
  static constexpr Support support = Support::unimplemented;

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
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }

  static constexpr auto parts() {
    return std::tuple{
        Part<PartForm::section, data_schema>{"schema", data_schema::summary},
        Part<PartForm::section, data_normalization>{"normalization", data_normalization::summary}};
  }
};

}  // namespace lbann::compiler::sections
