// Callback: the whole state of training, saved while it goes on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/callbacks/checkpoint_interval.hpp"
#include "schemas/callbacks/model_view.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct checkpoint {
  static constexpr std::string_view name = "checkpoint";
  static constexpr std::string_view summary =
      "Saves the whole state of training, for `lbann-run --resume` to go on from.";

  std::string every;
  std::int64_t keep = 2;
  std::int64_t keep_every = 0;
  OnFailure on_failure = OnFailure::stop;
  std::string checkpoint_dir = "checkpoints";
  std::string restart_dir;
  std::int64_t checkpoint_epochs = 0;
  std::int64_t checkpoint_steps = 0;
  double checkpoint_secs = 0;
  std::string per_rank_dir;
  std::int64_t ckpt_dist_epochs = 0;
  std::int64_t ckpt_dist_steps = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("every", &checkpoint::every,
              "How often: so many `steps`, `epochs`, `s`, `min` or `h`, e.g. `10 min`."),
        field("keep", &checkpoint::keep, "How many of the newest stay.", Presence::optional,
              "checkpoints", counted_from_one),
        field("keep_every", &checkpoint::keep_every,
              "Those whose step is a multiple of this stay too; 0: no others.", Presence::optional,
              "steps", counted_from_zero),
        field("on_failure", &checkpoint::on_failure,
              "When one cannot be written and there is no older one: `stop` training and save its "
              "models, or `warn` and go on. With an older one training goes on."),
        written_path(field("checkpoint_dir", &checkpoint::checkpoint_dir,
                           "Folder to write, in that of the run.")),
        ignored(path(field("restart_dir", &checkpoint::restart_dir, "Folder to read.")),
                "`lbann-run --restart_dir` names it"),
        field("checkpoint_epochs", &checkpoint::checkpoint_epochs,
              "Save every so many epochs; 0: never.", Presence::optional, "epochs",
              counted_from_zero),
        field("checkpoint_steps", &checkpoint::checkpoint_steps,
              "Save every so many steps; 0: never.", Presence::optional, "steps",
              counted_from_zero),
        field("checkpoint_secs", &checkpoint::checkpoint_secs,
              "Save every so many seconds; 0: never.", Presence::optional, "seconds",
              at_least_zero),
        ignored(path(field("per_rank_dir", &checkpoint::per_rank_dir,
                           "Folder on each node's own disk.")),
                "`lbann-run --local-dir` names it"),
        field("ckpt_dist_epochs", &checkpoint::ckpt_dist_epochs,
              "Save every so many epochs, if that is more often; 0: never.", Presence::optional,
              "epochs", counted_from_zero),
        field("ckpt_dist_steps", &checkpoint::ckpt_dist_steps,
              "Save every so many steps, if that is more often; 0: never.", Presence::optional,
              "steps", counted_from_zero)};
  }

  void check(Findings& findings) const;

  /// What `every` and LBANN's three fields ask for together.
  CheckpointInterval interval() const;
};

}  // namespace lbann::callbacks
