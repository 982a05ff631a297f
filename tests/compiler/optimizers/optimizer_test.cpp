// Tests of optimizers: a step of each, computed from the expressions it gives, against the
// formulas.
#include "compiler/optimizers/optimizer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "schemas/functions/function.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {
namespace {

std::vector<double> evaluate(Expression const& expression, std::vector<double> const& operands) {
  std::vector<double> values;
  for (auto const& node : expression.nodes) {
    double arguments[3] = {};
    if (node.kind == lbann::Node::Kind::function)
      for (std::size_t i = 0; i < info_of(node.function).arity; ++i)
        arguments[i] = values[node.arguments[i]];
    values.push_back(node.kind == lbann::Node::Kind::constant ? node.constant
                     : node.kind == lbann::Node::Kind::operand
                         ? operands.at(node.arguments[0])
                         : info_of(node.function).value(arguments));
  }
  std::vector<double> outputs;
  for (auto const output : expression.outputs) outputs.push_back(values[output]);
  return outputs;
}

/// One weight under training: executes what the optimizer emits.
class Training final : public OptimizerContext {
 public:
  Training(std::string_view optimizer, double weight)
      : declaration_(optimizer_from(types_, optimizer)),
        type_(types_.find(declaration_.type->name)),
        values_{weight, 0, type_->learning_rate(declaration_.object.get())} {
    values_.resize(3 + type_->moments(declaration_.object.get()).size());
    first_counter_ = values_.size();
    for (auto const& counter : type_->counters(declaration_.object.get()))
      values_.push_back(counter.factor);
  }

  double step(double gradient) {
    values_[1] = gradient;
    type_->update(declaration_.object.get(), *this);
    auto const counters = type_->counters(declaration_.object.get());
    for (std::size_t i = 0; i < counters.size(); ++i)
      values_[first_counter_ + i] *= counters[i].factor;
    return values_[0];
  }
  bool trains() const { return type_->trains; }

  DataType type() const override { return DataType::f64; }
  Shape const& shape() const override { return shape_; }
  TensorId weights() const override { return TensorId(0); }
  TensorId gradient() const override { return TensorId(1); }
  TensorId learning_rate() override { return TensorId(2); }
  void set_learning_rate(Expression expression, std::vector<TensorId> inputs) override {
    values_[2] = run(expression, inputs)[0];
  }
  TensorId inner_product(TensorId a, TensorId b) override {
    values_.push_back(values_.at(a.index()) * values_.at(b.index()));
    return TensorId(values_.size() - 1);
  }
  TensorId moment(std::size_t slot) const override { return TensorId(3 + slot); }
  TensorId counter(std::size_t index) override { return TensorId(first_counter_ + index); }
  TensorId hyperparameter(std::string_view) const override { return {}; }
  TensorId scalar(Expression expression, std::vector<TensorId> inputs) override {
    values_.push_back(run(expression, inputs)[0]);
    return TensorId(values_.size() - 1);
  }
  void update(Expression expression, std::vector<TensorId> inputs,
              std::vector<TensorId> outputs) override {
    auto const results = run(expression, inputs);
    REQUIRE(results.size() == outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) values_[outputs[i].index()] = results[i];
  }

 private:
  std::vector<double> run(Expression const& expression, std::vector<TensorId> const& inputs) const {
    std::vector<double> operands;
    for (auto const input : inputs) operands.push_back(values_.at(input.index()));
    return evaluate(expression, operands);
  }

  OptimizerTypes types_;
  Declaration declaration_;
  OptimizerType const* type_;
  std::vector<double> values_;
  std::size_t first_counter_ = 0;
  Shape shape_;
};

constexpr double gradients[] = {0.5, -1.25, 2.0, 0.0, 3.5};

}  // namespace

TEST_CASE("sgd without momentum") {
  Training training("sgd {learn_rate: 0.1}", 1);
  double w = 1;
  for (auto const g : gradients) CHECK(training.step(g) == doctest::Approx(w -= 0.1 * g));
}

TEST_CASE("sgd with momentum") {
  Training training("sgd {learn_rate: 0.1, momentum: 0.9}", 1);
  double w = 1, v = 0;
  for (auto const g : gradients) {
    v = 0.9 * v + g;
    CHECK(training.step(g) == doctest::Approx(w -= 0.1 * v));
  }
}

TEST_CASE("sgd with Nesterov's momentum") {
  Training training("sgd {learn_rate: 0.1, momentum: 0.9, nesterov: true}", 1);
  double w = 1, v = 0;
  for (auto const g : gradients) {
    v = 0.9 * v + g;
    CHECK(training.step(g) == doctest::Approx(w -= 0.1 * (0.9 * v + g)));
  }
}

TEST_CASE("adam, with and without weight decay") {
  for (double const decay : {0.0, 0.02}) {
    Training training(
        "adam {learn_rate: 0.05, beta1: 0.8, beta2: 0.95, eps: 0.001, "
        "adamw_weight_decay: " +
            std::to_string(decay) + "}",
        1);
    double w = 1, m1 = 0, m2 = 0;
    for (int t = 1; t <= 5; ++t) {
      auto const g = gradients[t - 1];
      m1 = 0.8 * m1 + 0.2 * g;
      m2 = 0.95 * m2 + 0.05 * g * g;
      auto const rate = 0.05 * std::sqrt(1 - std::pow(0.95, t)) / (1 - std::pow(0.8, t));
      w = w - rate * m1 / (std::sqrt(m2) + 0.001) - 0.05 * decay * w;
      CHECK(training.step(g) == doctest::Approx(w).epsilon(1e-12));
    }
  }
}

TEST_CASE("adam keeps everything where the gradient is not finite") {
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  Training training("adam {learn_rate: 0.05, beta1: 0.8, beta2: 0.95}", 1);
  double w = training.step(0.5);
  auto m1 = 0.2 * 0.5, m2 = 0.05 * 0.25;
  int t = 1;
  for (double const g : {infinity, -infinity, std::nan(""), 1.5}) {
    ++t;
    if (std::isfinite(g)) {
      m1 = 0.8 * m1 + 0.2 * g;
      m2 = 0.95 * m2 + 0.05 * g * g;
      w -= 0.05 * std::sqrt(1 - std::pow(0.95, t)) / (1 - std::pow(0.8, t)) * m1 /
           (std::sqrt(m2) + 1e-8);
    }
    CHECK(training.step(g) == doctest::Approx(w).epsilon(1e-12));
  }
}

TEST_CASE("adagrad") {
  Training training("adagrad {learn_rate: 0.1, eps: 0.001}", 1);
  double w = 1, c = 0;
  for (auto const g : gradients) {
    c += g * g;
    CHECK(training.step(g) == doctest::Approx(w -= 0.1 * g / (std::sqrt(c) + 0.001)));
  }
}

TEST_CASE("rmsprop") {
  Training training("rmsprop {learn_rate: 0.1, decay_rate: 0.7, eps: 0.001}", 1);
  double w = 1, c = 0;
  for (auto const g : gradients) {
    c = 0.7 * c + 0.3 * g * g;
    CHECK(training.step(g) == doctest::Approx(w -= 0.1 * g / (std::sqrt(c) + 0.001)));
  }
}

TEST_CASE("hypergradient_adam learns its rate along the last direction") {
  Training training(
      "hypergradient_adam {init_learning_rate: 0.05, hyper_learning_rate: 0.01, beta1: 0.8, beta2: "
      "0.95, eps: 0.001}",
      1);
  double w = 1, rate = 0.05, m1 = 0, m2 = 0, direction = 0;
  for (int t = 1; t <= 5; ++t) {
    auto g = gradients[t - 1];
    rate += 0.01 * g * direction;
    g += 0.001;
    m1 = 0.8 * m1 + 0.2 * g;
    m2 = 0.95 * m2 + 0.05 * g * g;
    direction =
        std::sqrt(1 - std::pow(0.95, t)) / (1 - std::pow(0.8, t)) * m1 / (std::sqrt(m2) + 0.001);
    CHECK(training.step(g - 0.001) == doctest::Approx(w -= rate * direction).epsilon(1e-12));
  }
}

TEST_CASE("no_optimizer trains nothing; defaults are LBANN's suggestions") {
  CHECK_FALSE(Training("no_optimizer", 1).trains());
  CHECK(Training("sgd {learn_rate: 1}", 1).trains());
  OptimizerTypes const types;
  auto const& adam = types.find("adam")->declaration;
  CHECK(std::get<double>(adam.fields[1].default_value) == 0.9);
  CHECK(std::get<double>(adam.fields[2].default_value) == 0.99);
  CHECK(std::get<double>(adam.fields[3].default_value) == 1e-8);
  CHECK(types.find("rmsprop_") == nullptr);
  for (auto const* type : types.all())
    CHECK(type->learns_rate == (type->declaration.name == "hypergradient_adam"));
}

}  // namespace lbann::compiler
