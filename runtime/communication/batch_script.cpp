// A header per batch system, the same commands for all.
#include "runtime/communication/batch_script.hpp"

#include <algorithm>
#include <array>

namespace lbann::runtime {

namespace {

constexpr std::string_view plain_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

/// Quotes `word` for bash; a word without special characters is returned unchanged.
std::string shell_word(std::string const& word) {
  if (!word.empty() && word.find_first_not_of(plain_characters) == std::string::npos) return word;
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// What a user may ask of each system, and how a directive says it; null: the system has no such
/// thing, and `remedy` tells what to do.
struct Request {
  char const* option;
  std::string BatchJob::*text;
  char const *slurm, *lsf, *flux;
  char const* remedy;
};

constexpr std::array<Request, 5> requests{{
    {"--job-name", &BatchJob::name, "--job-name=", "-J ", "--job-name=", ""},
    {"--partition", &BatchJob::partition, "--partition=", nullptr, nullptr, "write --queue"},
    {"--queue", &BatchJob::queue, nullptr, "-q ", "--queue=", "write --partition"},
    // Flux documents a bank as this attribute; its option --bank is newer.
    {"--account", &BatchJob::account, "--account=", "-P ", "--setattr=system.bank=", ""},
    {"--reservation", &BatchJob::reservation, "--reservation=", "-U ", nullptr, "leave it out"},
}};

char const* directive_of(Request const& request, std::string const& system) {
  return system == "slurm" ? request.slurm : system == "lsf" ? request.lsf : request.flux;
}

struct Header {
  std::string sentinel;    ///< begins a line that the system reads
  std::string directives;  ///< nodes, time and warning
  std::string launcher;
  std::string after;  ///< bash, with the exit code of the run in $status
};

// Nodes are tried by a step that does nothing. A job that was cancelled, or that Slurm itself puts
// back, is not RUNNING any more; one that is pre-empted with a grace time is until that has passed.
// clang-format off
constexpr char const* after_slurm = R"bash(# Whether the turn was ended from outside:
# 75: warned of its end, it has written a checkpoint. Without a step gained it fails instead.
# Others: pre-empted with a grace time, or a node does not answer. A cancelled job is not RUNNING.
ended_from_outside() {
  test $status = 0 && return 1
  test $status = 75 && return 0
  test "$(squeue --noheader --jobs="$SLURM_JOB_ID" --format=%T)" = RUNNING || return 1
  scontrol show job "$SLURM_JOB_ID" | grep -q 'PreemptTime=[0-9]' ||
    ! timeout 60 srun --overlap --mpi=none true
}
if ended_from_outside; then scontrol requeue "$SLURM_JOB_ID"; fi
)bash";
// clang-format on

/// Asks for another turn after exit code 75.
std::string after_warning(std::string const& requeue) {
  return "# 75: warned of its end, it has written a checkpoint; ask for another turn. Without a "
         "step "
         "gained\n# it fails instead, and a cancelled job (143) is not requeued.\n"
         "if [ $status = 75 ]; then " +
         requeue + "; fi\n";
}

Header header_of(BatchJob const& job) {
  auto const nodes = std::to_string(job.nodes), minutes = std::to_string(job.minutes);
  auto const per_node = std::to_string(job.ranks_per_node);
  auto const ranks = std::to_string(job.nodes * job.ranks_per_node);
  auto const warning = std::to_string(warning_seconds);
  if (job.system == "slurm")
    return {"#SBATCH ",
            "#SBATCH --nodes=" + nodes + "\n#SBATCH --ntasks-per-node=" + per_node +
                "\n#SBATCH --time=" + minutes + "\n#SBATCH --signal=USR1@" + warning +
                "\n#SBATCH --requeue\n#SBATCH --open-mode=append\n",
            "srun --mpi=pmix", after_slurm};
  if (job.system == "lsf")
    return {
        "#BSUB ",
        "#BSUB -nnodes " + nodes + "\n#BSUB -W " + minutes + "\n#BSUB -wa USR1 -wt 2\n#BSUB -r\n",
        "mpirun -n " + ranks + " --map-by ppr:" + per_node + ":node",
        after_warning("brequeue \"$LSB_JOBID\"")};
  return {"#flux: ",
          "#flux: --nodes=" + nodes + "\n#flux: --time-limit=" + minutes +
              "m\n#flux: --signal=USR1@" + warning + "s\n",
          "flux run --nodes=" + nodes + " --ntasks=" + ranks,
          // The job is an instance of Flux itself; it ends with this script.
          after_warning("flux --parent batch \"$0\"")};
}

}  // namespace

std::string job_name_of(std::string_view text) {
  std::string name(text);
  std::ranges::replace_if(
      name, [](char c) { return plain_characters.find(c) == std::string_view::npos; }, '_');
  if (name.starts_with('-')) name.front() = '_';
  return name;
}

std::string refusal_of(BatchJob const& job) {
  for (auto const& request : requests) {
    auto const& text = job.*request.text;
    if (text.empty()) continue;
    if (directive_of(request, job.system) == nullptr)
      return std::string(request.option) + " is not for " + job.system + ": " + request.remedy;
    // `#` stands in names of LSF's reservations.
    auto const place = text.find_first_not_of(std::string(plain_characters) + '#');
    if (place != std::string::npos || text.front() == '-')
      return std::string(request.option) +
             " has characters that do not belong in a job script; write letters, digits and "
             "_-+=./:,@%#, not - first";
  }
  return {};
}

std::string batch_script(BatchJob const& job) {
  auto const header = header_of(job);
  std::string text = "#!/bin/bash\n# Written by lbann-run --batch-script " + job.system + ".\n";
  for (auto const& request : requests)
    if (auto const& asked = job.*request.text; !asked.empty())
      text += header.sentinel + directive_of(request, job.system) + asked + '\n';
  text +=
      header.directives +
      "\n# The warning may reach this shell, too, which has to wait for the run.\ntrap : USR1\n";
  std::string command = header.launcher;
  for (auto const& word : job.command) command += ' ' + shell_word(word);
  // A turn before this one may have left a checkpoint.
  if (std::ranges::none_of(job.command, [](std::string const& word) {
        return word.starts_with("--resume") || word.starts_with("--restart_dir");
      }))
    command += " --resume";
  return text + command + "\nstatus=$?\n" + header.after + "exit $status\n";
}

}  // namespace lbann::runtime
