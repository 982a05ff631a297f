// The pass `recompute`: activations that are computed once more in the backward pass, not kept.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "compiler/passes/program_passes.hpp"

namespace lbann::compiler {

namespace {

/// Bytes that may be read and written again for one byte that is not kept.
constexpr std::int64_t most_moved = 4;
/// What is smaller than this share of an instruction's largest output is kept.
constexpr std::int64_t small_share = 16;

/// Tensors of the forward pass are kept, or computed again before the first instruction of the
/// backward pass that reads them, from those that are kept.
class Recomputer {
 public:
  Recomputer(Program& program, EntryPoint& entry, std::int64_t samples)
      : program_(program), entry_(entry), samples_(samples) {
    for (auto const& tensor : program.tensors) names_.insert(tensor.name);
    auto const begin = std::ranges::find(entry.instructions, std::string_view("derive_backward"),
                                         [](Instruction const& each) { return each.origin.pass; });
    backward_ = static_cast<std::size_t>(begin - entry.instructions.begin());
  }

  void run(Recompute which) {
    find_uses();
    if (which == Recompute::selective)
      keep_all_but_cheap();
    else if (cut())
      keep_borders();
    else
      return;
    std::vector<Instruction> instructions;
    for (std::size_t i = 0; i < entry_.instructions.size(); ++i) {
      auto& instruction = entry_.instructions[i];
      if (i >= backward_)
        for (auto& id : instruction.inputs) id = again(id, instructions);
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

  /// Whether an instruction takes about as long as moving what it reads and makes of samples.
  bool is_cheap(Instruction const& instruction) const {
    return (std::holds_alternative<operators::map>(instruction.op) ||
            std::holds_alternative<operators::normalise>(instruction.op) ||
            std::holds_alternative<operators::reshape>(instruction.op)) &&
           std::ranges::all_of(instruction.outputs,
                               [&](TensorId id) { return program_[id].type.shape.has_batch(); });
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
    return last_segment_ > 0;
  }

  /// What is kept although its segment is computed again: later segments read it, or it cannot be.
  void keep_borders() {
    for (auto const& [id, at] : maker_) {
      auto const read = last_read_.find(id);
      bool const later = read != last_read_.end() && segment_[read->second] > segment_[at];
      if (later || segment_[at] == last_segment_ || !repeats(entry_.instructions[at]))
        kept_.insert(id);
    }
  }

  /// Keeps all but what elementwise operations and normalisation make of kept tensors, where fewer
  /// bytes are kept then and computing it again moves few.
  void keep_all_but_cheap() {
    for (std::size_t i = 0; i < backward_; ++i) {
      auto const& instruction = entry_.instructions[i];
      auto sources = sources_of(instruction);
      if (!is_cheap(instruction) || !repeats(instruction) || !pays(instruction, sources)) {
        kept_.insert(instruction.outputs.begin(), instruction.outputs.end());
        continue;
      }
      auto const largest =
          std::ranges::max(instruction.outputs, {}, [&](TensorId id) { return bytes(id); });
      if (read_back_.contains(largest)) kept_longer_.insert(sources.begin(), sources.end());
      for (auto const id : instruction.outputs)
        if (bytes(id) <= bytes(largest) / small_share)
          kept_.insert(id);  // means and variances of rows
        else
          sources_[id] = sources;
    }
  }

  /// The tensors that an instruction computes its outputs from, through others that are not kept.
  std::unordered_set<TensorId> sources_of(Instruction const& instruction) const {
    std::unordered_set<TensorId> sources;
    for (auto const id : instruction.inputs)
      if (auto const known = sources_.find(id); known != sources_.end())
        sources.insert(known->second.begin(), known->second.end());
      else
        sources.insert(id);
    return sources;
  }

  bool pays(Instruction const& instruction, std::unordered_set<TensorId> const& sources) const {
    std::int64_t made = 0, moved = 0, longer = 0;
    for (auto const id : instruction.outputs) made += bytes(id);
    for (auto const id : sources) {
      moved += bytes(id);
      if (maker_.contains(id) && !read_back_.contains(id) && !kept_longer_.contains(id))
        longer += bytes(id);
    }
    return longer < made && moved + made <= most_moved * made;
  }

  /// The tensor that holds what `id` does in the backward pass: itself, or a copy that appended
  /// instructions compute.
  TensorId again(TensorId id, std::vector<Instruction>& instructions) {
    auto const maker = maker_.find(id);
    if (maker == maker_.end() || kept_.contains(id)) return id;
    if (auto const copy = copies_.find(id); copy != copies_.end()) return copy->second;
    auto instruction = entry_.instructions[maker->second];
    instruction.origin.pass = "recompute";
    for (auto& input : instruction.inputs) input = again(input, instructions);
    for (auto& output : instruction.outputs) {
      Tensor tensor = program_[output];
      tensor.name += "/again";
      while (!names_.insert(tensor.name).second) tensor.name += "_";
      tensor.origin.pass = "recompute";
      auto const other = program_.add(std::move(tensor));
      if (!kept_.contains(output)) copies_[output] = other;
      output = other;
    }
    instructions.push_back(std::move(instruction));
    return copies_.at(id);
  }

  Program& program_;
  EntryPoint& entry_;
  std::int64_t samples_;
  std::size_t backward_ = 0, last_segment_ = 0;  ///< `backward_`: the first of its instructions
  std::unordered_map<TensorId, std::size_t> maker_, last_read_;  ///< in the forward pass
  std::unordered_map<TensorId, std::size_t> read_back_;          ///< in the backward pass
  std::vector<std::size_t> segment_;                             ///< per instruction
  std::unordered_set<TensorId> kept_;
  std::unordered_set<TensorId> kept_longer_;  ///< for what is computed from them again
  /// Of what is not kept: the kept tensors it is computed from.
  std::unordered_map<TensorId, std::unordered_set<TensorId>> sources_;
  std::unordered_map<TensorId, TensorId> copies_;  ///< computed again: of which tensor
  std::unordered_set<std::string> names_;
};

}  // namespace

void recompute(Program& program, Recompute which, std::int64_t samples) {
  auto* const entry = program.entry_point("train");
  if (which != Recompute::none && entry != nullptr) Recomputer(program, *entry, samples).run(which);
}

}  // namespace lbann::compiler
