// Names become single components, paths stay where they begin.
#include "schemas/files/file_name.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace lbann;
using namespace std::string_view_literals;

TEST_CASE(
    "plain names stay as they are, what leads elsewhere or cannot be seen is written in digits") {
  CHECK(file_name("conv1_bias.npy") == "conv1_bias.npy");
  CHECK(file_name("../../x") == "%2E.%2F..%2Fx");
  CHECK(file_name("/abs/x") == "%2Fabs%2Fx");
  CHECK(file_name("..") == "%2E.");
  CHECK(file_name(".hidden") == "%2Ehidden");
  CHECK(file_name("a\nb\0c\x7f"sv) == "a%0Ab%00c%7F");
  CHECK(file_name("größe") == "größe");
}

TEST_CASE("different names have different files, from which they come back") {
  std::set<std::string> files;
  for (auto const* name :
       {"a/b", "a%2Fb", "a%252Fb", "a b", ".a", "%2Ea", "..", "%2E.", "\xff\n"}) {
    CHECK(files.insert(file_name(name)).second);
    CHECK(name_of_file(file_name(name)) == name);
  }
  for (auto const* other : {"", "%", "a%2", "%zz", "100%", "%-1"})
    CHECK(name_of_file(other) == other);
}

TEST_CASE("paths that lead out of a folder are known") {
  for (auto const* path : {"", ".", "a", "a/b", "./a", "a//b/", "..a", "a..", "a/..b", "..."})
    CHECK_MESSAGE(stays_within(path), path);
  for (auto const* path : {"/", "/a", "..", "../a", "a/..", "a/../b", "a/../../b", "./.."})
    CHECK_FALSE_MESSAGE(stays_within(path), path);
  CHECK_FALSE(stays_within("a\0b"sv));
}

TEST_CASE("a confined path stays within, and one that does keeps its meaning") {
  CHECK(confined("/tmp/a/../b") == "tmp/b");
  CHECK(confined("../c") == "c");
  CHECK(confined("../../a/./b/../..//c/") == "c/");
  CHECK(confined("/") == "");
  CHECK(confined("a/b") == "a/b");
  for (auto const path : {"/a/b"sv, "../../x"sv, "a/../../../x/"sv, "/.."sv, "x\0/y"sv, ".."sv})
    CHECK(stays_within(confined(path)));
}
