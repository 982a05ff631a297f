// Sums whose operands are neighbours travel in one message.
#include <algorithm>
#include <limits>
#include <map>

#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

constexpr auto no_access = std::numeric_limits<std::size_t>::max();

/// Sums that will be one: instructions from first to last, and where the first result is needed.
struct Parcel {
  std::vector<std::size_t> sums;
  std::size_t limit = no_access;
};

class MessageJoiner {
 public:
  MessageJoiner(Specialization& specialization, EntryPoint& entry)
      : specialization_(specialization),
        program_(specialization.program),
        entry_(entry),
        removed_(entry.instructions.size(), false) {}

  void run();

 private:
  void find_next_accesses();
  bool fits(Parcel const& parcel, std::size_t sum) const;
  void close(Parcel const& parcel);

  Slot const& slot(std::size_t sum) const {
    return specialization_.slots[entry_.instructions[sum].inputs[0].index()];
  }

  Specialization& specialization_;
  Program& program_;
  EntryPoint& entry_;
  std::vector<std::size_t> next_access_;  ///< per instruction: who touches its output next
  std::vector<bool> removed_;
};

void MessageJoiner::find_next_accesses() {
  std::vector<std::size_t> next(program_.tensors.size(), no_access);
  next_access_.assign(entry_.instructions.size(), no_access);
  for (auto i = entry_.instructions.size(); i-- > 0;) {
    auto const& instruction = entry_.instructions[i];
    if (is_collective(instruction))
      specialization_.each_storage(instruction.outputs[0], [&](TensorId storage) {
        next_access_[i] = std::min(next_access_[i], next[storage.index()]);
      });
    for (auto const* ids : {&instruction.inputs, &instruction.outputs})
      for (auto id : *ids)
        specialization_.each_storage(id, [&](TensorId storage) { next[storage.index()] = i; });
  }
}

/// Whether `sum` lies right behind the last of `parcel`, and can be awaited with its first.
bool MessageJoiner::fits(Parcel const& parcel, std::size_t sum) const {
  if (sum >= parcel.limit) return false;
  auto const& last = entry_.instructions[parcel.sums.back()];
  auto const& next = entry_.instructions[sum];
  auto const distance = slot(sum).offset - slot(parcel.sums.back()).offset;
  return last.op == next.op && distance == specialization_.padded_bytes(last.inputs[0]);
}

void MessageJoiner::close(Parcel const& parcel) {
  if (parcel.sums.size() < 2) return;
  auto const& first = entry_.instructions[parcel.sums.front()];
  auto& last = entry_.instructions[parcel.sums.back()];
  auto const from = slot(parcel.sums.front()), to = slot(parcel.sums.back());
  auto const& model = program_[first.inputs[0]];
  Tensor range;
  range.name = model.name + " .. " + program_[last.inputs[0]].name;
  range.type.type = model.type.type;
  auto const bytes = to.offset + to.bytes - from.offset;
  range.type.shape.extents = {{bytes / static_cast<std::int64_t>(bytes_of(range.type.type))}};
  range.role = model.role;
  range.owner = model.owner;
  range.origin = last.origin;
  range.origin.pass = "join_messages";
  std::vector<TensorId> covered;
  for (auto sum : parcel.sums) {
    covered.push_back(specialization_.storage_of(entry_.instructions[sum].inputs[0]));
    removed_[sum] = true;
  }
  auto const origin = range.origin;
  auto const id = program_.add(std::move(range));
  specialization_.slots.push_back({from.arena, from.offset, bytes, true});
  specialization_.ranges.push_back(std::move(covered));
  removed_[parcel.sums.back()] = false;
  last = {last.op, {id}, {id}, origin};
}

void MessageJoiner::run() {
  find_next_accesses();
  std::map<std::pair<std::int32_t, DataType>, Parcel> open;  // by bucket and type
  auto const count = entry_.instructions.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto const& instruction = entry_.instructions[i];
    if (!is_sum(instruction) || instruction.inputs != instruction.outputs) continue;
    auto const storage = specialization_.storage_of(instruction.inputs[0]);
    auto const number = storage.valid() ? specialization_.bucket[storage.index()] : no_bucket;
    if (number == no_bucket || storage != instruction.inputs[0]) continue;
    auto& parcel = open[{number, program_[storage].type.type}];
    if (!parcel.sums.empty() && !fits(parcel, i)) {
      close(parcel);
      parcel = {};
    }
    parcel.sums.push_back(i);
    parcel.limit = std::min(parcel.limit, next_access_[i]);
  }
  for (auto const& [number, parcel] : open) close(parcel);
  std::size_t index = 0;
  std::erase_if(entry_.instructions, [&](Instruction const&) { return removed_[index++]; });
}

}  // namespace

void join_messages(Specialization& specialization) {
  for (auto& entry : specialization.program.entry_points)
    if (std::ranges::any_of(entry.instructions, is_collective))
      MessageJoiner(specialization, entry).run();
}

}  // namespace lbann
