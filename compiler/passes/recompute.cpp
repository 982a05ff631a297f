// The pass `recompute`: activations that are computed once more in the backward pass, not kept.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "compiler/passes/program_passes.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t no_segment = static_cast<std::size_t>(-1);

/// The forward pass is cut into segments. What one makes for a later one is kept; what else the
/// backward pass reads of it is computed again from that, before the first that reads any.
class Recomputer {
 public:
  Recomputer(Program& program, EntryPoint& entry, std::int64_t samples)
      : program_(program), entry_(entry), samples_(samples) {
    for (auto const& tensor : program.tensors) names_.insert(tensor.name);
    auto const begin = std::ranges::find(entry.instructions, std::string_view("derive_backward"),
                                         [](Instruction const& each) { return each.origin.pass; });
    backward_ = static_cast<std::size_t>(begin - entry.instructions.begin());
  }

  void run() {
    find_uses();
    if (!cut()) return;
    find_kept();
    std::vector<Instruction> instructions;
    for (std::size_t i = 0; i < entry_.instructions.size(); ++i) {
      auto& instruction = entry_.instructions[i];
      if (i >= backward_)
        for (auto& id : instruction.inputs) {
          if (auto const at = again(id); at != no_segment) compute_again(at, instructions);
          if (auto const copy = copies_.find(id); copy != copies_.end()) id = copy->second;
        }
      instructions.push_back(instruction);
    }
    entry_.instructions = std::move(instructions);
  }

 private:
  std::int64_t bytes(TensorId id) const {
    auto const& type = program_[id].type;
    return type.shape.elements(samples_) * static_cast<std::int64_t>(bytes_of(type.type));
  }

  /// Whether an instruction does the same when it is executed again.
  bool repeats(Instruction const& instruction) const {
    return !std::holds_alternative<operators::external>(instruction.op) &&
           std::ranges::all_of(instruction.outputs, [&](TensorId id) {
             return program_[id].role == TensorRole::activation && maker_.contains(id);
           });
  }

  void find_uses() {
    for (std::size_t i = 0; i < entry_.instructions.size(); ++i) {
      auto const& instruction = entry_.instructions[i];
      for (auto const id : instruction.inputs)
        (i < backward_ ? last_read_[id] : read_back_[id]) = i;
      if (i >= backward_) continue;
      for (auto const id : instruction.outputs) maker_[id] = i;
    }
  }

  /// Cuts into about as many segments as the root of the number of instructions whose outputs the
  /// backward pass reads (Chen, Xu, Zhang and Guestrin, "Training deep nets with sublinear memory
  /// cost", 2016), with about as many bytes of these, where the fewest bytes are kept.
  bool cut() {
    std::vector<std::int64_t> stored(backward_, 0), crossing(backward_ + 1, 0);
    std::int64_t all = 0, count = 0;
    for (std::size_t i = 0; i < backward_; ++i) {
      for (auto const id : entry_.instructions[i].outputs) {
        if (program_[id].role != TensorRole::activation) continue;
        if (read_back_.contains(id)) stored[i] += bytes(id);
        if (auto const read = last_read_.find(id); read != last_read_.end())
          for (auto at = i + 1; at <= read->second; ++at) crossing[at] += bytes(id);
      }
      all += stored[i];
      count += stored[i] > 0 ? 1 : 0;
    }
    auto const segments = std::llround(std::sqrt(static_cast<double>(count)));
    if (segments < 2) return false;
    // A segment ends before the instruction where the least is kept, around its share of the bytes.
    std::vector<std::size_t> ends;
    std::int64_t sum = 0;
    auto const none = backward_;
    auto best = none;
    for (std::size_t i = 0; i < backward_ && std::ssize(ends) + 1 < segments; ++i) {
      auto const share =
          static_cast<double>(sum) * static_cast<double>(segments) / static_cast<double>(all);
      auto const next = static_cast<double>(ends.size()) + 1;
      if (share > next + 0.4 && best != none) {
        ends.push_back(best);
        best = none;
      } else if (share > next - 0.4 && (best == none || crossing[i] < crossing[best])) {
        best = i;
      }
      sum += stored[i];
    }
    if (best != none && std::ssize(ends) + 1 < segments) ends.push_back(best);
    segment_.assign(backward_, 0);
    for (std::size_t i = 0, now = 0; i < backward_; ++i) {
      while (now < ends.size() && ends[now] <= i) ++now;
      segment_[i] = now;
    }
    last_segment_ = ends.size();
    computed_.assign(last_segment_ + 1, false);
    return last_segment_ > 0;
  }

  /// What is kept although its segment is computed again: later segments read it, or it cannot be.
  void find_kept() {
    for (auto const& [id, at] : maker_) {
      auto const read = last_read_.find(id);
      bool const later = read != last_read_.end() && segment_[read->second] > segment_[at];
      if (later || segment_[at] == last_segment_ || !repeats(entry_.instructions[at]))
        kept_.insert(id);
    }
  }

  /// The segment that is to be computed again for `id` and was not; none if it is there.
  std::size_t again(TensorId id) const {
    auto const maker = maker_.find(id);
    if (maker == maker_.end() || kept_.contains(id)) return no_segment;
    auto const segment = segment_[maker->second];
    return computed_[segment] ? no_segment : segment;
  }

  /// Appends those instructions of a segment again that all of the backward pass needs.
  void compute_again(std::size_t segment, std::vector<Instruction>& instructions) {
    computed_[segment] = true;
    std::unordered_set<TensorId> wanted;
    std::vector<std::size_t> list;
    for (auto i = backward_; i-- > 0;) {
      if (segment_[i] != segment) continue;
      auto const& instruction = entry_.instructions[i];
      bool const needed = std::ranges::any_of(instruction.outputs, [&](TensorId id) {
        return !kept_.contains(id) && (wanted.contains(id) || read_back_.contains(id));
      });
      if (!needed) continue;
      list.push_back(i);
      wanted.insert(instruction.inputs.begin(), instruction.inputs.end());
    }
    std::ranges::reverse(list);
    for (auto const i : list) {
      auto copy = entry_.instructions[i];
      copy.origin.pass = "recompute";
      for (auto& id : copy.inputs)
        if (auto const known = copies_.find(id); known != copies_.end()) id = known->second;
      for (auto& id : copy.outputs) {
        Tensor tensor = program_[id];
        tensor.name += "/again";
        while (!names_.insert(tensor.name).second) tensor.name += "_";
        tensor.origin.pass = "recompute";
        auto const other = program_.add(std::move(tensor));
        if (!kept_.contains(id)) copies_[id] = other;
        id = other;
      }
      instructions.push_back(std::move(copy));
    }
  }

  Program& program_;
  EntryPoint& entry_;
  std::int64_t samples_;
  std::size_t backward_ = 0, last_segment_ = 0;  ///< `backward_`: the first of its instructions
  std::unordered_map<TensorId, std::size_t> maker_, last_read_;  ///< in the forward pass
  std::unordered_map<TensorId, std::size_t> read_back_;          ///< in the backward pass
  std::vector<std::size_t> segment_;                             ///< per instruction
  std::vector<bool> computed_;                                   ///< per segment: again
  std::unordered_set<TensorId> kept_;
  std::unordered_map<TensorId, TensorId> copies_;  ///< computed again: of which tensor
  std::unordered_set<std::string> names_;
};

}  // namespace

void recompute(Program& program, std::int64_t samples) {
  if (auto* const entry = program.entry_point("train"); entry != nullptr)
    Recomputer(program, *entry, samples).run();
}

}  // namespace lbann::compiler
