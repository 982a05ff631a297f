// Callback: single images of the validation in event files for TensorBoard.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/observed_values.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

/// Which images are shown, by the number that a layer gives for each of them.
enum class MatchType : std::uint8_t { nomatch, match, all };

struct summarize_images {
  static constexpr std::string_view name = "summarize_images";
  static constexpr std::string_view summary =
      "Writes single images of the validation for TensorBoard, in `<dir>/images`, each under "
      "`<layer>/sample_<index in the data>`: the same ones after each epoch or, with an accuracy "
      "layer, the first ones that were recognised, or were not.";

  std::string image_source_layer_name;
  std::string accuracy_layer_name;
  MatchType match_type = MatchType::nomatch;
  std::int64_t num_images = 10;
  std::int64_t epoch_interval = 1;
  std::string dir = "events";
  std::string input_layer_name;

  static constexpr Reference references[] = {{"image_source_layer_name", Referent::layer},
                                             {"accuracy_layer_name", Referent::optional_layer}};

  static constexpr auto fields() {
    return std::tuple{
        field("image_source_layer_name", &summarize_images::image_source_layer_name,
              "Layer whose outputs are images: [height, width], [channels, height, width] with 1 "
              "or 3 channels, or as many pixels as a square has.",
              Presence::required),
        field("accuracy_layer_name", &summarize_images::accuracy_layer_name,
              "Layer that gives 1 for each image that was recognised, else 0, such as "
              "`categorical_accuracy`; without one, images are followed from epoch to epoch."),
        field("match_type", &summarize_images::match_type,
              "Which images that layer chooses: those that were recognised (`match`), were not "
              "(`nomatch`), or both."),
        field("num_images", &summarize_images::num_images, "How many images, at most.",
              Presence::optional, "images", counted_from_one),
        field("epoch_interval", &summarize_images::epoch_interval, "Write every so many epochs.",
              Presence::optional, "epochs", counted_from_one),
        written_path(
            field("dir", &summarize_images::dir, "Folder to write in, in the folder of the run.")),
        ignored(field("input_layer_name", &summarize_images::input_layer_name,
                      "Input layer of the images that are followed."),
                "images are told apart by their indices in the data")};
  }

  ObservedValues observes() const;
  /// The layers must give an image and a number for each sample, in a validation.
  void check(ModelView const& model, Findings& findings) const;
};

}  // namespace lbann::callbacks

template <>
inline constexpr auto lbann::enum_names<lbann::callbacks::MatchType> =
    std::array<std::string_view, 3>{"nomatch", "match", "all"};
