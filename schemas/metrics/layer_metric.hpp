#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::metrics {

/// The only metric that is made of tensors; the others are asked of programs.
struct layer_metric {
  static constexpr std::string_view name = "layer_metric";
  static constexpr std::string_view summary = "The mean output of a layer, reported.";

  std::string name_;
  std::string layer;
  std::string unit;

  std::string shown_name() const { return name_.empty() ? layer : name_; }

  static constexpr auto fields() {
    return std::tuple{
        field("name", &layer_metric::name_, "Name in log lines; the layer's if left out."),
        field("layer", &layer_metric::layer, "Layer with one number per sample.",
              Presence::required),
        field("unit", &layer_metric::unit, "Shown behind the value; `%` multiplies it by 100.")};
  }
};

}  // namespace lbann::metrics
