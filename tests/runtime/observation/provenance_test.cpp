// provenance.jsonl: a line for each start of a run.
#include "runtime/observation/provenance.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/runtime/regression.hpp"

using namespace lbann;
using namespace lbann::runtime;

namespace {

std::vector<nlohmann::json> lines_of(std::filesystem::path const& path) {
  std::vector<nlohmann::json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

}  // namespace

TEST_CASE("each start is a line; one that is not resumed begins the file") {
  test::ScratchFolder const scratch;
  auto const path = scratch.path() / "provenance.jsonl";
  Provenance start;
  start.version = "lbann-run 1.2\nMPI: none\nBLAS: \"quoted\"";
  start.command = {"lbann-run", "plan with blanks.bin", "\xff"};
  start.hosts = {"node7", "node8"};
  start.ranks = 4;
  for (auto const& [resumed, count] : {std::pair{false, 1}, {false, 1}, {true, 2}, {true, 3}}) {
    start.resumed = resumed;
    REQUIRE(write_provenance(path, start).good());
    auto const lines = lines_of(path);
    REQUIRE(lines.size() == static_cast<std::size_t>(count));
    CHECK(lines.back()["resumed"] == resumed);
  }
  auto const line = lines_of(path).front();
  CHECK(line["program"] == "lbann-run 1.2");
  CHECK(line["libraries"] == nlohmann::json{"MPI: none", "BLAS: \"quoted\""});
  CHECK(line["command"][1] == "plan with blanks.bin");
  CHECK(line["hosts"] == nlohmann::json{"node7", "node8"});
  CHECK(line["ranks"] == 4);
  CHECK(line["device"] == "CPU");
  CHECK(line["time"].get<std::string>().size() == std::string("2026-11-27T22:43:07Z").size());
}

TEST_CASE("a file that cannot be written is a problem that names it") {
  auto const written = write_provenance("/nowhere/at/all/provenance.jsonl", {});
  REQUIRE_FALSE(written.good());
  CHECK(written.problem().message.starts_with("/nowhere/at/all/provenance.jsonl: "));
}
