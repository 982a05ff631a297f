// The form of an optimizer's declaration: fields, state, and how it changes weights.
#pragma once

#include <string>
#include <vector>

#include "compiler/experiment/declaration.hpp"
#include "schemas/program/program.hpp"

namespace lbann::compiler {

/// State an optimizer keeps for each element of the weights; starts as zero.
struct MomentInfo {
  std::string suffix;  ///< of its name: `<weights>/velocity`
};

/// `factor` to the power of the number of the step, counted from 1, in f64; shared by all weights
/// whose optimizer has the same fields.
struct CounterInfo {
  std::string name;  ///< `beta1_power`
  double factor = 1;
};

/// What `update` is given: the tensors of one weights object, and where its instructions go.
class Updating {
 public:
  virtual ~Updating() = default;

  virtual DataType type() const = 0;
  virtual Shape const& shape() const = 0;
  virtual TensorId weights() const = 0;
  virtual TensorId gradient() const = 0;
  /// f64 scalar: how far this step goes.
  virtual TensorId learning_rate() = 0;
  virtual TensorId moment(std::size_t slot) const = 0;
  virtual TensorId counter(std::size_t index) const = 0;
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
//     static constexpr bool trains;                // false: weights stay as they are
//     static constexpr bool learns_rate;           // true: every weights object has a rate of its
//                                                  // own; may be left out
//     double learning_rate() const;
//     std::vector<MomentInfo> moments() const;
//     std::vector<CounterInfo> counters() const;
//     void update(Updating& updating) const;       // one step

/// An optimizer without its C++ type.
struct OptimizerType {
  DeclarationType declaration;
  bool trains;
  bool learns_rate;
  double (*learning_rate)(void const* optimizer);
  std::vector<MomentInfo> (*moments)(void const* optimizer);
  std::vector<CounterInfo> (*counters)(void const* optimizer);
  void (*update)(void const* optimizer, Updating& updating);
};

/// All optimizers, made once in `main` and passed on; looked up by name.
class OptimizerTypes {
 public:
  OptimizerTypes();
  OptimizerType const* find(std::string_view name) const;
  std::vector<OptimizerType const*> all() const;

 private:
  std::vector<OptimizerType> types_;
};

}  // namespace lbann::compiler
