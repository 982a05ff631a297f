// Runs every rank of a plan's run, one after the other, and prints what it measured as JSON.
//   measure PLAN RANKS MINI_BATCH memory|flops
// The ranks are on one node: what they share is computed as each of them would, without the others.
// memory: bytes of each class that hold values after `initialize`, `train` and `evaluate`, found by
//   running the best kernels on memory full of garbage (replicas.hpp). `stray`: bytes written that
//   belong to no output and no scratch; `unset`: bytes of outputs that hold no value. Both must be
//   0.
// flops: operations of each layer, counted by running the reference kernels on numbers that count.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "kernels/compute_threads.hpp"
#include "kernels/device/device.hpp"
#include "kernels/kernel.hpp"
#include "kernels/reference/all.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/reports/choose_mesh.hpp"
#include "schemas/specialization/specialization.hpp"
#include "tests/reports/replicas.hpp"
#include "tests/support/counted.hpp"

namespace {

using namespace lbann;
using testing::Counted;
using testing::Replicas;
using Json = nlohmann::ordered_json;

[[noreturn]] void fail(std::string const& words) {
  std::fprintf(stderr, "measure: %s\n", words.c_str());
  std::exit(1);
}

/// What the host writes before a step: fields of samples, counts; and before the first, sums, seed
/// and statistics of the data.
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

/// Calls `run` with each instruction of the entry point and its call on each copy of the memory.
template <class Run, class Done>
void execute(SpecializedProgram const& program, std::string_view name, Replicas const& memory,
             Run const& run, Done const& done) {
  auto const* const entry = program.entry(name);
  if (entry == nullptr) fail("no entry point " + std::string(name));
  for (std::size_t i = 0; i < entry->instructions.size(); ++i) {
    auto const& instruction = entry->instructions[i];
    auto const* const product = broadcast_of(*entry, i);
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

/// Collectives, as if all other ranks held zeros.
bool is_done_by_ranks(Instruction const& instruction, kernels::Call const& call) {
  if (!is_collective(instruction)) return false;
  auto const elements = std::min(call.inputs[0].elements(), call.outputs[0].elements());
  for (auto i = elements; i < call.outputs[0].elements(); ++i)
    kernels::reference::set(call.outputs[0], i, 0.0);
  for (std::int64_t i = 0; call.inputs[0].data != call.outputs[0].data && i < elements; ++i)
    kernels::reference::set(call.outputs[0], i, kernels::reference::get(call.inputs[0], i));
  return true;
}

/// Which bytes of the arena that activations and scratch share ever held one, and which anything.
class SharedArena {
 public:
  SharedArena(SpecializedProgram const& program, Replicas const& memory)
      : program_(program), memory_(memory) {
    auto const bytes = program.arena_bytes[static_cast<std::size_t>(Arena::activations)];
    activations_.resize(static_cast<std::size_t>(bytes));
    scratch_ = activations_;
  }

  /// After an instruction: what it wrote must hold values now.
  void note(Instruction const& instruction, Slot const& scratch) {
    if (scratch.used) std::fill_n(scratch_.begin() + scratch.offset, scratch.bytes, 1);
    for (auto id : instruction.outputs) {
      auto const& slot = program_.slots[id.index()];
      if (!slot.used || slot.arena != Arena::activations) continue;
      auto const settled = memory_.settled(slot);
      for (std::size_t i = 0; i < settled.size(); ++i) {
        activations_[static_cast<std::size_t>(slot.offset) + i] |= settled[i];
        unset += settled[i] == 0 ? 1 : 0;
      }
    }
  }

  /// At the end.
  void count() {
    auto const settled = memory_.settled(Arena::activations);
    for (std::size_t i = 0; i < settled.size(); ++i) {
      activations += activations_[i];
      if (settled[i] == 0 || activations_[i] != 0) continue;
      (scratch_[i] != 0 ? scratch_alone : stray) += 1;
    }
  }

  std::int64_t activations = 0;
  std::int64_t scratch_alone = 0;  ///< bytes that held something, but never an activation
  std::int64_t stray = 0;          ///< bytes that nobody may write
  std::int64_t unset = 0;          ///< bytes of outputs without a value

 private:
  SpecializedProgram const& program_;
  Replicas const& memory_;
  std::vector<std::uint8_t> activations_, scratch_;
};

/// A map over a range of tensors fills the padding between them as well, perhaps with the same.
void clear_padding_of_ranges(SpecializedProgram const& program, Arena arena,
                             std::vector<std::uint8_t>& flags) {
  std::vector<std::uint8_t> padding(flags.size());
  for (auto i = program.tensors.size(); i-- > 0;) {
    auto const& slot = program.slots[i];
    if (slot.used && slot.arena == arena)
      std::fill_n(padding.begin() + slot.offset, slot.bytes, i >= program.first_range ? 1 : 0);
  }
  for (std::size_t i = 0; i < flags.size(); ++i) flags[i] &= padding[i] == 0 ? 1 : 0;
}

constexpr std::string_view entries[] = {"initialize", "train", "evaluate"};

Json measure_memory(Plan const& plan, SpecializedProgram const& program) {
  Replicas const memory(program, Replicas::Filling::garbage);
  fill_inputs(plan, program, memory);
  SharedArena shared(program, memory);
  auto const run = [](Instruction const& instruction, kernels::Call const& call) {
    bool const in_place = std::holds_alternative<operators::reshape>(instruction.op) &&
                          call.inputs[0].data == call.outputs[0].data;
    if (in_place || is_done_by_ranks(instruction, call)) return;
    auto const kernel = kernels::bind(call);
    if (kernel == nullptr) fail("no kernel for " + std::string(name_of(instruction.op)));
    kernel->run();
    device::synchronize();
  };
  auto const note = [&](Instruction const& instruction, Slot const& scratch) {
    shared.note(instruction, scratch);
  };
  for (auto entry : entries) {
    execute(program, entry, memory, run, note);
    auto const observed = std::string(entry) + ".observed";
    if (program.entry(observed) != nullptr) execute(program, observed, memory, run, note);
  }
  shared.count();
  // Weights and moments that ranks share, by their places; the rest of that arena are factors.
  // Scalars, too, are told apart by their roles.
  std::map<TensorRole, std::int64_t> in_shared, in_scalars;
  for (std::size_t i = 0; i < program.first_range; ++i) {
    auto const& slot = program.slots[i];
    if (!slot.used || (slot.arena != Arena::shared && slot.arena != Arena::scalars)) continue;
    auto const settled = memory.settled(slot);
    auto& bytes = slot.arena == Arena::shared ? in_shared : in_scalars;
    bytes[program.tensors[i].role] += std::count(settled.begin(), settled.end(), 1);
  }
  auto const bytes = [&](std::initializer_list<Arena> arenas) {
    std::int64_t sum = 0;
    for (auto arena : arenas) {
      auto settled = memory.settled(arena);
      clear_padding_of_ranges(program, arena, settled);
      sum += std::count(settled.begin(), settled.end(), 1);
    }
    return sum;
  };
  auto const weights = in_shared[TensorRole::weights], state = in_shared[TensorRole::moment];
  return {{"weights", bytes({Arena::weights}) + weights},
          {"gradients", bytes({Arena::gradients})},
          {"state",
           bytes({Arena::moments, Arena::statistics}) + state + in_scalars[TensorRole::statistic]},
          {"data", bytes({Arena::inputs, Arena::results}) + in_scalars[TensorRole::input] +
                       in_scalars[TensorRole::result]},
          {"activations", shared.activations},
          {"scratch", shared.scratch_alone},
          {"messages", bytes({Arena::messages, Arena::shared}) - weights - state},
          {"stray", shared.stray},
          {"unset", shared.unset}};
}

Json measure_flops(Plan const& plan, SpecializedProgram const& program) {
  Replicas const memory(program, Replicas::Filling::zeros);
  fill_inputs(plan, program, memory);
  Json told;
  for (auto name : entries) {
    Json layers = Json::object();
    auto const run = [&](Instruction const& instruction, kernels::Call const& call) {
      auto const before = Counted::operations();
      if (!is_done_by_ranks(instruction, call))
        kernels::reference::implementation<Counted>(instruction.op.index()).bind(call)->run();
      auto& count = layers[instruction.origin.name];
      count = (count.is_null() ? 0 : count.get<std::int64_t>()) + Counted::operations() - before;
    };
    execute(program, name, memory, run, [](Instruction const&, Slot const&) {});
    told[std::string(name)] = layers;
  }
  return told;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) fail("usage: measure PLAN RANKS MINI_BATCH memory|flops");
  auto const plan = read_plan(argv[1]);
  if (!plan) fail(plan.problem().message);
  kernels::ComputeThreads const threads(2, kernels::WaitPolicy::passive);
  Placement placement;
  auto const count = std::atoll(argv[2]);
  placement.mini_batch = std::atoll(argv[3]);
  auto const mesh = choose_mesh(plan.value(), {}, count, placement.mini_batch);
  if (!mesh) fail(mesh.problem().message);
  placement.mesh = mesh.value();
  placement.threads = kernels::ThreadTeam::size();
  placement.one_node = true;
  std::string const what = argv[4];
  Json ranks = Json::array();
  std::map<std::string, Json> by_program;  // ranks that run the same are measured once
  for (; placement.rank < count; ++placement.rank) {
    auto const program = specialize(plan.value(), placement);
    if (!program) fail(program.problem().message);
    auto const own_part = [&] {
      std::string rows;
      for (auto const& entry : program.value().entries)
        for (auto const& product : entry.broadcasts)
          rows += std::to_string(
                      own_rows(product.rows, program.value().ranks, placement.rank).count()) +
                  ' ';
      return rows;
    };
    auto& measured = by_program[to_text(program.value()) + own_part()];
    if (measured.is_null())
      measured = what == "memory" ? measure_memory(plan.value(), program.value())
                                  : measure_flops(plan.value(), program.value());
    ranks.push_back(measured);
  }
  std::puts(ranks.dump().c_str());
  return 0;
}
