// Event files: checksums, framing, messages byte by byte.
#include "runtime/observation/event_file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <limits>

#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;

namespace {

std::string only_file(std::filesystem::path const& folder) {
  auto const path = std::filesystem::directory_iterator(folder)->path();
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

/// The bytes of all records, whose checksums must fit.
std::vector<std::string> records_of(std::string_view file) {
  auto const unmasked = [](std::uint64_t masked) {
    auto const rotated = static_cast<std::uint32_t>(masked) - 0xa282ead8U;
    return rotated >> 17 | rotated << 15;
  };
  std::vector<std::string> records;
  for (std::size_t at = 0; at < file.size();) {
    auto const length = number_at(file, at, 8);
    CHECK(unmasked(number_at(file, at + 8, 4)) == crc32c(file.substr(at, 8)));
    auto const bytes = file.substr(at + 12, length);
    CHECK(unmasked(number_at(file, at + 12 + length, 4)) == crc32c(bytes));
    records.emplace_back(bytes);
    at += 16 + length;
  }
  return records;
}

}  // namespace

TEST_CASE("CRC-32C: the check value, and the examples of RFC 3720") {
  CHECK(crc32c("123456789") == 0xe3069283U);
  CHECK(crc32c("") == 0);
  CHECK(crc32c(std::string(32, '\0')) == 0x8a9136aaU);
  CHECK(crc32c(std::string(32, '\xff')) == 0x62a8ab43U);
}

TEST_CASE("protobuf's wire format: the examples of its documentation") {
  ProtobufMessage message;
  message.integer(1, 150);
  CHECK(message.bytes() == "\x08\x96\x01");
  message.clear();
  message.text(2, "testing");
  CHECK(message.bytes() == "\x12\x07testing");
  ProtobufMessage outer;
  message.clear();
  message.integer(1, 150);
  outer.message(3, message);
  CHECK(outer.bytes() == std::string("\x1a\x03\x08\x96\x01"));
  message.clear();
  message.integer(1, -2);
  CHECK(message.bytes() == "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST_CASE("a file begins with its version; values follow in frames") {
  test::ScratchFolder const scratch;
  auto made = EventFile::create(scratch.path() / "a/b", -1);
  REQUIRE(made.good());
  auto& file = made.value();
  file.scalar("loss", 300, 0.5);
  std::vector<double> const values{0, 1, 1, 3, std::numeric_limits<double>::quiet_NaN()};
  file.histogram("h", 2, values);
  file.histogram("empty", 2, std::span(values).last(1));
  REQUIRE(file.flush().good());
  auto const records = records_of(only_file(scratch.path() / "a/b"));
  REQUIRE(records.size() == 3);
  CHECK(records[0].substr(9) ==
        "\x1a\x0d"
        "brain.Event:2");
  // wall_time, then step 300, summary {value {tag, simple_value}}.
  CHECK(records[1].substr(9) ==
        std::string("\x10\xac\x02\x2a\x0d\x0a\x0b\x0a\x04loss\x15\0\0\0\x3f", 18));
}

TEST_CASE("a run that goes on says from which step") {
  test::ScratchFolder const scratch;
  auto made = EventFile::create(scratch.path(), 7);
  REQUIRE(made.value().flush().good());
  auto const records = records_of(only_file(scratch.path()));
  REQUIRE(records.size() == 2);
  CHECK(records[1].substr(9) == "\x10\x07\x3a\x02\x08\x01");
}

TEST_CASE("a folder that cannot be made, a disk that is full") {
  auto const made = EventFile::create("/proc/nothing", -1);
  REQUIRE_FALSE(made.good());
  CHECK(contains(made.problem().message, "/proc/nothing/events.out.tfevents."));
}
