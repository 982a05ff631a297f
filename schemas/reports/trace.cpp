// A timeline of computing and of messages.
#include "schemas/reports/trace.hpp"

#include <algorithm>
#include <bit>

#include "schemas/program/distribution.hpp"
#include "schemas/reports/flops.hpp"
#include "schemas/specialization/exchange.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann {

namespace {

class Timeline {
 public:
  Timeline(SpecializedProgram const& program, SpecializedEntry const& entry, Machine const& machine)
      : program_(program), entry_(entry), machine_(machine) {}

  EntryTrace run() {
    trace_.entry = entry_.name;
    arrivals_.assign(entry_.instructions.size() + 1, 0);
    auto message = entry_.messages.begin();
    for (std::size_t i = 0; i < entry_.instructions.size(); ++i) {
      auto const& instruction = entry_.instructions[i];
      for (; message != entry_.messages.end() && message->posted <= i &&
             message->kind != Message::Kind::collective;
           ++message)
        broadcast(*message);
      TracedInstruction traced;
      traced.op = name_of(instruction.op);
      traced.layer = instruction.origin.name;
      traced.begin = now_;
      traced.waited = wait(i);
      if (message != entry_.messages.end() && message->posted == i) {
        send(instruction, traced);
        arrivals_[message->needed] = std::max(arrivals_[message->needed], traced.arrives);
        ++message;
      } else {
        compute(i, traced);
      }
      now_ += traced.seconds;
      trace_.instructions.push_back(std::move(traced));
    }
    wait(entry_.instructions.size());
    trace_.seconds = now_;
    return std::move(trace_);
  }

 private:
  /// Seconds until all messages that instruction `index` needs are there.
  double wait(std::size_t index) {
    auto const waited = std::max(arrivals_[index] - now_, 0.0);
    now_ += waited;
    trace_.waited += waited;
    return waited;
  }

  std::int64_t bytes(Instruction const& instruction, TensorId id) const {
    auto const& type = program_.tensors[id.index()].type;
    auto const samples =
        type.shape.has_batch() ? program_.samples(instruction, id, program_.mini_batch) : 0;
    return type.shape.elements(samples) * static_cast<std::int64_t>(bytes_of(type.type));
  }

  /// Whether an instruction only gives its input's memory another shape.
  bool renames(Instruction const& instruction) const {
    if (!std::holds_alternative<operators::reshape>(instruction.op)) return false;
    auto const &from = program_.slots[instruction.inputs[0].index()],
               &to = program_.slots[instruction.outputs[0].index()];
    return from.arena == to.arena && from.offset == to.offset;
  }

  /// Rows of a panel that are copied together, read and written once more each.
  std::int64_t packed_bytes(Instruction const& instruction) const {
    auto const ranges = program_.panel_of(instruction, instruction.outputs[0], program_.mini_batch);
    std::int64_t packed = 0;
    for (auto const* ids : {&instruction.inputs, &instruction.outputs})
      for (auto const id : *ids)
        if (ranges.size() > 1 && program_.whole_shapes[id.index()].has_batch())
          packed += bytes(instruction, id);
    return packed;
  }

  void compute(std::size_t index, TracedInstruction& traced) const {
    auto const& instruction = entry_.instructions[index];
    if (renames(instruction)) return;
    traced.flops = flops_of(program_, entry_, index);
    for (auto const* ids : {&instruction.inputs, &instruction.outputs})
      for (auto const id : *ids) traced.bytes += bytes(instruction, id);
    if (instruction.panel) traced.bytes += 2 * packed_bytes(instruction);
    traced.seconds = std::max(static_cast<double>(traced.flops) / machine_.flops,
                              static_cast<double>(traced.bytes) / machine_.memory);
  }

  void send(Instruction const& collective, TracedInstruction& traced) {
    auto const [sent, peers] = sent_by(program_, collective);
    traced.bytes = sent;
    traced.peers = peers;
    auto const rounds =
        is_sum(collective) ? 2 * std::bit_width(static_cast<std::uint64_t>(peers)) : peers;
    if (traced.peers == 0) {
      // Every rank has what it is to have.
      traced.bytes =
          bytes(collective, collective.inputs[0]) + bytes(collective, collective.outputs[0]);
      traced.seconds = static_cast<double>(traced.bytes) / machine_.memory;
      traced.arrives = now_ + traced.seconds;
      return;
    }
    sent_ = std::max(sent_, now_) + static_cast<double>(rounds) * machine_.latency +
            static_cast<double>(traced.bytes) / machine_.network;
    traced.arrives = sent_;
  }

  /// Factors are copied to shared memory before the product that needs those of all ranks;
  /// gradients have been computed there.
  void broadcast(Message const& message) {
    if (message.kind == Message::Kind::factors) {
      auto const& factors = entry_.broadcasts[message.broadcast];
      auto const copied = factors.a.bytes + factors.b.bytes;
      now_ += static_cast<double>(copied) / static_cast<double>(program_.ranks) / machine_.memory;
    }
    arrivals_[message.needed] = std::max(arrivals_[message.needed], now_ + machine_.latency);
  }

  SpecializedProgram const& program_;
  SpecializedEntry const& entry_;
  Machine const& machine_;
  EntryTrace trace_;
  std::vector<double> arrivals_;  ///< per instruction, and the end: of the messages it needs
  double now_ = 0, sent_ = 0;     ///< `sent_`: when the last message has left
};

}  // namespace

std::vector<EntryTrace> report_trace(SpecializedProgram const& program, Machine const& machine) {
  std::vector<EntryTrace> traces;
  for (auto const& entry : program.entries)
    traces.push_back(Timeline(program, entry, machine).run());
  return traces;
}

}  // namespace lbann
