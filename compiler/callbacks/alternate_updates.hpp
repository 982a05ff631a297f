// Callback `alternate_updates`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct alternate_updates {
  static constexpr std::string_view name = "alternate_updates";
  static constexpr std::string_view summary =
      "Trains two groups of layers in turn, as adversarial models need it; while it is the other's "
      "turn, weights and state of the optimizer stay as they are.";

  std::vector<std::string> layers_1;
  std::vector<std::string> layers_2;
  std::int64_t iters_1 = 1;
  std::int64_t iters_2 = 1;

  static constexpr Reference references[] = {{"layers_1", Referent::layer},
                                             {"layers_2", Referent::layer}};

  static constexpr auto fields() {
    return std::tuple{
        field("layers_1", &alternate_updates::layers_1, "Names of the first group.",
              Presence::required),
        field("layers_2", &alternate_updates::layers_2, "Names of the second group.",
              Presence::required),
        field("iters_1", &alternate_updates::iters_1,
              "Steps of the first group, which begins, before it is the other's turn.",
              Presence::optional, "steps", counted_from_one),
        field("iters_2", &alternate_updates::iters_2, "Steps of the second group.",
              Presence::optional, "steps", counted_from_one)};
  }

  static constexpr bool takes_turns = true;

  std::vector<std::vector<WeightsId>> groups(ModelView const& model) const;
  void check(ModelView const& model, Findings& findings) const;
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
