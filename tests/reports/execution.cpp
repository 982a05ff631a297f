// Inputs, places of instructions, and what other ranks would bring.
#include "tests/reports/execution.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "kernels/reference/all.hpp"

namespace lbann::testing {

void fill_inputs(Plan const& plan, SpecializedProgram const& program, Replicas const& memory) {
  auto const write = [&](TensorId id, auto draw) {
    if (!id.valid()) return;
    auto const& slot = program.slots[id.index()];
    auto const& type = program.tensors[id.index()].type;
    for (std::size_t copy = 0; slot.used && copy < memory.count(); ++copy) {
      auto const view = kernels::make_view(memory.at(copy, slot), type, program.largest_batch);
      std::mt19937 engine(7);
      for (std::int64_t i = 0; i < view.elements(); ++i)
        kernels::reference::set(view, i, draw(engine));
    }
  };
  auto const number = [](double value) { return [value](std::mt19937&) { return value; }; };
  auto const share = [](std::mt19937& engine) { return (engine() >> 8) * 0x1p-24; };
  for (auto const& source : plan.data)
    for (auto const& field : source.fields) write(field.tensor, share);
  write(plan.mini_batch, number(static_cast<double>(program.largest_batch)));
  write(plan.first_sample, number(0));
  write(plan.seed, number(static_cast<double>(plan.random_seed)));
  for (auto const id : {plan.steps_per_epoch, plan.epoch_samples}) write(id, number(1));
  auto measures = plan.metrics;
  measures.push_back(plan.objective);
  for (auto const& measure : measures) {
    write(measure.train_sum, number(0));
    write(measure.evaluate_sum, number(0));
  }
  for (auto const& weights : plan.weights)
    if (!weights.statistic_of.empty()) write(weights.tensor, number(1));
  for (auto const& entry : program.entries) write(entry.status, number(0));
}

namespace {

/// Fills the places of broadcast factors as if every rank had brought the same samples, and narrows
/// the operands of the product to what this rank computes.
void take_part(SpecializedProgram const& program, FactorBroadcast const& product,
               Replicas const& memory, std::size_t copy, std::vector<kernels::View>& inputs,
               std::vector<kernels::View>& outputs) {
  auto const samples = program.mini_batch;
  auto a = inputs[0], b = inputs[1];
  a.data = memory.at(copy, product.a);
  b.data = memory.at(copy, product.b);
  a.extents[0] = b.extents[0] = samples;
  auto const local = std::max<std::int64_t>(program.largest_batch, 1);
  std::int64_t at = 0;
  for (std::int64_t rank = 0; rank < program.ranks; ++rank) {
    auto const rows = own_rows(product.rows, program.ranks, rank);
    for (std::int64_t sample = 0; sample < samples; ++sample)
      for (auto row = rows.first; row < rows.last; ++row, ++at)
        kernels::reference::set(
            a, at,
            inputs[0].extents[0] == 0
                ? 0.0
                : kernels::reference::get(inputs[0], sample % local * product.rows + row));
  }
  for (std::int64_t i = 0; i < b.elements(); ++i)
    kernels::reference::set(
        b, i,
        inputs[1].extents[0] == 0
            ? 0.0
            : kernels::reference::get(inputs[1], i % (local * product.columns)));
  auto const own = own_rows(product.rows, program.ranks, program.rank);
  auto const element = static_cast<std::int64_t>(lbann::bytes_of(a.type));
  a.data = a.as<std::byte>() + samples * own.first * element;
  a.extents[1] = own.count();
  auto const narrow = [&](kernels::View& view, PartOperand const& part) {
    view =
        kernels::make_view(view.as<std::byte>() + part.first_entry * element, part.type, samples);
  };
  inputs[0] = a;
  inputs[1] = b;
  for (std::size_t i = 2; i < inputs.size(); ++i) narrow(inputs[i], product.inputs[i]);
  for (std::size_t i = 0; i < outputs.size(); ++i) narrow(outputs[i], product.outputs[i]);
}

/// Copies this rank's gradients in shared memory to the places of all others.
void bring_gradients(SpecializedProgram const& program, Replicas const& memory) {
  for (std::size_t copy = 0; copy < memory.count(); ++copy) {
    Slot const own{Arena::shared, program.own_gradients, program.gradient_block, true};
    auto* const from = memory.at(copy, own);
    auto* const first = from - program.rank * program.gradient_block;
    for (std::int64_t rank = 0; rank < program.ranks; ++rank)
      if (rank != program.rank)
        std::copy_n(from, program.gradient_block, first + rank * program.gradient_block);
  }
}

}  // namespace

void execute(SpecializedProgram const& program, std::string_view name, Replicas const& memory,
             std::function<void(Instruction const&, kernels::Call const&)> const& run,
             std::function<void(Instruction const&, Slot const&)> const& done) {
  auto const* const entry = program.entry(name);
  if (entry == nullptr) throw std::runtime_error("no entry point " + std::string(name));
  for (std::size_t i = 0; i < entry->instructions.size(); ++i) {
    auto const& instruction = entry->instructions[i];
    auto const* const product = broadcast_of(*entry, i);
    if (instruction.awaits_ranks) bring_gradients(program, memory);
    for (std::size_t copy = 0; copy < memory.count(); ++copy) {
      auto const views = [&](std::vector<TensorId> const& ids) {
        std::vector<kernels::View> list;
        for (auto id : ids)
          list.push_back(kernels::make_view(memory.at(copy, program.slots[id.index()]),
                                            program.tensors[id.index()].type,
                                            program.samples(id, program.mini_batch)));
        return list;
      };
      auto inputs = views(instruction.inputs), outputs = views(instruction.outputs);
      auto samples = program.samples_of(instruction, program.mini_batch);
      if (product != nullptr) {
        samples = program.mini_batch;
        take_part(program, *product, memory, copy, inputs, outputs);
      }
      auto const& scratch = entry->scratch[i];
      kernels::Call call{&instruction.op, inputs, outputs, {}, samples};
      if (scratch.used)
        call.scratch = {memory.at(copy, scratch), static_cast<std::size_t>(scratch.bytes)};
      run(instruction, call);
    }
    done(instruction, entry->scratch[i]);
  }
}

bool is_done_by_ranks(Instruction const& instruction, kernels::Call const& call) {
  if (!is_collective(instruction)) return false;
  auto const elements = std::min(call.inputs[0].elements(), call.outputs[0].elements());
  for (auto i = elements; i < call.outputs[0].elements(); ++i)
    kernels::reference::set(call.outputs[0], i, 0.0);
  for (std::int64_t i = 0; call.inputs[0].data != call.outputs[0].data && i < elements; ++i)
    kernels::reference::set(call.outputs[0], i, kernels::reference::get(call.inputs[0], i));
  return true;
}

}  // namespace lbann::testing
