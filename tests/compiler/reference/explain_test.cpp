// Pages of diagnostics.
#include "compiler/reference/explain.hpp"

#include <doctest/doctest.h>

#include "schemas/diagnostics/catalogue.hpp"

using namespace lbann;
using namespace lbann::compiler;

TEST_CASE("line_changes shows what goes, what comes, and the lines beside") {
  CHECK(line_changes("a\nb\nc\nd\n", "a\nb\nx\nd\n") == "  b\n- c\n+ x\n  d\n");
  CHECK(line_changes("a\n", "a\nb\n") == "  a\n+ b\n");
  CHECK(line_changes("", "a") == "+ a\n");
  CHECK(line_changes("a\n", "a\n").empty());
}

TEST_CASE("explain() shows every code's words, example, output and repair") {
  for (auto const* info : catalogue()) {
    CAPTURE(info->code);
    auto const page = explain(*info);
    CHECK(page.find("[" + std::string(info->code) + "]") != std::string::npos);
    CHECK(page.find(info->message) != std::string::npos);
    CHECK(page.find("\nInstead:\n") != std::string::npos);
  }
}
