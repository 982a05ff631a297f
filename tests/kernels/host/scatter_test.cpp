// scatter with an epilogue: updates of tables, in place, by optimizers that leave alone what
// nothing is added to and by others.
#include <doctest/doctest.h>

#include "kernels/map/epilogue_of_zero.hpp"
#include "tests/support/kernel_case.hpp"

using namespace lbann;
using operators::scatter;
using testing::KernelCase;

namespace {

struct Update {
  char const* expression;  ///< of the sum, weights, state, learning rate
  bool keeps;              ///< weights and state, where the sum is zero
};

// Momentum, AdaGrad, and one that does not read its sum in all outputs.
constexpr Update updates[] = {
    {"(t0 = add(multiply(i2, 0.9), i0); subtract(i1, multiply(i3, t0)), t0)", false},
    {"(t0 = add(i2, multiply(i0, i0)); subtract(i1, divide(multiply(i3, i0), add(sqrt(t0), 4))), "
     "t0)",
     true},
    {"(subtract(i1, multiply(i3, i0)), i2)", true}};

scatter with(Update const& update, DataType type, Shape const& table) {
  scatter op{table, 0, 0};
  op.epilogue = *parse_expression(update.expression);
  op.types = {type, type};
  return op;
}

}  // namespace

TEST_CASE("scatter: updates of tables as epilogues, in place") {
  struct Table {
    std::int64_t places, inner, picks;
  };
  // Not summed up in ranges; in ranges of several places, with fewer and more picks than places, of
  // more than one part; of one place.
  Table const tables[] = {
      {7, 3, 2}, {5000, 70, 9}, {5000, 70, 3001}, {3000, 130, 1}, {40, 9000, 5}};
  for (auto const& update : updates)
    for (auto const& table : tables)
      for (auto const type : testing::floating_types)
        for (auto const index : {DataType::f32, DataType::i64})
          for (std::int64_t samples : {0, 1, 3}) {
            Shape const shape{{table.places}, {table.inner}};
            KernelCase c(with(update, type, shape),
                         {{type, Shape{batch_extent, {table.picks}, {table.inner}}},
                          {index, Shape{batch_extent, {table.picks}}},
                          {type, shape},
                          {type, shape},
                          {type, Shape{}}},
                         samples);
            c.fill(static_cast<unsigned>(table.picks), -2.5,
                   1.1 * static_cast<double>(table.places));
            auto const named = c.input(1);
            c.fill(static_cast<unsigned>(table.inner), 0, 2).set(1, named);
            c.in_place(2, 0).in_place(3, 1).check(testing::rounding(type, samples * table.picks));
          }
}

TEST_CASE("scatter: epilogues beside the table") {
  auto const type = DataType::f32;
  Shape const table{{5000}, {70}};
  scatter op{table, 0, 0};
  op.epilogue = *parse_expression("(add(i0, i1), multiply(i0, i2))");
  op.types = {type, DataType::f64};
  for (std::int64_t samples : {0, 1, 3}) {
    KernelCase c(op,
                 {{type, Shape{batch_extent, {9}, {70}}},
                  {DataType::i32, Shape{batch_extent, {9}}},
                  {type, Shape{{70}}},
                  {type, Shape{{5000}, {1}}}},
                 samples);
    c.fill(1, 0, 5000);
    auto const named = c.input(1);
    c.fill(2).set(1, named).check(testing::rounding(type, samples * 9));
  }
}

TEST_CASE("epilogues that leave their outputs as they are where the product is zero") {
  float numbers[3];
  auto const view = [&](int i) {
    kernels::View result;
    result.data = &numbers[i];
    return result;
  };
  kernels::View const inputs[] = {{}, {}, view(0), view(1), view(2)};
  kernels::View const outputs[] = {view(0), view(1)}, others[] = {view(1), view(0)};
  kernels::Call call;
  call.inputs = inputs;
  for (auto const& update : updates) {
    CAPTURE(update.expression);
    auto const epilogue = *parse_expression(update.expression);
    call.outputs = outputs;
    CHECK(kernels::is_identity_of_first_zero(epilogue, call) == update.keeps);
    call.outputs = others;
    CHECK_FALSE(kernels::is_identity_of_first_zero(epilogue, call));
  }
  // Adam's moments decay.
  call.outputs = std::span(outputs).first(1);
  CHECK_FALSE(kernels::is_identity_of_first_zero(
      *parse_expression("(add(multiply(i1, 0.9), multiply(i0, 0.1)))"), call));
}
