// What tests of mutated inputs share: choices that follow from a number, and an end to every case.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace lbann::testing {

/// Random choices; the same for the same number on every machine.
class Choices {
 public:
  explicit Choices(std::uint64_t number) : random_(number) {}

  /// One of 0 to count - 1; 0 if count is 0.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  std::uint64_t bits() { return random_(); }
  template <class List>
  auto const& of(List const& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937_64 random_;
};

/// Numbers and texts at the edges of what programs take.
std::span<std::int64_t const> edge_integers();
std::span<double const> edge_reals();
std::span<std::string_view const> edge_texts();

/// Which cases a command line asks for: `COUNT [FIRST]` behind `arguments` words of its own.
struct Cases {
  std::uint64_t first = 0, count = 0;
};
Cases cases_of(int argc, char** argv, int arguments);

/// Runs `run` for each case. Whatever ends the process meanwhile (a signal, a sanitizer, processor
/// time beyond what any case can need) is preceded by the number of the case, which runs it again.
void run_cases(Cases const& cases, std::function<void(std::uint64_t)> const& run);

}  // namespace lbann::testing
