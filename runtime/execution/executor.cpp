// Binding: every instruction meets its memory and its kernel before the first step.
#include "runtime/execution/executor.hpp"

#include <algorithm>

#include "kernels/external_layer.hpp"
#include "runtime/execution/collectives.hpp"
#include "runtime/loading/location.hpp"

namespace lbann::runtime {

namespace {

/// `instruction 12 of train, matmul of `fc1` (lenet.yaml:9:5)`
std::string words_of(Plan const& plan, SpecializedEntry const& entry, std::size_t index) {
  auto const& instruction = entry.instructions[index];
  auto words = "instruction " + std::to_string(index) + " of " + entry.name + ", " +
               std::string(name_of(instruction.op));
  if (!instruction.origin.name.empty()) words += " of `" + instruction.origin.name + '`';
  auto const place = location(plan.sources, instruction.origin.span);
  return place.empty() ? words : words + " (" + place + ')';
}

}  // namespace

Executor::Executor(Plan const& plan, SpecializedProgram program, Arenas arenas,
                   kernels::Selection selection, Communicator* ranks)
    : plan_(plan),
      program_(std::move(program)),
      arenas_(std::move(arenas)),
      selection_(selection),
      ranks_(ranks) {}

Result<std::unique_ptr<Executor>> Executor::create(Plan const& plan, std::int64_t mini_batch,
                                                   kernels::Selection selection,
                                                   Communicator* ranks) {
  Placement placement;
  if (ranks != nullptr) {
    placement.mesh = {{"data", ranks->size()}};
    placement.rank = ranks->rank();
  }
  placement.mini_batch = mini_batch;
  auto program = specialize(plan, placement);
  if (!program) return program.problem();
  auto arenas = Arenas::allocate(program.value().arena_bytes);
  if (!arenas) return arenas.problem();
  return std::unique_ptr<Executor>(
      new Executor(plan, std::move(program).value(), std::move(arenas).value(), selection, ranks));
}

kernels::View Executor::view(TensorId tensor, std::int64_t samples) const {
  auto const& type = program_.tensors[tensor.index()].type;
  return kernels::make_view(arenas_.at(program_.slots[tensor.index()]), type, samples);
}

Result<BoundEntry::Step> Executor::bind_instruction(SpecializedEntry const& entry,
                                                    std::size_t index, BoundEntry& bound) const {
  auto const& instruction = entry.instructions[index];
  auto& views = bound.views[index];
  for (auto const& list : {instruction.inputs, instruction.outputs})
    for (auto id : list) views.push_back(view(id, bound.samples));

  auto const inputs = std::span<kernels::View const>(views).first(instruction.inputs.size());
  auto const outputs = std::span<kernels::View const>(views).subspan(instruction.inputs.size());
  BoundEntry::Step step;
  step.instruction = index;
  step.implementation = "none";
  bool const in_place = std::holds_alternative<operators::reshape>(instruction.op) &&
                        inputs[0].data == outputs[0].data;
  if (in_place) return step;

  kernels::Call call;
  call.op = &instruction.op;
  call.inputs = inputs;
  call.outputs = outputs;
  auto const& scratch = entry.scratch[index];
  if (scratch.used) call.scratch = {arenas_.at(scratch), static_cast<std::size_t>(scratch.bytes)};
  call.samples = bound.samples;
  step.kernel = kernels::bind(call, selection_, &step.implementation);
  if (step.kernel == nullptr) {
    auto const& origin = instruction.origin;
    auto const refusal = kernels::refusal_of(call);
    return Problem{located(plan_.sources, origin.span,
                           refusal.empty()
                               ? "no kernel executes " + std::string(name_of(instruction.op)) +
                                     " of `" + origin.name + "` with these types and shapes"
                               : "`" + origin.name + "`: " + refusal)};
  }
  return step;
}

/// Steps that post a message and let it go on; who needs it awaits it.
void Executor::bind_collective(std::size_t number, BoundEntry& bound) const {
  auto const& message = bound.entry->messages[number];
  auto const& instruction = bound.entry->instructions[message.posted];
  auto const parts = view(instruction.inputs[0], bound.samples);
  auto const sum = view(instruction.outputs[0], bound.samples);
  bound.views[message.posted] = {parts, sum};
  bound.sums[number] = ranks_->sum(parts.data, sum.data, sum.elements(), sum.type);
}

Result<BoundEntry const*> Executor::bind(std::string_view name, std::int64_t samples) {
  for (auto const& bound : bound_)
    if (bound->entry->name == name && bound->samples == samples) return bound.get();

  auto const* const entry = program_.entry(name);
  if (entry == nullptr) {
    return Problem{"the plan has no entry point `" + std::string(name) +
                   "`; compile the experiment again"};
  }
  auto const count = entry->instructions.size();
  auto bound = std::make_unique<BoundEntry>();
  bound->entry = entry;
  bound->samples = samples;
  bound->views.resize(count);
  bound->sums.resize(entry->messages.size());
  for (std::size_t i = 0; i < count; ++i) bound->words.push_back(words_of(plan_, *entry, i));

  using Kind = BoundEntry::Kind;
  std::vector<std::size_t> flying;  // messages, in the order of posting
  auto const add = [&](std::unique_ptr<kernels::Kernel> kernel, std::size_t instruction, Kind kind,
                       std::string_view implementation, std::size_t message) {
    bound->steps.push_back({std::move(kernel), instruction, implementation, kind,
                            bound->words[instruction].c_str(), message});
  };
  auto const await_before = [&](std::size_t instruction) {
    std::erase_if(flying, [&](std::size_t number) {
      auto const& message = entry->messages[number];
      if (message.needed > instruction) return false;
      add(awaiting(*bound->sums[number]), message.posted, Kind::await, "await", number);
      return true;
    });
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    await_before(i);
    if (next < entry->messages.size() && entry->messages[next].posted == i) {
      bind_collective(next, *bound);
      add(posting(*bound->sums[next]), i, Kind::post, "post", next);
      flying.push_back(next++);
      continue;
    }
    auto step = bind_instruction(*entry, i, *bound);
    if (!step) return step.problem();
    if (step.value().kernel == nullptr) continue;
    add(std::move(step.value().kernel), i, Kind::compute, step.value().implementation, 0);
    if (!flying.empty())
      add(polling(*bound->sums[flying.front()]), entry->messages[flying.front()].posted, Kind::poll,
          "poll", flying.front());
  }
  await_before(count);
  bound_.push_back(std::move(bound));
  return bound_.back().get();
}

}  // namespace lbann::runtime
