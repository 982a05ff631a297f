// The pass `derive_backward`: the chain rule, in operators.
#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "compiler/passes/program_passes.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/operators/backward.hpp"

namespace lbann::compiler {

namespace {

/// Walks the forward instructions backwards, gathering for each tensor the contributions to its
/// gradient.
class Derivation {
 public:
  Derivation(Program& program, EntryPoint& entry, TensorId loss_scale)
      : program_(program), entry_(entry), loss_scale_(loss_scale) {
    for (auto const& tensor : program.tensors)
      if (tensor.name.find("/backward.") != std::string::npos) names_.insert(tensor.name);
  }

  void run() {
    auto const forward = entry_.instructions.size();
    needed_.resize(program_.tensors.size(), false);
    known_.resize(program_.tensors.size());
    find_needed();
    if (auto const objective = find_objective(); objective.valid()) seed(objective);
    for (std::size_t i = forward; i-- > 0;) {
      derive(i);
      for (auto const gradient : due_[i]) finish(gradient);
    }
    for (auto const gradient : unread_) finish(gradient);
    entry_.instructions.reserve(forward + backward_.size());
    std::move(backward_.begin(), backward_.end(), std::back_inserter(entry_.instructions));
  }

  /// Per tensor the gradient with respect to it, where there is one: of the same elements, maybe of
  /// another shape.
  std::vector<TensorId> error_signals() const {
    std::vector<TensorId> signals(known_.size());
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (known_[i].parts.size() != 1) continue;
      auto const part = known_[i].parts[0];
      auto const waiting = reshapes_.find(part);
      signals[i] = waiting == reshapes_.end() ? part : waiting->second.inputs[0];
    }
    return signals;
  }

 private:
  /// An instruction of the forward pass as its rule sees it.
  class Context final : public BackwardContext {
   public:
    Context(Derivation& derivation, std::size_t index, std::vector<TensorId> output_gradients)
        : derivation_(derivation), index_(index), output_gradients_(std::move(output_gradients)) {}

    std::size_t input_count() const override { return instruction().inputs.size(); }
    TensorId input(std::size_t index) const override { return instruction().inputs[index]; }
    TensorId output(std::size_t index) const override { return instruction().outputs[index]; }
    TensorType const& type_of(TensorId tensor) const override {
      return derivation_.program_[tensor].type;
    }
    TensorId output_gradient(std::size_t index) const override { return output_gradients_[index]; }
    bool wants(std::size_t index) const override {
      return derivation_.needed_[input(index).index()];
    }
    std::vector<TensorId> emit(Operator op, std::vector<TensorId> inputs) override {
      return derivation_.emit(std::move(op), std::move(inputs), instruction().origin);
    }
    TensorId in_type(TensorId tensor, DataType type) override {
      return derivation_.in_type(tensor, type, instruction().origin);
    }
    void contribute(std::size_t index, TensorId gradient) override {
      if (!wants(index)) return;
      derivation_.known_[input(index).index()].parts.push_back(gradient);
      ++derivation_.known_[gradient.index()].goes_to;
    }

   private:
    Instruction const& instruction() const { return derivation_.entry_.instructions[index_]; }

    Derivation& derivation_;
    std::size_t index_;
    std::vector<TensorId> output_gradients_;
  };

  TensorId find_objective() const {
    for (std::size_t i = 0; i < program_.tensors.size(); ++i)
      if (program_.tensors[i].name == "objective") return TensorId(i);
    return {};
  }

  /// Marks what lies between weights and the objective, and when each gradient is complete: after
  /// the first forward instruction that reads its weights.
  void find_needed() {
    std::unordered_map<TensorId, TensorId> gradients;
    for (std::size_t i = 0; i < program_.tensors.size(); ++i)
      if (program_.tensors[i].role == TensorRole::gradient)
        gradients.emplace(program_.tensors[i].owner, TensorId(i));
    for (auto const& [weights, gradient] : gradients) needed_[weights.index()] = true;

    due_.resize(entry_.instructions.size());
    auto waiting = gradients;
    for (std::size_t i = 0; i < entry_.instructions.size(); ++i) {
      auto const& instruction = entry_.instructions[i];
      bool any = false;
      for (auto const input : instruction.inputs) {
        any = any || needed_[input.index()];
        if (auto const found = waiting.find(input); found != waiting.end()) {
          due_[i].push_back(found->second);
          waiting.erase(found);
        }
      }
      if (!any) continue;
      for (auto const output : instruction.outputs)
        if (!is_state(program_[output].role) && is_floating(program_[output].type.type))
          needed_[output.index()] = true;
    }
    for (std::size_t i = 0; i < program_.tensors.size(); ++i)
      if (auto const id = program_.tensors[i].owner;
          program_.tensors[i].role == TensorRole::gradient && waiting.contains(id))
        unread_.push_back(TensorId(i));
  }

  void seed(TensorId objective) {
    if (!needed_[objective.index()]) return;
    auto const type = program_[objective].type;
    auto const origin = program_[objective].origin;
    ExpressionBuilder builder;
    auto const start =
        loss_scale_.valid()
            ? emit(operators::map{builder.finish({builder.operand(0)}), {}, type.type, {type.type}},
                   {loss_scale_}, origin)
            : emit(constant(1, type), {}, origin);
    known_[objective.index()].parts.push_back(start[0]);
  }

  /// The gradient of the objective from that of the objective times `loss_scale_`.
  TensorId unscaled(TensorId gradient, Origin const& origin) {
    if (!loss_scale_.valid() || !gradient.valid()) return gradient;
    auto const type = program_[gradient].type;
    ExpressionBuilder builder;
    return emit(operators::map{builder.finish({builder.operand(0) / builder.operand(1)}),
                               type.shape,
                               compute_type_of(type.type),
                               {type.type}},
                {gradient, loss_scale_}, origin)[0];
  }

  static operators::map constant(double value, TensorType const& type) {
    ExpressionBuilder builder;
    return {builder.finish({builder.constant(value)}),
            type.shape,
            compute_type_of(type.type),
            {type.type}};
  }

  void derive(std::size_t index) {
    bool any = false, wanted = false;
    std::vector<TensorId> gradients;
    auto const& instruction = entry_.instructions[index];
    for (auto const input : instruction.inputs) wanted = wanted || needed_[input.index()];
    if (!wanted) return;
    for (auto const output : instruction.outputs) {
      gradients.push_back(is_state(program_[output].role) ? TensorId{} : gradient_of(output));
      any = any || gradients.back().valid();
    }
    if (!any) return;
    for (auto const gradient : gradients)
      if (gradient.valid() && known_[gradient.index()].goes_to > 0)
        --known_[gradient.index()].goes_to;
    Context context(*this, index, std::move(gradients));
    lbann::derive_backward(instruction.op, context);
  }

  /// The gradient with respect to a tensor all of whose readers have contributed.
  TensorId gradient_of(TensorId tensor) {
    auto parts = known_[tensor.index()].parts;
    if (parts.empty()) return {};
    auto const type = type_of_gradient(tensor);
    auto const origin = program_[tensor].origin;
    auto const total =
        parts.size() == 1 ? in_type(parts[0], type, origin) : sum(std::move(parts), type, origin);
    known_[tensor.index()].parts = {total};
    return total;
  }

  /// That of `tensor`, but f32 for a copy of weights in 16 bits: gradients of weights are added up
  /// over samples, ranks and steps.
  DataType type_of_gradient(TensorId tensor) const {
    auto const& type = program_[tensor].type;
    return type.shape.has_batch() ? type.type : compute_type_of(type.type);
  }

  TensorId in_type(TensorId tensor, DataType type, Origin const& origin) {
    auto const given = program_[tensor].type;
    if (given.type == type) return tensor;
    auto const [place, is_new] = converted_.try_emplace({tensor, type});
    if (!is_new) return place->second;
    ExpressionBuilder builder;
    auto const compute = given.type == DataType::f64 ? DataType::f64 : compute_type_of(type);
    auto const made =
        emit(operators::map{builder.finish({builder.operand(0)}), given.shape, compute, {type}},
             {tensor}, origin)[0];
    converted_[{tensor, type}] = made;
    if (is_sixteen_bit(given.type) && !is_sixteen_bit(type))
      converted_[{made, given.type}] = tensor;  // exactly
    return made;
  }

  TensorId sum(std::vector<TensorId> parts, DataType type, Origin const& origin) {
    auto const shape = program_[parts[0]].type.shape;
    std::size_t next = 1;
    auto total = parts[0];
    while (next < parts.size()) {
      ExpressionBuilder builder;
      std::vector<TensorId> inputs = {total};
      auto term = builder.operand(0);
      for (; next < parts.size() && inputs.size() < max_operands; ++next) {
        term = term + builder.operand(inputs.size());
        inputs.push_back(parts[next]);
      }
      total = emit(operators::map{builder.finish({term}), shape, compute_type_of(type), {type}},
                   std::move(inputs), origin)[0];
    }
    return total;
  }

  /// Sees to it that `gradient`, a tensor of the table, is written.
  void finish(TensorId gradient) {
    auto const weights = program_[gradient].owner;
    auto const origin = program_[weights].origin;
    auto const result = unscaled(gradient_of(weights), origin);
    auto const type = program_[gradient].type;
    if (!result.valid()) {
      append({constant(0, type), {}, {gradient}, origin});
    } else if (auto const& made = known_[result.index()];
               made.maker != no_maker && made.uses == 0 && made.goes_to <= 1 &&
               !std::holds_alternative<operators::reshape>(backward_[made.maker].op)) {
      // Written in its place at once.
      auto& outputs = backward_[made.maker].outputs;
      std::replace(outputs.begin(), outputs.end(), result, gradient);
      known_[result.index()].maker = no_maker;
      if (result.index() + 1 == program_.tensors.size()) forget_last();
    } else {
      ExpressionBuilder builder;
      append({operators::map{builder.finish({builder.operand(0)}),
                             type.shape,
                             compute_type_of(type.type),
                             {type.type}},
              {result},
              {gradient},
              origin});
    }
  }

  void forget_last() {
    program_.tensors.pop_back();
    needed_.pop_back();
    known_.pop_back();
  }

  void append(Instruction instruction) {
    instruction.origin.pass = "derive_backward";
    for (auto const input : instruction.inputs) {
      // A reshape is written when somebody reads it.
      if (auto const waiting = reshapes_.find(input); waiting != reshapes_.end()) {
        auto reshape = std::move(waiting->second);
        reshapes_.erase(waiting);
        append(std::move(reshape));
      }
      ++known_[input.index()].uses;
    }
    for (auto const output : instruction.outputs) known_[output.index()].maker = backward_.size();
    backward_.push_back(std::move(instruction));
  }

  std::vector<TensorId> emit(Operator op, std::vector<TensorId> inputs, Origin origin) {
    if (auto* reshape = std::get_if<operators::reshape>(&op)) {
      // A reshape of a reshape is one, or none.
      if (auto const waiting = reshapes_.find(inputs[0]); waiting != reshapes_.end())
        inputs = waiting->second.inputs;
      if (program_[inputs[0]].type.shape == reshape->shape) return inputs;
    }
    TensorTypes types;
    for (auto const input : inputs) types.push_back(program_[input].type);
    auto const inferred = infer(op, types);
    if (!inferred) throw std::logic_error("derive_backward: " + inferred.problem().message);
    std::vector<TensorId> outputs;
    for (auto const& type : inferred.value()) {
      Tensor tensor;
      do tensor.name = origin.name + "/backward." + std::to_string(next_name_++);
      while (names_.contains(tensor.name));
      tensor.type = type;
      tensor.origin = origin;
      tensor.origin.pass = "derive_backward";
      outputs.push_back(program_.add(std::move(tensor)));
      needed_.push_back(false);
      known_.emplace_back();
    }
    auto const reshapes = std::holds_alternative<operators::reshape>(op);
    Instruction instruction{std::move(op), std::move(inputs), outputs, std::move(origin)};
    if (reshapes)
      reshapes_.emplace(outputs[0], std::move(instruction));
    else
      append(std::move(instruction));
    return outputs;
  }

  static constexpr std::size_t no_maker = static_cast<std::size_t>(-1);

  /// What is known of a tensor, forward or backward.
  struct Known {
    std::vector<TensorId> parts;   ///< contributions to its gradient
    std::size_t maker = no_maker;  ///< the backward instruction that writes it
    std::size_t uses = 0;          ///< backward instructions that read it
    std::size_t goes_to = 0;       ///< to how many gradients it still contributes
  };

  Program& program_;
  EntryPoint& entry_;
  TensorId loss_scale_;
  std::vector<bool> needed_;  ///< between the weights and the objective
  std::vector<Known> known_;
  std::vector<Instruction> backward_;
  std::vector<std::vector<TensorId>> due_;  ///< gradients complete after an instruction
  std::vector<TensorId> unread_;            ///< gradients of weights nobody reads
  std::map<std::pair<TensorId, DataType>, TensorId> converted_;  ///< to a type
  std::unordered_map<TensorId, Instruction> reshapes_;  ///< by output; nobody has read them yet
  std::unordered_set<std::string> names_;               ///< those that were there before
  std::size_t next_name_ = 0;
};

}  // namespace

std::vector<TensorId> derive_backward(Program& program, TensorId loss_scale) {
  std::vector<TensorId> error_signals;
  // Tensors are added, entry points are not.
  for (auto& entry : program.entry_points) {
    bool const train = entry.name == "train";
    if (!train && !entry.name.starts_with("gradients.")) continue;
    // Gradients that are checked are computed in f32: nothing needs to be scaled.
    Derivation derivation(program, entry, train ? loss_scale : TensorId{});
    derivation.run();
    if (train) error_signals = derivation.error_signals();
  }
  return error_signals;
}

}  // namespace lbann::compiler
