// From the readers of a plan to the samples of each role.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "runtime/data/splits.hpp"
#include "schemas/data_readers/list.hpp"
#include "tests/schemas/samples/scratch_folder.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/small_plan.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;

namespace {

data_readers::synthetic reader() {
  data_readers::synthetic reader;
  reader.num_samples = 20;
  reader.synth_dimensions = {6};
  reader.num_labels = 3;
  reader.shuffle = true;
  return reader;
}

Plan plan_with(data_readers::synthetic const& reader) {
  auto plan = tests::small_plan();
  plan.data[0].reader.record = to_record(reader);
  return plan;
}

std::string fault(Plan const& plan) {
  auto const splits = open_splits(plan, {}, true);
  return splits ? "" : splits.problem().message;
}

}  // namespace

TEST_CASE("validation_fraction cuts the tail off after the shuffle") {
  auto declared = reader();
  declared.validation_fraction = 0.15;
  auto const plan = plan_with(declared);
  auto const splits = open_splits(plan, {}, true);
  if (!splits) FAIL(splits.problem().message);
  REQUIRE(splits.value().size() == 2);
  auto const &train = splits.value()[0], &validation = splits.value()[1];
  CHECK(train.role == ExecutionMode::training);
  CHECK(validation.role == ExecutionMode::validation);
  CHECK(train.indices.size() == 17);
  CHECK(validation.indices.size() == 3);
  CHECK(train.shuffle);
  CHECK_FALSE(validation.shuffle);
  CHECK(train.fields == std::vector<std::size_t>{0, 1});
  std::set<std::int64_t> all(train.indices.begin(), train.indices.end());
  all.insert(validation.indices.begin(), validation.indices.end());
  CHECK(all.size() == 20);
  CHECK_FALSE(std::ranges::is_sorted(train.indices));
  CHECK(open_splits(plan, {}, true).value()[0].indices == train.indices);
  auto other = plan;
  other.random_seed = 43;
  CHECK(open_splits(other, {}, true).value()[0].indices != train.indices);
}

TEST_CASE("without shuffle the samples keep their order") {
  auto declared = reader();
  declared.shuffle = false;
  declared.validation_fraction = 0.25;
  declared.absolute_sample_count = 8;
  auto const plan = plan_with(declared);
  auto const splits = open_splits(plan, {}, true).value();
  CHECK(splits[0].indices == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5});
  CHECK(splits[1].indices == std::vector<std::int64_t>{6, 7});
}

TEST_CASE("more samples than can be kept in order are refused") {
  auto declared = reader();
  for (auto const count : {std::int64_t{1} << 62, data_readers::most_samples + 1}) {
    declared.num_samples = count;
    auto plan = plan_with(declared);
    plan.data[0].samples = -1;
    CHECK(contains(fault(plan), std::to_string(count) + " samples, more than the"));
  }
}

TEST_CASE("samples for tournaments are cut off after those for validation") {
  auto declared = reader();
  declared.shuffle = false;
  declared.validation_fraction = 0.25;
  declared.tournament_fraction = 0.5;
  declared.absolute_sample_count = 8;
  auto const splits = open_splits(plan_with(declared), {}, true).value();
  REQUIRE(splits.size() == 2);
  CHECK(splits[0].indices == std::vector<std::int64_t>{0, 1});
  CHECK(splits[1].indices == std::vector<std::int64_t>{6, 7});
  declared.tournament_fraction = 0.75;
  CHECK(contains(fault(plan_with(declared)), "leaves no samples for training"));
}

TEST_CASE("a validation reader of its own leaves the tail unused") {
  auto declared = reader();
  declared.validation_fraction = 0.5;
  auto plan = plan_with(declared);
  plan.data.push_back(plan.data[0]);
  plan.data[1].role = declared.role = ExecutionMode::validation;
  declared.validation_fraction = 0;
  plan.data[1].reader.record = to_record(declared);
  auto const splits = open_splits(plan, {}, true).value();
  REQUIRE(splits.size() == 2);
  CHECK(splits[0].indices.size() == 10);
  CHECK(splits[1].indices.size() == 20);
}

TEST_CASE("open_splits names the line of what does not fit") {
  auto declared = reader();
  CHECK(fault(plan_with(declared)) == "");
  declared.fraction_of_data_to_use = 0.01;
  CHECK(contains(fault(plan_with(declared)), "small.yaml:1:1: reader `synthetic`: no sample"));
  declared = reader();
  declared.absolute_sample_count = 21;
  CHECK(contains(fault(plan_with(declared)), "21"));
  declared = reader();
  declared.validation_fraction = 0.01;
  CHECK(contains(fault(plan_with(declared)), "validation_fraction"));
  declared = reader();
  declared.num_samples = 30;
  CHECK(contains(fault(plan_with(declared)), "30 samples"));
  declared = reader();
  declared.synth_dimensions = {7};
  CHECK(contains(fault(plan_with(declared)), "[7]"));
  declared = reader();
  declared.num_labels = 4;
  CHECK(contains(fault(plan_with(declared)), "labels"));
  auto plan = plan_with(reader());
  plan.data[0].reader.record.type = "nonsense";
  CHECK(contains(fault(plan), "nonsense"));
  plan = plan_with(reader());
  plan.data[0].reader.record.fields.pop_back();
  CHECK(contains(fault(plan), "synthetic"));
}

TEST_CASE("the end of a text is held back for validation, with no symbol in common") {
  tests::ScratchFolder folder;
  folder.write_text("a.txt", std::string(40, 'a'));
  data_readers::text text;
  text.data_filedir = folder.path();
  text.data_filenames = {"a.txt"};
  text.sequence_length = 6;
  text.stride = 2;
  text.shuffle = true;
  text.validation_fraction = 0.25;
  auto plan = tests::small_plan();
  plan.data[0].reader.record = to_record(text);
  plan.data[0].samples = -1;
  plan.data[0].fields.resize(1);
  plan.data[0].fields[0].dims = {6};
  auto const splits = open_splits(plan, {}, true);
  if (!splits) FAIL(splits.problem().message);
  REQUIRE(splits.value().size() == 2);
  auto const &train = splits.value()[0].indices, &validation = splits.value()[1].indices;
  // (40 - 1 - 6) / 2 + 1 = 17 samples; 4 are held back, 3 reach into the first of them.
  REQUIRE(train.size() == 10);
  REQUIRE(validation.size() == 4);
  CHECK(validation.front() == 13);
  CHECK(train.back() * 2 + 6 < validation.front() * 2);
}

TEST_CASE("labels of gan_labelling are those of the place in a mini-batch where the value is 0") {
  auto declared = reader();
  declared.gan_labelling = true;
  declared.validation_fraction = 0.15;
  auto plan = plan_with(declared);
  CHECK(
      contains(fault(plan), "a sample of field `labels` is [2] in the data, but [3] in the plan"));
  for (auto& field : plan.data[0].fields)
    if (field.name == "labels") field.dims = {2};
  auto splits = open_splits(plan, {}, true);
  if (!splits) FAIL(splits.problem().message);
  for (auto const& split : splits.value()) CHECK(split.halved_labels == std::size_t{1});
  declared.gan_label_value = 1;
  plan.data[0].reader.record = to_record(declared);
  splits = open_splits(plan, {}, true);
  REQUIRE(splits.good());
  for (auto const& split : splits.value()) CHECK_FALSE(split.halved_labels);
}
