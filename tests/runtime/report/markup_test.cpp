// Text and files within HTML.
#include "runtime/report/markup.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace lbann::runtime;

TEST_CASE("what HTML would read is escaped, what XML forbids is left out") {
  CHECK(escaped("a < b && \"c\" > d") == "a &lt; b &amp;&amp; &quot;c&quot; &gt; d");
  CHECK(escaped(std::string_view("a\0\x1b[31m\tb\n", 10)) == "a[31m\tb\n");
  CHECK(escaped("größer") == "größer");
}

TEST_CASE("base64: the examples of RFC 4648, and every byte") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("fooba") == "Zm9vYmE=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64("\xff\xfe\xfd") == "//79");
}

TEST_CASE("numbers in four digits") {
  CHECK(short_number(98.666666) == "98.67");
  CHECK(short_number(-1.5e-9) == "-1.5e-09");
  CHECK(short_number(std::numeric_limits<double>::quiet_NaN()) == "–");
}
