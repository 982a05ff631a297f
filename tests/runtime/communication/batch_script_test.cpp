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

TEST_CASE("a job of a queue, an account and a reservation asks for them as each system does") {
  BatchJob job;
  job.account = "ml";
  auto const has = [&](std::string const& line) {
    REQUIRE(refusal_of(job) == "");
    return batch_script(job).find('\n' + line + '\n') != std::string::npos;
  };
  job.system = "flux";
  job.queue = "debug";
  CHECK(has("#flux: --queue=debug"));
  CHECK(has("#flux: --setattr=system.bank=ml"));
  job.system = "lsf";
  job.reservation = "user1#0";
  CHECK(has("#BSUB -q debug"));
  CHECK(has("#BSUB -P ml"));
  CHECK(has("#BSUB -U user1#0"));
  job.system = "slurm";
  job.queue = "";
  job.partition = "debug";
  CHECK(has("#SBATCH --partition=debug"));
  CHECK(has("#SBATCH --account=ml"));
  CHECK(has("#SBATCH --reservation=user1#0"));
}

TEST_CASE("what a system does not have is refused, with what to write instead") {
  auto const refused = [](std::string const& system, std::string BatchJob::*text) {
    BatchJob job;
    job.system = system;
    job.*text = "debug";
    return refusal_of(job);
  };
  CHECK(refused("slurm", &BatchJob::queue) == "--queue is not for slurm: write --partition");
  CHECK(refused("lsf", &BatchJob::partition) == "--partition is not for lsf: write --queue");
  CHECK(refused("flux", &BatchJob::partition) == "--partition is not for flux: write --queue");
  CHECK(refused("flux", &BatchJob::reservation) == "--reservation is not for flux: leave it out");
}

TEST_CASE("texts that would not reach the system whole are refused") {
  BatchJob job;
  job.system = "slurm";
  for (std::string const text :
       {"a b", "a\nb", "a'b", "a\"b", "a\\b", "a$b", "a`b", "-a", "\x01"}) {
    job.account = text;
    CAPTURE(text);
    CHECK(refusal_of(job).starts_with("--account has characters that do not belong"));
    CHECK(job_name_of(text).find_first_of(" \n'\"\\$`\x01") == std::string::npos);
  }
  CHECK(job_name_of("-a b") == "_a_b");
  CHECK(job_name_of("lenet-5.2") == "lenet-5.2");
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
