// Symbols are numbers; memory is a map from byte ranges to symbols.
#include "tests/schemas/specialization/symbolic_run.hpp"

#include <algorithm>
#include <bit>

#include "schemas/functions/function.hpp"
#include "schemas/vocabulary/philox.hpp"

namespace lbann::tests {

namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) { return scrambled(a * 31 + scrambled(b)); }
std::uint64_t mix(std::uint64_t a, Symbol b) { return mix(a, std::bit_cast<std::uint64_t>(b)); }

/// A number in 0.5 ... 1.5.
Symbol symbol_of(std::uint64_t hash) { return 0.5 + static_cast<double>(hash >> 11) * 0x1p-53; }

std::uint64_t hash_of(std::string_view text) {
  return static_cast<std::uint64_t>(random_name(text));
}

/// Results of an expression on these operands.
std::vector<Symbol> evaluate(Expression const& expression, std::vector<Symbol> const& operands) {
  std::vector<Symbol> values;
  for (auto const& node : expression.nodes) {
    switch (node.kind) {
      case Node::Kind::operand:
        values.push_back(operands.at(node.arguments[0]));
        break;
      case Node::Kind::constant:
        values.push_back(node.constant);
        break;
      case Node::Kind::function: {
        auto const& info = info_of(node.function);
        std::vector<double> arguments;
        for (std::size_t i = 0; i < info.arity; ++i) arguments.push_back(values[node.arguments[i]]);
        values.push_back(info.value(arguments.data()));
        break;
      }
    }
  }
  std::vector<Symbol> outputs;
  for (auto output : expression.outputs) outputs.push_back(values[output]);
  return outputs;
}

/// What an operator that is no map makes of its first `count` operands: depends on those fields
/// that fusion leaves alone.
std::uint64_t product_of(Operator const& op, std::vector<Symbol> const& operands,
                         std::size_t count) {
  auto const record = to_record(op);
  auto hash = hash_of(record.type);
  for (auto const& [name, field] : record.fields) {
    if (auto const* integer = std::get_if<std::int64_t>(&field))
      hash = mix(hash, static_cast<std::uint64_t>(*integer));
    if (auto const* flag = std::get_if<bool>(&field)) hash = mix(hash, std::uint64_t{*flag});
    if (auto const* list = std::get_if<std::vector<std::int64_t>>(&field))
      for (auto item : *list) hash = mix(hash, static_cast<std::uint64_t>(item));
  }
  for (std::size_t i = 0; i < count; ++i) hash = mix(hash, operands.at(i));
  return hash;
}

/// What `op` writes, one symbol per output.
std::vector<Symbol> apply(Operator const& op, std::vector<Symbol> const& inputs,
                          std::size_t outputs) {
  if (auto const* map = std::get_if<operators::map>(&op)) return evaluate(map->expression, inputs);
  if (std::holds_alternative<operators::reshape>(op) ||
      std::holds_alternative<operators::all_reduce>(op))
    return {inputs.at(0)};
  if (auto const* reduce = std::get_if<operators::reduce>(&op)) {
    auto symbols = evaluate(reduce->expression, inputs);
    for (auto& symbol : symbols) symbol = symbol_of(product_of(op, {symbol}, 1));
    return symbols;
  }
  auto const with_epilogue = [&](Expression const& epilogue) -> std::vector<Symbol> {
    std::vector<Symbol> operands = {symbol_of(product_of(op, inputs, 2))};
    if (epilogue.empty()) return operands;
    operands.insert(operands.end(), inputs.begin() + 2, inputs.end());
    return evaluate(epilogue, operands);
  };
  if (auto const* matmul = std::get_if<operators::matmul>(&op))
    return with_epilogue(matmul->epilogue);
  if (auto const* convolution = std::get_if<operators::convolution>(&op))
    return with_epilogue(convolution->epilogue);
  std::vector<Symbol> symbols;
  for (std::size_t i = 0; i < outputs; ++i)
    symbols.push_back(
        symbol_of(mix(product_of(op, inputs, inputs.size()), static_cast<std::uint64_t>(i))));
  return symbols;
}

Symbol initial(Tensor const& tensor) { return symbol_of(hash_of(tensor.name)); }

bool lasts(Tensor const& tensor) {
  return is_state(tensor.role) || tensor.role == TensorRole::result;
}

/// Bytes of all arenas: which range holds which symbol. A range written over in part is gone.
class Memory {
 public:
  void write(Slot const& slot, Symbol symbol) {
    auto& ranges = arenas_[static_cast<std::size_t>(slot.arena)];
    for (auto range = ranges.begin(); range != ranges.end();) {
      auto const apart = range->first >= slot.offset + slot.bytes ||
                         range->first + range->second.bytes <= slot.offset;
      range = apart ? std::next(range) : ranges.erase(range);
    }
    if (slot.bytes > 0) ranges[slot.offset] = {slot.bytes, symbol};
  }
  /// The symbol that fills exactly `slot`; nothing if something else lies there.
  std::optional<Symbol> read(Slot const& slot) const {
    auto const& ranges = arenas_[static_cast<std::size_t>(slot.arena)];
    auto const found = ranges.find(slot.offset);
    if (found == ranges.end() || found->second.bytes != slot.bytes) return std::nullopt;
    return found->second.symbol;
  }

 private:
  struct Range {
    std::int64_t bytes;
    Symbol symbol;
  };
  std::map<std::int64_t, Range> arenas_[arena_count];
};

bool overlap(Slot const& a, Slot const& b) {
  return a.arena == b.arena && a.bytes > 0 && b.bytes > 0 && a.offset < b.offset + b.bytes &&
         b.offset < a.offset + a.bytes;
}

class ArenaRun {
 public:
  ArenaRun(SpecializedProgram const& program, Program const& original,
           std::vector<std::string>& faults)
      : program_(program), original_(original), faults_(faults) {}

  Outcome run(std::vector<std::string> const& entries) {
    for (std::size_t i = 0; i < original_.tensors.size(); ++i)
      if (auto const& tensor = original_.tensors[i];
          is_state(tensor.role) || tensor.role == TensorRole::input)
        memory_.write(program_.slots[i], initial(tensor));
    for (auto const& name : entries) {
      entry_ = program_.entry(name);
      if (entry_->status.valid()) memory_.write(slot(entry_->status), 1);
      split_ = 0;
      for (at_ = 0; at_ < entry_->instructions.size(); ++at_) {
        check_messages();
        execute();
      }
    }
    Outcome outcome;
    for (std::size_t i = 0; i < original_.tensors.size(); ++i)
      if (lasts(original_.tensors[i]))
        outcome[original_.tensors[i].name] = memory_.read(program_.slots[i]).value_or(-3);
    return outcome;
  }

 private:
  void fault(std::string const& what) {
    faults_.push_back(entry_->name + ", instruction " + std::to_string(at_) + ": " + what);
  }
  Slot const& slot(TensorId id) const { return program_.slots[id.index()]; }
  Tensor const& tensor(TensorId id) const { return program_.tensors[id.index()]; }

  bool is_part(TensorId id) const { return tensor(id).origin.pass == "split_updates"; }
  bool reads_other_ranks(Instruction const& instruction) const {
    return std::ranges::any_of(instruction.inputs,
                               [&](TensorId id) { return program_.is_of_another_rank(id); });
  }
  /// What all ranks together touch, of whose parts the first rank has the first.
  Slot whole(TensorId id) const {
    auto place = slot(id);
    if (is_part(id))
      place.bytes = program_.split_updates.at(split_) *
                    static_cast<std::int64_t>(bytes_of(tensor(id).type.type));
    return place;
  }

  /// The tensor itself, or for a range added by specialisation all tensors inside, by place.
  std::vector<Slot> parts(TensorId id) const {
    bool const sums = slot(id).arena == Arena::messages;
    if (id.index() < original_.tensors.size() ||
        (tensor(id).role == TensorRole::activation && !sums) || id == entry_->status)
      return {slot(id)};
    std::vector<Slot> list;
    for (std::size_t i = 0; i < program_.tensors.size(); ++i)
      if ((i < original_.tensors.size() || TensorId(i) == entry_->status) &&
          program_.tensors[i].role == tensor(id).role && program_.slots[i].used &&
          overlap(program_.slots[i], whole(id)))
        list.push_back(program_.slots[i]);
    std::ranges::sort(list, {}, &Slot::offset);
    // Views of a sum lie where it does.
    auto const views = std::ranges::unique(list, {}, &Slot::offset);
    list.erase(views.begin(), views.end());
    return list;
  }

  /// Nothing may touch what travels.
  void check_messages() {
    auto const& instruction = entry_->instructions[at_];
    for (auto const& message : entry_->messages) {
      if (message.kind != Message::Kind::collective) continue;
      if (message.posted >= at_ || message.needed <= at_) continue;
      auto const& sum = entry_->instructions[message.posted];
      for (auto travelling : {sum.inputs[0], sum.outputs[0]}) {
        if (overlap(slot(travelling), entry_->scratch[at_])) fault("scratch lies over a message");
        for (auto const* ids : {&instruction.inputs, &instruction.outputs})
          for (auto id : *ids)
            if (overlap(slot(travelling), slot(id)))
              fault(tensor(id).name + " lies over the travelling " + tensor(travelling).name);
      }
    }
  }

  void check_places(Instruction const& instruction, Slot const& scratch) {
    auto const* map = std::get_if<operators::map>(&instruction.op);
    for (auto out : instruction.outputs) {
      if (!slot(out).used) fault(tensor(out).name + " is written nowhere");
      if (overlap(slot(out), scratch)) fault("scratch lies over " + tensor(out).name);
      for (auto other : instruction.outputs)
        if (other != out && overlap(slot(other), slot(out))) fault("two outputs overlap");
      for (auto in : instruction.inputs) {
        if (in == out || !overlap(slot(in), slot(out))) continue;
        if (std::holds_alternative<operators::reshape>(instruction.op)) continue;
        // Only maps may work in place, on operands that are read just where they are overwritten.
        if (map == nullptr || tensor(in).type != tensor(out).type ||
            slot(in).offset != slot(out).offset)
          fault(tensor(out).name + " overwrites " + tensor(in).name + " while it is read");
      }
    }
  }

  void execute() {
    auto const& instruction = entry_->instructions[at_];
    auto const& scratch = entry_->scratch[at_];
    check_places(instruction, scratch);
    if (scratch.used) memory_.write(scratch, -7);
    if (reads_other_ranks(instruction)) return;  // a sum, which leaves symbols as they are
    std::vector<std::vector<Slot>> inputs, outputs;
    std::size_t copies = 1;
    for (auto id : instruction.inputs) inputs.push_back(parts(id));
    for (auto id : instruction.outputs) outputs.push_back(parts(id));
    for (auto const& list : outputs) copies = std::max(copies, list.size());
    std::vector<std::pair<Slot, Symbol>> written;
    for (std::size_t k = 0; k < copies; ++k) {
      std::vector<Symbol> symbols;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].size() != 1 && inputs[i].size() != copies) fault("ranges do not match");
        auto const& from = inputs[i][std::min(k, inputs[i].size() - 1)];
        auto const held = memory_.read(from);
        if (!held) fault(tensor(instruction.inputs[i]).name + " was overwritten before this read");
        symbols.push_back(held.value_or(-3));
      }
      auto const results = apply(instruction.op, symbols, outputs.size());
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        if (outputs[o].size() != copies) fault("ranges do not match");
        written.emplace_back(outputs[o][std::min(k, outputs[o].size() - 1)], results.at(o));
      }
    }
    for (auto const& [place, symbol] : written) memory_.write(place, symbol);
    if (is_part(instruction.outputs[0])) ++split_;
  }

  SpecializedProgram const& program_;
  Program const& original_;
  std::vector<std::string>& faults_;
  SpecializedEntry const* entry_ = nullptr;
  std::size_t at_ = 0;
  std::size_t split_ = 0;  ///< updates of parts that were executed
  Memory memory_;
};

}  // namespace

Outcome run_alone(Program const& program, std::vector<std::string> const& entries) {
  std::vector<Symbol> held;
  for (auto const& tensor : program.tensors) held.push_back(initial(tensor));
  std::vector<bool> written(program.tensors.size(), false);
  for (auto const& name : entries)
    for (auto const& instruction : program.entry_point(name)->instructions) {
      std::vector<Symbol> inputs;
      for (auto id : instruction.inputs) inputs.push_back(held[id.index()]);
      auto const outputs = apply(instruction.op, inputs, instruction.outputs.size());
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        held[instruction.outputs[i].index()] = outputs[i];
        written[instruction.outputs[i].index()] = true;
      }
    }
  Outcome outcome;
  for (std::size_t i = 0; i < program.tensors.size(); ++i)
    if (auto const& tensor = program.tensors[i]; lasts(tensor))
      outcome[tensor.name] = is_state(tensor.role) || written[i] ? held[i] : -3;
  return outcome;
}

Outcome run_in_arenas(SpecializedProgram const& program, Program const& original,
                      std::vector<std::string> const& entries, std::vector<std::string>& faults) {
  return ArenaRun(program, original, faults).run(entries);
}

}  // namespace lbann::tests
