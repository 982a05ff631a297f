// gru and gru_gradient: strips and tiles of every size, samples of one thread and of several.
#include <doctest/doctest.h>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;

namespace {

struct Recurrence {
  std::int64_t samples, steps, hidden;
};

constexpr Recurrence recurrences[] = {{0, 3, 4},  {1, 1, 1},  {1, 5, 7},   {3, 2, 33}, {2, 4, 48},
                                      {5, 1, 50}, {9, 3, 17}, {17, 2, 97}, {40, 3, 16}};

Shape states(Recurrence const& r, std::int64_t gates) {
  return {batch_extent, {r.steps}, {gates * r.hidden}};
}

}  // namespace

TEST_CASE("gru") {
  for (auto type : {DataType::f32, DataType::f64})
    for (auto const& r : recurrences) {
      CAPTURE(r.samples);
      CAPTURE(r.hidden);
      KernelCase(operators::gru{},
                 {{type, states(r, 3)},
                  {type, Shape{batch_extent, {r.hidden}}},
                  {type, Shape{{3 * r.hidden}, {r.hidden}}},
                  {type, Shape{{3 * r.hidden}}}},
                 r.samples)
          .fill(static_cast<unsigned>(r.hidden), -0.5, 0.5)
          .check();
    }
}

TEST_CASE("gru_gradient") {
  for (auto type : {DataType::f32, DataType::f64})
    for (auto const& r : recurrences) {
      CAPTURE(r.samples);
      CAPTURE(r.hidden);
      KernelCase(operators::gru_gradient{},
                 {{type, states(r, 1)},
                  {type, states(r, 1)},
                  {type, Shape{batch_extent, {r.hidden}}},
                  {type, Shape{{3 * r.hidden}, {r.hidden}}},
                  {type, states(r, 4)}},
                 r.samples)
          .fill(static_cast<unsigned>(r.hidden), -0.5, 0.5)
          .check();
    }
}
