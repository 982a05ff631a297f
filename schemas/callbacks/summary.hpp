// Callback: event files for TensorBoard.
#pragma once

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

/// Named apart from its own sentence.
struct summary_ {
  static constexpr std::string_view name = "summary";
  static constexpr std::string_view summary =
      "Writes event files for TensorBoard, in `<dir>/train`, `<dir>/validation` and `<dir>/test`: "
      "objective, metrics, learning rates and times, histograms of weights, gradients and outputs, "
      "images, the graph of layers and hyperparameters.";

  std::int64_t batch_interval = 1;
  std::int64_t mat_interval = 25;
  std::string dir = "events";
  std::vector<std::string> layers;
  std::vector<std::string> images;

  static constexpr Reference references[] = {{"layers", Referent::layer},
                                             {"images", Referent::layer}};

  static constexpr auto fields() {
    return std::tuple{
        field("batch_interval", &summary_::batch_interval,
              "Write numbers of mini-batches every so many steps.", Presence::optional, "steps",
              counted_from_one),
        field("mat_interval", &summary_::mat_interval,
              "Write histograms every so many steps; 0: never.", Presence::optional, "steps",
              counted_from_zero),
        written_path(field("dir", &summary_::dir, "Folder to write in, in the folder of the run.")),
        field("layers", &summary_::layers,
              "Layers whose outputs get histograms, beside all trained weights and their "
              "gradients."),
        field("images", &summary_::images,
              "Layers whose outputs are shown as images, of the first samples of each validation "
              "and of the test.")};
  }

  ObservedValues observes() const;
  void check(ModelView const& model, Findings& findings) const;
};

}  // namespace lbann::callbacks
