// Places in sources are counted as editors count them.
#include "schemas/plan/location.hpp"

#include <doctest/doctest.h>

using namespace lbann;

TEST_CASE("location counts lines and characters from one") {
  std::vector<Source> const sources = {{"a.yaml", "one\ntwo\n"},
                                       {"b.yaml", "gr\xc3\xbc\xc3\x9f: x\n"}};
  CHECK(location(sources, {0, 0, 1}) == "a.yaml:1:1");
  CHECK(location(sources, {0, 4, 5}) == "a.yaml:2:1");
  CHECK(location(sources, {0, 6, 7}) == "a.yaml:2:3");
  CHECK(location(sources, {1, 8, 9}) == "b.yaml:1:7");
  CHECK(location(sources, {0, 4000, 4001}) == "a.yaml:3:1");
}

TEST_CASE("location is a path in messages that were decoded") {
  std::string const text =
      std::string(decoded_messages) +
      "model {\n"
      "  layer {\n    name: \"a\"\n    relu {\n    }\n  }\n"
      "  weights {\n    name: \"w\"\n  }\n"
      "  layer {\n    parents: \"a\"\n    parents: \"b\"\n    pooling {\n      dims: [1, 2]\n"
      "    }\n  }\n}\ntrainer {\n}\n";
  std::vector<Source> const sources = {{"a.protobin", text}};
  auto const at = [&](std::string const& words) {
    auto const begin = static_cast<std::uint32_t>(text.find(words));
    return location(sources, {0, begin, begin + 1});
  };
  CHECK(location(sources, {0, 0, 1}) == "a.protobin");
  CHECK(at("model") == "a.protobin: model");
  CHECK(at("relu") == "a.protobin: model.layer[0].relu");
  CHECK(at("\"w\"") == "a.protobin: model.weights.name");
  CHECK(at("\"b\"") == "a.protobin: model.layer[1].parents[1]");
  CHECK(at("[1, 2") == "a.protobin: model.layer[1].pooling.dims");
  CHECK(at("trainer") == "a.protobin: trainer");
}

TEST_CASE("located tells which call and which round a place stands for") {
  std::vector<Source> const sources = {{"a.yaml", "one\ntwo\nthree\n"},
                                       {"", "", 0, {0, 8, 9}, "in round 1"},
                                       {"", "", 0, {1, 4, 5}, "in the call `b`"}};
  CHECK(located(sources, {2, 0, 1}, "words") ==
        "a.yaml:1:1: words\n  in the call `b` at a.yaml:2:1\n  in round 1 at a.yaml:3:1");
}

TEST_CASE("what no text caused has no place") {
  CHECK(location({}, {}).empty());
  CHECK(location({}, {3, 0, 1}).empty());
  CHECK(located({}, {}, "words") == "words");
  CHECK(located({{"a.yaml", "x"}}, {0, 0, 1}, "words") == "a.yaml:1:1: words");
}
