// Callback `replace_weights`.
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

struct replace_weights {
  static constexpr std::string_view name = "replace_weights";
  static constexpr std::string_view summary =
      "Copies the weights of layers to others, after steps of training.";

  std::vector<std::string> source_layers;
  std::vector<std::string> destination_layers;
  std::int64_t batch_interval = 1;

  static constexpr Reference references[] = {{"source_layers", Referent::layer},
                                             {"destination_layers", Referent::layer}};

  static constexpr auto fields() {
    return std::tuple{
        field("source_layers", &replace_weights::source_layers,
              "Names of the layers that are copied.", Presence::required),
        field("destination_layers", &replace_weights::destination_layers,
              "Names of the layers that are written, in the same order.", Presence::required),
        field("batch_interval", &replace_weights::batch_interval, "Copy every so many steps.",
              Presence::optional, "steps", counted_from_one)};
  }

  void check(ModelView const& model, Findings& findings) const;
  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
