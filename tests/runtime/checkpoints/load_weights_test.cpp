// Weights come from folders, archives and safetensors files, under our names and PyTorch's.
#include "runtime/checkpoints/load_weights.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "runtime/checkpoints/export_weights.hpp"
#include "runtime/checkpoints/npy.hpp"
#include "runtime/checkpoints/safetensors.hpp"
#include "runtime/checkpoints/weights_folder.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;
using Names = std::vector<std::string>;

namespace {

/// The model of a test, whose single weights object of three f32 is called as wanted.
struct RenamedModel {
  explicit RenamedModel(std::string const& name) {
    plan.weights[0].name = name;
    set_slope({});
  }

  Plan plan = test::regression_plan();
  std::unique_ptr<Executor> executor =
      std::move(Executor::create(plan, plan.mini_batch_size, kernels::Selection::best)).value();
  float* slope() const { return executor->read(plan.weights[0].tensor, 0).as<float>(); }
  void set_slope(std::array<float, 3> const& three) const {
    std::ranges::copy(three, executor->place(plan.weights[0].tensor, 0).as<float>());
    executor->put(plan.weights[0].tensor);
  }
  std::array<float, 3> values() { return {slope()[0], slope()[1], slope()[2]}; }

  Result<std::vector<LoadedPath>> load(WeightsToLoad const& wanted) {
    return load_weights(wanted, *executor, plan);
  }
  std::string problem(WeightsToLoad const& wanted) {
    auto const loaded = load(wanted);
    REQUIRE_FALSE(loaded.good());
    CHECK(values() == std::array<float, 3>{});
    return loaded.problem().message;
  }
};

constexpr std::array<float, 3> three = {1.5F, -2, 0.25F};

/// A safetensors file with vectors of these three numbers.
std::filesystem::path file_with(std::filesystem::path const& folder, Names const& names,
                                std::vector<std::int64_t> const& dims = {3}) {
  std::vector<SafetensorsEntry> entries;
  std::int64_t at = 0;
  for (auto const& name : names) {
    entries.push_back({name, DataType::f32, dims, at, at + 12});
    at += 12;
  }
  auto const head = compose_safetensors_header(entries);
  REQUIRE(head.good());
  auto path = folder / "m.safetensors";
  std::ofstream file(path, std::ios::binary);
  file << head.value();
  for (std::size_t i = 0; i < names.size(); ++i)
    file.write(reinterpret_cast<char const*>(three.data()), sizeof(three));
  return path;
}

std::string bytes_in(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("what is exported comes back bit by bit, and again the same bytes") {
  test::ScratchFolder const scratch;
  RenamedModel model("a/b");
  for (auto const* file : {"m.safetensors", "m.npz"}) {
    auto const path = scratch.path() / file;
    model.set_slope(three);
    REQUIRE(check_export(path, 0, 1, *model.executor, model.plan).good());
    CHECK_FALSE(std::filesystem::exists(path));
    REQUIRE(export_weights(path, *model.executor, model.plan).good());
    auto const bytes = bytes_in(path);
    model.set_slope({});
    auto const loaded = model.load({{path}});
    REQUIRE(loaded.good());
    CHECK(model.values() == three);
    CHECK(line_of(loaded.value()[0]) == "weights loaded from " + path.string() + ": 1 of 1");
    REQUIRE(export_weights(path, *model.executor, model.plan).good());
    CHECK(bytes_in(path) == bytes);
  }
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.path()), {}) == 2);
}

TEST_CASE("an export that cannot be written says so and leaves nothing") {
  test::ScratchFolder const scratch;
  RenamedModel const model("slope");
  auto const refusal = [&](std::filesystem::path const& path) {
    auto const checked = check_export(path, 0, 1, *model.executor, model.plan);
    REQUIRE_FALSE(checked.good());
    return checked.problem().message;
  };
  CHECK(contains(refusal(scratch.path() / "nowhere" / "m.npz"), "there is no folder"));
  std::filesystem::create_directory(scratch.path() / "m.npz");
  CHECK(contains(refusal(scratch.path() / "m.npz"), "is a folder"));
  CHECK(contains(refusal("/proc/m.npz"), "cannot be written"));
  CHECK_FALSE(can_export("m.pt"));
  CHECK_FALSE(can_export("npz"));
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.path()), {}) == 1);
}

TEST_CASE("each of several trainers exports to a folder of its own") {
  test::ScratchFolder const scratch;
  RenamedModel const model("slope");
  auto const path = scratch.path() / "m.npz";
  CHECK(path_of_trainer(path, 0, 1) == path);
  CHECK(path_of_trainer(path, 1, 2) == scratch.path() / "trainer1" / "m.npz");
  REQUIRE(check_export(path, 1, 2, *model.executor, model.plan).good());
  REQUIRE(export_weights(path_of_trainer(path, 1, 2), *model.executor, model.plan).good());
}

TEST_CASE("PyTorch's names of default weights are known, our own come first") {
  test::ScratchFolder const scratch;
  for (auto const& names : std::vector<std::pair<std::string, std::string>>{
           {"fc_linearity_weights", "fc.weight"},
           {"fc_bias_weights", "fc.bias"},
           {"conv_kernel", "conv.weight"},
           {"conv_bias", "conv.bias"},
           {"table_weights", "table.weight"},
           {"norm_scale", "norm.weight"},
           {"norm_running_mean", "norm.running_mean"},
           {"norm_running_variance", "norm.running_var"},
           {"states_hh_matrix_l10", "states.weight_hh_l10"},
           {"states_ih_bias_l0", "states.bias_ih_l0"}}) {
    std::string const& ours = names.first;
    std::string const& torch = names.second;
    RenamedModel model(ours);
    auto const loaded = model.load({{file_with(scratch.path(), {torch, "other"})}});
    CAPTURE(ours);
    REQUIRE(loaded.good());
    CHECK(model.values() == three);
    CHECK(loaded.value()[0].unused == Names{"other"});
    auto const both = model.load({{file_with(scratch.path(), {torch, ours})}});
    REQUIRE(both.good());
    CHECK(both.value()[0].unused == Names{torch});
  }
  RenamedModel model("slope");
  CHECK(contains(model.problem({{file_with(scratch.path(), {"slope.weight"})}}),
                 "no array of this name; is it `slope.weight`?"));
}

TEST_CASE("a matrix kept as [inputs, outputs] is PyTorch's transposed, under our name it is not") {
  test::ScratchFolder const scratch;
  RenamedModel model("fc_linearity_weights");
  auto& weights = model.plan.weights[0];
  weights.inputs_first = true;
  weights.dims = {3, 1};
  REQUIRE(model.load({{file_with(scratch.path(), {"fc.weight"}, {1, 3})}}).good());
  CHECK(model.values() == three);
  REQUIRE(model.load({{file_with(scratch.path(), {"fc_linearity_weights"}, {3, 1})}}).good());
  model.set_slope({});
  CHECK(contains(model.problem({{file_with(scratch.path(), {"fc.weight"}, {3, 1})}}),
                 "are f32 [3, 1] and `fc.weight` is to be f32 [1, 3]"));
  weights.inputs_first = false;
  CHECK(contains(model.problem({{file_with(scratch.path(), {"fc.weight"}, {1, 3})}}),
                 "are f32 [3, 1]"));
}

TEST_CASE("names are mapped by rules, the first that matches counts") {
  test::ScratchFolder const scratch;
  RenamedModel model("slope");
  auto const load = [&](Names const& names, Names const& renames) {
    model.set_slope({});
    WeightsToLoad wanted{{file_with(scratch.path(), names)}};
    wanted.renames = renames;
    auto const loaded = model.load(wanted);
    return loaded ? std::string() : loaded.problem().message;
  };
  CHECK(load({"a.slope.b"}, {"a.*.b -> *"}).empty());
  CHECK(model.values() == three);
  CHECK(load({"x"}, {"x->slope"}).empty());
  CHECK(load({"slope"}, {"* -> other"}).find("only one side") != std::string::npos);
  CHECK(contains(load({"x"}, {"x -> other", "* -> slope*"}), "`* -> slope*` matches no name"));
  CHECK(contains(load({"x", "y"}, {"x -> slope", "y -> slope"}), "both `slope`"));
  CHECK(contains(load({"slope"}, {"y -> z"}), "`y -> z` matches no name"));
  CHECK(contains(load({"ab"}, {"ab*b -> slope*"}), "matches no name"));
}

TEST_CASE("the log says what was taken from where") {
  test::ScratchFolder const scratch;
  RenamedModel model("slope");
  auto const file = file_with(scratch.path(), {"slope", "x", "y"});
  model.set_slope(three);
  auto const folder = scratch.path() / "folder";
  REQUIRE(save_weights(folder, "npy", *model.executor, model.plan).good());
  auto const loaded = model.load({{file, folder}});
  REQUIRE(loaded.good());
  CHECK(line_of(loaded.value()[0]) == "weights loaded from " + file.string() +
                                          ": 0 of 1 (taken from a later one: `slope`; not used: "
                                          "`x`, `y`)");
  CHECK(line_of(loaded.value()[1]) == "weights loaded from " + folder.string() + ": 1 of 1");
  LoadedPath long_one{"m.npz", 20, {}, {}, Names(12, "w"), {}};
  CHECK(contains(line_of(long_one), "`w` and 4 more)"));
}

TEST_CASE("partial loading that loads nothing is a mistake") {
  test::ScratchFolder const scratch;
  RenamedModel model("slope");
  auto const why = model.problem({{file_with(scratch.path(), {"module.slope"})}, "npy", true});
  CHECK(contains(why, "has none of the model's weights"));
  CHECK(contains(why, "is it `module.slope`?"));
}

TEST_CASE("files of other kinds and damaged ones are problems, arrays nobody reads are not") {
  test::ScratchFolder const scratch;
  RenamedModel model("slope");
  auto const text = scratch.path() / "m.pt";
  std::ofstream(text) << "x";
  CHECK(contains(model.problem({{text}}), "neither a folder"));
  CHECK(contains(model.problem({{scratch.path() / "none"}}), "no such folder or file"));
  auto const file = file_with(scratch.path(), {"slope"});
  auto const whole = bytes_in(file);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::ofstream(file, std::ios::binary) << whole.substr(0, size);
    CHECK(contains(model.problem({{file}}), file.string()));
  }
  model.set_slope(three);
  auto const npz = scratch.path() / "m.npz";
  REQUIRE(export_weights(npz, *model.executor, model.plan).good());
  model.set_slope({});
  auto archive = bytes_in(npz);
  for (std::size_t size = 0; size < archive.size(); ++size) {
    std::ofstream(npz, std::ios::binary) << archive.substr(0, size);
    CHECK(contains(model.problem({{npz}}), npz.string()));
  }
  archive[archive.find("slope.npy") + 9 + 20 + 128] ^= 1;  // name, zip64 field, header
  std::ofstream(npz, std::ios::binary) << archive;
  CHECK(contains(model.problem({{npz}}), "checksum"));
  auto const folder = scratch.path() / "folder";
  std::filesystem::create_directory(folder);
  REQUIRE(write_npy(folder / "slope.npy", DataType::f32, model.plan.weights[0].dims,
                    std::as_bytes(std::span(three)))
              .good());
  std::ofstream(folder / "notes.npy") << "no array";
  auto const loaded = model.load({{folder}});
  REQUIRE(loaded.good());
  CHECK(loaded.value()[0].unused == Names{"notes"});
}
