// Callback `compute_model_size`, declared but not built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct compute_model_size {
  static constexpr std::string_view name = "compute_model_size";
  static constexpr std::string_view summary =
      "Computes the number of weights into a weights object of the model.";
  static constexpr Support support = Support::unbuilt;

  std::string output_name;
  std::int64_t batch_interval = 1;

  static constexpr auto fields() {
    return std::tuple{
        field("output_name", &compute_model_size::output_name,
              "Name of the weights that take the number.", Presence::required),
        field("batch_interval", &compute_model_size::batch_interval, "Compute every so many steps.",
              Presence::optional, "steps", at_least_one)};
  }
};

}  // namespace lbann::callbacks
