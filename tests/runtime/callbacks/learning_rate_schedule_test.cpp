// Schedules of learning rates against values worked out by hand.
#include "runtime/callbacks/learning_rate_schedule.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace lbann;
using namespace lbann::runtime;

namespace {

/// Rates after epochs 1, 2, ... of a schedule that acts at their ends; the first is 1.
template <class Fields>
std::vector<double> after_epochs(Fields const& fields, std::int64_t count) {
  std::vector<double> rates;
  double now = 1;
  for (std::int64_t epoch = 1; epoch <= count; ++epoch)
    rates.push_back(now = rate_at(fields, {.epochs = epoch}, now, 1));
  return rates;
}

/// Rates of steps 0, 1, ... of three in an epoch, four epochs; the first is 1.
template <class Fields>
std::vector<double> of_steps(Fields const& fields, std::int64_t count) {
  std::vector<double> rates;
  for (std::int64_t step = 0; step < count; ++step)
    rates.push_back(rate_at(fields, {step, 0, 3, 4}, 0.5, 1));
  return rates;
}

void check_equal(std::vector<double> const& found, std::vector<double> const& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-14));
}

}  // namespace

TEST_CASE("schedules by epochs") {
  check_equal(after_epochs(callbacks::step_learning_rate{.step = 2, .amt = 0.5}, 5),
              {1, 0.5, 0.5, 0.25, 0.25});
  check_equal(after_epochs(callbacks::set_learning_rate{.step = 3, .val = 0.125}, 4),
              {1, 1, 0.125, 0.125});
  check_equal(
      after_epochs(callbacks::drop_fixed_learning_rate{.drop_epoch = {4, 1}, .amt = 0.1}, 5),
      {0.1, 0.1, 0.1, 0.01, 0.01});
  check_equal(after_epochs(callbacks::linear_growth_learning_rate{.target = 5, .num_epochs = 4}, 6),
              {2, 3, 4, 5, 5, 5});
  check_equal(
      after_epochs(callbacks::linear_growth_learning_rate{.target = 3, .num_epochs = 2, .delay = 2},
                   5),
      {1, 1, 2, 3, 3});
}

TEST_CASE("poly_learning_rate ends after max_iter, num_epochs or all epochs") {
  check_equal(of_steps(callbacks::poly_learning_rate{.power = 2, .max_iter = 4, .end_lr = 0.2}, 6),
              {1, 0.8 * 0.5625 + 0.2, 0.8 * 0.25 + 0.2, 0.8 * 0.0625 + 0.2, 0.2, 0.2});
  auto const epochs = of_steps(callbacks::poly_learning_rate{.power = 1, .num_epochs = 2}, 7);
  check_equal(epochs, {1, 5 / 6.0, 4 / 6.0, 3 / 6.0, 2 / 6.0, 1 / 6.0, 0});
  CHECK(of_steps(callbacks::poly_learning_rate{.power = 1}, 12).back() ==
        doctest::Approx(1 / 12.0));
}

TEST_CASE("cosine_decay_learning_rate warms up, falls and stays") {
  callbacks::cosine_decay_learning_rate fields;
  fields.lr_max = 1;
  fields.lr_min = 0.2;
  fields.decay_steps = 4;
  fields.initial_warmup_learning_rate = 0.4;
  fields.warmup_steps = 2;
  auto const side = 0.5 * std::sqrt(0.5);
  check_equal(of_steps(fields, 8),
              {0.4, 0.7, 1, 0.2 + 0.8 * (0.5 + side), 0.6, 0.2 + 0.8 * (0.5 - side), 0.2, 0.2});
  fields.warmup_steps = 0;
  CHECK(of_steps(fields, 1)[0] == 1);
}

TEST_CASE("adaptive_learning_rate bears a plateau for a while") {
  Plateau plateau(2);
  std::vector<bool> acts;
  //                       lower  no     no     third: acts; from there on anew
  for (double const value : {5.0, 4.0, 4.0, 6.0, 4.5, 4.4, 7.0, 7.0, 7.0})
    acts.push_back(plateau.reached(value));
  CHECK(acts == std::vector<bool>{false, false, false, false, true, false, false, false, true});
}
