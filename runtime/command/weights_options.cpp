// Options: weights that a run begins with and leaves.
#include <CLI/CLI.hpp>

#include "runtime/command/options.hpp"
#include "runtime/command/validators.hpp"

namespace lbann::runtime {

void add_weights_options(CLI::App& app, CommandLine& line) {
  auto& run = line.run;
  auto* const load =
      app.add_option("--load-model,--load_model_weights_dir", run.load_models,
                     "Folder, .npz or .safetensors file of weights to start from; repeatable "
                     "(--load_model_weights_dir: LBANN's name)")
          ->check(not_empty());
  app.add_flag("--load-partial", run.load_partial,
               "Leave weights that no --load-model has at their first values")
      ->needs(load);
  app.add_option(
         "--rename", run.renames,
         "Rule `old -> new` for names in what --load-model reads; one * on both sides stands "
         "for the same text; repeatable")
      ->check(a_name())
      ->needs(load);
  app.add_option("--export", run.export_file,
                 "File to write the trained weights to, for other programs: .safetensors or .npz")
      ->check(not_empty() & exportable());
  app.add_option("--save-model", run.save_model, "Folder to write the trained weights to")
      ->check(not_empty());
}

}  // namespace lbann::runtime
