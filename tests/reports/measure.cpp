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
#include "tests/reports/execution.hpp"
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

/// What `execute` has brought of other ranks is theirs.
void clear_gradients_of_others(SpecializedProgram const& program,
                               std::vector<std::uint8_t>& flags) {
  auto const first = program.own_gradients - program.rank * program.gradient_block;
  for (std::int64_t rank = 0; rank < program.ranks; ++rank)
    if (rank != program.rank)
      std::fill_n(flags.begin() + first + rank * program.gradient_block, program.gradient_block, 0);
}

constexpr std::string_view entries[] = {"initialize", "train", "evaluate"};

Json measure_memory(Plan const& plan, SpecializedProgram const& program) {
  Replicas const memory(program, Replicas::Filling::garbage);
  testing::fill_inputs(plan, program, memory);
  SharedArena shared(program, memory);
  auto const run = [](Instruction const& instruction, kernels::Call const& call) {
    bool const in_place = std::holds_alternative<operators::reshape>(instruction.op) &&
                          call.inputs[0].data == call.outputs[0].data;
    if (in_place || testing::is_done_by_ranks(instruction, call)) return;
    auto const kernel = kernels::bind(call);
    if (kernel == nullptr) fail("no kernel for " + std::string(name_of(instruction.op)));
    kernel->run();
    device::synchronize();
  };
  auto const note = [&](Instruction const& instruction, Slot const& scratch) {
    shared.note(instruction, scratch);
  };
  for (auto entry : entries) {
    testing::execute(program, entry, memory, run, note);
    auto const observed = std::string(entry) + ".observed";
    if (program.entry(observed) != nullptr) testing::execute(program, observed, memory, run, note);
  }
  shared.count();
  // Weights, moments and gradients that ranks share, by their places; the rest of that arena are
  // factors, and gradients of other ranks.
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
      if (arena == Arena::shared) clear_gradients_of_others(program, settled);
      sum += std::count(settled.begin(), settled.end(), 1);
    }
    return sum;
  };
  auto const weights = in_shared[TensorRole::weights], state = in_shared[TensorRole::moment],
             gradients = in_shared[TensorRole::gradient];
  return {{"weights", bytes({Arena::weights}) + weights},
          {"gradients", bytes({Arena::gradients}) + gradients},
          {"state",
           bytes({Arena::moments, Arena::statistics}) + state + in_scalars[TensorRole::statistic]},
          {"data", bytes({Arena::inputs, Arena::results}) + in_scalars[TensorRole::input] +
                       in_scalars[TensorRole::result]},
          {"activations", shared.activations},
          {"scratch", shared.scratch_alone},
          {"messages", bytes({Arena::messages, Arena::shared}) - weights - state - gradients},
          {"stray", shared.stray},
          {"unset", shared.unset}};
}

Json measure_flops(Plan const& plan, SpecializedProgram const& program) {
  Replicas const memory(program, Replicas::Filling::zeros);
  testing::fill_inputs(plan, program, memory);
  Json told;
  for (auto name : entries) {
    Json layers = Json::object();
    auto const run = [&](Instruction const& instruction, kernels::Call const& call) {
      auto const before = Counted::operations();
      if (!testing::is_done_by_ranks(instruction, call))
        kernels::reference::implementation<Counted>(instruction.op.index()).bind(call)->run();
      auto& count = layers[instruction.origin.name];
      count = (count.is_null() ? 0 : count.get<std::int64_t>()) + Counted::operations() - before;
    };
    testing::execute(program, name, memory, run, [](Instruction const&, Slot const&) {});
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
