// Where ranks share memory, large gradients are not summed: their factors are broadcast.
#include <algorithm>

#include "schemas/program/fuse.hpp"
#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

/// Gradients of fewer bytes travel as well in a bucket with others.
constexpr std::int64_t least_gradient = std::int64_t{64} << 10;

/// Who uses a tensor: in `train`, beside sums over ranks, and elsewhere.
struct Use {
  std::size_t writer = 0, reader = 0;  ///< the last
  std::uint32_t writers = 0, readers = 0, sums = 0;
  bool elsewhere = false;
  bool alone = true;  ///< elsewhere, instructions that write it write nothing else
};

/// Finds the weights whose gradient may be computed from broadcast factors.
class Finder {
 public:
  Finder(Specialization const& specialization, EntryPoint const& train)
      : program_(specialization.program),
        train_(train),
        ranks_(specialization.mesh.ranks()),
        mini_batch_(specialization.placement.mini_batch),
        uses_(program_.tensors.size()) {
    for (auto const& entry : program_.entry_points) look_at(entry, &entry == &train);
  }

  /// The weights that the sum over ranks at `index` may be spared for; invalid if it may not.
  TensorId weights_of(std::size_t index) const;

 private:
  void look_at(EntryPoint const& entry, bool in_train) {
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
      auto const& instruction = entry.instructions[i];
      bool const sum = in_train && is_sum(instruction);
      for (auto id : instruction.inputs) {
        auto& use = uses_[id.index()];
        use.elsewhere = use.elsewhere || !in_train;
        if (sum) ++use.sums;
        if (in_train && !sum) use.reader = i, ++use.readers;
      }
      for (auto id : instruction.outputs) {
        auto& use = uses_[id.index()];
        use.elsewhere = use.elsewhere || !in_train;
        if (in_train && !sum) use.writer = i, ++use.writers;
        if (!in_train && instruction.outputs.size() > 1) use.alone = false;
      }
    }
  }

  Use const& use(TensorId id) const { return uses_[id.index()]; }
  bool is_product_over_samples(Instruction const& instruction) const;
  bool is_worth_it(Shape const& gradient, DataType type) const;

  Program const& program_;
  EntryPoint const& train_;
  std::int64_t ranks_, mini_batch_;
  std::vector<Use> uses_;
};

/// a^T b of [batch, rows] and [batch, columns].
bool Finder::is_product_over_samples(Instruction const& instruction) const {
  auto const* product = std::get_if<operators::matmul>(&instruction.op);
  if (product == nullptr || !product->epilogue.empty() || !product->transpose_a ||
      product->transpose_b)
    return false;
  return std::ranges::all_of(instruction.inputs, [&](TensorId id) {
    auto const& extents = program_[id].type.shape.extents;
    return extents.size() == 2 && extents[0] == batch_extent && !extents[1].batch;
  });
}

/// Whether every rank gets rows, and the factors of a mini-batch are far fewer than the gradient's
/// elements.
bool Finder::is_worth_it(Shape const& gradient, DataType type) const {
  auto const rows = gradient.extents[0].size, columns = gradient.extents[1].size;
  if (rows * columns * static_cast<std::int64_t>(bytes_of(type)) < least_gradient) return false;
  if (own_rows(rows, ranks_, ranks_ - 1).count() == 0) return false;
  return mini_batch_ <= rows * columns / 2 / (rows + columns);
}

TensorId Finder::weights_of(std::size_t index) const {
  auto const& sum = train_.instructions[index];
  auto const parts = sum.inputs[0], whole = sum.outputs[0];
  // The product is read by this sum alone, the sum by one map.
  auto const &made = use(parts), &used = use(whole);
  auto const others = parts == whole ? 0u : made.readers + used.writers + used.sums;
  if (made.elsewhere || used.elsewhere || made.writers != 1 || made.sums != 1 || others != 0 ||
      used.readers != 1 || made.writer > index || used.reader < index ||
      !is_product_over_samples(train_.instructions[made.writer]))
    return {};

  auto const& update = train_.instructions[used.reader];
  auto const* map = std::get_if<operators::map>(&update.op);
  if (map == nullptr || update.outputs.empty()) return {};
  auto const weights = update.outputs[0];
  auto const& type = program_[weights].type;
  if (program_[weights].role != TensorRole::weights || program_[whole].type != type ||
      map->shape != type.shape || !is_worth_it(type.shape, type.type))
    return {};
  auto const of_weights = [&](TensorId id) {
    auto const& tensor = program_[id];
    return id == weights || (tensor.role == TensorRole::moment && tensor.owner == weights &&
                             tensor.type.shape == type.shape);
  };
  for (auto id : update.outputs)
    if (!of_weights(id) || use(id).writers != 1 || !use(id).alone) return {};
  for (auto id : update.inputs)
    if (id != whole && !of_weights(id) && program_[id].type.shape != Shape{}) return {};
  return weights;
}

/// A sum that is spared, and the weights it was for.
struct Spared {
  TensorId parts, whole, weights;
};

/// `program` without these sums.
Program without(Program program, std::vector<Spared> const& spared) {
  auto& train = *program.entry_point("train");
  std::erase_if(train.instructions, [&](Instruction const& instruction) {
    return is_sum(instruction) &&
           std::ranges::find(spared, instruction.outputs[0], &Spared::whole) != spared.end();
  });
  for (auto const& sum : spared)
    for (auto& instruction : train.instructions)
      std::ranges::replace(instruction.inputs, sum.whole, sum.parts);
  fuse(program);
  return program;
}

/// The product whose epilogue updates `weights`; null if there is none.
Instruction* updating_product(Program& program, TensorId weights) {
  auto& instructions = program.entry_point("train")->instructions;
  auto const found = std::ranges::find_if(instructions, [&](Instruction const& instruction) {
    return std::holds_alternative<operators::matmul>(instruction.op) &&
           instruction.outputs[0] == weights;
  });
  return found == instructions.end() ? nullptr : &*found;
}

/// Whether weights change other than by the updates of `train`, on each rank those it has.
bool weights_change_elsewhere(Program const& program) {
  return std::ranges::any_of(program.entry_points, [&](EntryPoint const& entry) {
    return entry.name != "initialize" && entry.name != "train" && changes_weights(program, entry);
  });
}

}  // namespace

void gather_factors(Specialization& specialization) {
  auto& program = specialization.program;
  auto const& placement = specialization.placement;
  specialization.shared.assign(program.tensors.size(), false);
  auto const* const train = program.entry_point("train");
  auto const& mesh = specialization.mesh;
  if (!placement.one_node || mesh.size(data_axis) < 2 || mesh.ranks() > mesh.size(data_axis) ||
      train == nullptr || weights_change_elsewhere(program))
    return;
  Finder const finder(specialization, *train);
  std::vector<Spared> spared;
  for (std::size_t i = 0; i < train->instructions.size(); ++i) {
    auto const& instruction = train->instructions[i];
    if (!is_sum(instruction)) continue;
    if (auto const weights = finder.weights_of(i); weights.valid())
      spared.push_back({instruction.inputs[0], instruction.outputs[0], weights});
  }
  // An update that cannot be an epilogue needs the whole gradient after all.
  while (!spared.empty()) {
    auto trial = without(program, spared);
    auto const failed = std::erase_if(
        spared, [&](Spared const& sum) { return updating_product(trial, sum.weights) == nullptr; });
    if (failed > 0) continue;
    program = std::move(trial);
    break;
  }
  for (auto const& sum : spared) {
    updating_product(program, sum.weights)->factor_broadcast = true;
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
      auto const& tensor = program.tensors[i];
      if (TensorId(i) == sum.weights ||
          (tensor.role == TensorRole::moment && tensor.owner == sum.weights))
        specialization.shared[i] = true;
    }
  }
}

}  // namespace lbann
