// Records of CIFAR-100: both labels, and files that are no whole number of records.
#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;
using tests::numbers_of;

namespace {

/// A record: coarse label, fine label, all pixels of the image the same.
std::string record(int coarse, int fine, int pixel) {
  return std::string{static_cast<char>(coarse), static_cast<char>(fine)} +
         std::string(3072, static_cast<char>(pixel));
}

struct Cifar100Case : tests::FileCase<data_readers::cifar100> {
  explicit Cifar100Case(std::string const& bytes) : FileCase("train.bin", bytes) {
    reader.scale = 1;
  }
};

}  // namespace

TEST_CASE("cifar100 gives the fine label or the coarse one") {
  Cifar100Case c(record(19, 99, 7) + record(3, 42, 200));
  auto const fine = c.open();
  CHECK(fine->count() == 2);
  CHECK(numbers_of(*fine, 1, 0).value() == std::vector<double>(3072, 200));
  CHECK(numbers_of(*fine, 0, 1).value()[99] == 1);
  CHECK(numbers_of(*fine, 1, 1).value()[42] == 1);
  c.reader.label = data_readers::CifarLabel::coarse;
  auto const coarse = c.open();
  CHECK(coarse->fields()[1].dims == std::vector<std::int64_t>{20});
  CHECK(numbers_of(*coarse, 0, 1).value()[19] == 1);
  CHECK(numbers_of(*coarse, 1, 1).value()[3] == 1);
  c.reader.role = ExecutionMode::testing;
  CHECK(contains(c.problem(), "test.bin"));
  c.folder.write_text("test.bin", record(0, 0, 0));
  CHECK(c.open()->count() == 1);
}

TEST_CASE("cifar100 names what is wrong with a file") {
  CHECK(Cifar100Case(record(0, 100, 0)).problem() ==
        "`train.bin`: label 100 in byte 1 is not one of 0 to 99");
  Cifar100Case coarse(record(1, 1, 0) + record(20, 1, 0));
  coarse.reader.label = data_readers::CifarLabel::coarse;
  CHECK(coarse.problem() == "`train.bin`: label 20 in byte 3074 is not one of 0 to 19");
  auto const good = record(1, 2, 3) + record(4, 5, 6);
  for (std::size_t size = 0; size < good.size(); size += 29) {
    if (size == 3074) continue;
    CHECK(contains(Cifar100Case(good.substr(0, size)).problem(), "no multiple of the 3074"));
  }
}
