// Which outputs of maps are computed where they are read instead.
#include <algorithm>
#include <unordered_map>

#include "schemas/program/fuse.hpp"
#include "schemas/program/join.hpp"

namespace lbann {

namespace {

/// How far the lives of small operands may become longer, in instructions.
constexpr std::size_t longest_move = 64;

class Sinking {
 public:
  Sinking(Program const& program, EntryPoint& entry)
      : program_(program), instructions_(entry.instructions) {
    for (std::size_t i = 0; i < instructions_.size(); ++i) add_reads(i);
  }

  void run() {
    for (std::size_t i = 0; i < instructions_.size(); ++i)
      for (std::size_t o = instructions_[i].outputs.size(); o-- > 0;) sink(i, o);
  }

 private:
  static constexpr std::size_t several = static_cast<std::size_t>(-1);

  void add_reads(std::size_t index) {
    for (auto const id : instructions_[index].inputs)
      if (auto& reader = readers_.try_emplace(id.index(), index).first->second; reader != index)
        reader = several;
  }

  /// Whether `id` is written by the instructions [begin, end).
  bool is_written(TensorId id, std::size_t begin, std::size_t end) const {
    for (auto i = begin; i < end; ++i)
      if (std::ranges::count(instructions_[i].outputs, id) != 0) return true;
    return false;
  }

  /// Moves output number `output` of an instruction to the one that reads it, if there is one.
  void sink(std::size_t index, std::size_t output) {
    auto const& first = instructions_[index];
    auto const made = first.outputs[output];
    auto const found = readers_.find(made.index());
    if (program_[made].role != TensorRole::activation || found == readers_.end()) return;
    auto const reader = found->second;
    if (reader == several || reader <= index || reader - index > longest_move ||
        is_written(made, index + 1, reader))
      return;
    for (std::size_t source = 0; source < first.outputs.size(); ++source) {
      auto const read = first.outputs[source];
      if (source == output || is_written(read, index + 1, reader) ||
          bytes_of(program_[read].type.type) > bytes_of(program_[made].type.type))
        continue;
      // The map itself may change an operand that the other output lies on.
      auto both = sink_output(program_, first, instructions_[reader], output, source);
      if (!both || std::ranges::any_of(first.inputs, [&](TensorId id) {
            return std::ranges::count(both->second.inputs, id) != 0 &&
                   is_written(id, index, reader);
          }))
        continue;
      instructions_[index] = std::move(both->first);
      instructions_[reader] = std::move(both->second);
      return add_reads(reader);
    }
  }

  Program const& program_;
  std::vector<Instruction>& instructions_;
  std::unordered_map<std::size_t, std::size_t> readers_;  ///< by tensor: the one, or `several`
};

}  // namespace

void sink_outputs(Program const& program, EntryPoint& entry) { Sinking(program, entry).run(); }

}  // namespace lbann
