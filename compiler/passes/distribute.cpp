// The pass `distribute`: the mini-batch split over mesh axis `data`, sums made whole where needed.
#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "compiler/passes/program_passes.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/program/distribution.hpp"

namespace lbann::compiler {

namespace {

/// Distributions follow from the operators' loops (schemas/program/distribution.hpp). What is
/// decided here: which partial sums are made whole, where, and how moments of parts are merged.
class Distributor {
 public:
  explicit Distributor(Program& program) : program_(program) {
    for (auto const& tensor : program.tensors)
      if (tensor.name.find("/sum") != std::string::npos) names_.insert(tensor.name);
    for (auto& tensor : program_.tensors) split(tensor);
  }

  void run(EntryPoint& entry) {
    now_.clear();
    for (auto const& tensor : program_.tensors)
      now_.push_back(batch_distribution(tensor.type.shape));
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
  using Distributions = std::vector<AxisDistribution>;

  /// Writes down the split of the mini-batch.
  void split(Tensor& tensor) const {
    if (!tensor.type.shape.has_batch()) return;
    auto const distribution = batch_distribution(tensor.type.shape);
    for (std::size_t i = 0; i < tensor.type.shape.rank(); ++i)
      tensor.distribution.split.push_back(mesh_.names_of(distribution.split[i]));
  }

  bool is_partial(TensorId id) const { return now_[id.index()].partial != 0; }

  void visit(Instruction& instruction, std::size_t index) {
    // Sums already made whole are read as such.
    for (auto& id : instruction.inputs)
      if (whole_[id.index()].valid()) id = whole_[id.index()];
    auto outputs = derive(instruction);
    if (!outputs || must_be_whole(instruction, outputs.value())) {
      for (auto& id : instruction.inputs)
        if (is_partial(id)) id = made_whole(id);
      outputs = derive(instruction);
      if (!outputs)
        throw std::logic_error("distribute: `" + to_text(program_, instruction) +
                               "`: " + outputs.problem().message);
    }
    bool unmerged = false;
    for (std::size_t o = 0; o < instruction.outputs.size(); ++o) {
      auto const id = instruction.outputs[o];
      made_at_[id.index()] = index;
      now_[id.index()] = batch_distribution(program_[id].type.shape);
      whole_[id.index()] = {};
      unmerged = unmerged || outputs.value()[o].unmerged != 0;
    }
    if (unmerged) return merge_moments(instruction, index);
    for (std::size_t o = 0; o < instruction.outputs.size(); ++o) {
      auto const id = instruction.outputs[o];
      if (outputs.value()[o].partial == 0) continue;
      if (program_[id].role == TensorRole::activation) {
        set_partial(id);
      } else {
        // Gradients and results are whole by what they are: summed in place at once.
        sums_[index].push_back(sum_of(id, id));
      }
    }
  }

  /// Distributions of the outputs on ranks that hold inputs as they now are.
  Result<Distributions> derive(Instruction const& instruction) {
    Distributions inputs;
    for (auto id : instruction.inputs) inputs.push_back(now_[id.index()]);
    return derive_distribution(
        instruction.op, {input_types(program_, instruction), output_types(program_, instruction)},
        inputs, mesh_);
  }

  /// Whether an instruction that could work on partial sums is to be given whole ones: what it
  /// writes is state, which is whole at any time, or a result that is no single sum.
  bool must_be_whole(Instruction const& instruction, Distributions const& outputs) const {
    if (std::ranges::none_of(instruction.inputs, [&](TensorId id) { return is_partial(id); }))
      return false;
    bool const map = std::holds_alternative<operators::map>(instruction.op);
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      auto const role = program_[instruction.outputs[o]].role;
      bool const sums = role == TensorRole::activation || role == TensorRole::gradient;
      if (outputs[o].partial != 0 && (is_state(role) || (map && !sums))) return true;
    }
    return false;
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
    now_[id.index()].partial = data_axis;
    program_[id].distribution.partial = mesh_.names_of(data_axis);
  }

  /// An activation made by instruction `index` or right after it.
  TensorId add(std::string name, TensorType type, Origin origin, std::size_t index) {
    Tensor tensor;
    tensor.name = std::move(name);
    while (!names_.insert(tensor.name).second) tensor.name += "_";
    tensor.type = std::move(type);
    tensor.origin = std::move(origin);
    tensor.origin.pass = "distribute";
    now_.push_back(batch_distribution(tensor.type.shape));
    whole_.emplace_back();
    made_at_.push_back(index);
    return program_.add(std::move(tensor));
  }

  Instruction sum_of(TensorId input, TensorId output) const {
    Instruction sum{operators::all_reduce{mesh_.names_of(data_axis)},
                    {input},
                    {output},
                    program_[input].origin};
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
  MeshAxes mesh_;
  std::unordered_set<std::string> names_;       ///< that might be taken
  std::vector<AxisDistribution> now_;           ///< per tensor: as it was written last
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
