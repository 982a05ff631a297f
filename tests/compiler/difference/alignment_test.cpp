// Longest common subsequences, against all subsequences.
#include "compiler/difference/alignment.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace lbann::compiler;

namespace {

using List = std::vector<std::string>;

/// The length of the longest common subsequence by trying all of `a`.
std::size_t longest(List const& a, List const& b) {
  std::size_t most = 0;
  for (unsigned mask = 0; mask < (1U << a.size()); ++mask) {
    std::size_t found = 0, at = 0;
    bool fits = true;
    for (std::size_t i = 0; i < a.size() && fits; ++i) {
      if ((mask >> i & 1U) == 0) continue;
      while (at < b.size() && b[at] != a[i]) ++at;
      fits = at++ < b.size();
      ++found;
    }
    if (fits) most = std::max(most, found);
  }
  return most;
}

}  // namespace

TEST_CASE("common elements are a longest common subsequence") {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    List a(random() % 9), b(random() % 9);
    for (auto* list : {&a, &b})
      for (auto& element : *list) element = std::string(1, static_cast<char>('a' + random() % 3));
    auto const pairs = common_elements(a, b);
    CHECK(pairs.size() == longest(a, b));
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      auto const [i, j] = pairs[k];
      CHECK(a[i] == b[j]);
      if (k > 0) CHECK((pairs[k - 1].first < i && pairs[k - 1].second < j));
    }
  }
}

TEST_CASE("of lists too long to compare the ends are common") {
  List a(7000, "x"), b(8000, "x");
  for (std::size_t i = 1; i + 1 < a.size(); ++i) a[i] = "a" + std::to_string(i);
  CHECK(common_elements(a, b).size() == 2);
}
