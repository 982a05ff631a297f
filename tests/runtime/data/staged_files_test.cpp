// Copies are whole or not used, gone on with, limited, and shared by the ranks of a node.
#include "runtime/data/staged_files.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "tests/schemas/samples/scratch_folder.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;
namespace fs = std::filesystem;

namespace {

/// Files `data/0` to `data/<count - 1>`, file i of 1000 + i bytes, and a folder for copies.
struct StagingCase {
  tests::ScratchFolder const scratch;
  std::int64_t count;

  explicit StagingCase(std::int64_t files) : count(files) {
    fs::create_directory(scratch.path() + "/data");
    for (std::int64_t i = 0; i < files; ++i) write(i, 'a');
  }
  std::string path(std::int64_t i) const { return scratch.path() + "/data/" + std::to_string(i); }
  void write(std::int64_t i, char letter) const {
    std::ofstream(path(i)) << std::string(static_cast<std::size_t>(1000 + i), letter);
  }
  StagingOptions options() const { return {scratch.path() + "/local", 0, 3}; }

  std::shared_ptr<StagedFiles> open(StagingOptions const& wanted, std::int64_t rank = 0,
                                    std::int64_t ranks = 1) const {
    auto opened = StagedFiles::open(wanted, rank, ranks);
    REQUIRE(opened.good());
    auto staged = std::move(opened).value();
    CHECK(staged->add(count, [this](std::int64_t i) { return path(i); }) == 0);
    return staged;
  }
  /// Copies until nothing more is to be done.
  std::shared_ptr<StagedFiles> copied(StagingOptions const& wanted, std::int64_t rank = 0,
                                      std::int64_t ranks = 1) const {
    auto staged = open(wanted, rank, ranks);
    REQUIRE(staged->start().good());
    for (int wait = 0; wait < 30000 && !done(*staged); ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    staged->stop();
    return staged;
  }
  static bool done(StagedFiles const& staged) {
    auto const counts = staged.counts();
    return counts.copied + counts.found == counts.wanted || !staged.trouble().empty();
  }
  std::set<std::string> copies() const {
    std::set<std::string> names;
    for (auto const& entry : fs::recursive_directory_iterator(scratch.path() + "/local"))
      if (entry.is_regular_file()) names.insert(entry.path().string());
    return names;
  }
};

std::string text_of(std::string const& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("staged files are read from their copies") {
  StagingCase const made(7);
  auto const staged = made.copied(made.options());
  CHECK(staged->counts().copied == 7);
  CHECK(staged->counts().bytes == 7 * 1000 + 21);
  for (std::int64_t i = 0; i < 7; ++i) {
    auto const place = staged->place(i, made.path(i));
    CHECK(contains(place, "/local/"));
    CHECK(text_of(place) == text_of(made.path(i)));
  }
  CHECK(staged->counts().from_copies == 7);

  // The next run finds them; a copy that has vanished is no copy.
  auto const again = made.copied(made.options());
  CHECK(again->counts().found == 7);
  CHECK(again->counts().copied == 0);
  fs::remove(again->place(3, made.path(3)));
  CHECK(again->place(3, made.path(3)) == made.path(3));
}

TEST_CASE("a copy of another state of its file is replaced") {
  StagingCase const made(3);
  auto const place = made.copied(made.options())->place(1, made.path(1));
  made.write(1, 'b');
  fs::last_write_time(made.path(1), fs::file_time_type::clock::now() + std::chrono::hours(1));
  auto const before = made.open(made.options());
  CHECK(before->place(1, made.path(1)) == made.path(1));  // nothing is copied yet
  auto const after = made.copied(made.options());
  CHECK(after->counts().copied == 1);
  CHECK(after->place(1, made.path(1)) == place);
  CHECK(text_of(place) == text_of(made.path(1)));
}

TEST_CASE("a copy that was interrupted is gone on with, and never used before") {
  StagingCase const made(1);
  auto const whole = made.copied(made.options())->place(0, made.path(0));
  // As a killed run leaves it: the first bytes, here ones that tell.
  struct stat status {};
  REQUIRE(::stat(made.path(0).c_str(), &status) == 0);
  auto const part = whole + "." + std::to_string(status.st_size) + "." +
                    std::to_string(status.st_mtim.tv_sec) + "." +
                    std::to_string(status.st_mtim.tv_nsec) + ".part";
  fs::remove(whole);
  std::ofstream(part) << std::string(400, 'x');
  auto const waiting = made.open(made.options());
  CHECK(waiting->place(0, made.path(0)) == made.path(0));
  auto const finished = made.copied(made.options());
  CHECK(text_of(finished->place(0, made.path(0))) == std::string(400, 'x') + std::string(600, 'a'));
  CHECK_FALSE(fs::exists(part));
}

TEST_CASE("copies of other files make room, those of this run stay") {
  StagingCase const old(4), made(4);
  auto options = old.options();
  options.streams = 1;
  REQUIRE(old.copied(options)->counts().copied == 4);
  options.most_bytes = 5500;
  auto const staged = made.copied(options);
  CHECK(staged->counts().copied == 4);
  CHECK(old.copies().size() == 5);  // four, and one that there was room for
  options.most_bytes = 2500;
  StagingCase const more(3);
  auto const full = more.copied(options);
  CHECK(full->counts().copied == 2);
  CHECK(contains(full->trouble(), "its limit of 2500 bytes"));
  CHECK(full->place(2, more.path(2)) == more.path(2));
  CHECK(old.copies().size() == 2);
}

TEST_CASE("ranks of a node share copies") {
  StagingCase const made(20);
  auto const first = made.copied(made.options(), 0, 2), second = made.copied(made.options(), 1, 2);
  CHECK(first->counts().copied + second->counts().copied == 20);
  CHECK(first->counts().copied > 0);
  CHECK(second->counts().copied > 0);
  for (auto const& staged : {first, second})
    for (std::int64_t i = 0; i < 20; ++i)
      CHECK(contains(staged->place(i, made.path(i)), "/local/"));
}

TEST_CASE("what another boot has left is removed, and trouble ends nothing") {
  StagingCase const made(3);
  fs::create_directories(made.scratch.path() + "/local/staged-another-boot");
  made.copied(made.options());
  CHECK_FALSE(fs::exists(made.scratch.path() + "/local/staged-another-boot"));

  auto options = made.options();
  options.folder = made.path(0);  // a file
  auto const refused = StagedFiles::open(options, 0, 1);
  REQUIRE_FALSE(refused.good());
  CHECK(contains(refused.problem().message, "this folder for staging cannot be made"));

  fs::remove(made.path(2));
  auto const staged = made.open(made.options());
  REQUIRE(staged->start().good());
  staged->stop();
  CHECK(staged->trouble().empty());
  CHECK(staged->place(2, made.path(2)) == made.path(2));
}
