// Maps that differ only in the weights they work on become one map over a range.
#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

constexpr auto never = std::numeric_limits<std::size_t>::max();

/// A map over one weights object with its moments and gradient.
struct Update {
  std::size_t instruction;
  TensorId owner;
  std::size_t limit;  ///< the map may run anywhere before this instruction
};

TensorId owner_of(Program const& program, TensorId id) {
  auto const role = program[id].role;
  if (role == TensorRole::weights) return id;
  return role == TensorRole::moment || role == TensorRole::gradient ? program[id].owner
                                                                    : TensorId();
}

/// All that two maps must have in common to be one; empty if `instruction` is no update.
std::string key_of(Program const& program, Instruction const& instruction) {
  auto const* map = std::get_if<operators::map>(&instruction.op);
  if (map == nullptr || instruction.outputs.empty()) return {};
  auto const owner = owner_of(program, instruction.outputs[0]);
  if (!owner.valid()) return {};
  std::string key;
  auto const put = [&](auto value) {
    key.append(reinterpret_cast<char const*>(&value), sizeof(value));
  };
  auto const put_operand = [&](TensorId id) {
    auto const& tensor = program[id];
    put(tensor.role);
    put(tensor.slot);
    put(tensor.type.type);
    return owner_of(program, id) == owner && tensor.type.shape == map->shape;
  };
  put(map->compute);
  put(map->expression.nodes.size());
  for (auto const& node : map->expression.nodes) {
    put(node.kind);
    put(node.function);
    for (auto argument : node.arguments) put(argument);
    put(node.constant);
  }
  put(map->expression.outputs.size());
  for (auto output : map->expression.outputs) put(output);
  for (auto id : instruction.outputs)
    if (!put_operand(id)) return {};
  for (auto id : instruction.inputs) {
    auto const scalar = program[id].type.shape == Shape{};
    if (scalar) put(id.value);
    if (!scalar && !put_operand(id)) return {};
  }
  return key;
}

/// Merges the updates of one entry point.
class Merger {
 public:
  /// Ranges by the tensors they begin and end with; entry points share them.
  using Ranges = std::map<std::pair<TensorId, TensorId>, TensorId>;

  Merger(Specialization& specialization, EntryPoint& entry, Ranges& ranges)
      : specialization_(specialization),
        program_(specialization.program),
        entry_(entry),
        ranges_(ranges) {}

  void run();

 private:
  std::vector<std::vector<Update>> find_groups() const;
  void merge_group(std::vector<Update> group);
  bool adjoin(Update const& a, Update const& b) const;
  void merge(std::span<Update const> run);
  TensorId add_range(TensorId first, TensorId last);

  Specialization& specialization_;
  Program& program_;
  EntryPoint& entry_;
  Ranges& ranges_;
  std::vector<bool> removed_;
};

std::vector<std::vector<Update>> Merger::find_groups() const {
  auto const& instructions = entry_.instructions;
  std::vector<std::size_t> next_access(program_.tensors.size(), never), next_write = next_access;
  std::unordered_map<std::string, std::size_t> numbers;
  std::vector<std::vector<Update>> groups;
  for (auto i = instructions.size(); i-- > 0;) {
    auto const& instruction = instructions[i];
    if (auto key = key_of(program_, instruction); !key.empty()) {
      std::size_t limit = never;
      for (auto id : instruction.outputs)
        limit = std::min(limit, next_access[specialization_.storage[id.index()].index()]);
      for (auto id : instruction.inputs)
        limit = std::min(limit, next_write[specialization_.storage[id.index()].index()]);
      auto const number = numbers.try_emplace(std::move(key), groups.size()).first->second;
      if (number == groups.size()) groups.emplace_back();
      groups[number].push_back({i, owner_of(program_, instruction.outputs[0]), limit});
    }
    for (auto id : instruction.inputs) next_access[specialization_.storage[id.index()].index()] = i;
    for (auto id : instruction.outputs) {
      auto const at = specialization_.storage[id.index()].index();
      next_access[at] = next_write[at] = i;
    }
  }
  return groups;
}

/// Whether every operand of `b` lies right behind the same operand of `a`, in the same bucket.
bool Merger::adjoin(Update const& a, Update const& b) const {
  auto const& first = entry_.instructions[a.instruction];
  auto const& second = entry_.instructions[b.instruction];
  std::int64_t elements = -1;
  auto const follows = [&](TensorId x, TensorId y) {
    if (x == y) return true;  // a scalar, or the key would differ
    auto const& from = specialization_.slots[x.index()];
    auto const& to = specialization_.slots[y.index()];
    if (specialization_.bucket[x.index()] != specialization_.bucket[y.index()]) return false;
    if (from.arena != to.arena) return false;
    auto const distance = to.offset - from.offset;
    auto const size = static_cast<std::int64_t>(bytes_of(program_[x].type.type));
    // Nothing but padding may lie between.
    if (distance != specialization_.padded_bytes(x)) return false;
    if (elements == -1) elements = distance / size;
    return elements * size == distance;
  };
  return std::ranges::equal(first.inputs, second.inputs, follows) &&
         std::ranges::equal(first.outputs, second.outputs, follows);
}

TensorId Merger::add_range(TensorId first, TensorId last) {
  auto const& from = specialization_.slots[first.index()];
  auto const& to = specialization_.slots[last.index()];
  auto const bytes = to.offset + to.bytes - from.offset;
  Tensor range;
  range.name = program_[first].name + " .. " + program_[last].name;
  range.type.type = program_[first].type.type;
  range.type.shape.extents = {{bytes / static_cast<std::int64_t>(bytes_of(range.type.type))}};
  range.role = program_[first].role;
  range.owner = program_[first].owner;
  range.slot = program_[first].slot;
  range.origin = program_[first].origin;
  range.origin.pass = "merge_updates";
  specialization_.slots.push_back({from.arena, from.offset, bytes, true});
  specialization_.ranges.emplace_back();
  return program_.add(std::move(range));
}

void Merger::merge(std::span<Update const> run) {
  if (run.size() < 2) return;
  auto const& first = entry_.instructions[run.front().instruction];
  auto const& last = entry_.instructions[run.back().instruction];
  Instruction merged{first.op, {}, {}, first.origin};
  merged.origin.pass = "merge_updates";
  auto const range_of = [&](std::vector<TensorId> Instruction::*list, std::size_t index) {
    auto const from = (first.*list)[index], to = (last.*list)[index];
    if (from == to) return from;
    auto const [place, added] = ranges_.try_emplace({from, to});
    if (added) {
      place->second = add_range(from, to);
      for (auto const& update : run)
        specialization_.ranges.back().push_back(
            specialization_
                .storage[(entry_.instructions[update.instruction].*list)[index].index()]);
    }
    return place->second;
  };
  for (std::size_t k = 0; k < first.inputs.size(); ++k)
    merged.inputs.push_back(range_of(&Instruction::inputs, k));
  for (std::size_t k = 0; k < first.outputs.size(); ++k)
    merged.outputs.push_back(range_of(&Instruction::outputs, k));
  std::get<operators::map>(merged.op).shape = program_[merged.outputs[0]].type.shape;

  std::size_t at = 0;
  for (auto const& update : run) {
    removed_[update.instruction] = true;
    at = std::max(at, update.instruction);
  }
  removed_[at] = false;
  entry_.instructions[at] = std::move(merged);
}

/// Cuts a group, given from the last instruction to the first, where its members cannot wait for
/// one another, and each part where its weights are no neighbours.
void Merger::merge_group(std::vector<Update> group) {
  std::ranges::reverse(group);
  for (std::size_t begin = 0; begin < group.size();) {
    auto end = begin;
    for (auto limit = never; end < group.size() && group[end].instruction < limit; ++end)
      limit = std::min(limit, group[end].limit);
    auto const part = std::span(group).subspan(begin, end - begin);
    std::ranges::sort(part, {}, [&](Update const& update) {
      return specialization_.slots[update.owner.index()].offset;
    });
    std::size_t from = 0;
    for (std::size_t i = 1; i <= part.size(); ++i) {
      if (i < part.size() && adjoin(part[i - 1], part[i])) continue;
      merge(part.subspan(from, i - from));
      from = i;
    }
    begin = end;
  }
}

void Merger::run() {
  removed_.assign(entry_.instructions.size(), false);
  for (auto& group : find_groups()) merge_group(std::move(group));
  if (std::ranges::find(removed_, true) == removed_.end()) return;
  std::size_t index = 0;
  std::erase_if(entry_.instructions, [&](Instruction const&) { return removed_[index++]; });
}

}  // namespace

void merge_updates(Specialization& specialization) {
  specialization.first_range = specialization.program.tensors.size();
  Merger::Ranges ranges;
  for (auto& entry : specialization.program.entry_points)
    Merger(specialization, entry, ranges).run();
}

}  // namespace lbann
