// Options: checkpoints, and going on from them.
#include <CLI/CLI.hpp>

#include "runtime/command/options.hpp"
#include "runtime/command/validators.hpp"

namespace lbann::runtime {

void add_checkpoint_options(CLI::App& app, CommandLine& line) {
  auto& run = line.run;
  auto* const resume =
      app.add_option("--resume", run.folders.resume_from,
                     "Go on from the newest sound checkpoint of this experiment "
                     "in --work-dir, if there is one; or from that of a run FOLDER")
          ->expected(0, 1)
          ->check(CLI::ExistingDirectory);
  app.add_option("--restart_dir", run.folders.resume_from,
                 "As --resume with a folder (LBANN's name)")
      ->check(CLI::ExistingDirectory)
      ->excludes(resume);
  app.add_option_function<std::string>(
         "--checkpoint-every",
         [&run](std::string const& text) {
           run.checkpoint_every =
               callbacks::parse_checkpoint_interval(text).value_or(callbacks::CheckpointInterval{});
         },
         "Save all state of training so often: `500 steps`, `1 epoch`, `10 min`")
      ->check(an_interval());
  app.add_option("--ckpt_dir", run.folders.checkpoints,
                 "Folder with checkpoints of runs, each in one named like the run (in the folder "
                 "of the run; LBANN's name); --resume looks there, too")
      ->check(not_empty());
  app.add_option("--local-dir", run.folders.local,
                 "Folder on each node's own disk: each rank first writes its part of a checkpoint "
                 "there; --resume looks there, too")
      ->check(not_empty());
}

}  // namespace lbann::runtime
