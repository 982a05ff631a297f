// Headers of .npy files; damage of any byte is told or harmless.
#include "schemas/data_formats/npy_header.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/npy_bytes.hpp"

using namespace lbann;

TEST_CASE("parse_npy_header tells dims, type and place of the numbers") {
  auto const bytes = tests::npy_bytes<std::int16_t>("<i2", "(5, 3, 4)", {});
  auto const header = parse_npy_header(bytes);
  REQUIRE(header.good());
  CHECK(header.value().dims == std::vector<std::int64_t>{5, 3, 4});
  CHECK(header.value().number == NpyNumber::i2);
  CHECK(header.value().begin == static_cast<std::int64_t>(bytes.size()));
  CHECK(header.value().numbers == 60);
  CHECK(parse_npy_header(tests::npy_bytes<float>("<f4", "()", {})).value().numbers == 1);
  CHECK(bytes_of(NpyNumber::u1) == 1);
  CHECK(bytes_of(NpyNumber::f8) == 8);
}

TEST_CASE("parse_npy_header survives every truncation and every changed byte") {
  auto const good = tests::npy_bytes<float>("<f4", "(2, 3)", {});
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK_FALSE(parse_npy_header({good.data(), size}).good());
  for (std::size_t at = 0; at < good.size(); ++at)
    for (int const value : std::initializer_list<int>{0, ' ', '9', '(', 255}) {
      auto bytes = good;
      bytes[at] = static_cast<std::uint8_t>(value);
      auto const header = parse_npy_header(bytes);
      if (header) CHECK(header.value().numbers >= 0);
    }
}

TEST_CASE("npy_header is what parse_npy_header reads, and as NumPy writes it") {
  for (auto const& dims : {std::vector<std::int64_t>{}, {7}, {2, 3}, {4, 1, 0}})
    for (auto const number : {NpyNumber::f4, NpyNumber::i8, NpyNumber::u1}) {
      auto const text = npy_header(number, dims);
      CHECK(text.size() % 64 == 0);
      auto const header =
          parse_npy_header({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()});
      REQUIRE(header.good());
      CHECK(header.value().dims == dims);
      CHECK(header.value().number == number);
      CHECK(header.value().begin == static_cast<std::int64_t>(text.size()));
    }
  CHECK(npy_header(NpyNumber::u1, std::vector<std::int64_t>{7}).substr(10, 58) ==
        "{'descr': '|u1', 'fortran_order': False, 'shape': (7,), } ");
  CHECK(tensor_type(NpyNumber::i4) == DataType::i32);
  CHECK_FALSE(tensor_type(NpyNumber::u2).has_value());
  CHECK(npy_number(DataType::f64) == NpyNumber::f8);
  CHECK_FALSE(npy_number(DataType::bf16).has_value());
}

TEST_CASE("parse_npy_header refuses Fortran order where it is another one") {
  CHECK(parse_npy_header(tests::npy_bytes<float>("<f4", "(5,)", {}, "True")).good());
  CHECK_FALSE(parse_npy_header(tests::npy_bytes<float>("<f4", "(5, 1)", {}, "True")).good());
}

TEST_CASE("parse_npy_header refuses what is no header of numbers it reads") {
  std::vector<std::uint8_t> const good = tests::npy_bytes<float>("<f4", "(2,)", {});
  REQUIRE(parse_npy_header(good).good());
  for (auto const& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"NUMPY", "LUMPY"},
                                                        {"<f4", ">f4"},
                                                        {"(2,)", "(2,-"},
                                                        {"shape", "shale"},
                                                        {"(2,)", "[2,]"}}) {
    auto bad = good;
    auto const place = std::search(bad.begin(), bad.end(), from.begin(), from.end());
    REQUIRE(place != bad.end());
    std::copy(to.begin(), to.end(), place);
    CAPTURE(to);
    CHECK_FALSE(parse_npy_header(bad).good());
  }
}
