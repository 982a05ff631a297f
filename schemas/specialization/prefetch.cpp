// Gathers of sharded weights travel while the layer before computes.
#include <algorithm>

#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

class Prefetcher {
 public:
  Prefetcher(Specialization const& specialization, EntryPoint& entry)
      : specialization_(specialization), instructions_(entry.instructions) {}

  void run() {
    auto reader = none;  // of what the gather before gives: the first instruction
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      if (!gathers_weights(instructions_[i])) continue;
      auto const at = reader < i ? earliest(i, reader) : i;
      std::rotate(place(at), place(i), place(i + 1));
      reader = first_reader(at);
    }
  }

 private:
  static constexpr auto none = static_cast<std::size_t>(-1);

  std::vector<Instruction>::iterator place(std::size_t index) {
    return instructions_.begin() + static_cast<std::ptrdiff_t>(index);
  }

  bool gathers_weights(Instruction const& instruction) const {
    auto const& program = specialization_.program;
    return std::holds_alternative<operators::all_gather>(instruction.op) &&
           program[instruction.inputs[0]].role == TensorRole::weights &&
           program[instruction.outputs[0]].role == TensorRole::activation;
  }

  bool touches(std::vector<TensorId> const& ids, TensorId storage) const {
    bool found = false;
    for (auto const id : ids)
      specialization_.each_storage(id, [&](TensorId at) { found = found || at == storage; });
    return found;
  }

  /// Where from `wanted` on the gather `index` may stand: behind what writes the weights or uses
  /// the memory that it fills.
  std::size_t earliest(std::size_t index, std::size_t wanted) const {
    auto const& gather = instructions_[index];
    auto const from = specialization_.storage_of(gather.inputs[0]);
    auto const to = specialization_.storage_of(gather.outputs[0]);
    for (auto i = index; i-- > wanted;)
      if (touches(instructions_[i].outputs, from) || touches(instructions_[i].outputs, to) ||
          touches(instructions_[i].inputs, to))
        return i + 1;
    return wanted;
  }

  std::size_t first_reader(std::size_t gather) const {
    auto const to = specialization_.storage_of(instructions_[gather].outputs[0]);
    for (auto i = gather + 1; i < instructions_.size(); ++i)
      if (touches(instructions_[i].inputs, to)) return i;
    return none;
  }

  Specialization const& specialization_;
  std::vector<Instruction>& instructions_;
};

}  // namespace

void prefetch(Specialization& specialization) {
  for (auto& entry : specialization.program.entry_points) Prefetcher(specialization, entry).run();
}

}  // namespace lbann
