// A launcher with several processes is recognised and refused.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "runtime/communication/communicator.hpp"

using namespace lbann::runtime;

TEST_CASE("no launcher, one process") {
  CHECK(launched_processes([](char const*) -> char const* { return nullptr; }) == 1);
  CHECK(refusal_of(1).empty());
}

TEST_CASE("each launcher's variables") {
  CHECK(launched_processes([](char const* name) -> char const* {
          return std::string(name) == "OMPI_COMM_WORLD_SIZE" ? "4" : nullptr;
        }) == 4);
  CHECK(launched_processes([](char const* name) -> char const* {
          return std::string(name) == "PMI_SIZE" ? "2" : nullptr;
        }) == 2);
  // A step of srun, and the shell of a batch script, which is no step.
  CHECK(launched_processes([](char const* name) -> char const* {
          if (std::string(name) == "SLURM_STEP_ID") return "0";
          return std::string(name) == "SLURM_NTASKS" ? "8" : nullptr;
        }) == 8);
  CHECK(launched_processes([](char const* name) -> char const* {
          return std::string(name) == "SLURM_NTASKS" ? "8" : nullptr;
        }) == 1);
  CHECK(refusal_of(8).find("one of 8 processes") != std::string::npos);
}

TEST_CASE("a world of one has nothing to add") {
  auto const world = single_process();
  CHECK(world->size() == 1);
  CHECK(world->rank() == 0);
  double value = 3;
  CHECK(world->all_reduce(&value, 1, lbann::DataType::f64).good());
  CHECK(value == 3);
  CHECK_FALSE(world->broadcast({}, 1).good());
}
