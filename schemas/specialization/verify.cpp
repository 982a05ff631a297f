// What must hold of a program on its way to one rank.
#include <map>

#include "schemas/specialization/panel_samples.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann {

namespace {

using Fault = std::optional<std::string>;

std::string quoted(Program const& program, TensorId id) { return "`" + program[id].name + "`"; }

/// Types of operands as the operators' rules give them: sums in place, ranges and copies too, which
/// the check of a plan's program does not know.
Fault check_types(Specialization const& specialization) {
  auto const& program = specialization.program;
  TensorTypes inputs;
  for (auto const& entry : program.entry_points)
    for (auto const& instruction : entry.instructions) {
      // What a collective moves is of one type only as a whole.
      if (specialization.is_local && is_collective(instruction)) continue;
      inputs.clear();
      for (auto id : instruction.inputs) inputs.push_back(program[id].type);
      auto const types = infer(instruction.op, inputs);
      if (!types) return to_text(program, instruction) + ": " + types.problem().message;
      bool const same = std::ranges::equal(
          types.value(), instruction.outputs,
          [&](TensorType const& type, TensorId id) { return program[id].type == type; });
      if (!same) return to_text(program, instruction) + ": outputs of other types";
    }
  return std::nullopt;
}

/// After `gather_factors`: weights that ranks share are updated by products of broadcast factors
/// alone, of which each rank computes some rows.
Fault check_broadcasts(Specialization const& specialization) {
  auto const& program = specialization.program;
  for (auto const& entry : program.entry_points)
    for (auto const& instruction : entry.instructions) {
      bool const writes_shared = std::ranges::any_of(
          instruction.outputs, [&](TensorId id) { return specialization.is_shared(id); });
      if (entry.name == "initialize" || writes_shared == instruction.factor_broadcast) continue;
      return to_text(program, instruction) + (writes_shared ? ": every rank writes what all share"
                                                            : ": broadcasts factors of none");
    }
  return std::nullopt;
}

/// After `split_updates`: what ranks share is updated by products of broadcast factors, or by maps
/// over parts.
Fault check_updates(Specialization const& specialization) {
  auto const& program = specialization.program;
  for (auto const& entry : program.entry_points)
    for (auto const& instruction : entry.instructions) {
      if (entry.name == "initialize" || instruction.factor_broadcast) continue;
      for (auto const id : instruction.outputs) {
        auto const& slot = specialization.slots[id.index()];
        if (slot.arena != Arena::shared || program[id].origin.pass == "split_updates") continue;
        if (is_state(program[id].role) || is_collective(instruction))
          return to_text(program, instruction) + ": every rank writes what all share";
      }
    }
  return std::nullopt;
}

/// After `layout`: every tensor lies in memory that has an owner and is large enough.
Fault check_storages(Specialization const& specialization) {
  auto const& program = specialization.program;
  auto const& storage = specialization.storage;
  for (std::size_t i = 0; i < storage.size(); ++i) {
    if (storage[storage[i].index()] != storage[i])
      return quoted(program, storage[i]) + " owns memory and lies in that of another";
    if (specialization.bytes(TensorId(i)) > specialization.bytes(storage[i]))
      return quoted(program, TensorId(i)) + " is larger than " + quoted(program, storage[i]) +
             ", whose memory it uses";
  }
  return std::nullopt;
}

/// After `bucket`: places are aligned and inside their arenas; those that do not depend on
/// lifetimes share no byte.
Fault check_places(Specialization const& specialization) {
  auto const& program = specialization.program;
  std::map<std::pair<Arena, std::int64_t>, TensorId> taken;  // by place
  for (std::size_t i = 0; i < specialization.storage.size(); ++i) {
    auto const& slot = specialization.slots[i];
    if (!slot.used) continue;
    TensorId const id(i);
    auto const end = specialization.arena_bytes[static_cast<std::size_t>(slot.arena)];
    if (slot.offset < 0 || slot.offset % buffer_alignment != 0)
      return quoted(program, id) + " is not aligned";
    if (slot.bytes < specialization.bytes(id) || slot.offset + slot.bytes > end)
      return quoted(program, id) + " leaves its arena";
    if (slot.arena == Arena::activations || specialization.storage[i] != id || slot.bytes == 0)
      continue;
    if (!taken.try_emplace({slot.arena, slot.offset}, id).second)
      return quoted(program, id) + " begins where another tensor does";
  }
  for (auto at = taken.begin(); at != taken.end(); ++at) {
    auto const next = std::next(at);
    if (next == taken.end() || next->first.first != at->first.first) continue;
    if (at->first.second + specialization.slots[at->second.index()].bytes > next->first.second)
      return quoted(program, at->second) + " overlaps " + quoted(program, next->second);
  }
  return std::nullopt;
}

/// After `merge_updates`: what a range covers lies inside of it, or overlaps it if it is a part.
Fault check_ranges(Specialization const& specialization) {
  auto const& program = specialization.program;
  for (std::size_t i = 0; i < specialization.ranges.size(); ++i) {
    TensorId const id(specialization.first_range + i);
    auto const& whole = specialization.slots[id.index()];
    bool const is_part = program[id].origin.pass == "split_updates";
    for (auto covered : specialization.ranges[i]) {
      auto const& part = specialization.slots[covered.index()];
      bool const inside =
          part.offset >= whole.offset && part.offset + part.bytes <= whole.offset + whole.bytes;
      bool const overlaps =
          part.offset < whole.offset + whole.bytes && whole.offset < part.offset + part.bytes;
      if (part.arena != whole.arena || !(is_part ? overlaps : inside))
        return quoted(program, covered) + " leaves its range " + quoted(program, id);
    }
  }
  return std::nullopt;
}

/// Goes through all instructions in turn and notes who wrote each byte of the activations last.
class OverlapCheck {
 public:
  explicit OverlapCheck(Specialization const& specialization)
      : specialization_(specialization), program_(specialization.program) {}

  Fault run() {
    for (std::size_t e = 0; e < program_.entry_points.size(); ++e) {
      auto const& instructions = program_.entry_points[e].instructions;
      for (std::size_t i = 0; i < instructions.size(); ++i)
        if (auto fault = check(e, i))
          return program_.entry_points[e].name + ", instruction " + std::to_string(i) + ", " +
                 to_text(program_, instructions[i]) + ": " + *fault;
    }
    return std::nullopt;
  }

 private:
  struct Written {
    std::int64_t end;
    TensorId by;  ///< a storage; invalid: scratch
  };

  static bool overlap(Slot const& a, Slot const& b) {
    return a.arena == b.arena && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
  }
  /// The place of a storage among the activations; null if it lies elsewhere or is empty.
  Slot const* place(TensorId storage) const {
    auto const& slot = specialization_.slots[storage.index()];
    return slot.used && slot.arena == Arena::activations && slot.bytes > 0 ? &slot : nullptr;
  }

  Fault check(std::size_t e, std::size_t i);
  Fault check_in_flight(std::size_t e, std::size_t i, Slot const& written, TensorId by) const;
  void write(Slot const& slot, TensorId by);
  bool holds(Slot const& slot, TensorId by) const;

  Specialization const& specialization_;
  Program const& program_;
  std::map<std::int64_t, Written> bytes_;  ///< by first byte; what lies apart from one another
};

void OverlapCheck::write(Slot const& slot, TensorId by) {
  auto const begin = slot.offset, end = slot.offset + slot.bytes;
  auto at = bytes_.upper_bound(begin);
  if (at != bytes_.begin()) --at;
  while (at != bytes_.end() && at->first < end) {
    auto const [first, old] = *at;
    if (old.end <= begin) {
      ++at;
      continue;
    }
    at = bytes_.erase(at);
    if (first < begin) bytes_[first] = {begin, old.by};
    if (old.end > end) bytes_[end] = old;
  }
  bytes_[begin] = {end, by};
}

bool OverlapCheck::holds(Slot const& slot, TensorId by) const {
  auto const at = bytes_.find(slot.offset);
  return at != bytes_.end() && at->second.by == by && at->second.end == slot.offset + slot.bytes;
}

/// Whether something is written over what a message carries, between its posting and its arrival.
Fault OverlapCheck::check_in_flight(std::size_t e, std::size_t i, Slot const& written,
                                    TensorId by) const {
  auto const& instructions = program_.entry_points[e].instructions;
  for (auto const& message : specialization_.messages[e]) {
    if (message.posted >= i) break;
    if (message.kind != Message::Kind::collective || message.needed <= i) continue;
    if (by.valid() && apart(instructions[message.posted], instructions[i])) continue;
    for (auto id : instructions[message.posted].outputs) {
      auto const& carried = specialization_.slots[id.index()];
      if (overlap(carried, written))
        return (by.valid() ? quoted(program_, by) : "scratch") + " is written over " +
               quoted(program_, id) + ", which is on its way to other ranks";
    }
  }
  return std::nullopt;
}

Fault OverlapCheck::check(std::size_t e, std::size_t i) {
  auto const& instruction = program_.entry_points[e].instructions[i];
  auto const& scratch = specialization_.scratch[e][i];
  Fault fault;
  auto const each = [&](std::vector<TensorId> const& ids, auto visit) {
    for (auto id : ids)
      specialization_.each_storage(id, [&](TensorId storage) {
        if (auto const* slot = place(storage); slot != nullptr && !fault) visit(storage, *slot);
      });
  };
  bool const by_element = in_place(instruction.op);
  each(instruction.inputs, [&](TensorId storage, Slot const& slot) {
    if (!holds(slot, storage)) fault = quoted(program_, storage) + " was written over";
    if (scratch.used && overlap(slot, scratch))
      fault = "scratch overlaps " + quoted(program_, storage);
  });
  if (scratch.used && !fault) {
    fault = check_in_flight(e, i, scratch, {});
    write(scratch, {});
  }
  each(instruction.outputs, [&](TensorId storage, Slot const& slot) {
    if (scratch.used && overlap(slot, scratch))
      fault = "scratch overlaps " + quoted(program_, storage);
    if (!fault) fault = check_in_flight(e, i, slot, storage);
    if (!by_element)
      each(instruction.inputs, [&](TensorId input, Slot const& read) {
        if (input != storage && overlap(read, slot))
          fault = quoted(program_, storage) + " is written over " + quoted(program_, input) +
                  " while that is read";
      });
    write(slot, storage);
  });
  return fault;
}

}  // namespace

std::optional<std::string> verify(Specialization const& specialization,
                                  std::span<std::string_view const> established) {
  auto const holds = [&](std::string_view pass) {
    return std::ranges::find(established, pass) != established.end();
  };
  // From then on sums are taken in place, and ranges stand for several tensors.
  auto fault =
      holds("reduce_in_place") ? check_types(specialization) : verify(specialization.program);
  if (!fault && holds("gather_factors") && !holds("share_gradients"))
    fault = check_broadcasts(specialization);
  if (!fault && holds("layout")) fault = check_storages(specialization);
  if (!fault && holds("bucket")) fault = check_places(specialization);
  if (!fault && holds("merge_updates")) fault = check_ranges(specialization);
  if (!fault && holds("split_updates")) fault = check_updates(specialization);
  if (!fault && holds("place")) fault = OverlapCheck(specialization).run();
  return fault;
}

}  // namespace lbann
