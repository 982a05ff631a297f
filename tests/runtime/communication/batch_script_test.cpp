// Scripts for each batch system equal the accepted ones.
#include "runtime/communication/batch_script.hpp"

#include <doctest/doctest.h>

#include "tests/support/expected.hpp"

using namespace lbann::runtime;

TEST_CASE("batch scripts equal the accepted ones") {
  for (std::string const system : {"slurm", "lsf", "flux"}) {
    BatchJob job;
    job.system = system;
    job.name = "lenet";
    job.nodes = 4;
    job.ranks_per_node = 2;
    job.minutes = 30;
    job.command = {"lbann-run", "a plan.bin", "--save-model", "model"};
    auto const path = "tests/runtime/communication/batch_scripts/" + system + ".sh";
    CHECK(lbann::tests::difference(path, batch_script(job)) == "");
  }
}

TEST_CASE("words are quoted, and a run that resumes already is not told to") {
  BatchJob job;
  job.system = "slurm";
  job.command = {"lbann-run", "it's.bin"};
  auto const script = batch_script(job);
  CHECK(script.find("srun --mpi=pmix lbann-run 'it'\\''s.bin' --resume\n") != std::string::npos);
  job.command.push_back("--resume=runs");
  CHECK(batch_script(job).find("--resume=runs\n") != std::string::npos);
}
