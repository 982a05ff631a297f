// Values come back with the same bits, from as few bytes as hold them.
#include "schemas/samples/packed_values.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace lbann;

namespace {

std::size_t packed_bytes(std::vector<double> const& values) {
  SampleValues sample;
  sample.dims = {static_cast<std::int64_t>(values.size())};
  sample.values = values;
  std::vector<std::byte> bytes;
  pack_values(sample, bytes);
  SampleValues back;
  unpack_values(bytes, 0, back);
  CHECK(back.dims == sample.dims);
  REQUIRE(back.values.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK(std::bit_cast<std::uint64_t>(back.values[i]) == std::bit_cast<std::uint64_t>(values[i]));
  return bytes.size() - 32;  // without the head and one dim
}

}  // namespace

TEST_CASE("packed values are the same, in the narrowest type") {
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  CHECK(packed_bytes({0, 1, 128, 255}) == 4);
  CHECK(packed_bytes({0, 256}) == 8);
  CHECK(packed_bytes({-1, 3}) == 8);
  CHECK(packed_bytes({-0.0}) == 4);
  CHECK(packed_bytes({0.5, infinity, -infinity, 1e-40f}) == 16);
  CHECK(packed_bytes({0.1}) == 8);
  CHECK(packed_bytes({1e300}) == 8);
  CHECK(packed_bytes({std::nan("1")}) % 4 == 0);
  CHECK(packed_bytes({}) == 0);
}

TEST_CASE("packed values stand one behind the other, with dims of their own") {
  std::vector<std::byte> bytes;
  std::vector<SampleValues> samples(3);
  samples[0].dims = {2, 1};
  samples[0].values = {0.1, 0.2};
  samples[1].dims = {};
  samples[1].values = {7};
  samples[2].dims = {1, 3};
  samples[2].values = {1.5, 2.5, -3};
  for (auto const& sample : samples) pack_values(sample, bytes);
  for (std::size_t position : {2, 0, 1}) {
    SampleValues back;
    unpack_values(bytes, position, back);
    CHECK(back.dims == samples[position].dims);
    CHECK(back.values == samples[position].values);
  }
}
