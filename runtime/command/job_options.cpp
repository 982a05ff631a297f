// Options: job scripts; each is in the group `job_group`.
#include <CLI/CLI.hpp>

#include "runtime/command/options.hpp"
#include "runtime/command/validators.hpp"

namespace lbann::runtime {

namespace {

constexpr char const* job_group = "Job scripts";

}  // namespace

void add_job_options(CLI::App& app, CommandLine& line) {
  auto& job = line.job;
  auto const many = CLI::Range(std::int64_t{1}, std::int64_t{1} << 30);
  auto const add = [&](char const* name, auto& value, char const* words) {
    return app.add_option(name, value, words)->group(job_group);
  };
  add("--batch-script", job.system,
      "Print a script that runs this command as a job, and stop: slurm, lsf or flux")
      ->check(CLI::IsMember({"slurm", "lsf", "flux"}));
  auto const add_count = [&](char const* name, std::int64_t& value, char const* words) {
    add(name, value, words)->check(many)->needs("--batch-script");
  };
  auto const add_text = [&](char const* name, std::string& value, char const* words) {
    add(name, value, words)->check(a_name())->needs("--batch-script");
  };
  add_count("--nodes", job.nodes, "Nodes of the job");
  add_count("--procs-per-node", job.ranks_per_node, "Ranks on each node of the job");
  add_count("--time-limit", job.minutes, "Minutes that the job may take");
  add_text("--job-name", job.name, "Name of the job (that of the plan)");
  add_text("--partition", job.partition, "Slurm's partition");
  add_text("--queue", job.queue, "LSF's or Flux's queue");
  add_text("--account", job.account, "Slurm's account, LSF's project or Flux's bank");
  add_text("--reservation", job.reservation, "Slurm's or LSF's reservation");
}

std::vector<std::string> command_of_job(CLI::App const& app, int argc, char** argv) {
  std::vector<std::string> command;
  for (int i = 0; i < argc; ++i) {
    std::string const word = argv[i];
    auto const name = word.substr(0, word.find('='));
    auto const* const option = name.starts_with("--") ? app.get_option_no_throw(name) : nullptr;
    if (option == nullptr || option->get_group() != job_group)
      command.push_back(word);
    else if (word == name)
      ++i;  // its value
  }
  return command;
}

}  // namespace lbann::runtime
