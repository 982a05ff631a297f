// Instructions of callbacks: in the step before the updates, and at times of their own.
#include "compiler/lowering/callback_lowering.hpp"

#include <algorithm>

#include "compiler/graph/check_callbacks.hpp"
#include "compiler/graph/model_view.hpp"
#include "compiler/lowering/stable_hash.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler {

LoweredCallbacks::LoweredCallbacks(Compilation& compilation, TensorNames& names, std::string pass)
    : compilation_(compilation),
      names_(names),
      pass_(std::move(pass)),
      model_(model_view(compilation.graph, compilation.experiment)),
      rules_(compilation.graph.weights.size()),
      emitter_(compilation.program, names, "train", pass_) {}

std::vector<StepRule> LoweredCallbacks::lower_all() {
  for (bool const takes_turns : {true, false})
    for (auto const* callback : all_callbacks(compilation_.experiment)) {
      auto const* type = compilation_.callback_types.find(callback->type->name);
      if (type != nullptr && type->lower != nullptr && type->takes_turns == takes_turns)
        lower(*callback, *type);
    }
  return rules_;
}

void LoweredCallbacks::lower(Declaration const& callback, CallbackType const& type) {
  callback_ = &callback;
  emitter_ = Emitter(compilation_.program, names_, "train", pass_);
  in_step_ = true;
  type.lower(callback.object.get(), *this);
}

Origin LoweredCallbacks::origin() const { return {type_name(), pass_, callback_->span}; }

void LoweredCallbacks::at(Timing const& timing) {
  auto const taken = [&](std::string const& name) {
    return compilation_.program.entry_point(name) != nullptr;
  };
  auto name = type_name();
  for (int number = 2; taken(name); ++number) name = type_name() + "_" + std::to_string(number);
  emitter_ = Emitter(compilation_.program, names_, name, pass_);
  compilation_.program.entry_points.back().timing = timing;
  in_step_ = false;
}

TensorId LoweredCallbacks::given(TensorId& known, std::string_view name) {
  if (known.valid()) return known;
  Tensor tensor;
  tensor.name = names_.unique("epoch/" + std::string(name));
  tensor.type = {DataType::f64, {}};
  tensor.role = TensorRole::statistic;
  return known = compilation_.program.add(std::move(tensor));
}

TensorId LoweredCallbacks::state(std::string_view name, double initial) {
  Tensor tensor;
  tensor.name = names_.unique(type_name() + "/" + std::string(name));
  tensor.type = {DataType::f64, {}};
  tensor.role = TensorRole::statistic;
  tensor.origin = origin();
  auto const id = compilation_.program.add(std::move(tensor));
  ExpressionBuilder build;
  Emitter(compilation_.program, names_, "initialize", pass_)
      .scalar_to(id, build.finish({build.constant(initial)}), {}, origin());
  return id;
}

TensorId LoweredCallbacks::scalar(Expression expression, std::vector<TensorId> inputs) {
  return emitter_.scalar(std::move(expression), std::move(inputs), origin(), type_name());
}

TensorId LoweredCallbacks::sum_of_squares(TensorId tensor) {
  if (auto const known = squares_.find(tensor); in_step_ && known != squares_.end())
    return known->second;
  ExpressionBuilder build;
  auto const sum = emitter_.total(build.finish({build.apply(Function::square, {build.operand(0)})}),
                                  {tensor}, origin(), type_name());
  if (in_step_) squares_[tensor] = sum;
  return sum;
}

TensorId LoweredCallbacks::random(operators::Distribution distribution, TensorId like,
                                  std::string_view purpose) {
  auto const& type = compilation_.program[like].type;
  operators::random random;
  random.distribution = distribution;
  random.key = stable_hash(type_name() + "/" + std::string(purpose));
  random.shape = type.shape;
  random.type = type.type;
  // The step stands for the number of the sample, too: there is none.
  return emitter_.emit(std::move(random), {state().seed, step(), step()}, origin(), type_name())[0];
}

void LoweredCallbacks::assign(TensorId target, Expression expression,
                              std::vector<TensorId> inputs) {
  auto const& type = compilation_.program[target].type;
  operators::map map;
  map.expression = std::move(expression);
  map.shape = type.shape;
  map.compute = type.type;
  map.types = {type.type};
  inputs.resize(map.expression.operand_count());  // a factor of 0 leaves operands out
  emitter_.emit_to({target}, std::move(map), std::move(inputs), origin());
  if (in_step_) squares_.erase(target);
}

void LoweredCallbacks::multiply(TensorId& factor, TensorId other) {
  ExpressionBuilder build;
  factor = factor.valid()
               ? scalar(build.finish({build.operand(0) * build.operand(1)}), {factor, other})
               : other;
}

void LoweredCallbacks::scale_step(WeightsId id, TensorId factor) {
  multiply(rules_[id.index()].rate_factor, factor);
}

void LoweredCallbacks::take_turns(WeightsId id, TensorId active) {
  multiply(rules_[id.index()].active, active);
}

}  // namespace lbann::compiler
