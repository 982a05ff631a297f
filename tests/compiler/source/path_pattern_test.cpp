// Patterns of paths: what git says of the same lines in a .gitignore.
#include "compiler/source/path_pattern.hpp"

#include <doctest/doctest.h>

using namespace lbann::compiler;

namespace {

bool takes(std::string_view line, std::string_view path, bool is_folder = false) {
  auto const pattern = PathPattern::read(line);
  REQUIRE(pattern);
  return pattern->matches(path, is_folder);
}

}  // namespace

TEST_CASE("a name without a slash matches at any depth") {
  CHECK(takes("a.yaml", "a.yaml"));
  CHECK(takes("a.yaml", "x/y/a.yaml"));
  CHECK(takes("*.yaml", "x/y/a.yaml"));
  CHECK(takes("[ab]?.toml", "x/b1.toml"));
  CHECK_FALSE(takes("a.yaml", "b/a.yaml/c"));
  CHECK_FALSE(takes("*.yaml", "x/a.yml"));
}

TEST_CASE("a slash in front or within ties a pattern to its folder") {
  CHECK(takes("/a.yaml", "a.yaml"));
  CHECK_FALSE(takes("/a.yaml", "x/a.yaml"));
  CHECK(takes("x/*.yaml", "x/a.yaml"));
  CHECK_FALSE(takes("x/*.yaml", "x/y/a.yaml"));
  CHECK_FALSE(takes("x/*.yaml", "z/x/a.yaml"));
}

TEST_CASE("a slash at the end matches folders") {
  CHECK(takes("old/", "x/old", true));
  CHECK_FALSE(takes("old/", "x/old", false));
}

TEST_CASE("two stars match any number of folders") {
  CHECK(takes("**/a.yaml", "a.yaml"));
  CHECK(takes("**/a.yaml", "x/y/a.yaml"));
  CHECK(takes("x/**/a.yaml", "x/a.yaml"));
  CHECK(takes("x/**/y/**/a.yaml", "x/1/y/y/2/3/a.yaml"));
  CHECK_FALSE(takes("x/**/y/**/a.yaml", "x/1/2/a.yaml"));
  CHECK(takes("x/**", "x/a.yaml"));
  CHECK_FALSE(takes("x/**", "x", true));
}

TEST_CASE("many stars end soon") {
  std::string line, path;
  for (int i = 0; i < 200; ++i) line += "**/a*/";
  for (int i = 0; i < 2000; ++i) path += "aa/";
  CHECK_FALSE(takes(line + "b", path + "c"));
}

TEST_CASE("blank lines and comments are no patterns, blanks at the end no part of them") {
  for (auto const* line : {"", "  ", "# note", "/", "!", "\r"})
    CHECK_FALSE(PathPattern::read(line));
  CHECK(takes("a.yaml  \r", "a.yaml"));
  auto const back = PathPattern::read("!a.yaml");
  REQUIRE(back);
  CHECK(back->takes_back());
  CHECK(back->matches("x/a.yaml", false));
}

TEST_CASE("a pattern covers what lies below what it matches") {
  auto const pattern = PathPattern::read("imagenet");
  REQUIRE(pattern);
  CHECK(pattern->covers("x/imagenet/deep/a.yaml"));
  CHECK_FALSE(pattern->covers("x/imagenet.yaml"));
}
