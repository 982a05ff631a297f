// Callback: weights written at the end, or after each validation that is better than all before.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

/// Which values of a measure are the best.
enum class BestMode : std::uint8_t { automatic, min, max };

struct save_model {
  static constexpr std::string_view name = "save_model";
  static constexpr std::string_view summary =
      "Writes every weights object as <dir>/<name>.<extension> after training, all or nothing; or, "
      "with `best`, after each validation that is better than all before it, and not at the end.";

  std::string dir;
  std::string extension = "npy";
  bool disable_save_after_training = false;
  std::string best = {};
  BestMode mode = BestMode::automatic;

  static constexpr Reference references[] = {{"best", Referent::measure}};

  static constexpr auto fields() {
    return std::tuple{
        written_path(field("dir", &save_model::dir, "Folder to write, in the folder of the run.",
                           Presence::required)),
        field("extension", &save_model::extension, "End of the file names; NumPy's format."),
        field("disable_save_after_training", &save_model::disable_save_after_training,
              "Do not write at the end of training."),
        field("best", &save_model::best,
              "Name of the metric, or `objective`, whose best value over the validations chooses "
              "the model; NaN is never the best. Left out: the model at the end of training."),
        field("mode", &save_model::mode,
              "Whether the lowest or the highest value of `best` is the best; must be given for a "
              "metric. `automatic`: `min`, for `objective`.")};
  }

  void check(ModelView const& model, Findings& findings) const;
};

}  // namespace lbann::callbacks

template <>
inline constexpr auto lbann::enum_names<lbann::callbacks::BestMode> =
    std::array<std::string_view, 3>{"automatic", "min", "max"};
