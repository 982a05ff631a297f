// The model as the checks of callback declarations see it, and how these report problems.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schemas/diagnostics/diagnostic_info.hpp"
#include "schemas/vocabulary/execution_mode.hpp"
#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/id.hpp"

namespace lbann::callbacks {

/// Layers and weights after shapes and weights are known. Made by the compiler from its graph and
/// by the plan's verifier from the plan: both check a callback by the same rules.
struct ModelView {
  /// Fields that hold a real number, and their values. Empty, as names of types and data
  /// fields are, where the model is that of a plan.
  using Numbers = std::vector<std::pair<std::string, double>>;

  struct Layer {
    std::string_view name;
    std::vector<std::vector<std::int64_t>> outputs;  ///< dims of one sample, per output
    std::vector<WeightsId> weights;
    std::string_view type = {};
    Numbers numbers = {};
    std::string_view data_field = {};  ///< of an input layer
  };
  struct Weights {
    std::string_view name;
    std::vector<std::int64_t> dims;
    bool trained = false;             ///< it has an optimizer
    std::string_view optimizer = {};  ///< its type
    Numbers numbers = {};             ///< of the optimizer
  };

  std::vector<Layer> layers;
  std::vector<Weights> weights;
  bool has_objective = false;
  bool has_validation = false, has_test = false;  ///< there is data for them
  std::int64_t max_epochs = 0;                    ///< of training; 0: no limit

  Weights const& operator[](WeightsId id) const { return weights[id.index()]; }
  /// The first layer of this name, or null.
  Layer const* find_layer(std::string_view name) const;
  /// The weights of this name; an invalid id if there are none.
  WeightsId find_weights(std::string_view name) const;
  /// The trained weights of these names, in the model's order; all of them if there are no names.
  std::vector<WeightsId> trained(std::vector<std::string> const& names) const;
  /// The trained weights of the layers of these names, each once, in the model's order.
  std::vector<WeightsId> trained_of_layers(std::vector<std::string> const& names) const;
  /// Notes the phases that a reader of this role gives data for: its own, and validation if a
  /// part of its samples is held back for it.
  void add_reader(ExecutionMode role, Record const& reader);
};

/// The value of the field of this name; nothing if there is none.
std::optional<double> number_of(ModelView::Numbers const& numbers, std::string_view field);

/// Collects the problems that `check` of a declaration finds.
class Findings {
 public:
  virtual ~Findings() = default;
  /// `info` with these arguments, at `field` of the callback; at its type if empty.
  virtual void add(DiagnosticInfo const& info, std::string_view field,
                   std::vector<std::string> arguments) = 0;
};

}  // namespace lbann::callbacks
