// A folder takes the place of another; nothing that is not its own is removed, nothing of its own
// is left.
#include "runtime/checkpoints/saving_folder.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann::runtime;
using lbann::testing::contains;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

FileNames const files = {"a.npy", "b.npy"};

void write_text(fs::path const& path, std::string const& text) { std::ofstream(path) << text; }

std::string text_of(fs::path const& path) {
  std::ifstream file(path);
  std::string text;
  std::getline(file, text);
  return text;
}

void save(fs::path const& target, std::string const& text) {
  auto fresh = SavingFolder::create(target);
  REQUIRE(fresh.good());
  for (auto const& name : files) write_text(fresh.value().path() / name, text);
  REQUIRE(fresh.value().replace_target(files).good());
}

std::size_t entries_in(fs::path const& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

void age(fs::path const& folder, std::chrono::hours time) {
  auto const then = fs::file_time_type::clock::now() - time;
  for (auto const& entry : fs::directory_iterator(folder)) fs::last_write_time(entry, then);
  fs::last_write_time(folder, then);
}

}  // namespace

TEST_CASE("a folder takes the place of nothing and of an older one, and leaves nothing beside it") {
  lbann::test::ScratchFolder const scratch;
  auto const target = scratch.path() / "deep" / "model";
  for (auto const* text : {"first", "second"}) {
    save(target, text);
    CHECK(text_of(target / "b.npy") == text);
    CHECK(entries_in(target) == 2);
    CHECK(entries_in(scratch.path() / "deep") == 1);
  }
  { auto const unused = SavingFolder::create(target); }
  CHECK(entries_in(scratch.path() / "deep") == 1);
}

TEST_CASE("what is not of these names is refused: other files, folders, links") {
  lbann::test::ScratchFolder const scratch;
  auto const& folder = scratch.path();
  CHECK_FALSE(refusal_of_folder(folder / "none", files));
  CHECK_FALSE(refusal_of_folder(folder, files));
  write_text(folder / "a.npy", "old");
  CHECK_FALSE(refusal_of_folder(folder, files));
  CHECK(contains(refusal_of_folder(folder / "a.npy", files)->message, "is not a folder"));
  write_text(folder / "x.npy", "years of work");
  CHECK(contains(refusal_of_folder(folder, files)->message, "holds x.npy"));
  fs::remove(folder / "x.npy");
  fs::create_directory(folder / "b.npy");
  CHECK(contains(refusal_of_folder(folder, files)->message, "holds b.npy"));
  fs::remove(folder / "b.npy");
  fs::create_symlink("a.npy", folder / "b.npy");
  CHECK(contains(refusal_of_folder(folder, files)->message, "holds b.npy"));
}

TEST_CASE("a file that comes while the model is written is kept") {
  lbann::test::ScratchFolder const scratch;
  auto const target = scratch.path() / "model";
  save(target, "first");
  auto fresh = SavingFolder::create(target);
  REQUIRE(fresh.good());
  write_text(fresh.value().path() / "a.npy", "second");
  write_text(target / "x.npy", "years of work");
  auto const done = fresh.value().replace_target(files);
  REQUIRE_FALSE(done.good());
  CHECK(text_of(target / "a.npy") == "second");
  auto const& message = done.problem().message;
  auto const begin = message.find((scratch.path() / "model.kept-").string());
  REQUIRE(begin != std::string::npos);
  fs::path const kept = message.substr(begin, message.find(' ', begin) - begin);
  CHECK(text_of(kept / "x.npy") == "years of work");
  save(target, "third");
  CHECK(text_of(kept / "x.npy") == "years of work");
}

TEST_CASE("what killed processes have left goes, what lives, is young or foreign stays") {
  lbann::test::ScratchFolder const scratch;
  auto const target = scratch.path() / "model";
  auto const leave = [&](std::string const& end, std::chrono::hours old = 0h) {
    auto folder = fs::path(target.string() + ".saving-" + end);
    fs::create_directory(folder);
    write_text(folder / "a.npy", "half");
    age(folder, old);
    return folder;
  };
  std::string machine;
  {
    auto const living = SavingFolder::create(target);
    REQUIRE(living.good());
    auto const name = living.value().path().string();
    machine = name.substr(name.find(".saving-") + 8, 33);
    auto const killed = leave(machine + "abcdef");
    auto const young = leave("0123456789abcdef0123456789abcdef-abcdef", 23h);
    auto const other = leave("0123456789abcdef0123456789abcdef-ghijkl", 25h);
    auto const earlier = leave("4711", 25h);  // as they were called once
    auto const second = leave("4711.old", 25h);
    auto const another = fs::path((scratch.path() / "model2.saving-4711").string());
    fs::create_directory(another);
    age(another, 25h);
    auto const full = leave("4712", 25h);
    fs::create_directory(full / "users own");
    age(full, 25h);
    save(target, "new");
    CHECK(fs::exists(living.value().path()));
    CHECK_FALSE(fs::exists(killed));
    CHECK(fs::exists(young));
    CHECK_FALSE(fs::exists(other));
    CHECK_FALSE(fs::exists(earlier));
    CHECK_FALSE(fs::exists(second));
    CHECK(fs::exists(another));
    CHECK(fs::exists(full / "users own"));
  }
  CHECK(text_of(target / "a.npy") == "new");
}

TEST_CASE("a folder where none can be made says so") {
  lbann::test::ScratchFolder const scratch;
  write_text(scratch.path() / "file", "x");
  auto const refused = SavingFolder::create(scratch.path() / "file" / "model");
  REQUIRE_FALSE(refused.good());
  CHECK(contains(refused.problem().message, "file"));
}
