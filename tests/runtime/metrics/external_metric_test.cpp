// Numbers that other programs tell, and what is said when they do not.
#include "runtime/metrics/external_metric.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "schemas/metrics/executable_metric.hpp"
#include "schemas/metrics/python_metric.hpp"
#include "tests/runtime/regression.hpp"

using namespace lbann;

namespace {

/// What is said about a run whose callbacks write to `folder`.
template <class Fields>
Result<double> asked(Fields const& fields, std::filesystem::path const& folder) {
  auto const plan = test::regression_plan();
  std::filesystem::create_directories(folder / "trainer1" / "model0");
  std::ofstream(folder / "trainer1" / "model0" / "weights.txt") << "7";
  return runtime::evaluate_external_metric(
      {"asked", "", {}, {}, {}, Declared{to_record(fields), Span{0, 9, 12}}}, plan, folder, 1);
}

Result<double> program(std::string const& script, std::string const& arguments = "") {
  test::ScratchFolder const scratch;
  auto const path = scratch.path() / "program";
  std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return asked(metrics::executable_metric{"", path.string(), arguments}, scratch.path() / "run");
}

Result<double> python(std::string const& text, std::string const& function = "evaluate") {
  test::ScratchFolder const scratch;
  std::ofstream(scratch.path() / "my_metric.py") << text;
  return asked(metrics::python_metric{"", "my_metric", scratch.path().string(), function},
               scratch.path() / "run");
}

}  // namespace

TEST_CASE("a program prints one number") {
  CHECK(program("echo 1.5").value() == 1.5);
  CHECK(program("printf ' -2e3\\n\\n'").value() == -2000);
  // Its arguments, as a shell reads them, then where the files of the model lie.
  CHECK(program("[ \"$1:$2:$3\" = 'a b:c:trainer1/model0' ] && cat \"$3/weights.txt\"", "'a b' c")
            .value() == 7);
}

TEST_CASE("a program that does not") {
  auto const place = std::string("regression.yaml:2:3: metric `asked` ");
  CHECK(program("echo 1.5 apples")
            .problem()
            .message.starts_with(place + "printed `1.5 apples`, not one number"));
  CHECK(program("true").problem().message.starts_with(place + "printed ``, not one number"));
  auto const failed = program("echo broken >&2; exit 4").problem().message;
  CHECK(failed.starts_with(place + "failed with exit code 4:\nbroken"));
}

TEST_CASE("a Python function gives a number") {
  CHECK(python("def evaluate(path, rank):\n  print('loud')\n  assert (path, rank) == "
               "('trainer1/model0', 0)\n  return open(path + '/weights.txt').read()\n")
            .value() == 7);
  CHECK(python("def other(folder, rank): return 0.1\n", "other").value() == 0.1);
}

TEST_CASE("a Python function that does not: the traceback behind the line") {
  auto const raised = python("def evaluate(folder, rank):\n  raise ValueError('no weights')\n");
  REQUIRE_FALSE(raised.good());
  CHECK(raised.problem().message.starts_with(
      "regression.yaml:2:3: metric `asked` failed with exit code 1:\nTraceback"));
  CHECK(raised.problem().message.find("ValueError: no weights") != std::string::npos);
  CHECK(python("").problem().message.find("evaluate") != std::string::npos);
  CHECK(python("def evaluate(folder, rank): return 'many'\n").problem().message.find("many") !=
        std::string::npos);
}

TEST_CASE("a metric of another version is refused") {
  auto const plan = test::regression_plan();
  auto const value = runtime::evaluate_external_metric(
      {"asked", "", {}, {}, {}, Declared{Record{"oracle", {}}, Span{0, 9, 12}}}, plan, {}, 0);
  REQUIRE_FALSE(value.good());
  CHECK(value.problem().message.find("compile the experiment again") != std::string::npos);
}
