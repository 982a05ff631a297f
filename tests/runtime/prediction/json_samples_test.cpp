// Lines of JSON to samples and back.
#include "runtime/prediction/json_samples.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>

namespace lbann::runtime {

namespace {

std::vector<SampleField> const one = {{"samples", DataType::f32, {2, 1, 2}}};
std::vector<SampleField> const two = {{"samples", DataType::f32, {2}},
                                      {"more", DataType::f64, {1}}};

template <class T>
std::vector<T> numbers(std::vector<std::byte> const& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<float> samples(std::string_view line) {
  auto const request = parse_request(line, one);
  REQUIRE_MESSAGE(request.good(), (request.good() ? "" : request.problem().message));
  CHECK(request.value().values[0].size() ==
        static_cast<std::size_t>(request.value().samples) * one[0].bytes());
  return numbers<float>(request.value().values[0]);
}

void refused(std::string_view line, std::vector<SampleField> const& fields,
             std::string_view words) {
  auto const request = parse_request(line, fields);
  REQUIRE_MESSAGE(!request.good(), line);
  CHECK_MESSAGE(request.problem().message.find(words) != std::string::npos,
                request.problem().message);
}

}  // namespace

TEST_CASE("a sample is lists of its sizes, without axes of one, or one list") {
  std::vector<float> const expected{1, 2.5F, -3, 4e-3F};
  CHECK(samples("[[[[1, 2.5]], [[-3, 0.004]]]]") == expected);
  CHECK(samples("{\"samples\": [[[1, 2.5], [-3, 0.004]]]}") == expected);
  CHECK(samples(" [[1, 2.5, -3, 4e-3]] ") == expected);
  CHECK(samples("[[1, 2.5, -3, 4e-3], [[1, 1], [1, 1]]]").size() == 8);
  CHECK(samples("[]").empty());
}

TEST_CASE("several fields; a number may stand by itself") {
  auto const request = parse_request(R"({"more": [7, [8]], "samples": [[1, 2], [3, 4]]})", two);
  REQUIRE(request.good());
  CHECK(request.value().samples == 2);
  CHECK(numbers<float>(request.value().values[0]) == std::vector<float>{1, 2, 3, 4});
  CHECK(numbers<double>(request.value().values[1]) == std::vector<double>{7, 8});
}

TEST_CASE("what is wrong is told") {
  refused("", one, "no JSON");
  refused("[[1, 2", one, "no JSON");
  refused("7", one, "a list of samples");
  refused("[1, 2, 3, 4]", one, "sample 0 of `samples`: it is a number, not [2, 1, 2]");
  refused("[[1, 2, 3]]", one, "it is [3], not [2, 1, 2]");
  refused("[[1, 2, 3, 4, 5]]", one, "it is [5]");
  refused("[[[1, 2], [3]]]", one, "not all of the same size");
  refused("[[[1, 2], 3]]", one, "not all of the same size");
  refused("[[1, 2, 3, \"4\"]]", one, "`\"4\"` is no number");
  refused("[[1, 2, 3, null]]", one, "`null` is no number");
  refused("[[1, 2, 3, {\"a\": 4}]]", one, "an object is no number");
  // As deep as a line may be long: no call for each.
  refused(std::string(5'000'000, '['), one, "no JSON");
  refused("[" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "]", one,
          "it has lists within 64 lists");
  std::string objects;
  for (int i = 0; i < 200'000; ++i) objects += "{\"a\":";
  refused("[[" + objects + "1" + std::string(200'000, '}') + "]]", one, "an object is no number");
  refused("[[1, 2, 3, 1e39]]", one, "too large for f32");
  refused("{\"sample\": [[1, 2, 3, 4]]}", one, "`sample` is nothing");
  refused("{}", one, "`samples` is missing");
  refused("{\"samples\": 3}", one, "no list of samples");
  refused("[[1, 2]]", two, "a list of samples for each");
  refused(R"({"more": [7], "samples": [[1, 2], [3, 4]]})", two, "`samples` has 2 samples");
}

TEST_CASE("answers read as the same numbers") {
  std::vector<float> const values{0.1F, 1, std::numeric_limits<float>::infinity(), -2e-8F};
  std::vector<std::byte> bytes(sizeof(float) * values.size());
  std::memcpy(bytes.data(), values.data(), bytes.size());
  CHECK(answer_text({{"y", DataType::f32, {2}}}, {bytes}, 2) == R"({"y":[[0.1,1],[null,-2e-08]]})");
  CHECK(answer_text({{"a\"b", DataType::f32, {1}}}, {{}}, 0) == R"({"a\"b":[]})");
  CHECK(error_text("a \"word\"") == R"({"error":"a \"word\""})");
}

}  // namespace lbann::runtime
