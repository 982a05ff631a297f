// Options: what is in the data of a plan.
#include <CLI/CLI.hpp>

#include "runtime/command/options.hpp"
#include "runtime/command/validators.hpp"
#include "schemas/vocabulary/execution_mode.hpp"

namespace lbann::runtime {

void add_data_options(CLI::App& app, CommandLine& line) {
  constexpr char const* group = "Data";
  auto* const describe =
      app.add_flag("--describe-data", line.describe_data,
                   "Read all samples of all roles, print their number, and of each field range, "
                   "mean, deviation and samples per class, and stop")
          ->group(group);
  app.add_option("--images", line.images, "PNG file for the first images of --describe-data")
      ->check(not_empty())
      ->group(group)
      ->needs(describe);
  auto* const pack =
      app.add_option("--pack", line.pack.out,
                     "Write all samples of --role, after their transforms, to this .h5 file for "
                     "the reader hdf5, or .npz file for numpy_npz, and stop")
          ->check(not_empty() & packable())
          ->group(group)
          ->excludes(describe);
  app.add_option("--role", line.pack.role,
                 "Role of the samples to pack: train, validate, test, tournament or predict (the "
                 "first that there is)")
      ->check(CLI::IsMember(
          std::vector<std::string>(reader_role_names.begin(), reader_role_names.end())))
      ->group(group)
      ->needs(pack);
  for (auto* const task : {describe, pack}) {
    exclude_from_training(app, *task);
    for (auto const* other : {"--load-model", "--predict", "--serve"})
      task->excludes(app.get_option(other));
  }
}

}  // namespace lbann::runtime
