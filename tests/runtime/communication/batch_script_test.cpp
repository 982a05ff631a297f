// Scripts for each batch system equal the accepted ones; ACCEPT_EXPECTED=1 accepts them anew.
#include "runtime/communication/batch_script.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace lbann::runtime;

TEST_CASE("batch scripts equal the accepted ones") {
  char const* const root = std::getenv("LBANN_SOURCE_ROOT");
  REQUIRE(root != nullptr);
  for (std::string const system : {"slurm", "lsf", "flux"}) {
    BatchJob job;
    job.system = system;
    job.name = "lenet";
    job.nodes = 4;
    job.ranks_per_node = 2;
    job.minutes = 30;
    job.command = {"lbann-run", "a plan.bin", "--save-model", "model"};
    job.model = "model";
    auto const path =
        std::string(root) + "/tests/runtime/communication/batch_scripts/" + system + ".sh";
    if (std::getenv("ACCEPT_EXPECTED") != nullptr) std::ofstream(path) << batch_script(job);
    std::ifstream file(path);
    std::string const accepted{std::istreambuf_iterator<char>(file), {}};
    CHECK(batch_script(job) == accepted);
  }
}

TEST_CASE("without a model to save nothing is loaded, and words are quoted") {
  BatchJob job;
  job.system = "slurm";
  job.command = {"lbann-run", "it's.bin"};
  auto const script = batch_script(job);
  CHECK(script.find("--load-model") == std::string::npos);
  CHECK(script.find("srun --mpi=pmix lbann-run 'it'\\''s.bin'\n") != std::string::npos);
}
