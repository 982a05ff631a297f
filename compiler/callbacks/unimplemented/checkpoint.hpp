// Callback `checkpoint`, declared but not built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct checkpoint {
  static constexpr std::string_view name = "checkpoint";
  static constexpr std::string_view summary =
      "Saves the whole state of training, and goes on from it at the next start.";
  static constexpr Support support = Support::unimplemented;

  std::string checkpoint_dir;
  std::string restart_dir;
  std::int64_t checkpoint_epochs = 0;
  std::int64_t checkpoint_steps = 0;
  double checkpoint_secs = 0;
  std::string per_rank_dir;
  std::int64_t ckpt_dist_epochs = 0;
  std::int64_t ckpt_dist_steps = 0;

  static constexpr auto fields() {
    return std::tuple{
        written_path(field("checkpoint_dir", &checkpoint::checkpoint_dir, "Folder to write.")),
        path(field("restart_dir", &checkpoint::restart_dir,
                   "Folder to read; `checkpoint_dir` if left out.")),
        field("checkpoint_epochs", &checkpoint::checkpoint_epochs,
              "Save every so many epochs; 0: never.", Presence::optional, "epochs",
              counted_from_zero),
        field("checkpoint_steps", &checkpoint::checkpoint_steps,
              "Save every so many steps; 0: never.", Presence::optional, "steps",
              counted_from_zero),
        field("checkpoint_secs", &checkpoint::checkpoint_secs,
              "Save every so many seconds; 0: never.", Presence::optional, "seconds",
              at_least_zero),
        written_path(field("per_rank_dir", &checkpoint::per_rank_dir,
                           "Folder of each rank for distributed checkpoints.")),
        field("ckpt_dist_epochs", &checkpoint::ckpt_dist_epochs,
              "Save distributed every so many epochs; 0: never.", Presence::optional, "epochs",
              counted_from_zero),
        field("ckpt_dist_steps", &checkpoint::ckpt_dist_steps,
              "Save distributed every so many steps; 0: never.", Presence::optional, "steps",
              counted_from_zero)};
  }
};

}  // namespace lbann::callbacks
