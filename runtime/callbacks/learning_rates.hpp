// The learning rates a callback acts on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/observation/observer.hpp"

namespace lbann::runtime {

/// State of the program: one f64 number for all weights whose optimizers are equal and which the
/// same callbacks act on. Ranks change them alike.
class LearningRates {
 public:
  /// Those of the weights of these names; of all that are trained if there are none.
  LearningRates(std::vector<std::string> const& names, RunView const& run);

  /// Keeps them as those that training begins with.
  void begin();

  /// Changes each to `next(now, first)`.
  template <class Next>
  void change(Next const& next) {
    for (auto& rate : rates_) *rate.value = next(*rate.value, rate.first);
  }

  /// The same, with the name of the first weights that each belongs to.
  template <class Next>
  void change_by_name(Next const& next) {
    for (auto& rate : rates_) *rate.value = next(*rate.value, rate.weights.front());
  }

  /// Tells the log what has changed since the last time, after so many epochs.
  void tell(std::int64_t epochs);

 private:
  struct Rate {
    double* value;
    std::vector<std::string_view> weights;
    double first = 0, told = 0;
  };

  RunView const& run_;
  std::vector<Rate> rates_;
  bool all_ = false;  ///< there are no other learning rates
};

}  // namespace lbann::runtime
