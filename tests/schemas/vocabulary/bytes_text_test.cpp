// Numbers of bytes, written and read.
#include "schemas/vocabulary/bytes_text.hpp"

#include <doctest/doctest.h>

using namespace lbann;

TEST_CASE("numbers of bytes are written in powers of a thousand") {
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(999) == "999 B");
  CHECK(bytes_text(2500) == "2.5 kB");
  CHECK(bytes_text(5030000000000) == "5.0 TB");
}

TEST_CASE("sizes are read with units of either kind") {
  CHECK(parse_bytes("24GiB") == std::int64_t{24} << 30);
  CHECK(parse_bytes("80 GB") == 80000000000);
  CHECK(parse_bytes("1.5k") == 1500);
  CHECK(parse_bytes("512MiB") == 512 << 20);
  CHECK(parse_bytes("1000") == 1000);
  CHECK(parse_bytes("7 B") == 7);
  for (auto const* wrong :
       {"", "GiB", "-1", "0", "1 Gi", "2 EB", "3 GBs", "nan", "inf", "1e300", "4 mB"})
    CHECK_MESSAGE(!parse_bytes(wrong), wrong);
}
