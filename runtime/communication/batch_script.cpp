// A header per batch system, the same commands for all.
#include "runtime/communication/batch_script.hpp"

#include <algorithm>

namespace lbann::runtime {

namespace {

/// Quotes `word` for bash; a word without special characters is returned unchanged.
std::string shell_word(std::string const& word) {
  if (!word.empty() &&
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "_-+=./:,@%") == std::string::npos)
    return word;
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

struct Header {
  std::string directives, launcher, requeue;
};

Header header_of(BatchJob const& job) {
  auto const nodes = std::to_string(job.nodes), minutes = std::to_string(job.minutes);
  auto const per_node = std::to_string(job.ranks_per_node);
  auto const ranks = std::to_string(job.nodes * job.ranks_per_node);
  auto const warning = std::to_string(warning_seconds);
  if (job.system == "slurm")
    return {"#SBATCH --job-name=" + shell_word(job.name) + "\n#SBATCH --nodes=" + nodes +
                "\n#SBATCH --ntasks-per-node=" + per_node + "\n#SBATCH --time=" + minutes +
                "\n#SBATCH --signal=USR1@" + warning +
                "\n#SBATCH --requeue\n#SBATCH --open-mode=append\n",
            "srun --mpi=pmix", "scontrol requeue \"$SLURM_JOB_ID\""};
  if (job.system == "lsf")
    return {"#BSUB -J " + shell_word(job.name) + "\n#BSUB -nnodes " + nodes + "\n#BSUB -W " +
                minutes + "\n#BSUB -wa USR1 -wt 2\n#BSUB -r\n",
            "mpirun -n " + ranks + " --map-by ppr:" + per_node + ":node",
            "brequeue \"$LSB_JOBID\""};
  return {"#flux: --job-name=" + shell_word(job.name) + "\n#flux: --nodes=" + nodes +
              "\n#flux: --time-limit=" + minutes + "m\n#flux: --signal=USR1@" + warning + "s\n",
          "flux run --nodes=" + nodes + " --ntasks=" + ranks, "flux batch \"$0\""};
}

}  // namespace

std::string batch_script(BatchJob const& job) {
  auto const header = header_of(job);
  std::string text = "#!/bin/bash\n# Written by lbann-run --batch-script " + job.system + ".\n" +
                     header.directives + "\n";
  std::string command = header.launcher;
  for (auto const& word : job.command) command += ' ' + shell_word(word);
  // A turn before this one may have left a checkpoint.
  if (std::ranges::none_of(job.command, [](std::string const& word) {
        return word.starts_with("--resume") || word.starts_with("--restart_dir");
      }))
    command += " --resume";
  text +=
      command +
      "\nstatus=$?\n# 75: warned of its end, it has written a checkpoint; ask for another turn. "
      "Without a step gained\n# it fails instead, and a cancelled job (143) is not requeued.\n"
      "if [ $status = 75 ]; then " +
      header.requeue + "; fi\nexit $status\n";
  return text;
}

}  // namespace lbann::runtime
