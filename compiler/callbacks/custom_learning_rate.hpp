// Callback `custom_learning_rate`.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
struct CallbackCheck;
}  // namespace lbann::compiler

namespace lbann::callbacks {

struct custom_learning_rate {
  static constexpr std::string_view name = "custom_learning_rate";
  static constexpr std::string_view summary =
      "Sets the learning rate before each step to the value of an expression.";
  static constexpr std::string_view formula =
      "rate = `expression`, of `step`: steps that are finished; `epoch`: step / steps_per_epoch, "
      "with its fraction; `steps_per_epoch`: of the first epoch; `max_epochs`; `first`: the rate "
      "that training begins with; `pi`";
  static constexpr bool changes_learning_rate = true;

  std::vector<std::string> weights = {};
  std::string expression;

  static constexpr Reference references[] = {{"weights", Referent::trained_weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("weights", &custom_learning_rate::weights,
              "Names of the weights it acts on; all that are trained if left out."),
        field("expression", &custom_learning_rate::expression,
              "For example `first * 0.95 ** floor(epoch)`. It knows numbers, `+ - * / // % **`, "
              "comparisons, `and or not`, `a if b else c`, and functions such as `min(a, b)`, "
              "`max(a, b)`, `exp(x)`, `log(x)`, `sqrt(x)`, `cos(x)`, `floor(x)`.",
              Presence::required)};
  }

  /// What is wrong with the expression, and a rate in the first step that is none.
  void check(compiler::CallbackCheck const& check) const;
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
