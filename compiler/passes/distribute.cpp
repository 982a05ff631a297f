// The pass `distribute`: how every tensor lies over the axes of the mesh, and where it has to move.
#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <unordered_set>

#include "compiler/passes/converted_weights.hpp"
#include "compiler/passes/movements.hpp"
#include "compiler/passes/program_passes.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/program/distribution.hpp"

namespace lbann::compiler {

namespace {

/// Distributions follow from the operators' loops (schemas/program/distribution.hpp). What is
/// decided here: where tensors are split otherwise than their maker leaves them, which partial sums
/// are made whole, where, and how moments of parts are merged.
///
/// Weights of model-parallel layers come with a split of their dimensions over `rows` and
/// `columns`. An instruction that reads or writes such state runs where the state lies: its other
/// operands are moved. Any other stays where its first operand is, as far as its loops allow; where
/// they do not, its operands are moved to where each rank has whole samples.
class Distributor {
 public:
  explicit Distributor(Program& program) : program_(program), batch_(batch_axes(program)) {
    for (auto const& tensor : program.tensors)
      if (tensor.name.find('/') != std::string::npos) names_.insert(tensor.name);
    for (auto const& tensor : program.tensors) {
      auto distribution = in_sets(tensor.distribution, mesh_).value();
      if (tensor.type.shape.has_batch())
        distribution = batch_distribution(tensor.type.shape, batch_);
      told_.push_back(distribution);
    }
    find_sharded();
  }

  void run(EntryPoint& entry) {
    accumulates_ = entry.name == accumulate_entry;
    now_ = told_;
    whole_.assign(program_.tensors.size(), {});
    made_at_.assign(program_.tensors.size(), no_instruction);
    moved_.clear();
    sources_.clear();
    converted_.find(entry);
    find_goals(entry);
    before_.assign(entry.instructions.size(), {});
    after_.assign(entry.instructions.size(), {});
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) visit(entry.instructions[i], i);

    std::vector<Instruction> instructions;
    std::size_t count = entry.instructions.size();
    for (auto const* lists : {&before_, &after_})
      for (auto const& list : *lists) count += list.size();
    instructions.reserve(count);
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
      std::ranges::move(before_[i], std::back_inserter(instructions));
      instructions.push_back(std::move(entry.instructions[i]));
      std::ranges::move(after_[i], std::back_inserter(instructions));
    }
    entry.instructions = std::move(instructions);
  }

  /// Writes down what tensors are.
  void finish() {
    for (std::size_t i = 0; i < program_.tensors.size(); ++i) {
      auto& tensor = program_.tensors[i];
      tensor.distribution = in_names(told_[i], tensor.type.shape.rank(), mesh_);
    }
  }

 private:
  using Distributions = std::vector<AxisDistribution>;
  static constexpr auto no_instruction = static_cast<std::size_t>(-1);

  /// Weights that are gathered for whatever works on samples, with what updates them, and what
  /// updates a part of weights that are whole.
  void find_sharded() {
    sharded_.assign(program_.tensors.size(), false);
    for (auto const& entry : program_.entry_points) {
      converted_.find(entry);
      for (auto const& instruction : entry.instructions)
        if (std::holds_alternative<operators::all_gather>(instruction.op))
          for (auto const id :
               {instruction.inputs[0], converted_.weights_of(instruction.inputs[0])})
            sharded_[id.index()] = true;
    }
    for (std::size_t i = 0; i < program_.tensors.size(); ++i)
      if (auto const owner = program_.tensors[i].owner; owner.valid())
        sharded_[i] = sharded_[owner.index()] || told_[i].split != told_[owner.index()].split;
  }

  bool is_sharded(TensorId id) const {
    return id.index() < sharded_.size() && sharded_[id.index()];
  }

  bool is_partial(TensorId id) const { return now_[id.index()].partial != 0; }

  /// Whether its distribution is given: others follow from their maker.
  bool is_given(TensorId id) const { return program_[id].role != TensorRole::activation; }

  /// Whether a product that reads it runs where it lies.
  bool is_in_place(TensorId id) const { return is_given(id) || converted_.contains(id); }

  void visit(Instruction& instruction, std::size_t index) {
    // Sums already made whole are read as such.
    for (auto& id : instruction.inputs)
      if (whole_[id.index()].valid()) id = whole_[id.index()];
    if (std::holds_alternative<operators::all_gather>(instruction.op)) {
      // Its input is to be as it is.
      auto const output = instruction.outputs[0];
      written(output, index);
      now_[output.index()] = told_[output.index()] = derive(instruction, {}).value()[0];
      return;
    }
    auto const told = move_inputs(instruction, index);
    read_accumulated(instruction);
    auto outputs = derive(instruction, told);
    if (!outputs || must_be_whole(instruction, outputs.value())) {
      for (auto& id : instruction.inputs)
        if (is_partial(id)) id = made_whole(id);
      outputs = derive(instruction, told);
      if (!outputs)
        throw std::logic_error("distribute: `" + to_text(program_, instruction) +
                               "`: " + outputs.problem().message);
    }
    bool const source = is_source(instruction);
    bool unmerged = false;
    for (std::size_t o = 0; o < instruction.outputs.size(); ++o) {
      auto& id = instruction.outputs[o];
      written(id, index);
      auto const& made = outputs.value()[o];
      unmerged = unmerged || made.unmerged != 0;
      id = place_output(id, made, index);
      if (source && instruction.outputs.size() == 1) sources_[id] = instruction;
    }
    if (unmerged) merge_moments(instruction, outputs.value(), index);
  }

  /// Gradients accumulated before are partial sums as what is added to them.
  void read_accumulated(Instruction const& instruction) {
    for (auto const id : instruction.inputs) {
      if (program_[id].role != TensorRole::gradient || made_at_[id.index()] != no_instruction)
        continue;
      now_[id.index()].partial = 0;
      for (auto const other : instruction.inputs)
        if (other != id) now_[id.index()].partial |= now_[other.index()].partial;
    }
  }

  /// Whether any part can be made of numbers alone that all ranks have.
  bool is_source(Instruction const& instruction) const {
    bool const parts = std::holds_alternative<operators::map>(instruction.op) ||
                       std::holds_alternative<operators::random>(instruction.op) ||
                       std::holds_alternative<operators::sample_index>(instruction.op);
    return parts && std::ranges::all_of(instruction.inputs, [&](TensorId id) {
             return program_[id].type.shape.rank() == 0 && now_[id.index()] == AxisDistribution{};
           });
  }

  /// What earlier values of `id` have become is of no use any more.
  void written(TensorId id, std::size_t index) {
    made_at_[id.index()] = index;
    whole_[id.index()] = {};
    moved_.erase(id);
    sources_.erase(id);
  }

  /// Has the output `id`, which its instruction makes as `made` says, in the end be what it is told
  /// to be; gives the tensor that the instruction writes.
  TensorId place_output(TensorId id, AxisDistribution const& made, std::size_t index) {
    auto const model = made.partial & (rows_axis | columns_axis);
    if (!is_given(id)) {
      now_[id.index()] = told_[id.index()] = made;
      now_[id.index()].unmerged = told_[id.index()].unmerged = 0;
      if (made.unmerged != 0 || model == 0 || !program_[id].type.shape.has_batch()) return id;
      // A product over a dimension that is split: the sum goes to parts of the mini-batch.
      auto const part = add(program_[id].name + "/part", id, made, index);
      auto const& extents = program_[id].type.shape.extents;
      auto const dimension = std::ranges::find(extents, true, &Extent::batch);
      operators::reduce_scatter scatter;
      scatter.mesh_axes = mesh_.names_of(model);
      scatter.dimension = dimension - extents.begin();
      now_[id.index()].partial &= ~model;
      now_[id.index()].split[static_cast<std::size_t>(scatter.dimension)] |= model;
      told_[id.index()] = now_[id.index()];
      append(after_[index], scatter, part, id);
      return part;
    }
    auto const told = told_[id.index()];
    now_[id.index()] = told;
    if (made.split == told.split) {
      // Gradients and results are whole by what they are: summed in place at once. Those that
      // are accumulated are summed with the last micro-batch.
      if (accumulates_ && program_[id].role == TensorRole::gradient) return id;
      if (made.partial != 0) append(after_[index], sum_over(made.partial), id, id);
      return id;
    }
    auto const part = add(program_[id].name + "/part", id, made, index);
    if (auto const scatter = scattering(made, told, mesh_)) {
      append(after_[index], *scatter, part, id);
      if (auto const rest = made.partial & ~set_of(scatter->mesh_axes); rest != 0)
        append(after_[index], sum_over(rest), id, id);
      return part;
    }
    auto const from = made.partial != 0 ? made_whole(part) : part;
    append(after_[index], exchange(now_[from.index()], told, mesh_), from, id);
    return part;
  }

  AxisSet set_of(std::vector<std::string> const& names) { return mesh_.set_of(names).value(); }

  /// Distributions of the outputs on ranks that hold inputs as they now are.
  Result<Distributions> derive(Instruction const& instruction, Distributions const& told) {
    Distributions inputs;
    for (auto id : instruction.inputs) inputs.push_back(now_[id.index()]);
    return derive_distribution(
        instruction.op, {input_types(program_, instruction), output_types(program_, instruction)},
        inputs, told, batch_, mesh_);
  }

  /// Moves inputs so that they are split alike along each loop; gives what outputs then are, as far
  /// as loops tell.
  Distributions move_inputs(Instruction& instruction, std::size_t index) {
    auto const inputs = input_types(program_, instruction),
               outputs = output_types(program_, instruction);
    auto const loops = lbann::loops(instruction.op, {inputs, outputs});
    auto const axes = axes_of(instruction, loops);
    auto const wanted = [&](std::span<LoopDimension const> dimensions) {
      AxisDistribution distribution;
      for (std::size_t d = 0; d < dimensions.size(); ++d)
        if (can_split(loops, dimensions[d])) distribution.split[d] = axes[dimensions[d].loop];
      return distribution;
    };
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      auto const to = wanted(loops.input(i));
      if (to.split != now_[instruction.inputs[i].index()].split)
        instruction.inputs[i] = moved(instruction.inputs[i], to, index);
    }
    Distributions told;
    for (std::size_t o = 0; o < outputs.size(); ++o) told.push_back(wanted(loops.output(o)));
    return told;
  }

  /// The axes that each loop of an instruction is to be split over.
  std::vector<AxisSet> axes_of(Instruction const& instruction, Loops const& loops) const {
    std::vector<AxisSet> axes(loops.loops.size(), 0);
    std::vector<bool> known(axes.size(), false);
    AxisSet used = 0;
    auto const take = [&](std::span<LoopDimension const> dimensions, AxisDistribution const& from,
                          AxisSet without) {
      for (std::size_t d = 0; d < dimensions.size(); ++d) {
        auto const loop = dimensions[d].loop;
        if (known[loop] || !can_split(loops, dimensions[d])) continue;
        known[loop] = true;
        axes[loop] = from.split[d] & ~without & ~used;
        used |= axes[loop];
      }
    };
    auto const has_samples = [&](TensorId id) { return program_[id].type.shape.has_batch(); };
    bool const batched = std::ranges::any_of(instruction.inputs, has_samples) ||
                         std::ranges::any_of(instruction.outputs, has_samples);
    auto const take_state = [&](std::vector<TensorId> const& ids, bool outputs) {
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (batched && is_sharded(ids[i])) continue;
        auto const& told = told_[ids[i].index()];
        if (is_in_place(ids[i]) && (told.axes() & ~batch_axes_of(ids[i])) != 0)
          take(outputs ? loops.output(i) : loops.input(i), told, 0);
        else if (auto const goal = goals_.find(ids[i]); outputs && goal != goals_.end())
          take(loops.output(i), goal->second, 0);
      }
    };
    take_state(instruction.inputs, false);
    take_state(instruction.outputs, true);
    auto const fixed = used;
    // A matrix that every rank holds whole is not cut: samples move instead.
    bool displaced = std::holds_alternative<operators::matmul>(instruction.op) &&
                     std::ranges::any_of(instruction.inputs, [&](TensorId id) {
                       return program_[converted_.weights_of(id)].role == TensorRole::weights &&
                              told_[id.index()].axes() == 0;
                     });
    for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
      auto const& now = now_[instruction.inputs[i].index()];
      auto const dimensions = loops.input(i);
      for (std::size_t d = 0; d < dimensions.size(); ++d)
        displaced = displaced || (now.split[d] != 0 && !can_split(loops, dimensions[d]));
    }
    for (bool const samples : {true, false})
      for (std::size_t i = 0; i < instruction.inputs.size() && !displaced; ++i) {
        auto const& now = now_[instruction.inputs[i].index()];
        if (now.axes() != 0 && has_samples(instruction.inputs[i]) == samples)
          take(loops.input(i), now, fixed);
      }
    for (std::size_t l = 0; l < axes.size(); ++l)
      if (!known[l] && loops.loops[l].extent.batch && loops.loops[l].kind != LoopKind::whole) {
        axes[l] = batch_ & ~used;
        used |= axes[l];
      }
    return axes;
  }

  /// Finds activations of which gradients of split weights, or what updates them, are made entry by
  /// entry: they are best made of the same parts.
  void find_goals(EntryPoint const& entry) {
    goals_.clear();
    for (auto i = entry.instructions.size(); i-- > 0;) {
      auto const& instruction = entry.instructions[i];
      if (!std::holds_alternative<operators::map>(instruction.op)) continue;
      auto const output = instruction.outputs[0];
      if (is_sharded(output)) continue;
      auto const goal = goals_.find(output);
      auto const distribution = goal != goals_.end() ? goal->second : told_[output.index()];
      if (program_[output].type.shape.has_batch() || distribution.axes() == 0) continue;
      for (auto id : instruction.inputs)
        if (!is_given(id) && program_[id].type.shape == program_[output].type.shape)
          goals_[id] = distribution;
    }
  }

  /// The axes that split its mini-batch.
  AxisSet batch_axes_of(TensorId id) const {
    return program_[id].type.shape.has_batch() ? batch_ : 0;
  }

  /// `id` as `to` splits it, made where it was made, or before instruction `index`.
  TensorId moved(TensorId id, AxisDistribution const& to, std::size_t index) {
    if (auto const other = moved_before(id, to); other.valid()) return other;
    if (auto const scatter = scattering(now_[id.index()], to, mesh_)) {
      auto part_of_sum = to;
      part_of_sum.partial = now_[id.index()].partial & ~set_of(scatter->mesh_axes);
      auto part = add(program_[id].name + "/part", id, part_of_sum, made_at_[id.index()]);
      append(after_[made_at_[id.index()]], *scatter, id, part);
      if (part_of_sum.partial != 0) part = made_whole(part);
      moved_[id].emplace_back(to.split, part);
      return part;
    }
    if (is_partial(id)) {
      auto const whole = made_whole(id);
      return now_[whole.index()].split == to.split ? whole : moved(whole, to, index);
    }
    auto const made_at = made_at_[id.index()];
    auto& list = made_at == no_instruction || is_given(id) ? before_[index] : after_[made_at];
    if (auto const source = sources_.find(id); source != sources_.end()) {
      // What is made of nothing is made of each part where the part is wanted.
      auto const other = add(program_[id].name + "/part", id, to, made_at);
      auto instruction = source->second;
      instruction.outputs = {other};
      list.push_back(std::move(instruction));
      moved_[id].emplace_back(to.split, other);
      return other;
    }
    auto at = id;
    for (auto const& step : steps_between(now_[id.index()], to)) {
      auto next = moved_before(id, step);
      if (!next.valid()) {
        next = add(program_[id].name + "/moved", id, step, made_at);
        append(list, exchange(now_[at.index()], step, mesh_), at, next);
        moved_[id].emplace_back(step.split, next);
      }
      at = next;
    }
    return at;
  }

  /// `id` as `to` splits it, if that was made since `id` was written; else invalid.
  TensorId moved_before(TensorId id, AxisDistribution const& to) const {
    auto const found = moved_.find(id);
    if (found == moved_.end()) return {};
    for (auto const& [split, other] : found->second)
      if (split == to.split) return other;
    return {};
  }

  Operator sum_over(AxisSet axes) const { return operators::all_reduce{mesh_.names_of(axes)}; }

  void append(std::vector<Instruction>& list, Operator op, TensorId input, TensorId output) const {
    Instruction instruction{std::move(op), {input}, {output}, program_[input].origin};
    instruction.origin.pass = "distribute";
    list.push_back(std::move(instruction));
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

  /// Moments of each rank's part become those of all: first the number of elements and their sum
  /// are summed over ranks, then squared deviations from the mean of all, which are those from the
  /// rank's own and count (mean - mean of all)^2 (Chan, Golub and LeVeque, 1979).
  void merge_moments(Instruction const& moments, Distributions const& made, std::size_t index) {
    auto const count = moments.outputs[0], mean = moments.outputs[1], m2 = moments.outputs[2];
    for (auto const id : moments.outputs)
      if (program_[id].role != TensorRole::activation)
        throw std::logic_error("distribute: moments of the mini-batch are activations");
    auto const axes = made[1].unmerged;
    auto const name = program_[mean].name;
    auto part = now_[mean.index()];
    part.partial = axes;
    auto const append_map = [&](Expression expression, std::vector<TensorId> inputs,
                                std::vector<TensorId> outputs) {
      operators::map map{std::move(expression), program_[mean].type.shape, DataType::f64, {}};
      map.types.assign(outputs.size(), DataType::f64);
      Instruction instruction{std::move(map), std::move(inputs), std::move(outputs),
                              program_[mean].origin};
      instruction.origin.pass = "distribute";
      after_[index].push_back(std::move(instruction));
    };
    now_[count.index()].partial = told_[count.index()].partial = axes;
    auto const sum = add(name + "/sum.part", mean, part, index);
    {
      ExpressionBuilder build;
      append_map(build.finish({build.operand(0) * build.operand(1)}), {count, mean}, {sum});
    }
    auto const count_of_all = made_whole(count), sum_of_all = made_whole(sum);
    auto const mean_of_all = add(name + "/sum.mean", mean, now_[mean.index()], index);
    auto const deviations = add(name + "/sum.m2", mean, part, index);
    ExpressionBuilder build;
    auto const all = build.apply(Function::maximum, {build.operand(0), build.constant(1)});
    auto const center = build.operand(1) / all;
    auto const moved = build.apply(Function::square, {build.operand(2) - center});
    append_map(build.finish({center, build.operand(3) + build.operand(4) * moved}),
               {count_of_all, sum_of_all, mean, m2, count}, {mean_of_all, deviations});
    whole_[mean.index()] = mean_of_all;
    whole_[m2.index()] = made_whole(deviations);
  }

  /// An activation like `model`, distributed as told, made by instruction `index` or right after
  /// it.
  TensorId add(std::string name, TensorId model, AxisDistribution const& distribution,
               std::size_t index) {
    Tensor tensor;
    tensor.name = std::move(name);
    while (!names_.insert(tensor.name).second) tensor.name += "_";
    tensor.type = program_[model].type;
    tensor.origin = program_[model].origin;
    tensor.origin.pass = "distribute";
    now_.push_back(distribution);
    now_.back().unmerged = 0;
    told_.push_back(now_.back());
    whole_.emplace_back();
    made_at_.push_back(index);
    return program_.add(std::move(tensor));
  }

  /// The sum of a partial tensor, taken as soon as the tensor exists.
  TensorId made_whole(TensorId id) {
    if (whole_[id.index()].valid()) return whole_[id.index()];
    auto distribution = now_[id.index()];
    auto const axes = std::exchange(distribution.partial, 0);
    auto const index = made_at_[id.index()];
    auto const whole = add(program_[id].name + "/sum", id, distribution, index);
    whole_[id.index()] = whole;
    append(after_[index], sum_over(axes), id, whole);
    return whole;
  }

  Program& program_;
  AxisSet batch_;  ///< see `batch_axes`
  MeshAxes mesh_;
  ConvertedWeights converted_{program_};
  bool accumulates_ = false;   ///< whether this entry point is `accumulate`
  std::vector<bool> sharded_;  ///< per tensor of the program as it came: see find_sharded
  std::unordered_set<std::string> names_;  ///< that might be taken
  std::vector<AxisDistribution> told_;     ///< per tensor: as written down in the end
  std::vector<AxisDistribution> now_;      ///< per tensor: as it was written last
  std::vector<TensorId> whole_;            ///< per tensor: its sum, if taken
  std::vector<std::size_t> made_at_;       ///< per tensor: the instruction that wrote it last
  /// Per tensor: the same split otherwise.
  std::map<TensorId, std::vector<std::pair<decltype(AxisDistribution::split), TensorId>>> moved_;
  std::map<TensorId, AxisDistribution> goals_;  ///< activations: how they are wanted, see above
  std::map<TensorId, Instruction> sources_;     ///< activations made of numbers alone
  std::vector<std::vector<Instruction>> before_, after_;  ///< per instruction: what is inserted
};

}  // namespace

void distribute(Program& program) {
  Distributor distributor(program);
  for (auto& entry : program.entry_points) distributor.run(entry);
  distributor.finish();
}

}  // namespace lbann::compiler
