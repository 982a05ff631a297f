// Activations and scratch share one arena; who lives at the same time gets other bytes.
#include <algorithm>
#include <limits>
#include <utility>

#include "schemas/specialization/allocate.hpp"
#include "schemas/specialization/exchange.hpp"
#include "schemas/specialization/panel_samples.hpp"
#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

constexpr auto not_placed = std::numeric_limits<std::size_t>::max();
/// The part of a rank's memory that may be spent so that threads disturb one another less.
constexpr std::int64_t part_to_spare = 64;

/// Places what has no place of its own. Steps number the instructions of all entry points in turn,
/// so that an activation used in two of them lives from the one to the other.
class Placer {
 public:
  explicit Placer(Specialization& specialization)
      : specialization_(specialization),
        program_(specialization.program),
        buffer_(program_.tensors.size(), not_placed) {}

  Result<Success> run();

 private:
  /// Whether `storage` has no place of its own yet.
  bool moves(TensorId storage) const {
    return program_[storage].role == TensorRole::activation &&
           !specialization_.slots[storage.index()].used;
  }
  std::size_t first_toucher(EntryPoint const& entry, std::size_t index) const;
  void find_messages();
  FactorBroadcast own_part(Instruction const& product) const;
  void add_broadcasts(EntryPoint const& entry, std::vector<Message>& messages);
  void add_barriers(EntryPoint const& entry, std::vector<Message>& messages) const;
  void find_lifetimes();
  void reuse_inputs(Instruction const& instruction, std::size_t step);
  std::int64_t samples_of(Instruction const& instruction) const;
  std::int64_t packed_bytes(Instruction const& instruction) const;
  std::int64_t exchange_bytes(Instruction const& collective) const;
  Result<Success> add_scratch();
  void give_places();

  Specialization& specialization_;
  Program& program_;
  std::vector<std::size_t> buffer_;        ///< per storage: the buffer it lies in
  std::vector<Lifetime> lifetimes_;        ///< per buffer
  std::vector<std::size_t> first_, last_;  ///< per storage
  std::size_t scratch_begin_ = 0;
};

/// The part of `product`, which updates weights [rows, columns] by broadcast factors, that this
/// rank computes.
FactorBroadcast Placer::own_part(Instruction const& product) const {
  auto const& placement = specialization_.placement;
  auto const& weights = program_[product.outputs[0]].type.shape;
  FactorBroadcast part;
  part.rows = weights.extents[0].size;
  part.columns = weights.extents[1].size;
  auto const own = own_rows(part.rows, specialization_.mesh.ranks(), placement.rank);
  Extent const rows{own.count(), false};
  auto const factor = [&](TensorId id, Extent columns) {
    part.inputs.push_back({{program_[id].type.type, Shape{batch_extent, columns}}, 0});
  };
  factor(product.inputs[0], rows);
  factor(product.inputs[1], {part.columns, false});
  // Of the epilogue's operands weights and moments have rows, all others are one number.
  auto const operand = [&](TensorId id) {
    auto const& type = program_[id].type;
    if (type.shape != weights) return PartOperand{type, 0};
    return PartOperand{{type.type, Shape{rows, {part.columns, false}}}, own.first * part.columns};
  };
  for (std::size_t i = 2; i < product.inputs.size(); ++i)
    part.inputs.push_back(operand(product.inputs[i]));
  for (auto id : product.outputs) part.outputs.push_back(operand(id));
  return part;
}

/// Gives factors to be broadcast their room in shared memory. They can be sent when they exist and
/// this rank has read the old weights for the last time: another rank will overwrite some of them.
void Placer::add_broadcasts(EntryPoint const& entry, std::vector<Message>& messages) {
  auto& broadcasts = specialization_.broadcasts.emplace_back();
  if (std::ranges::none_of(entry.instructions,
                           [&](auto const& instruction) { return instruction.factor_broadcast; }))
    return;
  // Per storage: how many instructions have passed when it was written, and touched, last.
  std::vector<std::size_t> written(program_.tensors.size(), 0), touched = written;
  auto& end = specialization_.arena_bytes[static_cast<std::size_t>(Arena::shared)];
  auto const mini_batch = specialization_.placement.mini_batch;
  for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
    auto const& instruction = entry.instructions[i];
    if (instruction.factor_broadcast) {
      auto factors = own_part(instruction);
      factors.instruction = i;
      auto const room = [&](std::int64_t columns) {
        auto const element = bytes_of(factors.inputs[0].type.type);
        auto const bytes = mini_batch * columns * static_cast<std::int64_t>(element);
        Slot const slot{Arena::shared, end, bytes, true};
        end += aligned(bytes);
        return slot;
      };
      factors.a = room(factors.rows);
      factors.b = room(factors.columns);
      std::size_t ready = 0;
      for (std::size_t k = 0; k < instruction.inputs.size(); ++k)
        specialization_.each_storage(instruction.inputs[k], [&](TensorId at) {
          if (k < 2) ready = std::max(ready, written[at.index()]);
          if (specialization_.is_shared(at)) ready = std::max(ready, touched[at.index()]);
        });
      messages.push_back(
          {ready, i, Message::Kind::factors, static_cast<std::uint32_t>(broadcasts.size())});
      broadcasts.push_back(std::move(factors));
    }
    for (auto id : instruction.inputs)
      specialization_.each_storage(id, [&](TensorId at) { touched[at.index()] = i + 1; });
    for (auto id : instruction.outputs)
      specialization_.each_storage(
          id, [&](TensorId at) { touched[at.index()] = written[at.index()] = i + 1; });
  }
}

/// A barrier stands where a rank begins to read what others have written to shared memory.
void Placer::add_barriers(EntryPoint const& entry, std::vector<Message>& messages) const {
  for (std::size_t i = 0; i < entry.instructions.size(); ++i)
    if (entry.instructions[i].awaits_ranks) messages.push_back({i, i, Message::Kind::barrier});
}

/// The first instruction after collective `index` that touches its operands, but for those that
/// work on other panels of them.
std::size_t Placer::first_toucher(EntryPoint const& entry, std::size_t index) const {
  auto const& collective = entry.instructions[index];
  std::vector<TensorId> storages;
  for (auto const* ids : {&collective.inputs, &collective.outputs})
    for (auto const id : *ids)
      specialization_.each_storage(id, [&](TensorId at) { storages.push_back(at); });
  for (auto i = index + 1; i < entry.instructions.size(); ++i) {
    auto const& instruction = entry.instructions[i];
    if (apart(collective, instruction)) continue;
    bool touches = false;
    for (auto const* ids : {&instruction.inputs, &instruction.outputs})
      for (auto const id : *ids)
        specialization_.each_storage(id, [&](TensorId at) {
          touches = touches || std::ranges::find(storages, at) != storages.end();
        });
    if (touches) return i;
  }
  return entry.instructions.size();
}

/// Every collective is awaited by the first that touches its operands, a reduce_scatter by the next
/// one at the latest.
void Placer::find_messages() {
  std::vector<std::size_t> next(program_.tensors.size());
  for (auto const& entry : program_.entry_points) {
    auto& messages = specialization_.messages.emplace_back();
    std::ranges::fill(next, entry.instructions.size());
    auto next_scatter = entry.instructions.size(), limit = next_scatter;
    for (auto i = entry.instructions.size(); i-- > 0;) {
      auto const& instruction = entry.instructions[i];
      auto const each = [&](auto visit) {
        for (auto const* ids : {&instruction.inputs, &instruction.outputs})
          for (auto id : *ids) specialization_.each_storage(id, visit);
      };
      if (is_collective(instruction)) {
        Message message{i, entry.instructions.size()};
        if (instruction.panel)
          message.needed = first_toucher(entry, i);
        else
          each([&](TensorId at) { message.needed = std::min(message.needed, next[at.index()]); });
        // What is scattered stays until it has been sent. Gradients of sharded weights are read by
        // the updates at the end: of all of them at once there would be no room.
        if (std::holds_alternative<operators::reduce_scatter>(instruction.op)) {
          // All panels of a product have their room anyway.
          bool const panels = next_scatter < entry.instructions.size() &&
                              apart(instruction, entry.instructions[next_scatter]);
          if (!panels) limit = next_scatter;
          message.needed = std::min(message.needed, limit);
          next_scatter = i;
        }
        messages.push_back(message);
      }
      each([&](TensorId at) { next[at.index()] = i; });
    }
    std::ranges::reverse(messages);
    // Collectives are posted by the instruction of this number, all else before it.
    std::vector<Message> others;
    add_broadcasts(entry, others);
    add_barriers(entry, others);
    messages.insert(messages.begin(), others.begin(), others.end());
    std::ranges::stable_sort(messages, {}, &Message::posted);
  }
}

void Placer::find_lifetimes() {
  first_.assign(program_.tensors.size(), not_placed);
  last_.assign(program_.tensors.size(), 0);
  std::size_t step = 0;
  for (auto const& entry : program_.entry_points)
    for (auto const& instruction : entry.instructions) {
      auto const touch = [&](TensorId id) {
        specialization_.each_storage(id, [&](TensorId storage) {
          first_[storage.index()] = std::min(first_[storage.index()], step);
          last_[storage.index()] = step;
        });
      };
      std::ranges::for_each(instruction.inputs, touch);
      std::ranges::for_each(instruction.outputs, touch);
      ++step;
    }
  step = 0;
  for (std::size_t e = 0; e < program_.entry_points.size(); ++e) {
    auto const& instructions = program_.entry_points[e].instructions;
    for (auto const& message : specialization_.messages[e]) {
      if (message.kind != Message::Kind::collective) continue;
      for (auto const* ids :
           {&instructions[message.posted].inputs, &instructions[message.posted].outputs})
        for (auto id : *ids)
          specialization_.each_storage(id, [&](TensorId storage) {
            auto const arrived = std::min(message.needed, instructions.size() - 1);
            last_[storage.index()] = std::max(last_[storage.index()], step + arrived);
          });
    }
    step += instructions.size();
  }
  step = 0;
  for (auto const& entry : program_.entry_points)
    for (auto const& instruction : entry.instructions) {
      reuse_inputs(instruction, step);
      for (auto id : instruction.outputs)
        specialization_.each_storage(id, [&](TensorId storage) {
          if (!moves(storage) || buffer_[storage.index()] != not_placed) return;
          buffer_[storage.index()] = lifetimes_.size();
          lifetimes_.push_back({specialization_.bytes(storage), step, last_[storage.index()]});
        });
      ++step;
    }
}

/// Lets outputs that are born here take the memory of inputs that die here, where the operator may
/// be computed in place.
void Placer::reuse_inputs(Instruction const& instruction, std::size_t step) {
  if (!in_place(instruction.op)) return;
  for (auto id : instruction.outputs) {
    auto const output = specialization_.storage_of(id);
    if (!output.valid() || !moves(output) || first_[output.index()] != step ||
        buffer_[output.index()] != not_placed)
      continue;
    auto const dies = [&](TensorId operand) {
      auto const storage = specialization_.storage_of(operand);
      if (!storage.valid() || !moves(storage) || last_[storage.index()] != step) return false;
      auto const buffer = buffer_[storage.index()];
      if (buffer == not_placed || lifetimes_[buffer].last != step) return false;
      // Every operand in this memory must be read just where it is overwritten.
      return std::ranges::all_of(instruction.inputs, [&](TensorId other) {
        auto const at = specialization_.storage_of(other);
        return !at.valid() || buffer_[at.index()] != buffer ||
               program_[other].type == program_[id].type;
      });
    };
    auto const found = std::ranges::find_if(instruction.inputs, dies);
    if (found == instruction.inputs.end()) continue;
    auto const buffer = buffer_[specialization_.storage_of(*found).index()];
    buffer_[output.index()] = buffer;
    lifetimes_[buffer].last = last_[output.index()];
    // An output that dies at once still keeps others away in this step.
    if (last_[output.index()] == step)
      last_[specialization_.storage_of(*found).index()] = not_placed;
  }
}

/// This rank's samples where it executes `instruction`: those of an operand that has any.
std::int64_t Placer::samples_of(Instruction const& instruction) const {
  auto const mini_batch = specialization_.placement.mini_batch;
  for (auto const* ids : {&instruction.outputs, &instruction.inputs})
    for (auto id : *ids)
      if (program_[id].type.shape.has_batch()) return specialization_.samples(id, mini_batch);
  return specialization_.largest_batch;
}

/// Room for the pieces that a collective sends and receives; sums are made by the library.
std::int64_t Placer::exchange_bytes(Instruction const& collective) const {
  if (is_sum(collective)) return 0;
  auto const input = collective.inputs[0], output = collective.outputs[0];
  auto const rank = specialization_.placement.rank;
  auto const room = exchange_room(
      specialization_.whole_shapes[input.index()], specialization_.distribution(input),
      specialization_.distribution(output), summed_axes(collective.op), specialization_.mesh,
      specialization_.placement.mini_batch, rank, collective.panel);
  auto const element = static_cast<std::int64_t>(bytes_of(program_[input].type.type));
  return aligned(room.sent * element) + aligned(room.received * element);
}

/// Room for the rows of a panel that are several ranges, which are copied together.
std::int64_t Placer::packed_bytes(Instruction const& instruction) const {
  if (!instruction.panel) return 0;
  auto const& mesh = specialization_.mesh;
  auto const mini_batch = specialization_.placement.mini_batch;
  auto const rows = specialization_.distribution(instruction.outputs[0]).split[0];
  auto const ranges = held_samples(panel_samples(*instruction.panel, mesh, mini_batch, mesh.rank()),
                                   mesh.part(mini_batch, rows));
  if (ranges.size() < 2) return 0;
  std::int64_t bytes = 0;
  for (auto const* ids : {&instruction.inputs, &instruction.outputs})
    for (auto const id : *ids)
      if (auto const& type = program_[id].type; type.shape.has_batch())
        bytes += aligned(type.shape.elements(count(ranges)) *
                         static_cast<std::int64_t>(bytes_of(type.type)));
  return bytes;
}

Result<Success> Placer::add_scratch() {
  scratch_begin_ = lifetimes_.size();
  std::size_t step = 0;
  // Types are copied to where others were before, so that shapes need no new memory.
  TensorTypes inputs, outputs;
  auto const copy = [&](std::vector<TensorId> const& ids, TensorTypes& types) {
    if (types.size() < ids.size()) types.resize(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) types[i] = program_[ids[i]].type;
    return std::span<TensorType const>(types).first(ids.size());
  };
  for (std::size_t e = 0; e < program_.entry_points.size(); ++e) {
    auto const& instructions = program_.entry_points[e].instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      auto const& instruction = instructions[i];
      if (is_collective(instruction)) {
        // What waits to be sent or was received is needed until all has arrived.
        auto const message =
            std::ranges::find_if(specialization_.messages[e], [&](Message const& each) {
              return each.posted == i && each.kind == Message::Kind::collective;
            });
        auto const last = std::min(message->needed, instructions.size() - 1);
        lifetimes_.push_back({exchange_bytes(instruction), step, step - i + last, false});
        ++step;
        continue;
      }
      // A product of broadcast factors has fewer rows, but is over all samples.
      auto const samples = instruction.factor_broadcast ? specialization_.placement.mini_batch
                                                        : samples_of(instruction);
      auto const bytes = scratch_bytes(
          instruction.op, {copy(instruction.inputs, inputs), copy(instruction.outputs, outputs)},
          samples, specialization_.placement.threads);
      if (bytes < 0 || bytes >= std::int64_t{1} << 50)
        return Problem{"an instruction of `" + instruction.origin.name + "` (" +
                       std::string(name_of(instruction.op)) + ") needs impossible scratch memory"};
      auto const packed = packed_bytes(instruction);
      lifetimes_.push_back({packed == 0 ? bytes : aligned(bytes) + packed, step, step, false});
      ++step;
    }
  }
  return Success{};
}

void Placer::give_places() {
  std::int64_t others = 0;
  for (auto const bytes : specialization_.arena_bytes) others += bytes;
  auto const live = largest_live(lifetimes_);
  auto const allocation =
      allocate(lifetimes_, specialization_.placement.threads, (others + live) / part_to_spare);
  specialization_.live_bytes = live;
  auto& slots = specialization_.slots;
  for (std::size_t i = 0; i < buffer_.size(); ++i)
    if (buffer_[i] != not_placed)
      slots[i] = {Arena::activations, allocation.offsets[buffer_[i]],
                  specialization_.bytes(TensorId(i)), true};
  for (std::size_t i = 0; i < specialization_.storage.size(); ++i)
    if (auto const storage = specialization_.storage[i]; storage.index() != i)
      slots[i] = slots[storage.index()];
  specialization_.arena_bytes[static_cast<std::size_t>(Arena::activations)] = allocation.bytes;
  auto next = scratch_begin_;
  for (auto const& entry : program_.entry_points) {
    auto& list = specialization_.scratch.emplace_back();
    for (std::size_t i = 0; i < entry.instructions.size(); ++i, ++next)
      list.push_back({Arena::activations, allocation.offsets[next], lifetimes_[next].bytes,
                      lifetimes_[next].bytes > 0});
  }
}

Result<Success> Placer::run() {
  find_messages();
  find_lifetimes();
  if (auto added = add_scratch(); !added) return added;
  give_places();
  return Success{};
}

}  // namespace

Result<Success> place(Specialization& specialization) { return Placer(specialization).run(); }

}  // namespace lbann
