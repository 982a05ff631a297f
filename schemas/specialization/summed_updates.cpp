// From uses of tensors in all entry points.
#include "schemas/specialization/summed_updates.hpp"

namespace lbann {

namespace {

/// Who uses a tensor: in `train`, beside sums over ranks, and elsewhere.
struct Use {
  std::size_t writer = 0, reader = 0;  ///< the last
  std::uint32_t writers = 0, readers = 0, sums = 0;
  bool elsewhere = false;
  bool alone = true;  ///< elsewhere, instructions that write it write nothing else
};

class Finder {
 public:
  Finder(Program const& program, EntryPoint const& train)
      : program_(program), train_(train), uses_(program.tensors.size()) {
    for (auto const& entry : program_.entry_points) look_at(entry, &entry == &train);
  }

  /// The update that the sum over ranks at `index` is for; its weights are invalid if there is
  /// none.
  SummedUpdate update_of(std::size_t index) const;

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

  Program const& program_;
  EntryPoint const& train_;
  std::vector<Use> uses_;
};

SummedUpdate Finder::update_of(std::size_t index) const {
  auto const& sum = train_.instructions[index];
  auto const parts = sum.inputs[0], whole = sum.outputs[0];
  // The parts are read by this sum alone, the sum by one map.
  auto const &made = use(parts), &used = use(whole);
  auto const others = parts == whole ? 0u : made.readers + used.writers + used.sums;
  if (made.elsewhere || used.elsewhere || made.writers != 1 || made.sums != 1 || others != 0 ||
      used.readers != 1 || made.writer > index || used.reader < index)
    return {};

  auto const& update = train_.instructions[used.reader];
  auto const* map = std::get_if<operators::map>(&update.op);
  if (map == nullptr || update.outputs.empty()) return {};
  auto const weights = update.outputs[0];
  auto const& type = program_[weights].type;
  if (program_[weights].role != TensorRole::weights || program_[whole].type != type ||
      map->shape != type.shape)
    return {};
  auto const of_weights = [&](TensorId id) {
    auto const& tensor = program_[id];
    return id == weights || (tensor.role == TensorRole::moment && tensor.owner == weights &&
                             tensor.type.shape == type.shape);
  };
  for (auto id : update.outputs)
    if (!of_weights(id) || use(id).writers != 1 || !use(id).alone || use(id).reader > used.reader)
      return {};
  for (auto id : update.inputs)
    if (id != whole && !of_weights(id) && program_[id].type.shape != Shape{}) return {};
  return {made.writer, parts, whole, weights};
}

/// Whether weights change other than by the updates of `train`, on each rank those it has.
bool weights_change_elsewhere(Program const& program) {
  return std::ranges::any_of(program.entry_points, [&](EntryPoint const& entry) {
    return entry.name != "initialize" && entry.name != "train" && changes_weights(program, entry);
  });
}

}  // namespace

std::vector<SummedUpdate> summed_updates(Program const& program) {
  std::vector<SummedUpdate> updates;
  auto const* const train = program.entry_point("train");
  if (train == nullptr || weights_change_elsewhere(program)) return updates;
  Finder const finder(program, *train);
  for (std::size_t i = 0; i < train->instructions.size(); ++i)
    if (is_sum(train->instructions[i]))
      if (auto const found = finder.update_of(i); found.weights.valid()) updates.push_back(found);
  return updates;
}

void share_state(Specialization& specialization, std::vector<SummedUpdate> const& updates) {
  auto const& tensors = specialization.program.tensors;
  std::vector<bool> shares(tensors.size(), false);
  for (auto const& update : updates) shares[update.weights.index()] = true;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (shares[i] || (tensors[i].role == TensorRole::moment && shares[tensors[i].owner.index()]))
      specialization.shared[i] = true;
}

}  // namespace lbann
