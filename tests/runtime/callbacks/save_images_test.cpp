// save_images: which samples it shows, in which files, in which greys.
#include "schemas/callbacks/save_images.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "runtime/callbacks/make_callback.hpp"
#include "runtime/data/decode_image.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;

namespace {

namespace fs = std::filesystem;

/// The regression, whose three inputs are images of one row, shown as outputs of `line`.
Plan plan_showing(callbacks::save_images const& fields) {
  auto plan = test::regression_plan();
  for (std::string const entry : {"train", "evaluate"})
    test::observe(plan, entry, Observable::output, "line", "samples",
                  Shape({{1, true}, {1, false}, {3, false}}));
  plan.callbacks = {{to_record(fields), Span{0, 0, 5}}};
  return plan;
}

std::set<std::string> names_in(fs::path const& folder) {
  std::set<std::string> names;
  for (auto const& entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

SampleValues image_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> const bytes{std::istreambuf_iterator<char>(file), {}};
  SampleValues image;
  auto const decoded = runtime::decode_image(
      {reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size()}, 1, image);
  REQUIRE_MESSAGE(decoded.good(), path.string());
  return image;
}

/// Compares the images of a file, beside one another in frames of two pixels, with the first
/// samples of a role.
void check_images(fs::path const& path, ExecutionMode role, std::int64_t count, double tolerance) {
  CAPTURE(path.string());
  auto const image = image_of(path);
  REQUIRE(image.dims == std::vector<std::int64_t>{1, 5, 2 + 5 * count});
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      values.push_back(double{test::regression_sample(role, i)[k]});
  auto const [least, most] = std::ranges::minmax(values);
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t k = 0; k < 3; ++k) {
      auto const grey =
          255 * (values[static_cast<std::size_t>(3 * i + k)] - least) / (most - least);
      auto const at = 2 * (2 + 5 * count) + 2 + 5 * i + k;
      CHECK(std::abs(double{image.values[static_cast<std::size_t>(at)]} - grey) <= tolerance);
    }
}

}  // namespace

TEST_CASE("the first samples of each validation and of the test") {
  test::ScratchFolder const folder;
  callbacks::save_images fields;
  fields.layers = {"line"};
  fields.image_prefix = "images/x-";
  fields.num_images = 3;
  REQUIRE(test::run_regression(plan_showing(fields), folder.path()).problem == "");
  auto const images = folder.path() / "images";
  CHECK(names_in(images) == std::set<std::string>{"x-epoch1-line.png", "x-epoch2-line.png",
                                                  "x-epoch3-line.png", "x-test-line.png"});
  check_images(images / "x-epoch2-line.png", ExecutionMode::validation, 3, 0.51);
  check_images(images / "x-test-line.png", ExecutionMode::testing, 3, 0.51);
}

TEST_CASE("without validation the first samples of each epoch, at most those there are") {
  test::ScratchFolder const folder;
  callbacks::save_images fields;
  fields.layers = {"line"};
  fields.num_images = 100;
  fields.execution_modes = {"train", "test"};
  auto plan = plan_showing(fields);
  plan.training.max_epochs = 2;
  REQUIRE(test::run_regression(plan, folder.path()).problem == "");
  CHECK(names_in(folder.path()) ==
        std::set<std::string>{"epoch1-line.png", "epoch2-line.png", "test-line.png"});
  // Rows of eight: the mini-batch of the epoch has them, the test has five samples.
  check_images(folder.path() / "epoch1-line.png", ExecutionMode::training, 8, 0.51);
  check_images(folder.path() / "test-line.png", ExecutionMode::testing, 5, 0.51);
}

TEST_CASE("as JPEG") {
  test::ScratchFolder const folder;
  callbacks::save_images fields;
  fields.layers = {"line"};
  fields.image_format = callbacks::ImageFormat::jpg;
  fields.execution_modes = {"test"};
  fields.num_images = 2;
  REQUIRE(test::run_regression(plan_showing(fields), folder.path()).problem == "");
  CHECK(names_in(folder.path()) == std::set<std::string>{"test-line.jpg"});
  check_images(folder.path() / "test-line.jpg", ExecutionMode::testing, 2, 40);
}

TEST_CASE("a file that cannot be written is a problem of the callback's line") {
  test::ScratchFolder const folder;
  std::ofstream(folder.path() / "images") << "a file, no folder";
  callbacks::save_images fields;
  fields.layers = {"line"};
  fields.image_prefix = "images/";
  CHECK(contains(test::run_regression(plan_showing(fields), folder.path()).problem,
                 "regression.yaml:1:1: "));
}

TEST_CASE("a report of the run finds the files") {
  callbacks::save_images fields;
  fields.layers = {"a", "b/c"};
  fields.image_prefix = "p/";
  std::vector<std::string> paths;
  for (auto const& file : fields.reported()) paths.push_back(file.path);
  CHECK(paths == std::vector<std::string>{"p/epoch*-a.png", "p/epoch*-b%2Fc.png", "p/test-a.png",
                                          "p/test-b%2Fc.png"});
}
