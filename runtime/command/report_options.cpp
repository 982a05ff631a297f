// Options: pages about runs.
#include <CLI/CLI.hpp>

#include "runtime/command/options.hpp"
#include "runtime/command/validators.hpp"

namespace lbann::runtime {

void add_report_options(CLI::App& app, CommandLine& line) {
  constexpr char const* group = "Reports";
  auto* const report =
      app.add_option("--report", line.report.folders,
                     "Write an HTML page of the runs in these folders, and stop: curves over one "
                     "another, confusion matrices, images, what ran where")
          ->check(not_empty())
          ->group(group)
          ->excludes(app.get_option("plan"));
  app.add_option("--page", line.report.page, "File of --report (report.html)")
      ->check(not_empty())
      ->group(group)
      ->needs(report);
  exclude_from_training(app, *report);
  for (auto const* other :
       {"--load-model", "--predict", "--serve", "--describe-data", "--pack", "--batch-script"})
    report->excludes(app.get_option(other));
}

}  // namespace lbann::runtime
