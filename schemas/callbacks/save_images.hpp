// Callback: outputs of layers as pictures.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/observed_values.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/callbacks/reported_file.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

enum class ImageFormat : std::uint8_t { png, jpg };

struct save_images {
  static constexpr std::string_view name = "save_images";
  static constexpr std::string_view summary =
      "Writes outputs of layers as pictures, after each epoch `<prefix>epoch<e>-<layer>.png` and "
      "after the test `<prefix>test-<layer>.png`: the first samples of the validation, of the "
      "epoch where there is none, and of the test.";

  std::vector<std::string> layers;
  std::string image_prefix;
  ImageFormat image_format = ImageFormat::png;
  std::int64_t num_images = 8;
  std::vector<std::string> execution_modes;

  static constexpr Reference references[] = {{"layers", Referent::layer},
                                             {"execution_modes", Referent::phase}};

  static constexpr auto fields() {
    return std::tuple{
        field(
            "layers", &save_images::layers,
            "Layers whose outputs are images: [height, width], [channels, height, width] with 1 or "
            "3 channels, or as many pixels as a square has.",
            Presence::required),
        written_path(field("image_prefix", &save_images::image_prefix,
                           "Beginning of the file names, in the folder of the run.")),
        field("image_format", &save_images::image_format, "Format and ending of the files."),
        field("num_images", &save_images::num_images,
              "How many samples of the first mini-batch are shown beside one another, at most.",
              Presence::optional, "images", counted_from_one),
        some_of(field("execution_modes", &save_images::execution_modes,
                      "Phases it acts in; all if left out. Training shows in epochs without "
                      "validation."),
                execution_mode_words)};
  }

  ObservedValues observes() const { return {.outputs = {{layers, execution_modes}}}; }
  std::vector<ReportedFile> reported() const;
  /// The layers must have an output that is an image.
  void check(ModelView const& model, Findings& findings) const;
};

}  // namespace lbann::callbacks

template <>
inline constexpr auto lbann::enum_names<lbann::callbacks::ImageFormat> =
    std::array<std::string_view, 2>{"png", "jpg"};
