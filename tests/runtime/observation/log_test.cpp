// Lines stand in the file whatever becomes of the console.
#include "runtime/observation/log.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "schemas/files/standard_streams.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using lbann::testing::contains;

namespace {

std::string log_text_of(std::filesystem::path const& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// What the file holds after lines of which the console takes none, before it is open and after.
std::string log_of(std::FILE* console) {
  test::ScratchFolder const scratch;
  auto const path = scratch.path() / "log";
  {
    runtime::Log log(console);
    REQUIRE(log.open(path).good());
    log.line("first line");
    log.line("second line");
    log.status("never shown");
  }
  return log_text_of(path);
}

void check_lost(std::string const& log, std::string const& why) {
  CHECK(contains(log, " first line\n"));
  CHECK(contains(log, " second line\n"));
  auto const remark = log.find("the console cannot be written (" + why + ")");
  REQUIRE(remark != std::string::npos);
  CHECK(log.find("the console", remark + 1) == std::string::npos);
}

}  // namespace

TEST_CASE("a full console is given up and the file says so, once") {
  auto* const console = std::fopen("/dev/full", "w");
  REQUIRE(console != nullptr);
  check_lost(log_of(console), "No space left on device");
  std::fclose(console);
}

TEST_CASE("a console that nobody reads is given up and the file says so, once") {
  prepare_standard_streams();
  int ends[2] = {};
  REQUIRE(::pipe(ends) == 0);
  ::close(ends[0]);
  auto* const console = ::fdopen(ends[1], "w");
  check_lost(log_of(console), "Broken pipe");
  std::fclose(console);
}
