// Loads and stores of some lanes of a register.
#include "kernels/host/vector.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace lbann::kernels::host;

TEST_CASE_TEMPLATE("ranges of lanes: others are neither read nor written", T, float, double) {
  constexpr int n = lanes<T>;
  T from[n], to[n];
  for (int i = 0; i < n; ++i) from[i] = T(i + 1);
  for (int first = -1; first <= n; ++first)
    for (int last = first; last <= n + 1; ++last) {
      LaneRange<T> const range(first, last);
      std::fill_n(to, n, T(-1));
      range.store(to, load_vector(from));
      auto const loaded = range.load(from);
      for (int i = 0; i < n; ++i) {
        bool const inside = i >= first && i < last;
        CHECK(to[i] == (inside ? from[i] : T(-1)));
        CHECK(loaded[i] == (inside ? from[i] : T(0)));
      }
    }
}
