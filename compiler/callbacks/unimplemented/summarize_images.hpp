// Callback `summarize_images`, declared but not built.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/part.hpp"

namespace lbann::callbacks {

enum class MatchType : std::uint8_t { nomatch, match, all };

/// Images chosen by whether they were classified correctly.
struct categorical_accuracy {
  static constexpr std::string_view name = "categorical_accuracy";
  static constexpr std::string_view summary = "Images that were, or were not, recognised.";
  static constexpr Support support = Support::unimplemented;

  std::string accuracy_layer_name;
  MatchType match_type = MatchType::nomatch;
  std::int64_t num_images_per_epoch = 10;

  static constexpr auto fields() {
    return std::tuple{
        field("accuracy_layer_name", &categorical_accuracy::accuracy_layer_name,
              "Layer that tells whether an image was recognised.", Presence::required),
        field("match_type", &categorical_accuracy::match_type, "Which images are chosen."),
        field("num_images_per_epoch", &categorical_accuracy::num_images_per_epoch,
              "How many images.", Presence::optional, "images", at_least_one)};
  }
};

/// The same images every time.
struct track_sample_ids {
  static constexpr std::string_view name = "track_sample_ids";
  static constexpr std::string_view summary = "The same images every time.";
  static constexpr Support support = Support::unimplemented;

  std::string input_layer_name;
  std::int64_t num_tracked_images = 10;

  static constexpr auto fields() {
    return std::tuple{field("input_layer_name", &track_sample_ids::input_layer_name,
                            "Input layer of the images.", Presence::required),
                      field("num_tracked_images", &track_sample_ids::num_tracked_images,
                            "How many images.", Presence::optional, "images", at_least_one)};
  }
};

struct summarize_images {
  static constexpr std::string_view name = "summarize_images";
  static constexpr std::string_view summary =
      "Writes images and what became of them for TensorBoard.";
  static constexpr Support support = Support::unimplemented;

  std::string image_source_layer_name;
  std::int64_t epoch_interval = 1;

  static constexpr auto fields() {
    return std::tuple{
        field("image_source_layer_name", &summarize_images::image_source_layer_name,
              "Layer whose outputs are images.", Presence::required),
        field("epoch_interval", &summarize_images::epoch_interval, "Write every so many epochs.",
              Presence::optional, "epochs", counted_from_one)};
  }

  static constexpr auto parts() {
    return std::tuple{Part<PartForm::entry, categorical_accuracy, track_sample_ids>{
        "selection_strategy", "Which images are written."}};
  }
};

}  // namespace lbann::callbacks

template <>
inline constexpr auto lbann::enum_names<lbann::callbacks::MatchType> =
    std::array<std::string_view, 3>{"nomatch", "match", "all"};
