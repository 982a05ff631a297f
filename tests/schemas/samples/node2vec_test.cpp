// Walks of a file of edges: layout, epochs, and everything that can be wrong with the file.
#include <set>

#include "schemas/samples/transformed_samples.hpp"
#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;
using tests::numbers_of;

namespace {

struct WalkCase {
  tests::ScratchFolder folder;
  data_readers::node2vec reader;

  explicit WalkCase(std::string const& text) {
    folder.write_text("edges", text);
    reader.graph_file = folder.path() + "/edges";
    reader.epoch_size = 50;
    reader.walk_length = 4;
    reader.num_negative_samples = 3;
  }
  std::shared_ptr<Samples const> open(std::int64_t seed = 1) const {
    OpenContext context;
    context.seed = seed;
    auto opened = load_samples(reader, context, true);
    if (!opened) FAIL(opened.problem().message);
    return std::move(opened).value();
  }
  std::string problem() const {
    auto const opened = load_samples(reader, {}, true);
    return opened ? "" : opened.problem().message;
  }
};

/// A ring of ten vertices, 100 to 109.
std::string ring() {
  std::string text = "# vertices of a ring\n% and no more\n\n";
  for (int i = 0; i < 10; ++i)
    text += std::to_string(100 + i) + " " + std::to_string(100 + (i + 1) % 10) + "\n";
  return text;
}

}  // namespace

TEST_CASE("node2vec gives vertices that are not on the walk, then the walk") {
  auto const samples = WalkCase(ring()).open();
  CHECK(samples->count() == 50);
  CHECK(samples->is_drawn());
  CHECK(samples->fields()[0].dims == std::vector<std::int64_t>{7});
  for (std::int64_t i = 0; i < 50; ++i) {
    auto const numbers = numbers_of(*samples, i, 0).value();
    for (auto const number : numbers) CHECK((number >= 100 && number <= 109));
    for (std::size_t k = 4; k < 7; ++k) {
      auto const step = std::abs(numbers[k] - numbers[k - 1]);
      CHECK((step == 1 || step == 9));
    }
    std::set<double> const noise(numbers.begin(), numbers.begin() + 3);
    CHECK(noise.size() == 3);
    for (std::size_t k = 3; k < 7; ++k) CHECK_FALSE(noise.contains(numbers[k]));
  }
}

TEST_CASE("node2vec has other walks for each epoch, seed and role, and the same for the same") {
  WalkCase c(ring());
  auto const walks = [&](std::int64_t seed, std::int64_t epoch) {
    auto own = with_transforms(c.open(seed), {}, {}, "train");
    if (!own) FAIL(own.problem().message);
    own.value()->start_epoch(seed, epoch);
    std::vector<std::vector<double>> all;
    for (std::int64_t i = 0; i < 50; ++i) all.push_back(numbers_of(*own.value(), i, 0).value());
    return all;
  };
  auto const first = walks(1, 0);
  CHECK(first == walks(1, 0));
  CHECK(first != walks(1, 1));
  CHECK(first != walks(2, 0));
  CHECK(walks(1, 1)[3] == numbers_of(*c.open(1), 53, 0).value());
  c.reader.role = ExecutionMode::validation;
  CHECK(first != walks(1, 0));
}

TEST_CASE("node2vec reads batches as it reads single samples") {
  auto const samples = WalkCase(ring()).open();
  auto own = with_transforms(samples, {}, {}, "train");
  own.value()->start_epoch(0, 2);
  std::vector<std::int64_t> const indices = {7, 0, 49};
  std::vector<double> values(21);
  FieldColumn const column{0, {values.data(), DataType::f64, 7}};
  CHECK(own.value()->read_batch(indices, {&column, 1}).good());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    auto const expected = numbers_of(*samples, indices[i] + 100, 0).value();
    CHECK(std::equal(expected.begin(), expected.end(),
                     values.begin() + 7 * static_cast<std::ptrdiff_t>(i)));
  }
}

TEST_CASE("node2vec works on the smallest graphs") {
  WalkCase loop("5 5\n");
  CHECK(numbers_of(*loop.open(), 0, 0).value() == std::vector<double>(7, 5));
  WalkCase pair("0 1 0.25");
  pair.reader.walk_length = 1;
  pair.reader.num_negative_samples = 1;
  auto const numbers = numbers_of(*pair.open(), 0, 0).value();
  CHECK(numbers[0] == 1 - numbers[1]);
}

TEST_CASE("node2vec names file and line of every mistake") {
  CHECK(contains(WalkCase("0 1\n1 x\n").problem(), "edges`:2:1: two vertices, whole numbers"));
  CHECK(contains(WalkCase("# nothing\n").problem(), "edges`: it holds no edge"));
  CHECK(contains(WalkCase("").problem(), "edges`: it holds no edge"));
  WalkCase sink("0 1\n");
  sink.reader.directed = true;
  CHECK(contains(sink.problem(), "edges`: no edge leads away from vertex 1"));
  CHECK(contains(WalkCase("0 " + std::string(100000, '1')).problem(), "edges`"));
  WalkCase gone("");
  gone.reader.graph_file = "no/such/graph";
  CHECK(contains(gone.problem(), "no/such/graph"));
  WalkCase part(ring());
  part.reader.sample_range = {0, 2};
  CHECK(contains(part.problem(), "its samples are drawn at random"));
  auto const good = ring();
  for (std::size_t at = 40; at < good.size(); at += 3)
    for (char const byte : {'\0', 'x', '\n', '-', '\xff'}) {
      WalkCase const changed(std::string(good).replace(at, 1, 1, byte));
      auto const problem = changed.problem();
      if (!problem.empty()) CHECK(contains(problem, "edges`"));
    }
}
