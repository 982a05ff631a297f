// Checkpoints are written whole, read back bit for bit, and any change of their files is found.
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "runtime/checkpoints/checkpoint_folder.hpp"
#include "runtime/checkpoints/checkpoint_writer.hpp"
#include "runtime/checkpoints/local_parts.hpp"
#include "schemas/reports/memory.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;
namespace fs = std::filesystem;

namespace {

std::string content_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(fs::path const& path, std::string const& content) {
  std::ofstream(path, std::ios::binary) << content;
}

/// A regression whose state holds other numbers everywhere.
struct SavedModel {
  Plan plan = test::regression_plan();
  std::unique_ptr<Executor> executor =
      std::move(Executor::create(plan, plan.mini_batch_size, kernels::Selection::best)).value();

  explicit SavedModel(unsigned char first) {
    for (auto const& array : state_arrays(plan, *executor))
      for (auto& byte : array.memory) byte = static_cast<std::byte>(first++);
  }
  std::string state() const {
    auto const arrays = state_arrays(plan, *executor);
    std::string bytes(static_cast<std::size_t>(state_bytes(arrays)), '\0');
    read_state(arrays, 0, std::as_writable_bytes(std::span(bytes)));
    return bytes;
  }
};

/// A folder with checkpoints of one run.
struct Run {
  test::ScratchFolder scratch;
  fs::path folder = scratch.path() / "checkpoints", plan_file = scratch.path() / "plan.bin", local;
  SavedModel model{1};
  CheckpointWriter writer;

  explicit Run(CheckpointKeep keep = {}, std::string const& local_name = "")
      : local(local_name.empty() ? fs::path() : scratch.path() / local_name),
        writer(model.plan, *model.executor, nullptr, {folder, plan_file, local}, keep) {
    put(plan_file, "the plan");
  }
  Result<fs::path> save(std::int64_t steps) {
    if (auto begun = begin(steps); !begun) return begun.problem();
    return writer.finish();
  }
  Result<Success> begin(std::int64_t steps) {
    Manifest manifest;
    manifest.position = {steps, 2, 1, 8, false, 0.1};
    manifest.callbacks = {{"callback `x`", {"state\xff\n\"", ""}}};
    manifest.initial_learning_rates["rate"] = 0.05;
    return writer.begin(manifest, state_arrays(model.plan, *model.executor));
  }
  /// Leaves a part in the local folder, as a process does that is killed before it has drained it.
  void leave_part(std::int64_t steps) {
    REQUIRE(begin(steps).good());
    REQUIRE_FALSE(writer.advance().value().has_value());
    while (writer.busy()) std::this_thread::yield();
    auto const copy = scratch.path() / "copy";
    fs::copy(local, copy, fs::copy_options::recursive);
    auto const path = writer.finish().value();
    // A thread removes what is drained.
    while (fs::exists(folder_of_rank(local, 0) / checkpoint_name(steps))) std::this_thread::yield();
    fs::remove_all(local);
    fs::remove_all(path);
    fs::rename(copy, local);
  }
};

/// What is said of a checkpoint, nothing if it is loaded.
std::string problem_of(fs::path const& checkpoint, SavedModel& into) {
  auto const manifest = read_manifest(checkpoint);
  if (!manifest) return manifest.problem().message;
  auto const plan = read_plan_bytes(checkpoint, manifest.value());
  if (!plan) return plan.problem().message;
  auto const loaded =
      load_state(checkpoint, manifest.value(), state_arrays(into.plan, *into.executor));
  return loaded ? "" : loaded.problem().message;
}

}  // namespace

TEST_CASE("a manifest comes back, and every changed byte of it is found") {
  Manifest manifest;
  manifest.experiment = "caf\xc3\xa9";
  manifest.position = {12, 3, 4, 56, true, 0.1 + 0.2};
  manifest.callbacks = {{"callback `a`", {std::string("\0\x80 \xff", 4), ""}}};
  manifest.initial_learning_rates["fc/rate"] = 1e-3;
  manifest.chunk_digests = {0, ~std::uint64_t{0}, 17};
  auto const text = to_text(manifest);
  auto const back = parse_manifest(text);
  REQUIRE(back.good());
  CHECK(back.value() == manifest);
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 0x04);
    CHECK_FALSE(parse_manifest(changed).good());
    CHECK_FALSE(parse_manifest(text.substr(0, i)).good());
  }
  CHECK_FALSE(parse_manifest(text + "\n").good());
}

TEST_CASE("ranges of state across arrays of any size") {
  std::vector<std::string> texts = {"abc", "", "d", "efghij", ""};
  std::vector<StateArray> arrays;
  std::int64_t begin = 0;
  for (auto& text : texts) {
    arrays.push_back({"", DataType::u8, {}, begin, std::as_writable_bytes(std::span(text))});
    begin = arrays.back().end();
  }
  CHECK(state_bytes(arrays) == 10);
  for (std::size_t first = 0; first <= 10; ++first)
    for (std::size_t last = first; last <= 10; ++last) {
      std::string part(last - first, '?');
      read_state(arrays, static_cast<std::int64_t>(first), std::as_writable_bytes(std::span(part)));
      CHECK(part == std::string("abcdefghij").substr(first, last - first));
    }
  write_state(arrays, 2, std::as_bytes(std::span(std::string_view("CDEF"))));
  CHECK(texts == std::vector<std::string>{"abC", "", "D", "EFghij", ""});
}

TEST_CASE("state comes back bit for bit") {
  Run run;
  auto const saved = run.save(7);
  REQUIRE_MESSAGE(saved.good(), saved.problem().message);
  CHECK(saved.value().filename() == "step_000000000007");
  CHECK(content_of(saved.value() / "plan.bin") == "the plan");
  SavedModel other(99);
  REQUIRE(other.state() != run.model.state());
  CHECK(problem_of(saved.value(), other) == "");
  CHECK(other.state() == run.model.state());
  auto const manifest = read_manifest(saved.value());
  CHECK(manifest.value().position == TrainingPosition{7, 2, 1, 8, false, 0.1});
  CHECK(manifest.value().callbacks[0].ranks[0] == "state\xff\n\"");
}

TEST_CASE("a changed, cut, missing or exchanged file of a checkpoint is found") {
  Run run;
  auto const path = run.save(7).value();
  auto const other = run.save(9).value();
  SavedModel into(3);
  REQUIRE(problem_of(path, into) == "");
  for (auto const& name : checkpoint_files()) {
    CAPTURE(name);
    auto const content = content_of(path / name);
    for (std::size_t i = 0; i < content.size(); i += 1 + content.size() / 400) {
      auto changed = content;
      changed[i] = static_cast<char>(changed[i] ^ (1 << (i % 8)));
      put(path / name, changed);
      CHECK(contains(problem_of(path, into), path.string()));
      put(path / name, content.substr(0, i));
      CHECK(contains(problem_of(path, into), path.string()));
    }
    put(path / name, content + "x");
    CHECK_FALSE(problem_of(path, into).empty());
    fs::remove(path / name);
    CHECK(contains(problem_of(path, into), name));
    auto const strange = content_of(other / name);
    put(path / name, strange);
    if (strange != content) CHECK_FALSE(problem_of(path, into).empty());
    put(path / name, content);
    CHECK(problem_of(path, into) == "");
  }
}

TEST_CASE("the report of memory tells the copy") {
  SavedModel const model(1);
  CHECK(report_memory(model.executor->program()).checkpoint_copy ==
        state_bytes(state_arrays(model.plan, *model.executor)));
  constexpr auto chunk = checkpoint_chunk_bytes;
  CHECK(bytes_of_chunks(2 * chunk + 5, 0, 2) == chunk + 5);
  CHECK(bytes_of_chunks(2 * chunk + 5, 1, 2) == chunk);
  CHECK(bytes_of_chunks(5, 1, 2) == 0);
}

TEST_CASE("the newest checkpoints stay, and those of some steps") {
  Run run({2, 10});
  for (std::int64_t const step : {5, 10, 15, 20, 25}) REQUIRE(run.save(step).good());
  std::vector<std::string> names;
  for (auto const& path : list_checkpoints(run.folder)) names.push_back(path.filename().string());
  CHECK(names ==
        std::vector<std::string>{checkpoint_name(25), checkpoint_name(20), checkpoint_name(10)});
}

TEST_CASE("what a killed process has left is removed, and is no checkpoint") {
  Run run;
  auto const path = run.save(3).value();
  fs::create_directory(run.folder / checkpoint_name(1));
  put(run.folder / checkpoint_name(1) / "state.safetensors", "half");
  fs::create_directory(run.folder /
                       "step_000000000002.saving-00000000000000000000000000000000-abc");
  fs::create_directory(run.folder / "mine");
  CHECK(list_checkpoints(run.folder).size() == 1);
  REQUIRE(run.save(4).good());
  CHECK_FALSE(fs::exists(run.folder / checkpoint_name(1)));
  CHECK(fs::exists(run.folder / "mine"));
  CHECK(fs::exists(path));
}

TEST_CASE("a checkpoint that cannot be written leaves nothing") {
  Run run;
  put(run.folder, "a file where the folder should be");
  CHECK(contains(run.save(1).problem().message, run.folder.string()));
  fs::remove(run.folder);
  fs::remove(run.plan_file);
  CHECK(contains(run.save(1).problem().message, "plan.bin"));
  put(run.plan_file, "the plan");
  CHECK(run.save(1).good());
  CHECK(std::distance(fs::directory_iterator(run.folder), fs::directory_iterator()) == 1);
}

TEST_CASE("a part in a local folder is drained by whoever finds all parts") {
  Run run({}, "local");
  auto const parts = run.scratch.path() / "parts";
  auto const ranks = single_process();
  run.leave_part(5);
  // The writer writes to the folder of one run, which has a place in that of all runs.
  fs::create_directory(parts);
  fs::rename(run.local, parts / "run");
  auto found = find_local_checkpoints(*ranks, parts);
  REQUIRE(found.size() == 1);
  CHECK(found[0].folder == "run");
  CHECK(found[0].steps == 5);
  CHECK(found[0].holders == std::vector<std::int64_t>{0});

  auto const drain = [&] { return drain_local(*ranks, &found[0], parts, run.folder); };
  auto const chunks = parts / "run" / "rank_0" / checkpoint_name(5) / chunks_file_name;
  auto const content = content_of(chunks);
  for (std::size_t i = 0; i < content.size(); i += 1 + content.size() / 50) {
    auto changed = content;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    put(chunks, changed);
    CHECK(contains(drain().problem().message, chunks.string() + ": is damaged"));
    put(chunks, content.substr(0, i));
    CHECK(contains(drain().problem().message, chunks.string()));
  }
  put(chunks, content);
  CHECK(list_checkpoints(run.folder).empty());

  auto const path = drain().value().value();
  CHECK(path == run.folder / checkpoint_name(5));
  SavedModel other(99);
  CHECK(problem_of(path, other) == "");
  CHECK(other.state() == run.model.state());
  remove_parts(parts / "run");
  CHECK_FALSE(fs::exists(parts / "run"));
  CHECK(find_local_checkpoints(*ranks, parts).empty());
}

TEST_CASE("drained parts are removed, and a local folder that fails is passed by") {
  Run run({}, "local");
  REQUIRE(run.save(1).good());
  CHECK_FALSE(run.writer.take_local_problem().has_value());
  REQUIRE(run.save(2).good());
  CHECK(list_checkpoints(folder_of_rank(run.local, 0)).size() <= 1);
  Run other({}, "local");
  put(other.local, "a file where the folder should be");
  REQUIRE(other.save(1).good());
  CHECK(contains(other.writer.take_local_problem().value().message, other.local.string()));
}

TEST_CASE("a checkpoint with which training went on elsewhere is replaced by the next") {
  Run run;
  auto const old = run.save(9).value();
  run.writer.replace({old});
  REQUIRE(run.save(4).good());
  CHECK_FALSE(fs::exists(old));
  CHECK(list_checkpoints(run.folder) == std::vector<fs::path>{run.folder / checkpoint_name(4)});
}
