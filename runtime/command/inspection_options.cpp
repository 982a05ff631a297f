// Options: descriptions, dry runs, profiles, traces and checks.
#include <CLI/CLI.hpp>

#include "runtime/command/options.hpp"
#include "runtime/command/validators.hpp"

namespace lbann::runtime {

namespace {

void add_dry_run_options(CLI::App& app, DryRunConfig& dry) {
  auto const add = [&](char const* name, std::int64_t& value, char const* words, std::int64_t least,
                       int most_bits) {
    return app.add_option(name, value, words)
        ->check(CLI::Range(least, std::int64_t{1} << most_bits));
  };
  auto* const ranks = add("--dry-run-ranks", dry.ranks,
                          "Try the program of one rank of so many, on random data, and tell its "
                          "memory, time and messages",
                          1, 32);
  ranks->excludes(app.get_option("--plan-per-trainer"));
  add("--dry-run-rank", dry.rank, "Which of them (0)", 0, 32)->needs(ranks);
  add("--dry-run-mini-batch", dry.mini_batch,
      "Samples of a trainer's mini-batch (those of the plan)", 1, 40)
      ->needs(ranks);
  add("--dry-run-procs-per-node", dry.procs_per_node,
      "How many of them run on a node and share memory (all)", 1, 32)
      ->needs(ranks);
}

}  // namespace

void add_inspection_options(CLI::App& app, CommandLine& line) {
  auto& run = line.run;
  add_dry_run_options(app, line.dry);
  app.add_flag("--describe", run.describe, "Print the model and stop");
  auto* const profile =
      app.add_flag("--profile", run.profile, "Time every instruction, print a table at the end");
  auto* const finite =
      app.add_flag("--check-finite", run.check_finite,
                   "Look at every number that is computed; the first that is not finite ends the "
                   "run and names the line of its layer")
          ->excludes(profile);
  app.add_option("--trace", run.trace, "File for a trace of all ranks, for ui.perfetto.dev")
      ->check(not_empty())
      ->excludes(profile)
      ->excludes(finite);
}

}  // namespace lbann::runtime
