// The table of the National Cancer Institute: columns left out, response, class by name.
#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;
using tests::numbers_of;

namespace {

struct NciCase : tests::FileCase<data_readers::nci> {
  explicit NciCase(std::string const& text) : FileCase("a.txt", text) {
    reader.data_filename = "a.txt";
  }
};

}  // namespace

TEST_CASE("nci gives samples, response and class") {
  NciCase const c("broken header\nCL1 D7 0.25 rs x 1 2 3\nCL2 D9 -1 nr x 4 5 6\n");
  auto const samples = c.open();
  CHECK(samples->count() == 2);
  REQUIRE(samples->fields().size() == 3);
  CHECK(numbers_of(*samples, 1, 0).value() == std::vector<double>{4, 5, 6});
  CHECK(numbers_of(*samples, 0, 1).value() == std::vector<double>{1, 0});
  CHECK(numbers_of(*samples, 1, 1).value() == std::vector<double>{0, 1});
  CHECK(numbers_of(*samples, 0, 2).value() == std::vector<double>{0.25});
  auto const given = c.reader.gives();
  CHECK(given[1].dims == samples->fields()[1].dims);
}

TEST_CASE("nci names line and column of what is wrong") {
  CHECK(NciCase("header\nC D 1 maybe x 1\n").problem() ==
        "`a.txt`:2:7: `maybe` is not one of `classes`");
  CHECK(NciCase("header\nC D NA rs x 1\n").problem() ==
        "`a.txt`:2:5: the value is missing (`NA`); write a number there, or leave this sample out "
        "of the file");
  CHECK(contains(NciCase("header\n").problem(), "there is no line of numbers before the end"));
  CHECK(contains(NciCase("header\nC D 1\n").problem(), "there are 3 columns, column 3"));
}
