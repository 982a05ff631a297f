// Distributions of tensors checked against those that follow from loops.
#include <algorithm>
#include <map>

#include "schemas/program/distribution.hpp"

namespace lbann {

namespace {

using Fault = std::optional<std::string>;

class DistributionVerifier {
 public:
  explicit DistributionVerifier(Program const& program) : program_(program) {}

  Fault run() {
    if (auto fault = read_tensors()) return fault;
    for (auto const& entry : program_.entry_points)
      if (auto fault = check(entry)) return "entry " + entry.name + ": " + *fault;
    return std::nullopt;
  }

 private:
  /// What tensors say of themselves.
  Fault read_tensors() {
    for (auto const& tensor : program_.tensors) {
      auto const told = in_sets(tensor.distribution, mesh_);
      if (!told) return told.problem().message;
      auto const batch = batch_distribution(tensor.type.shape, batch_);
      if (tensor.role == TensorRole::input && told.value() != batch)
        return "tensor " + tensor.name + ": given, but not split along the mini-batch alone";
      if (is_state(tensor.role) && told.value().partial != 0)
        return "tensor " + tensor.name + ": state, but a partial sum";
      // A rank may hold parts of what updates weights that it holds whole.
      if (tensor.owner.valid() && is_split(program_[tensor.owner]) &&
          tensor.distribution.split != program_[tensor.owner].distribution.split)
        return "tensor " + tensor.name + ": split otherwise than its weights";
      told_.push_back(told.value());
    }
    return std::nullopt;
  }

  static bool is_split(Tensor const& tensor) {
    return std::ranges::any_of(tensor.distribution.split,
                               [](auto const& axes) { return !axes.empty(); });
  }

  Fault check(EntryPoint const& entry) {
    // Inputs and state are as they say; all else is written before it is read.
    now_ = told_;
    written_.assign(told_.size(), false);
    for (auto const& instruction : entry.instructions)
      if (auto fault = check(instruction))
        return "`" + to_text(program_, instruction) + "`: " + *fault;
    for (std::size_t i = 0; i < now_.size(); ++i) {
      // The next micro-batch adds to gradients as `accumulate` leaves them.
      auto const earlier = earlier_.find(TensorId(i));
      bool const adds = entry.name == accumulate_entry && earlier != earlier_.end();
      if (now_[i].partial != (adds ? earlier->second : told_[i].partial))
        return program_.tensors[i].name +
               (adds ? " is not left as it is added to" : " is left a partial sum");
    }
    return std::nullopt;
  }

  Fault check(Instruction const& instruction) {
    auto const inputs = input_types(program_, instruction);
    auto const outputs = output_types(program_, instruction);
    std::vector<AxisDistribution> distributions;
    std::vector<std::size_t> earlier;  // inputs that are gradients accumulated before
    bool merges = false;
    for (auto id : instruction.inputs) {
      if (program_[id].role == TensorRole::gradient && !written_[id.index()])
        earlier.push_back(distributions.size());
      distributions.push_back(now_[id.index()]);
      merges = merges || now_[id.index()].unmerged != 0;
    }
    std::vector<AxisDistribution> told;
    for (auto id : instruction.outputs) told.push_back(told_[id.index()]);
    auto const derive = [&] {
      return derive_distribution(instruction.op, {inputs, outputs}, distributions, told, batch_,
                                 mesh_);
    };
    auto derived = derive();
    if (!earlier.empty()) {
      auto const found = [&] {
        return derived && std::ranges::all_of(earlier, [&](std::size_t input) {
                 return stays_partial(instruction, input, distributions[input], derived.value());
               });
      };
      for (AxisSet axes = batch_; !found() && axes != 0; axes = (axes - 1) & batch_) {
        for (auto const input : earlier) distributions[input].partial = axes;
        derived = derive();
      }
      if (!found()) return "gradients are added to sums over other axes";
      for (auto const input : earlier)
        if (auto fault = remember(instruction.inputs[input], distributions[input].partial))
          return fault;
    }
    if (!derived) return derived.problem().message;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      auto const id = instruction.outputs[o];
      if (auto fault = check_output(id, derived.value()[o], merges))
        return program_[id].name + *fault;
      written_[id.index()] = true;
    }
    return std::nullopt;
  }

  /// Whether an accumulated gradient, which an instruction reads as `now`, is as partial a sum when
  /// the instruction has added to it; whole where it only reads it.
  bool stays_partial(Instruction const& instruction, std::size_t input, AxisDistribution const& now,
                     std::vector<AxisDistribution> const& derived) const {
    auto const output = std::ranges::find(instruction.outputs, instruction.inputs[input]);
    if (output == instruction.outputs.end()) return now.partial == 0;
    return derived[static_cast<std::size_t>(output - instruction.outputs.begin())].partial ==
           now.partial;
  }

  /// It is the same in all entry points.
  Fault remember(TensorId gradient, AxisSet partial) {
    auto const [known, added] = earlier_.emplace(gradient, partial);
    if (!added && known->second != partial)
      return program_[gradient].name + " is a sum over other axes in another entry point";
    return std::nullopt;
  }

  /// `merges`: the instruction reads what is to be merged.
  Fault check_output(TensorId id, AxisDistribution derived, bool merges) {
    auto const& told = told_[id.index()];
    auto const role = program_[id].role;
    if (derived.split != told.split) return " is not split as its instruction gives it";
    if (derived.unmerged != 0) {
      if (told.partial == derived.unmerged)
        derived.partial = std::exchange(derived.unmerged, 0);
      else if (merges || told.partial != 0 || role != TensorRole::activation)
        return " is made of what each rank has of its own, but no partial sum";
    } else if (derived.partial != told.partial) {
      // All but activations are summed where they lie, by another instruction.
      bool const summed_later = role != TensorRole::activation;
      if (told.partial != 0) return " is no partial sum";
      if (!summed_later) return " is a partial sum, but does not say so";
    }
    now_[id.index()] = derived;
    return std::nullopt;
  }

  Program const& program_;
  AxisSet batch_ = batch_axes(program_);
  MeshAxes mesh_;
  std::vector<AxisDistribution> told_;   ///< per tensor
  std::vector<AxisDistribution> now_;    ///< per tensor, as it was written last
  std::vector<bool> written_;            ///< per tensor, in this entry point
  std::map<TensorId, AxisSet> earlier_;  ///< gradients accumulated before: what they are sums over
};

}  // namespace

std::optional<std::string> verify_distribution(Program const& program) {
  return DistributionVerifier(program).run();
}

}  // namespace lbann
