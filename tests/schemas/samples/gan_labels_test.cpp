// Labels of two classes in the place of those of the data.
#include "schemas/samples/gan_labels.hpp"

#include "tests/schemas/samples/file_case.hpp"

using namespace lbann;
using tests::numbers_of;

namespace {

struct ThreeSamples : tests::FileCase<data_readers::csv> {
  ThreeSamples() : FileCase("a.csv", "x,y\n0,4\n1,2\n2,3\n") {
    reader.data_filename = "a.csv";
    reader.num_labels = 5;
    reader.gan_labelling = true;
  }
};

}  // namespace

TEST_CASE("gan_labelling gives every sample of a reader the same label of two classes") {
  ThreeSamples c;
  for (std::int64_t const value : {0, 1}) {
    c.reader.gan_label_value = value;
    auto const samples = c.open();
    REQUIRE(samples->count() == 3);
    REQUIRE(samples->fields().size() == 2);
    CHECK(samples->fields()[0].name == "samples");
    CHECK(samples->fields()[1].name == "labels");
    CHECK(samples->fields()[1].dims == std::vector<std::int64_t>{2});
    std::vector<double> const label = {value == 0 ? 1.0 : 0.0, value == 0 ? 0.0 : 1.0};
    for (std::int64_t i = 0; i < 3; ++i) CHECK(numbers_of(*samples, i, 1).value() == label);

    std::vector<std::int64_t> const indices = {2, 0};
    std::vector<float> numbers(2), labels(4, -1);
    std::vector<FieldColumn> const columns = {{1, {labels.data(), DataType::f32, 2}},
                                              {0, {numbers.data(), DataType::f32, 1}}};
    REQUIRE(samples->read_batch(indices, columns).good());
    CHECK(numbers == std::vector<float>{2, 0});
    CHECK(std::vector<double>(labels.begin(), labels.end()) ==
          std::vector<double>{label[0], label[1], label[0], label[1]});

    std::vector<std::byte> bytes;
    SampleValues whole;
    REQUIRE(samples->pack(1, bytes).good());
    REQUIRE(samples->unpack(bytes, 1, 1, whole).good());
    CHECK(whole.values == label);
    REQUIRE(samples->unpack(bytes, 1, 0, whole).good());
    CHECK(whole.values == std::vector<double>{1});
    REQUIRE(samples->read_whole(2, 1, whole).good());
    CHECK(whole.values == label);
    CHECK(samples->place(1, 0).ends_with("a.csv`:3"));
    CHECK(samples->place(1, 1).empty());
  }
}

TEST_CASE("with gan_labelling a reader needs no labels of its own") {
  ThreeSamples c;
  c.reader.disable_labels = true;
  auto const samples = c.open();
  REQUIRE(samples->fields().size() == 2);
  CHECK(samples->fields()[0].dims == std::vector<std::int64_t>{2});
  CHECK(numbers_of(*samples, 1, 0).value() == std::vector<double>{1, 2});
  CHECK(numbers_of(*samples, 1, 1).value() == std::vector<double>{1, 0});

  tests::ReaderCase<data_readers::mnist> digits;
  digits.reader.data_filedir = digits.folder.path();
  digits.reader.data_filename = "images";
  digits.reader.label_filename = "nowhere";
  digits.reader.scale = 1;
  digits.folder.write_text("images",
                           std::string("\0\0\x8\x3\0\0\0\x1\0\0\0\x1\0\0\0\x2\x5\x7", 18));
  CHECK(digits.problem().find("nowhere") != std::string::npos);
  digits.reader.gan_labelling = true;
  CHECK(digits.problem().empty());
  CHECK(numbers_of(*digits.open(), 0, 0).value() == std::vector<double>{5, 7});
}
