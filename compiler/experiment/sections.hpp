// The fixed parts of the language as declarations: their fields are checked like a layer's.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {

enum class Precision : std::uint8_t { single_precision, double_precision };

namespace sections {

struct trainer {
  static constexpr std::string_view name = "trainer";
  static constexpr std::string_view summary = "How the model is trained.";

  std::int64_t mini_batch_size = 0;
  std::int64_t random_seed = 42;

  static constexpr auto fields() {
    return std::tuple{
        field("mini_batch_size", &trainer::mini_batch_size, "Samples of one step, over all ranks.",
              Presence::required, "samples", Range{.least = 1, .most = 1 << 30}),
        field("random_seed", &trainer::random_seed,
              "Start of all random numbers: initial weights, dropout, order of samples.",
              at_least_zero)};
  }
};

/// A training algorithm: steps along gradients until the first of its limits.
struct sgd {
  static constexpr std::string_view name = "sgd";
  static constexpr std::string_view summary =
      "Trains by mini-batches until the first limit; validates after every epoch.";

  std::string name_ = "sgd";
  std::int64_t max_epochs = 0;
  std::int64_t max_batches = 0;
  double max_seconds = 0;

  static constexpr auto fields() {
    return std::tuple{field("name", &sgd::name_, "Name in the run's record."),
                      field("max_epochs", &sgd::max_epochs, "Most passes over the training data.",
                            Presence::optional, "epochs", at_least_one),
                      field("max_batches", &sgd::max_batches, "Most steps.", Presence::optional,
                            "steps", at_least_one),
                      field("max_seconds", &sgd::max_seconds, "Longest training time.",
                            Presence::optional, "seconds", above_zero)};
  }
};

struct model {
  static constexpr std::string_view name = "model";
  static constexpr std::string_view summary = "What is trained.";

  std::string name_ = "model";
  Precision datatype = Precision::single_precision;

  static constexpr auto fields() {
    return std::tuple{field("name", &model::name_, "Name in log lines."),
                      field("datatype", &model::datatype, "Type of activations and weights.")};
  }
};

/// Fields of every layer.
struct layer {
  static constexpr std::string_view name = "layer";
  static constexpr std::string_view summary = "What every layer has.";

  std::string name_;
  std::vector<std::string> parents;
  std::vector<std::string> children;
  std::vector<std::string> weights;
  std::string weights_of;
  std::string hint_layer;
  bool freeze = false;

  static constexpr auto fields() {
    return std::tuple{
        field("name", &layer::name_, "Unique name; `<type>_<n>` if left out."),
        field("parents", &layer::parents,
              "Layers it takes its inputs from, `layer` or `layer.output`; the layer before it if "
              "left out."),
        field("children", &layer::children, "Layers that take its outputs, in their order."),
        field("weights", &layer::weights,
              "Entries of `model: weights:` to use, in the order of the layer's roles."),
        field("weights_of", &layer::weights_of, "Layer whose weights this one uses."),
        field("hint_layer", &layer::hint_layer, "Layer whose output dims this one takes."),
        field("freeze", &layer::freeze, "Leave the layer's weights as they are.")};
  }
};

struct weights {
  static constexpr std::string_view name = "weights";
  static constexpr std::string_view summary = "Weights that layers use by name.";

  std::string name_;

  static constexpr auto fields() {
    return std::tuple{field("name", &weights::name_, "Unique name.", Presence::required)};
  }
};

struct layer_term {
  static constexpr std::string_view name = "layer_term";
  static constexpr std::string_view summary = "The mean output of a layer.";

  std::string layer;
  double scale_factor = 1;

  static constexpr auto fields() {
    return std::tuple{
        field("layer", &layer_term::layer, "Layer with one number per sample.", Presence::required),
        field("scale_factor", &layer_term::scale_factor, "Factor of the term.")};
  }
};

struct l2_weight_regularization {
  static constexpr std::string_view name = "l2_weight_regularization";
  static constexpr std::string_view summary = "Half the sum of squared weights.";

  double scale_factor = 0;
  std::vector<std::string> weights;

  static constexpr auto fields() {
    return std::tuple{field("scale_factor", &l2_weight_regularization::scale_factor,
                            "Factor of the term.", Presence::required),
                      field("weights", &l2_weight_regularization::weights,
                            "Names of weights; all that are trained if left out.")};
  }
};

struct layer_metric {
  static constexpr std::string_view name = "layer_metric";
  static constexpr std::string_view summary = "The mean output of a layer, reported.";

  std::string name_;
  std::string layer;
  std::string unit;

  static constexpr auto fields() {
    return std::tuple{
        field("name", &layer_metric::name_, "Name in log lines; the layer's if left out."),
        field("layer", &layer_metric::layer, "Layer with one number per sample.",
              Presence::required),
        field("unit", &layer_metric::unit, "Shown behind the value; `%` multiplies it by 100.")};
  }
};

}  // namespace sections
}  // namespace lbann::compiler

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::Precision> =
    std::array<std::string_view, 2>{"float", "double"};
