// What threads in turn touch, and what of it changes hands: known patterns on some pages.
#include "tests/benchmarks/touched_pages.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <memory>

#include "kernels/tasks.hpp"

using namespace lbann;
using kernels::ThreadTeam;
using testing::TouchedPages;

namespace {

constexpr std::size_t page = 4096, count = 8;

struct Free {
  void operator()(std::byte* memory) const { std::free(memory); }
};

/// Two threads in turn, and pages that they touch.
struct Pages {
  explicit Pages(std::int64_t cached = 1 << 20) : touched{{{memory.get(), count * page}}, cached} {}

  std::unique_ptr<std::byte, Free> memory{
      static_cast<std::byte*>(std::aligned_alloc(page, count* page))};
  TouchedPages touched;
  ThreadTeam team{2, ThreadTeam::InTurn{[this](std::int64_t part) { touched.begin(part); }}};

  std::byte volatile& at(std::int64_t number) { return memory.get()[number * page + 77]; }
  /// Calls f(page) for all pages, the first half on thread 0, or if `swapped` on thread 1.
  template <class F>
  void for_each(bool swapped, F const& f) {
    ThreadTeam::for_each_part(2, [&](std::int64_t part) {
      auto const begin = (swapped ? 1 - part : part) * std::int64_t{count / 2};
      for (auto i = begin; i < begin + std::int64_t{count / 2}; ++i) f(i);
    });
  }
  void write(bool swapped) {
    for_each(swapped, [&](std::int64_t i) { at(i) = std::byte{1}; });
  }
  void read(bool swapped) {
    for_each(swapped, [&](std::int64_t i) { static_cast<void>(std::byte{at(i)}); });
  }
};

}  // namespace

TEST_CASE("a team in turn runs all parts on one thread and says whose part begins") {
  std::vector<std::int64_t> events;
  ThreadTeam const team(3, ThreadTeam::InTurn{[&](std::int64_t part) { events.push_back(part); }});
  CHECK(ThreadTeam::size() == 3);
  ThreadTeam::for_each_part(3, [&](std::int64_t part) { events.push_back(10 + part); });
  CHECK(events == std::vector<std::int64_t>{0, 10, 1, 11, 2, 12, 0});
  CHECK(ThreadTeam::synchronisations() == 1);
}

TEST_CASE("pages that one thread alone touches do not change hands") {
  Pages pages;
  for (int step = 0; step < 3; ++step) {
    pages.write(false);
    pages.read(false);
  }
  CHECK(pages.touched.take().sum() == 0);
}

TEST_CASE("pages are exchanged once by reading, and by overwriting") {
  Pages pages;
  pages.write(false);
  pages.read(true);
  pages.read(true);
  auto const read = pages.touched.take();
  CHECK(read.read == count * page);
  CHECK(read.overwritten == 0);
  // Back at their owners, who have them, but others have copies.
  for (bool const swapped : {false, true}) {
    pages.write(swapped);
    auto const overwritten = pages.touched.take();
    CHECK(overwritten.read == 0);
    CHECK(overwritten.overwritten == count * page);
    pages.write(swapped);
    CHECK(pages.touched.take().sum() == 0);
  }
}

TEST_CASE("what has left the caches changes no hands") {
  // After 8 pages are written in order the last 4 are read, of 3 pages ago, then the first, of 11.
  auto const read_of = [](std::int64_t cached) {
    Pages pages(cached * static_cast<std::int64_t>(page));
    pages.write(false);
    pages.read(true);
    return pages.touched.take().read / static_cast<std::int64_t>(page);
  };
  CHECK(read_of(11) == 8);
  CHECK(read_of(10) == 4);
  CHECK(read_of(3) == 4);
  CHECK(read_of(2) == 0);
}

TEST_CASE("what nobody has written is nobody's") {
  Pages pages;
  pages.write(false);
  pages.touched.forget({pages.memory.get(), count * page});
  pages.read(true);
  CHECK(pages.touched.take().sum() == 0);
}
