// Reading pairs of files and comparing.
#include "tests/compiler/passes/cases.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/expected.hpp"

namespace lbann::tests {

Program program_of(std::string const& text) {
  auto parsed = parse_program(text);
  REQUIRE_MESSAGE(parsed.good(), (parsed.good() ? "" : parsed.problem().message));
  auto program = std::move(parsed).value();
  auto const fault = verify(program);
  REQUIRE_MESSAGE(!fault, fault.value_or(""));
  return program;
}

void check_cases(std::string const& name, void (*pass)(Program&)) {
  auto const* root = std::getenv("LBANN_SOURCE_ROOT");
  REQUIRE_MESSAGE(root != nullptr, "LBANN_SOURCE_ROOT names the folder of the sources");
  auto const relative = [&](std::filesystem::path const& path) {
    return std::filesystem::relative(path, root).string();
  };
  int count = 0;
  for (auto const& file : std::filesystem::directory_iterator(std::filesystem::path(root) /
                                                              "tests/compiler/passes" / name)) {
    if (file.path().extension() != ".before") continue;
    ++count;
    CAPTURE(file.path().string());
    auto program = program_of(expected_text(relative(file.path())));
    pass(program);
    auto const fault = verify(program);
    CHECK_MESSAGE(!fault, fault.value_or(""));
    auto after = file.path();
    after.replace_extension(".after");
    CHECK(difference(relative(after), to_text(program)) == "");
  }
  CHECK(count > 0);
}

}  // namespace lbann::tests
