// Options: samples kept in memory, files copied to nodes.
#include <CLI/CLI.hpp>

#include "runtime/command/options.hpp"
#include "runtime/command/validators.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::runtime {

namespace {

/// An option in GB that is kept in bytes.
void add_gigabytes(CLI::App& app, char const* name, std::int64_t& bytes, char const* words) {
  app.add_option_function<double>(
         name, [&bytes](double value) { bytes = static_cast<std::int64_t>(value * 1e9); }, words)
      ->check(CLI::Range(1e-6, most_staged_gigabytes));
}

}  // namespace

void add_feeding_options(CLI::App& app, CommandLine& line) {
  auto& store = line.run.data_store;
  app.add_flag("--use_data_store", store.used,
               "Keep samples in the memory of the ranks of a trainer once they were read");
  app.add_flag("--preload_data_store", store.preloads,
               "The same, and read all of them before the first epoch");
  add_gigabytes(app, "--data-store-limit", store.most_bytes,
                "GB of memory on each rank for kept samples (its share of half of the node's)");
  auto& staging = line.run.staging;
  app.add_option("--staging", staging.folder,
                 "Folder on each node's own disk: files of images and HDF5 are copied there in the "
                 "background, "
                 "and read from there (as the plan says)")
      ->check(not_empty());
  add_gigabytes(app, "--staging-limit", staging.most_bytes,
                "GB of copies on each node (as the plan says, or no limit)");
  app.add_option("--staging-streams", staging.streams,
                 "Files of a node copied at once (as the plan says, or 16)")
      ->check(CLI::Range(std::int64_t{1}, most_staging_streams));
}

}  // namespace lbann::runtime
