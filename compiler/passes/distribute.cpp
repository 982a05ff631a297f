// The pass `distribute`: the mini-batch split over mesh axis `data`, sums made whole where needed.
#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "compiler/passes/program_passes.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::compiler {

namespace {

/// How a value depends on operands that are partial sums: not at all, as a sum of multiples (so
/// that it is a partial sum itself), or otherwise.
enum class Dependence { none, linear, other };

/// That of a function of `x`, at least one of whose arguments is not `none`.
Dependence dependence_of(Function function, std::span<Dependence const> x) {
  using enum Dependence;
  switch (function) {
    case Function::negative:
      return x[0];
    case Function::add:
    case Function::subtract:
      return x[0] == x[1] ? x[0] : other;
    case Function::multiply:
      return x[0] == none || x[1] == none ? std::max(x[0], x[1]) : other;
    case Function::divide:
      return x[1] == none ? x[0] : other;
    case Function::select:
      return x[0] == none && x[1] == x[2] ? x[1] : other;
    default:
      return other;
  }
}

/// Dependence of each output of `expression` on the operands marked partial.
std::vector<Dependence> dependences(Expression const& expression,
                                    std::vector<bool> const& partial) {
  std::vector<Dependence> nodes;
  for (auto const& node : expression.nodes) {
    auto dependence = Dependence::none;
    if (node.kind == lbann::Node::Kind::operand && partial[node.arguments[0]])
      dependence = Dependence::linear;
    if (node.kind == lbann::Node::Kind::function) {
      std::vector<Dependence> arguments;
      for (std::size_t i = 0; i < info_of(node.function).arity; ++i)
        arguments.push_back(nodes[node.arguments[i]]);
      if (std::ranges::any_of(arguments, [](auto d) { return d != Dependence::none; }))
        dependence = dependence_of(node.function, arguments);
    }
    nodes.push_back(dependence);
  }
  std::vector<Dependence> outputs;
  for (auto output : expression.outputs) outputs.push_back(nodes[output]);
  return outputs;
}

class Distributor {
 public:
  explicit Distributor(Program& program) : program_(program) {
    for (auto const& tensor : program.tensors)
      if (tensor.name.find("/sum") != std::string::npos) names_.insert(tensor.name);
    for (auto& tensor : program_.tensors) split(tensor);
  }

  void run(EntryPoint& entry) {
    partial_.assign(program_.tensors.size(), false);
    whole_.assign(program_.tensors.size(), {});
    made_at_.assign(program_.tensors.size(), 0);
    sums_.assign(entry.instructions.size(), {});
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) visit(entry.instructions[i], i);

    std::vector<Instruction> instructions;
    std::size_t count = entry.instructions.size();
    for (auto const& sums : sums_) count += sums.size();
    instructions.reserve(count);
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
      instructions.push_back(std::move(entry.instructions[i]));
      for (auto& sum : sums_[i]) instructions.push_back(std::move(sum));
    }
    entry.instructions = std::move(instructions);
  }

 private:
  static void split(Tensor& tensor) {
    auto const& extents = tensor.type.shape.extents;
    if (!tensor.type.shape.has_batch()) return;
    tensor.distribution.split.assign(extents.size(), {});
    for (std::size_t i = 0; i < extents.size(); ++i)
      if (extents[i].batch) tensor.distribution.split[i] = {"data"};
  }

  bool is_partial(TensorId id) const { return partial_[id.index()]; }

  void visit(Instruction& instruction, std::size_t index) {
    // Sums already made whole are read as such.
    for (auto& id : instruction.inputs)
      if (whole_[id.index()].valid()) id = whole_[id.index()];
    auto outputs = partial_outputs(instruction);
    if (!outputs) {
      for (auto& id : instruction.inputs)
        if (is_partial(id)) id = made_whole(id);
      outputs = partial_outputs(instruction);
      if (!outputs) throw std::logic_error("distribute: `" + to_text(program_, instruction) + "`");
    }
    for (std::size_t o = 0; o < instruction.outputs.size(); ++o) {
      auto const id = instruction.outputs[o];
      made_at_[id.index()] = index;
      partial_[id.index()] = false;
      whole_[id.index()] = {};
    }
    if (auto const* moments = std::get_if<operators::moments>(&instruction.op))
      if (is_over_batch(*moments, instruction)) return merge_moments(instruction, index);
    for (std::size_t o = 0; o < instruction.outputs.size(); ++o) {
      auto const id = instruction.outputs[o];
      if (!(*outputs)[o]) continue;
      if (program_[id].role == TensorRole::activation) {
        set_partial(id);
      } else {
        // Gradients and results are whole by what they are: summed in place at once.
        sums_[index].push_back(sum_of(id, id));
      }
    }
  }

  /// Which outputs are partial sums, given which inputs are; nothing if the instruction needs
  /// inputs made whole.
  std::optional<std::vector<bool>> partial_outputs(Instruction const& instruction) const {
    std::vector<bool> inputs;
    for (auto id : instruction.inputs) inputs.push_back(is_partial(id));
    auto const any = std::find(inputs.begin(), inputs.end(), true) != inputs.end();
    auto result = std::visit(
        [&](auto const& op) { return outputs_of(op, instruction, inputs, any); }, instruction.op);
    if (result)
      for (std::size_t o = 0; o < instruction.outputs.size(); ++o)
        if ((*result)[o] && is_state(program_[instruction.outputs[o]].role) && any)
          return std::nullopt;
    return result;
  }

  using Flags = std::vector<bool>;

  std::optional<Flags> outputs_of(operators::map const& op, Instruction const& instruction,
                                  Flags const& inputs, bool any) const {
    if (!any) return Flags(instruction.outputs.size(), false);
    if (op.shape.has_batch()) return std::nullopt;
    Flags outputs;
    for (auto dependence : dependences(op.expression, inputs)) {
      auto const id = instruction.outputs[outputs.size()];
      auto const sums =
          program_[id].role == TensorRole::activation || program_[id].role == TensorRole::gradient;
      if (dependence == Dependence::other || (dependence == Dependence::linear && !sums))
        return std::nullopt;
      outputs.push_back(dependence == Dependence::linear);
    }
    return outputs;
  }

  std::optional<Flags> outputs_of(operators::reduce const& op, Instruction const& instruction,
                                  Flags const& inputs, bool any) const {
    bool over_batch = false;
    for (auto axis : op.axes)
      over_batch = over_batch || op.shape.extents[static_cast<std::size_t>(axis)].batch;
    if (any) {
      auto const depend = dependences(op.expression, inputs);
      auto const linear = [](Dependence each) { return each == Dependence::linear; };
      if (over_batch || op.shape.has_batch() || op.mode != operators::ReduceMode::sum ||
          !std::ranges::all_of(depend, linear))
        return std::nullopt;
      return Flags(instruction.outputs.size(), true);
    }
    if (over_batch && op.mode != operators::ReduceMode::sum)
      throw std::logic_error("distribute: no sum, but over the mini-batch");
    return Flags(instruction.outputs.size(), over_batch);
  }

  /// Sums over rows, among which the mini-batch is.
  std::optional<Flags> outputs_of(operators::normalise_gradient const&,
                                  Instruction const& instruction, Flags const&, bool any) const {
    if (any) return std::nullopt;
    Flags outputs(instruction.outputs.size(),
                  program_[instruction.inputs[1]].type.shape.has_batch());
    outputs[0] = false;
    return outputs;
  }

  std::optional<Flags> outputs_of(operators::matmul const& op, Instruction const& instruction,
                                  Flags const& inputs, bool any) const {
    auto const& a = program_[instruction.inputs[0]].type.shape;
    auto const over_batch = a.extents[op.transpose_a ? 0 : 1].batch;
    if (!any && !over_batch) return Flags(instruction.outputs.size(), false);
    if (!any && op.epilogue.empty()) return Flags{true};
    auto const& b = program_[instruction.inputs[1]].type.shape;
    if (!op.epilogue.empty() || inputs[0] == inputs[1] || a.has_batch() || b.has_batch())
      return std::nullopt;
    return Flags{true};
  }

  std::optional<Flags> outputs_of(operators::convolution_kernel_gradient const&,
                                  Instruction const& instruction, Flags const&, bool any) const {
    if (any) return std::nullopt;
    return Flags{program_[instruction.inputs[0]].type.shape.has_batch()};
  }

  /// A sum over all samples where the mini-batch is among what the indices pick.
  std::optional<Flags> outputs_of(operators::scatter const& op, Instruction const& instruction,
                                  Flags const&, bool any) const {
    if (any) return std::nullopt;
    return Flags{program_[instruction.inputs[0]].type.shape.has_batch() && !op.shape.has_batch()};
  }

  std::optional<Flags> outputs_of(operators::reshape const&, Instruction const&,
                                  Flags const& inputs, bool) const {
    return inputs;
  }

  std::optional<Flags> outputs_of(operators::permute const&, Instruction const&,
                                  Flags const& inputs, bool) const {
    return inputs;
  }

  std::optional<Flags> outputs_of(operators::slice const&, Instruction const& instruction,
                                  Flags const& inputs, bool) const {
    return Flags(instruction.outputs.size(), inputs[0]);
  }

  std::optional<Flags> outputs_of(operators::concatenate const&, Instruction const&,
                                  Flags const& inputs, bool any) const {
    if (any && std::find(inputs.begin(), inputs.end(), false) != inputs.end()) return std::nullopt;
    return Flags{any};
  }

  std::optional<Flags> outputs_of(operators::all_reduce const&, Instruction const&, Flags const&,
                                  bool) const {
    return Flags{false};
  }

  /// All others work sample by sample.
  template <class Other>
  std::optional<Flags> outputs_of(Other const&, Instruction const& instruction, Flags const&,
                                  bool any) const {
    if (any) return std::nullopt;
    return Flags(instruction.outputs.size(), false);
  }

  bool is_over_batch(operators::moments const& op, Instruction const& instruction) const {
    auto const& shape = program_[instruction.inputs[0]].type.shape;
    return std::ranges::any_of(op.axes, [&](std::int64_t axis) {
      return shape.extents[static_cast<std::size_t>(axis)].batch;
    });
  }

  /// Moments of each rank's samples become those of all: first the number of elements and their sum
  /// are summed over ranks, then squared deviations from the mean of all, which are those from the
  /// rank's own and count (mean - mean of all)^2 (Chan, Golub and LeVeque, 1979).
  void merge_moments(Instruction const& moments, std::size_t index) {
    auto const count = moments.outputs[0], mean = moments.outputs[1], m2 = moments.outputs[2];
    for (auto const id : moments.outputs)
      if (program_[id].role != TensorRole::activation)
        throw std::logic_error("distribute: moments of the mini-batch are activations");
    auto const name = program_[mean].name;
    auto const type = program_[mean].type;
    auto const add_part = [&](std::string const& suffix) {
      auto const id = add(name + suffix, type, program_[mean].origin, index);
      set_partial(id);
      return id;
    };
    auto const append = [&](Expression expression, std::vector<TensorId> inputs,
                            std::vector<TensorId> outputs) {
      operators::map map{std::move(expression), type.shape, DataType::f64, {}};
      map.types.assign(outputs.size(), DataType::f64);
      Instruction instruction{std::move(map), std::move(inputs), std::move(outputs),
                              program_[mean].origin};
      instruction.origin.pass = "distribute";
      sums_[index].push_back(std::move(instruction));
    };
    set_partial(count);
    auto const sum = add_part("/sum.part");
    {
      ExpressionBuilder build;
      append(build.finish({build.operand(0) * build.operand(1)}), {count, mean}, {sum});
    }
    auto const count_of_all = made_whole(count), sum_of_all = made_whole(sum);
    auto const mean_of_all = add(name + "/sum.mean", type, program_[mean].origin, index);
    auto const deviations = add_part("/sum.m2");
    ExpressionBuilder build;
    auto const all = build.apply(Function::maximum, {build.operand(0), build.constant(1)});
    auto const center = build.operand(1) / all;
    auto const moved = build.apply(Function::square, {build.operand(2) - center});
    append(build.finish({center, build.operand(3) + build.operand(4) * moved}),
           {count_of_all, sum_of_all, mean, m2, count}, {mean_of_all, deviations});
    whole_[mean.index()] = mean_of_all;
    whole_[m2.index()] = made_whole(deviations);
  }

  void set_partial(TensorId id) {
    partial_[id.index()] = true;
    program_[id].distribution.partial = {"data"};
  }

  /// An activation made by instruction `index` or right after it.
  TensorId add(std::string name, TensorType type, Origin origin, std::size_t index) {
    Tensor tensor;
    tensor.name = std::move(name);
    while (!names_.insert(tensor.name).second) tensor.name += "_";
    tensor.type = std::move(type);
    tensor.origin = std::move(origin);
    tensor.origin.pass = "distribute";
    partial_.push_back(false);
    whole_.emplace_back();
    made_at_.push_back(index);
    return program_.add(std::move(tensor));
  }

  Instruction sum_of(TensorId input, TensorId output) const {
    Instruction sum{operators::all_reduce{{"data"}}, {input}, {output}, program_[input].origin};
    sum.origin.pass = "distribute";
    return sum;
  }

  /// The sum of a partial tensor, taken as soon as the tensor exists.
  TensorId made_whole(TensorId id) {
    if (whole_[id.index()].valid()) return whole_[id.index()];
    auto const whole = add(program_[id].name + "/sum", program_[id].type, program_[id].origin,
                           made_at_[id.index()]);
    whole_[id.index()] = whole;
    sums_[made_at_[id.index()]].push_back(sum_of(id, whole));
    return whole;
  }

  Program& program_;
  std::unordered_set<std::string> names_;       ///< that might be taken
  std::vector<bool> partial_;                   ///< per tensor: a partial sum as it now is
  std::vector<TensorId> whole_;                 ///< per tensor: its sum, if taken
  std::vector<std::size_t> made_at_;            ///< per tensor: the instruction that wrote it last
  std::vector<std::vector<Instruction>> sums_;  ///< per instruction: what follows it
};

}  // namespace

void distribute(Program& program) {
  Distributor distributor(program);
  for (auto& entry : program.entry_points) distributor.run(entry);
}

}  // namespace lbann::compiler
