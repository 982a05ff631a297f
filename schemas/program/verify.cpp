// What makes a program sound.
#include <algorithm>
#include <functional>

#include "schemas/operators/rules.hpp"
#include "schemas/program/program.hpp"

namespace lbann {

namespace {

/// The names seen so far: indices of tensors by hash, open addressing.
class Names {
 public:
  explicit Names(Program const& program) : program_(program) {
    std::size_t size = 16;
    while (size < 2 * program.tensors.size()) size *= 2;
    slots_.resize(size);
  }

  /// False if the name of tensor `index` is there already.
  bool insert(std::size_t index) {
    auto const& name = program_.tensors[index].name;
    auto const hash = std::hash<std::string_view>{}(name);
    auto const mark = static_cast<std::uint32_t>(hash >> 32);
    for (auto at = hash;; ++at) {
      auto& slot = slots_[at & (slots_.size() - 1)];
      if (slot.index == Id<TensorTag>::none) {
        slot = {static_cast<std::uint32_t>(index), mark};
        return true;
      }
      if (slot.mark == mark && program_.tensors[slot.index].name == name) return false;
    }
  }

 private:
  struct Slot {
    std::uint32_t index = Id<TensorTag>::none, mark = 0;
  };

  Program const& program_;
  std::vector<Slot> slots_;
};

std::optional<std::string> check_tensors(Program const& program) {
  Names names(program);
  for (std::size_t index = 0; index < program.tensors.size(); ++index) {
    auto const& tensor = program.tensors[index];
    auto const of = [&](std::string const& what) { return "tensor " + tensor.name + ": " + what; };
    if (tensor.name.empty()) return "a tensor has no name";
    if (!names.insert(index)) return of("a second one of this name");
    if (static_cast<std::size_t>(tensor.role) >= tensor_role_names.size())
      return of("no known role");
    if (static_cast<std::size_t>(tensor.type.type) >= data_type_names.size())
      return of("no known type");
    if (!operators::rules::sound(tensor.type.shape))
      return of("no tensor has shape " + to_text(tensor.type.shape));
    if (is_state(tensor.role) && tensor.type.shape.has_batch())
      return of("state cannot depend on the mini-batch");
    auto const& split = tensor.distribution.split;
    if (!split.empty() && split.size() != tensor.type.shape.rank())
      return of("its distribution is not given for each dimension");
    auto const owned = tensor.role == TensorRole::moment || tensor.role == TensorRole::gradient;
    if (owned != tensor.owner.valid())
      return of(owned ? "belongs to no weights" : "must not belong to weights");
    if (!owned) continue;
    if (tensor.owner.index() >= program.tensors.size() ||
        program[tensor.owner].role != TensorRole::weights)
      return of("does not belong to weights");
    if (program[tensor.owner].type != tensor.type)
      return of("is not of the type of " + program[tensor.owner].name);
  }
  return std::nullopt;
}

/// Which instructions write what: one bit per tensor, one entry point after the other.
class EntryChecker {
 public:
  explicit EntryChecker(Program const& program)
      : program_(program),
        written_(program.tensors.size(), 0),
        accumulates_(program.entry_point(accumulate_entry) != nullptr) {}

  std::optional<std::string> check(EntryPoint const& entry) {
    ++generation_;
    for (auto const& instruction : entry.instructions)
      if (auto fault = check_instruction(entry, instruction)) {
        auto const at = &instruction - entry.instructions.data();
        auto text = "entry " + entry.name + ", instruction " + std::to_string(at);
        if (in_range(instruction)) text += " `" + to_text(program_, instruction) + "`";
        return text + ": " + *fault;
      }
    return std::nullopt;
  }

 private:
  bool in_range(Instruction const& instruction) const {
    auto const known = [&](TensorId id) { return id.index() < program_.tensors.size(); };
    return std::all_of(instruction.inputs.begin(), instruction.inputs.end(), known) &&
           std::all_of(instruction.outputs.begin(), instruction.outputs.end(), known);
  }

  /// `train` of `train.observed`.
  static std::string_view base_name(std::string_view name) {
    return name.substr(0, name.find('.'));
  }

  static bool adds_gradients(std::string_view base) {
    return base == "train" || base == accumulate_entry;
  }

  static bool may_write(EntryPoint const& entry, Tensor const& tensor) {
    if (entry.timing) return true;
    auto const of = base_name(entry.name);
    bool const observed = entry.name.size() == of.size() || entry.name.ends_with(".observed");
    if (!observed) return false;
    if (of == "initialize" || of == "train" || of == accumulate_entry) return true;
    return of == "evaluate" && tensor.role == TensorRole::statistic;
  }

  std::optional<std::string> check_instruction(EntryPoint const& entry,
                                               Instruction const& instruction) {
    if (!in_range(instruction)) return "a tensor that is not in the table";
    for (auto id : instruction.inputs) {
      auto const& tensor = program_[id];
      // Accumulated over the micro-batches before.
      bool const earlier = accumulates_ && tensor.role == TensorRole::gradient &&
                           adds_gradients(base_name(entry.name));
      auto const given = tensor.role == TensorRole::input || is_state(tensor.role) || earlier;
      if (!given && written_[id.index()] != generation_)
        return tensor.name + " is read before it is written";
    }
    // Types are copied to where others were before, so that shapes need no new memory.
    auto const count = instruction.inputs.size();
    if (types_.size() < count) types_.resize(count);
    for (std::size_t i = 0; i < count; ++i) types_[i] = program_[instruction.inputs[i]].type;
    auto const inferred = infer(instruction.op, std::span(types_).first(count));
    if (!inferred) return inferred.problem().message;
    if (inferred.value().size() != instruction.outputs.size())
      return "gives " + std::to_string(inferred.value().size()) + " outputs";
    for (std::size_t i = 0; i < instruction.outputs.size(); ++i) {
      auto const id = instruction.outputs[i];
      auto const& tensor = program_[id];
      auto const& type = inferred.value()[i];
      if (tensor.type != type)
        return tensor.name + " is " + std::string(name_of(tensor.type.type)) + " " +
               to_text(tensor.type.shape) + ", but " + std::string(name_of(type.type)) + " " +
               to_text(type.shape) + " is written";
      if (tensor.role == TensorRole::input) return tensor.name + " is an input, but written";
      if (std::count(instruction.outputs.begin(), instruction.outputs.end(), id) > 1)
        return tensor.name + " is written twice";
      if (is_state(tensor.role)) {
        if (!may_write(entry, tensor)) return "state " + tensor.name + " is written here";
      } else {
        auto const in_place = std::find(instruction.inputs.begin(), instruction.inputs.end(), id) !=
                              instruction.inputs.end();
        if (written_[id.index()] == generation_ && !in_place)
          return tensor.name + " is written a second time";
      }
      written_[id.index()] = generation_;
    }
    return std::nullopt;
  }

  Program const& program_;
  std::vector<std::uint32_t> written_;
  bool accumulates_;
  std::uint32_t generation_ = 0;
  TensorTypes types_;
};

bool sound(Timing const& timing) {
  return static_cast<std::size_t>(timing.moment) < moment_names.size() && timing.first >= 0 &&
         timing.interval > 0 && timing.last >= timing.first;
}

/// Statistics that `evaluate` changes are its own.
std::optional<std::string> find_shared_statistic(Program const& program) {
  auto const *train = program.entry_point("train"), *evaluate = program.entry_point("evaluate");
  if (train == nullptr || evaluate == nullptr) return std::nullopt;
  std::vector<bool> trained(program.tensors.size(), false);
  for (auto const& instruction : train->instructions)
    for (auto id : instruction.outputs) trained[id.index()] = true;
  for (auto const& instruction : evaluate->instructions)
    for (auto id : instruction.outputs)
      if (is_state(program[id].role) && trained[id.index()])
        return "statistic " + program[id].name + " is changed by train and by evaluate";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> verify(Program const& program) {
  if (auto fault = check_tensors(program)) return fault;
  EntryChecker checker(program);
  for (auto const& entry : program.entry_points) {
    for (auto const& other : program.entry_points)
      if (&other != &entry && other.name == entry.name) return "a second entry point " + entry.name;
    if (entry.timing && !sound(*entry.timing)) return "entry " + entry.name + ": never at a time";
    if (auto fault = checker.check(entry)) return fault;
  }
  return find_shared_statistic(program);
}

}  // namespace lbann
