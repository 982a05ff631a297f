// Binding: every instruction meets its memory and its kernel before the first step.
#include "runtime/execution/executor.hpp"

#include <algorithm>

#include "runtime/loading/location.hpp"

namespace lbann::runtime {

Executor::Executor(Plan const& plan, SpecializedProgram program, Arenas arenas,
                   kernels::Selection selection)
    : plan_(plan),
      program_(std::move(program)),
      arenas_(std::move(arenas)),
      selection_(selection) {}

Result<std::unique_ptr<Executor>> Executor::create(Plan const& plan, std::int64_t mini_batch,
                                                   kernels::Selection selection) {
  Placement placement;
  placement.mini_batch = mini_batch;
  auto program = specialize(plan, placement);
  if (!program) return program.problem();
  auto arenas = Arenas::allocate(program.value().arena_bytes);
  if (!arenas) return arenas.problem();
  return std::unique_ptr<Executor>(
      new Executor(plan, std::move(program).value(), std::move(arenas).value(), selection));
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
  BoundEntry::Step step{nullptr, index, "none"};
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
    return Problem{located(plan_.sources, origin.span,
                           "no kernel executes " + std::string(name_of(instruction.op)) + " of `" +
                               origin.name + "` with these types and shapes")};
  }
  return step;
}

Result<BoundEntry const*> Executor::bind(std::string_view name, std::int64_t samples) {
  for (auto const& bound : bound_)
    if (bound->entry->name == name && bound->samples == samples) return bound.get();

  auto const* const entry = program_.entry(name);
  if (entry == nullptr) {
    return Problem{"the plan has no entry point `" + std::string(name) +
                   "`; compile the experiment again"};
  }
  auto bound = std::make_unique<BoundEntry>();
  bound->entry = entry;
  bound->samples = samples;
  bound->views.resize(entry->instructions.size());
  bound->steps.reserve(entry->instructions.size());
  for (std::size_t i = 0; i < entry->instructions.size(); ++i) {
    auto step = bind_instruction(*entry, i, *bound);
    if (!step) return step.problem();
    if (step.value().kernel != nullptr) bound->steps.push_back(std::move(step).value());
  }
  bound_.push_back(std::move(bound));
  return bound_.back().get();
}

}  // namespace lbann::runtime
