// Transforms of the fields of a reader.
#include "schemas/samples/transformed_samples.hpp"

#include <algorithm>

#include "tests/schemas/samples/file_case.hpp"

using namespace lbann;

namespace {

/// Images of sizes of their own, 3 x (4 + index) x 5, and a field that is a number.
class Pictures final : public Samples {
 public:
  std::int64_t count() const override { return 3; }
  std::vector<GivenField> const& fields() const override { return fields_; }
  Result<Success> read(std::int64_t index, std::size_t, FieldValues const& values) const override {
    values.set(0, static_cast<double>(index));
    return Success{};
  }
  Result<Success> read_whole(std::int64_t index, std::size_t field,
                             SampleValues& sample) const override {
    if (field == 1) return Samples::read_whole(index, field, sample);
    sample.replace(3, 4 + index, 5);
    std::ranges::fill(sample.values, static_cast<double>(index));
    return Success{};
  }

 private:
  std::vector<GivenField> fields_ = {{"samples", {3, 0, 0}}, {"number", {1}}};
};

std::shared_ptr<Samples> pictures(std::vector<FieldTransforms> transforms) {
  auto made = with_transforms(std::make_shared<Pictures>(), std::move(transforms), {}, "train");
  REQUIRE_MESSAGE(made.good(), made.problem().message);
  return std::move(made).value();
}

}  // namespace

TEST_CASE("samples of different sizes come to those that transforms give") {
  auto const samples = pictures({{"samples", {transforms::resize{6, 8}, transforms::scale{2}}}});
  CHECK(samples->fields()[0].dims == SampleDims{3, 6, 8});
  for (std::int64_t index = 0; index < 3; ++index) {
    auto const numbers = tests::numbers_of(*samples, index, 0);
    REQUIRE(numbers.good());
    CHECK(numbers.value() == std::vector<double>(144, 2.0 * static_cast<double>(index)));
  }
  // Fields without transforms, and both in a batch, in f32.
  std::vector<float> images(2 * 144), numbers(2);
  std::vector<std::int64_t> const indices = {2, 1};
  std::vector<FieldColumn> const columns = {{0, {images.data(), DataType::f32, 144}},
                                            {1, {numbers.data(), DataType::f32, 1}}};
  REQUIRE(samples->read_batch(indices, columns).good());
  CHECK(numbers == std::vector<float>{2, 1});
  CHECK(images[143] == 4);
  CHECK(images[144] == 2);
}

TEST_CASE("a sample that is too small is named") {
  auto const samples = pictures({{"samples", {transforms::center_crop{5, 5}}}});
  auto const numbers = tests::numbers_of(*samples, 0, 0);
  REQUIRE_FALSE(numbers.good());
  CHECK(numbers.problem().message ==
        "`center_crop` cuts out 5 x 5 pixels, but images are 4 x 5 here");
  CHECK(tests::numbers_of(*samples, 1, 0).good());
}

TEST_CASE("what cannot be is told before the first sample") {
  auto const problem = [](std::vector<FieldTransforms> transforms) {
    auto const made =
        with_transforms(std::make_shared<Pictures>(), std::move(transforms), {}, "train");
    return made ? "" : made.problem().message;
  };
  CHECK(problem({{"labels", {transforms::scale{2}}}}) ==
        "transforms change field `labels`, which the reader does not give");
  CHECK(problem({{"number", {transforms::resize{2, 2}}}})
            .starts_with("`resize` works on images, with channels, height and width"));
}

TEST_CASE("epochs, roles and seeds draw for themselves") {
  auto const read = [](std::shared_ptr<Samples> const& samples, std::int64_t seed,
                       std::int64_t epoch) {
    samples->start_epoch(seed, epoch);
    std::vector<double> all;
    for (std::int64_t index = 0; index < 3; ++index) {
      auto const numbers = tests::numbers_of(*samples, index, 0).value();
      all.insert(all.end(), numbers.begin(), numbers.end());
    }
    return all;
  };
  std::vector<FieldTransforms> const list = {
      {"samples", {transforms::resize{20, 20}, transforms::cutout{3, 5}}}};
  auto const one = pictures(list);
  auto const other = with_transforms(std::make_shared<Pictures>(), list, {}, "test").value();
  CHECK(read(one, 1, 0) == read(pictures(list), 1, 0));
  CHECK(read(one, 1, 0) != read(one, 1, 1));
  CHECK(read(one, 1, 0) != read(one, 2, 0));
  CHECK(read(one, 1, 0) != read(other, 1, 0));
}

TEST_CASE("samples without transforms have the size that is expected, each") {
  auto const expecting = [](SampleDims dims) {
    return with_transforms(std::make_shared<Pictures>(), {}, {{"samples", std::move(dims)}},
                           "train")
        .value();
  };
  auto const samples = expecting({3, 5, 5});
  CHECK(samples->fields()[0].dims == SampleDims{3, 5, 5});
  CHECK(tests::numbers_of(*samples, 1, 0).value() == std::vector<double>(75, 1.0));
  CHECK(tests::numbers_of(*samples, 0, 0).problem().message ==
        "it comes to [3, 4, 5], not [3, 5, 5]");
  // As many values in another shape.
  CHECK_FALSE(tests::numbers_of(*expecting({3, 25, 1}), 1, 0).good());
}
