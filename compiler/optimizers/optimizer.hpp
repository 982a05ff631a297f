// The form of an optimizer's declaration: fields, state, and how it changes weights.
#pragma once

#include <string>
#include <vector>

#include "compiler/callbacks/hyperparameter.hpp"
#include "compiler/declarations/declaration.hpp"
#include "compiler/declarations/type_table.hpp"
#include "schemas/program/program.hpp"
#include "schemas/vocabulary/id.hpp"

namespace lbann::compiler {

/// State an optimizer keeps for each element of the weights; starts as zero.
struct MomentInfo {
  std::string suffix;  ///< of its name: `<weights>/velocity`
};

/// `factor` to the power of the number of the step, counted from 1, in f64; shared by all weights
/// whose optimizer has the same fields. Where callbacks change the factor, the product of what it
/// was in each step.
struct CounterInfo {
  std::string name;  ///< `beta1_power`
  double factor = 1;
  std::string_view field;  ///< that holds the factor

  callbacks::Hyperparameter parameter(WeightsId weights) const {
    return {callbacks::Hyperparameter::Of::weights, weights.index(), field, factor};
  }
};

/// What `update` is given: the tensors of one weights object, and where its instructions go.
class OptimizerContext {
 public:
  virtual ~OptimizerContext() = default;

  virtual DataType type() const = 0;
  virtual Shape const& shape() const = 0;
  virtual TensorId weights() const = 0;
  virtual TensorId gradient() const = 0;
  /// f64 scalar: how far this step goes.
  virtual TensorId learning_rate() = 0;
  virtual TensorId moment(std::size_t slot) const = 0;
  virtual TensorId counter(std::size_t index) = 0;
  /// The f64 scalar of a field of the optimizer that a callback changes; an invalid id for others,
  /// which are constants.
  virtual TensorId hyperparameter(std::string_view field) const = 0;
  /// Changes the learning rate, which these weights share with no others (`learns_rate`), to a
  /// scalar map.
  virtual void set_learning_rate(Expression expression, std::vector<TensorId> inputs) = 0;
  /// Sum of the products of their entries, in f64.
  virtual TensorId inner_product(TensorId a, TensorId b) = 0;
  /// A scalar map in f64.
  virtual TensorId scalar(Expression expression, std::vector<TensorId> inputs) = 0;
  /// A map over the weights whose outputs are written to `outputs` (weights or moments, in place).
  virtual void update(Expression expression, std::vector<TensorId> inputs,
                      std::vector<TensorId> outputs) = 0;
};

// A declaration is a struct in `compiler/optimizers/<name>.hpp`/.cpp with name, summary, fields and
//
//     static constexpr bool trains;       // false: weights stay as they are
//     static constexpr bool learns_rate;  // true: each weights object has a rate of its own;
//                                         // false if left out
//     double learning_rate() const;       // the first one
//     std::vector<MomentInfo> moments() const;
//     std::vector<CounterInfo> counters() const;
//     void update(OptimizerContext& context) const;  // the instructions of one step

/// An optimizer without its C++ type.
struct OptimizerType {
  DeclarationType declaration;
  bool trains;
  bool learns_rate;
  double (*learning_rate)(void const* optimizer);
  std::vector<MomentInfo> (*moments)(void const* optimizer);
  std::vector<CounterInfo> (*counters)(void const* optimizer);
  void (*update)(void const* optimizer, OptimizerContext& context);
};

/// The entry of `T` in the table of optimizers.
template <class T>
OptimizerType optimizer_type() {
  constexpr bool learns_rate = [] {
    if constexpr (requires { T::learns_rate; })
      return T::learns_rate;
    else
      return false;
  }();
  return {declaration_type<T>(),
          T::trains,
          learns_rate,
          [](void const* object) { return static_cast<T const*>(object)->learning_rate(); },
          [](void const* object) { return static_cast<T const*>(object)->moments(); },
          [](void const* object) { return static_cast<T const*>(object)->counters(); },
          [](void const* object, OptimizerContext& context) {
            static_cast<T const*>(object)->update(context);
          }};
}

/// All optimizers; `compiler/optimizers/meson.build` lists them.
class OptimizerTypes : public TypeTable<OptimizerType> {
 public:
  OptimizerTypes();
};

}  // namespace lbann::compiler
