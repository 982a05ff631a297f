// The table of epochs: sparklines, durations. Its rows are compared in
// tests/training/console_test.py.
#include "runtime/callbacks/epoch_table.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

using namespace lbann::runtime;

TEST_CASE("sparklines") {
  CHECK(sparkline(std::vector<double>{7, 0, 3.5}) == "█▁▅");
  CHECK(sparkline(std::vector<double>{}) == "");
  CHECK(sparkline(std::vector<double>{2, 2}) == "▁▁");
  auto const none = std::numeric_limits<double>::quiet_NaN();
  CHECK(sparkline(std::vector<double>{none, -1, 1}) == " ▁█");
}

TEST_CASE("durations") {
  CHECK(duration_text(0.0123) == "12.3 ms");
  CHECK(duration_text(59) == "59 s");
  CHECK(duration_text(61.4) == "1:01");
  CHECK(duration_text(3599.7) == "1:00:00");
  CHECK(duration_text(100000) == "27:46:40");
}
