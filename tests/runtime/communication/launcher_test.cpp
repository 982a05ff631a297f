// Launchers are recognised by what they leave in the environment.
#include "runtime/communication/launcher.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace lbann::runtime;

namespace {

std::map<std::string, std::string>& environment() {
  static std::map<std::string, std::string> variables;
  return variables;
}

Launch launch_of(std::map<std::string, std::string> variables) {
  environment() = std::move(variables);
  return find_launch([](char const* name) -> char const* {
    auto const found = environment().find(name);
    return found == environment().end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

TEST_CASE("no launcher, one process") {
  auto const launch = launch_of({});
  CHECK(launch.processes == 1);
  CHECK(launch.rank == 0);
  CHECK_FALSE(launch.connected);
  CHECK(refusal_of(launch, 1, false).empty());
}

TEST_CASE("each launcher's variables") {
  auto const open_mpi = launch_of({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}});
  CHECK(open_mpi.processes == 4);
  CHECK(open_mpi.rank == 3);
  CHECK(open_mpi.connected);
  CHECK(launch_of({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}}).rank == 1);
  // mpirun in an allocation of more tasks says what it started itself.
  CHECK(launch_of({{"OMPI_COMM_WORLD_SIZE", "1"}, {"SLURM_NTASKS", "8"}}).processes == 1);
}

TEST_CASE("steps and shells of Slurm") {
  auto const step = launch_of({{"SLURM_STEP_ID", "0"},
                               {"SLURM_STEP_NUM_TASKS", "2"},
                               {"SLURM_NTASKS", "8"},
                               {"SLURM_PROCID", "1"},
                               {"PMIX_RANK", "1"}});
  CHECK(step.processes == 2);
  CHECK(step.rank == 1);
  CHECK(step.connected);
  CHECK_FALSE(launch_of({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}).connected);
  // One task of an allocation of eight is asked for as such.
  CHECK(launch_of({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_NTASKS", "8"}}).processes == 1);
}

TEST_CASE("a world of one that was to be more is refused with the remedy") {
  auto const slurm = launch_of({{"SLURM_NTASKS", "8"}});
  CHECK(refusal_of(slurm, 1, true).find("srun --mpi=pmix -n 8") != std::string::npos);
  CHECK(refusal_of(slurm, 8, true).empty());
  auto const other = launch_of({{"PMI_SIZE", "2"}});
  CHECK(refusal_of(other, 1, true).find("one of 2 processes") != std::string::npos);
  CHECK(refusal_of(other, 1, false).find("-Dmpi=enabled") != std::string::npos);
}
