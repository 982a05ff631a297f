// gru, lstm and their gradients: strips and tiles of every size, samples of one thread and of
// several.
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

TEST_CASE("lstm") {
  for (auto type : {DataType::f32, DataType::f64})
    for (auto const& r : recurrences) {
      CAPTURE(r.samples);
      CAPTURE(r.hidden);
      TensorType const state{type, Shape{batch_extent, {r.hidden}}};
      KernelCase(operators::lstm{},
                 {{type, states(r, 4)}, state, state, {type, Shape{{4 * r.hidden}, {r.hidden}}}},
                 r.samples)
          .fill(static_cast<unsigned>(r.hidden), -0.5, 0.5)
          .check();
    }
}

TEST_CASE("lstm_gradient") {
  for (auto type : {DataType::f32, DataType::f64})
    for (auto const& r : recurrences)
      for (bool const of_cells : {false, true}) {
        CAPTURE(r.samples);
        CAPTURE(r.hidden);
        std::vector<TensorType> inputs = {{type, states(r, 1)},
                                          {type, states(r, 1)},
                                          {type, Shape{batch_extent, {r.hidden}}},
                                          {type, Shape{{4 * r.hidden}, {r.hidden}}},
                                          {type, states(r, 4)}};
        if (of_cells) inputs.push_back(inputs[0]);
        KernelCase(operators::lstm_gradient{}, std::move(inputs), r.samples)
            .fill(static_cast<unsigned>(r.hidden), -0.5, 0.5)
            .check();
      }
}
