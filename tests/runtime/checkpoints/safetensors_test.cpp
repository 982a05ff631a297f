// Headers of safetensors files both ways; damaged ones are problems, never crashes.
#include "runtime/checkpoints/safetensors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/contains.hpp"

using namespace lbann;
using namespace lbann::runtime;
using lbann::testing::contains;

namespace {

std::vector<SafetensorsEntry> const all_kinds = {{"matrix", DataType::f32, {2, 3}, 0, 24},
                                                 {"scalar", DataType::f64, {}, 24, 32},
                                                 {"empty", DataType::i64, {0, 7}, 32, 32},
                                                 {"odd", DataType::u8, {3}, 32, 35},
                                                 {"b\"\n\xc3\xa4", DataType::i32, {1}, 35, 39}};

/// What a reader does with a whole file.
Result<std::vector<SafetensorsEntry>> parse_file(std::string const& bytes) {
  auto const* const first = reinterpret_cast<std::uint8_t const*>(bytes.data());
  auto const size = static_cast<std::int64_t>(bytes.size());
  auto const length =
      safetensors_header_bytes({first, std::min<std::size_t>(bytes.size(), 8)}, size);
  if (!length) return length.problem();
  auto const header = static_cast<std::size_t>(length.value());
  return parse_safetensors_header(std::string_view(bytes).substr(8, header),
                                  size - 8 - length.value());
}

std::string file_of(std::vector<SafetensorsEntry> const& entries) {
  auto const head = compose_safetensors_header(entries);
  REQUIRE(head.good());
  auto const data = entries.empty() ? 0 : entries.back().end;
  return head.value() + std::string(static_cast<std::size_t>(data), 'x');
}

std::string why(Result<std::vector<SafetensorsEntry>> const& parsed) {
  REQUIRE_FALSE(parsed.good());
  return parsed.problem().message;
}

}  // namespace

TEST_CASE("tensors of every kind come back, data are aligned") {
  for (auto const& entries : {all_kinds, std::vector<SafetensorsEntry>{}}) {
    auto const head = compose_safetensors_header(entries);
    REQUIRE(head.good());
    CHECK(head.value().size() % 64 == 0);
    auto const back = parse_file(file_of(entries));
    REQUIRE(back.good());
    CHECK(back.value() == entries);
  }
}

TEST_CASE("the bytes are those of the format") {
  std::vector<SafetensorsEntry> const one = {{"a", DataType::f32, {2}, 0, 8}};
  auto const head = compose_safetensors_header(one);
  REQUIRE(head.good());
  CHECK(head.value().substr(0, 8) == std::string("\x38\0\0\0\0\0\0\0", 8));
  CHECK(head.value().substr(8) == R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}  )");
}

TEST_CASE("a file cut anywhere is a problem") {
  auto const file = file_of(all_kinds);
  for (std::size_t size = 0; size < file.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(parse_file(file.substr(0, size)).good());
  }
  CHECK(contains(why(parse_file(file + "x")), "promises 39 bytes of data, it has 40"));
}

TEST_CASE("a file with any bit flipped is read as one of the same data, or is a problem") {
  auto const file = file_of(all_kinds);
  auto const header = file.size() - 39;
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < header * 8; ++bit) {
    auto changed = file;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    auto const parsed = parse_file(changed);
    refused += parsed ? 0 : 1;
    if (!parsed) continue;
    CHECK(parsed.value().size() == all_kinds.size());
    CHECK(parsed.value().back().end == 39);
  }
  CHECK(refused > header * 4);
}

TEST_CASE("what contradicts itself is refused with its tensor") {
  auto const parse = [](std::string const& text, std::int64_t bytes) {
    return why(parse_safetensors_header(text, bytes));
  };
  auto const tensor = [](std::string const& name, std::string const& rest) {
    return "\"" + name + "\":{\"dtype\":" + rest + "}";
  };
  std::string const good = R"("F32","shape":[1],"data_offsets":[0,4])";
  CHECK(contains(parse("{" + tensor("a", good) + "," + tensor("a", good) + "}", 4), "twice"));
  CHECK(contains(parse("{" + tensor("a", good) + "," + tensor("b", good) + "}", 4),
                 "begin at 0, not at 4"));
  CHECK(contains(parse("{" + tensor("a", R"("F32","shape":[1],"data_offsets":[4,8])") + "}", 8),
                 "begin at 4, not at 0"));
  CHECK(contains(parse("{" + tensor("a", R"("F32","shape":[1],"data_offsets":[8,4])") + "}", 8),
                 "begin and end"));
  CHECK(contains(parse("{" + tensor("a", R"("F32","shape":[2],"data_offsets":[0,4])") + "}", 4),
                 "`a` of [2] F32 has 4 bytes"));
  CHECK(contains(parse("{" + tensor("a", R"("BF16","shape":[2],"data_offsets":[0,4])") + "}", 4),
                 "BF16"));
  CHECK(contains(parse("{" + tensor("a", R"("F32","shape":[-1],"data_offsets":[0,4])") + "}", 4),
                 "`shape`"));
  CHECK(contains(parse("{" + tensor("a", R"("F32","shape":[1.0],"data_offsets":[0,4])") + "}", 4),
                 "`shape`"));
  CHECK(contains(parse("{" +
                           tensor("a", R"("F32","shape":[4294967296,4294967296],)"
                                       R"("data_offsets":[0,4])") +
                           "}",
                       4),
                 "4 bytes"));
  CHECK(contains(parse("{" + tensor("a", R"("F32","shape":[1e999],"data_offsets":[0,4])") + "}", 4),
                 "no JSON"));
  CHECK(contains(parse("{" + tensor("a", good + R"(,"more":1)") + "}", 4), "exactly"));
  CHECK(contains(parse("{" + tensor("a", good + R"(,"shape":[1])") + "}", 4), "twice"));
  CHECK(contains(parse(R"({"__metadata__":{"a":1}})", 0), "__metadata__"));
  CHECK(contains(parse("[]", 0), "object"));
  CHECK(contains(parse(std::string(100'000, '['), 0), "deep"));
  auto const kept =
      parse_safetensors_header(R"({"__metadata__":{"format":"pt"},)" + tensor("a", good) + "}", 4);
  REQUIRE(kept.good());
  CHECK(kept.value().size() == 1);
}

TEST_CASE("a length that is none is no memory") {
  std::string const huge(16, '\xff');
  CHECK(contains(why(parse_file(huge)), "more than are read"));
}

TEST_CASE("what cannot be read is not composed") {
  auto const composes = [](std::vector<SafetensorsEntry> const& entries) {
    return compose_safetensors_header(entries).good();
  };
  SafetensorsEntry const a{"a", DataType::f32, {1}, 0, 4};
  CHECK(composes({a}));
  CHECK_FALSE(composes({a, {"a", DataType::f32, {1}, 4, 8}}));
  CHECK_FALSE(composes({a, {"b", DataType::f32, {1}, 8, 12}}));
  CHECK_FALSE(composes({{"a", DataType::f32, {2}, 0, 4}}));
  CHECK_FALSE(composes({{"a", DataType::bf16, {2}, 0, 4}}));
  CHECK_FALSE(composes({{"\xff", DataType::f32, {1}, 0, 4}}));
  CHECK_FALSE(composes({{"__metadata__", DataType::f32, {1}, 0, 4}}));
}
