// Weights go to a folder and come back; whatever does not match is told with file and line.
#include "runtime/checkpoints/weights_folder.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>

#include "runtime/checkpoints/load_weights.hpp"
#include "runtime/checkpoints/npy.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;

namespace {

struct Model {
  Plan plan = test::regression_plan();
  std::unique_ptr<Executor> executor =
      std::move(Executor::create(plan, plan.mini_batch_size, kernels::Selection::best)).value();
  float* slope() const { return executor->read(plan.weights[0].tensor, 0).as<float>(); }
  void set_slope(std::array<float, 3> const& three) const {
    std::ranges::copy(three, executor->place(plan.weights[0].tensor, 0).as<float>());
    executor->put(plan.weights[0].tensor);
  }
};

}  // namespace

TEST_CASE("weights come back, saving again replaces them") {
  test::ScratchFolder const scratch;
  auto const folder = scratch.path() / "deep" / "weights";
  Model model;
  for (float round : {1.0F, 10.0F}) {
    model.set_slope({round, round + 1, round + 2});
    REQUIRE(save_weights(folder, "npy", *model.executor, model.plan).good());
    model.set_slope({});
    REQUIRE(load_weights({{folder}}, *model.executor, model.plan).good());
    CHECK(model.slope()[0] == round);
    CHECK(model.slope()[2] == round + 2);
  }
  // Nothing is left beside it.
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.path() / "deep"), {}) == 1);
}

TEST_CASE("later folders win") {
  test::ScratchFolder const scratch;
  Model model;
  for (float value : {1.0F, 2.0F}) {
    model.set_slope({value, 0, 0});
    REQUIRE(save_weights(scratch.path() / std::to_string(static_cast<int>(value)), "npy",
                         *model.executor, model.plan)
                .good());
  }
  REQUIRE(load_weights({{scratch.path() / "2", scratch.path() / "1"}}, *model.executor, model.plan)
              .good());
  CHECK(model.slope()[0] == 1);
}

TEST_CASE("a folder with anything else in it is not replaced") {
  test::ScratchFolder const scratch;
  std::ofstream(scratch.path() / "thesis.txt") << "years of work";
  Model model;
  auto const saved = save_weights(scratch.path(), "npy", *model.executor, model.plan);
  REQUIRE_FALSE(saved.good());
  CHECK(contains(saved.problem().message, "thesis.txt"));
  CHECK(std::filesystem::exists(scratch.path() / "thesis.txt"));
}

TEST_CASE("a file of the user that looks like weights is not removed") {
  test::ScratchFolder const scratch;
  std::ofstream(scratch.path() / "slope.npy") << "years of work";
  Model model;
  CHECK(check_weights_folder(scratch.path(), "npy", model.plan).good());
  std::ofstream(scratch.path() / "x.npy") << "years of work";
  for (auto const& refused : {check_weights_folder(scratch.path(), "npy", model.plan),
                              save_weights(scratch.path(), "npy", *model.executor, model.plan)}) {
    REQUIRE_FALSE(refused.good());
    CHECK(contains(refused.problem().message, "x.npy"));
  }
  CHECK(std::filesystem::file_size(scratch.path() / "x.npy") == 13);
  CHECK(std::filesystem::file_size(scratch.path() / "slope.npy") == 13);
}

TEST_CASE("missing and mismatched files name file and line and change nothing") {
  test::ScratchFolder const scratch;
  Model model;
  model.set_slope({5, 0, 0});
  auto const problem = [&](bool partial = false) {
    auto const loaded =
        load_weights({{scratch.path()}, "npy", partial}, *model.executor, model.plan);
    CHECK(model.slope()[0] == 5);
    return loaded ? std::string() : loaded.problem().message;
  };
  auto const file = (scratch.path() / "slope.npy").string();
  auto const place = "regression.yaml:3:12: ";
  CHECK(contains(problem(), place + ("weights `slope`: no file " + file)));
  CHECK(contains(problem(true), "has none of the model's weights"));

  std::array<double, 4> const values{};
  auto const replace = [&](DataType type, std::vector<std::int64_t> const& dims,
                           std::size_t bytes) {
    std::filesystem::remove(file);
    REQUIRE(write_npy(file, type, dims, std::as_bytes(std::span(values)).first(bytes)).good());
  };
  replace(DataType::f32, {4}, 16);
  CHECK(contains(problem(), place + ("weights `slope` are f32 [3], " + file + " holds f32 [4]")));
  CHECK_FALSE(problem(true).empty());
  replace(DataType::f64, {3}, 24);
  CHECK(contains(problem(), "holds f64 [3]"));
  replace(DataType::f32, {3}, 8);
  CHECK(contains(problem(), place + ("`" + file + "`: it ends after 136 of 140 bytes")));
  std::ofstream(file, std::ios::trunc) << "no weights";
  CHECK(contains(problem(), "`" + file + "`: it does not begin like a .npy file"));
  std::filesystem::remove_all(scratch.path());
  CHECK(contains(problem(), "no such folder"));
}

TEST_CASE("neither a name nor an extension can leave the folder") {
  test::ScratchFolder const scratch;
  Model model;
  model.plan.weights[0].name = "../slope";
  REQUIRE(save_weights(scratch.path() / "w", "npy", *model.executor, model.plan).good());
  CHECK(std::filesystem::exists(scratch.path() / "w" / "%2E.%2Fslope.npy"));
  CHECK(load_weights({{scratch.path() / "w"}}, *model.executor, model.plan).good());
  REQUIRE(save_weights(scratch.path() / "v", "/../../x", *model.executor, model.plan).good());
  CHECK(load_weights({{scratch.path() / "v"}, "/../../x"}, *model.executor, model.plan).good());
  CHECK(std::filesystem::exists(scratch.path() / "v" / "%2E.%2Fslope.%2F..%2F..%2Fx"));
}
