// Callback: sets weights to the number of entries of all weights.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {
class CallbackLowering;
}

namespace lbann::callbacks {

struct compute_model_size {
  static constexpr std::string_view name = "compute_model_size";
  static constexpr std::string_view summary =
      "Sets every entry of a weights object to the number of entries of all weights.";

  std::string output_name;
  std::int64_t batch_interval = 1;

  static constexpr Reference references[] = {{"output_name", Referent::weights}};

  static constexpr auto fields() {
    return std::tuple{
        field("output_name", &compute_model_size::output_name,
              "Name of the weights that take the number.", Presence::required),
        field("batch_interval", &compute_model_size::batch_interval, "Compute every so many steps.",
              Presence::optional, "steps", counted_from_one)};
  }

  void lower(compiler::CallbackLowering& lowering) const;
};

}  // namespace lbann::callbacks
