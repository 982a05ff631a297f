// Reports of a small plan against numbers counted by hand, and of random programs against programs.
#include "schemas/reports/report.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tests/schemas/specialization/random_program.hpp"
#include "tests/support/small_plan.hpp"

using namespace lbann;

namespace {

RunReport told(Plan const& plan, RunSize const& size) {
  auto report = make_report(plan, size);
  if (!report) FAIL(report.problem().message);
  return std::move(report).value();
}

std::int64_t bytes(MemoryReport const& memory, MemoryClass kind) {
  return memory.bytes[static_cast<std::size_t>(kind)];
}

SpecializedProgram program_of(Plan const& plan, std::int64_t ranks, std::int64_t rank,
                              std::int64_t mini_batch) {
  Placement placement;
  placement.mesh = {{"data", ranks}};
  placement.rank = rank;
  placement.mini_batch = mini_batch;
  placement.threads = RunSize{}.threads;
  auto program = specialize(plan, placement);
  if (!program) FAIL(program.problem().message);
  return std::move(program).value();
}

/// A tensor lives from the first to the last instruction that names it; tensors in the same bytes
/// at the same time are one.
std::int64_t largest_live(SpecializedProgram const& program) {
  std::vector<std::pair<std::size_t, std::size_t>> lives(program.tensors.size(), {1, 0});
  std::size_t step = 0;
  for (auto const& entry : program.entries)
    for (auto const& instruction : entry.instructions) {
      for (auto const* ids : {&instruction.inputs, &instruction.outputs})
        for (auto id : *ids) {
          auto& [first, last] = lives[id.index()];
          if (first > last) first = step;
          last = step;
        }
      ++step;
    }
  // What a message carries lives until it has arrived.
  step = 0;
  for (auto const& entry : program.entries) {
    for (auto const& message : entry.messages) {
      if (message.kind != Message::Kind::collective) continue;
      for (auto const* ids : {&entry.instructions[message.posted].inputs,
                              &entry.instructions[message.posted].outputs})
        for (auto id : *ids)
          lives[id.index()].second =
              std::max(lives[id.index()].second,
                       step + std::min(message.needed, entry.instructions.size() - 1));
    }
    step += entry.instructions.size();
  }
  std::int64_t largest = 0;
  step = 0;
  for (auto const& entry : program.entries)
    for (std::size_t i = 0; i < entry.instructions.size(); ++i, ++step) {
      std::vector<bool> live(static_cast<std::size_t>(
          program.arena_bytes[static_cast<std::size_t>(Arena::activations)]));
      auto const mark = [&](Slot const& slot) {
        if (slot.used && slot.arena == Arena::activations)
          std::fill_n(live.begin() + slot.offset, slot.bytes, true);
      };
      mark(entry.scratch[i]);
      for (std::size_t t = 0; t < lives.size(); ++t)
        if (lives[t].first <= step && step <= lives[t].second) mark(program.slots[t]);
      largest = std::max<std::int64_t>(largest, std::count(live.begin(), live.end(), true));
    }
  return largest;
}

}  // namespace

TEST_CASE("memory of a small plan") {
  auto const report = told(tests::small_plan(), {});
  CHECK(report.mini_batch == 5);
  REQUIRE(report.groups.size() == 1);
  auto const& memory = report.groups[0].memory;
  // 6 x 4 and 4 x 3 numbers and as many biases as outputs, in f32.
  auto const weights = std::int64_t{4} * (6 * 4 + 4 + 4 * 3 + 3);
  CHECK(bytes(memory, MemoryClass::weights) == weights);
  CHECK(bytes(memory, MemoryClass::gradients) <= weights);
  CHECK(bytes(memory, MemoryClass::state) >= weights);  // velocities, and numbers of 8 bytes
  CHECK((bytes(memory, MemoryClass::state) - weights) % 8 == 0);
  CHECK(std::accumulate(memory.bytes.begin(), memory.bytes.end(), std::int64_t{0}) == memory.total);
}

TEST_CASE("ranks with as many samples are one group") {
  auto const plan = tests::small_plan();
  auto const report = told(plan, {12, 4, 6});
  CHECK(report.trainers == 3);
  REQUIRE(report.groups.size() == 2);
  CHECK(report.groups[0].first == 0);
  CHECK(report.groups[0].last == 1);
  CHECK(report.groups[0].samples == 2);
  CHECK(report.groups[1].first == 2);
  CHECK(report.groups[1].last == 3);
  CHECK(report.groups[1].samples == 1);
  CHECK(told(plan, {4, 0, 8}).groups.size() == 1);
  CHECK(told(plan, {5, 0, 2}).groups.back().samples == 0);
  for (auto const& group : report.groups)
    for (auto rank = group.first; rank <= group.last; ++rank) {
      // All of the group, not only its first, hold and do the same.
      auto const program = program_of(plan, 4, rank, 6);
      CHECK(program.largest_batch == group.samples);
      CHECK(report_memory(program).bytes == group.memory.bytes);
      CHECK(report_flops(program)[1].total == group.flops[1].total);
    }
}

TEST_CASE("operations are told by layer") {
  auto const report = told(tests::small_plan(), {});
  auto const& flops = report.groups[0].flops;
  REQUIRE(flops.size() == 3);
  for (auto const& entry : flops) {
    std::int64_t sum = 0;
    for (auto const& layer : entry.layers) sum += layer.flops;
    CHECK(entry.total == sum);
  }
  // Products alone: forward, and for the weights backward; 2 m n k each.
  auto const forward = std::int64_t{2} * 5 * (6 * 4 + 4 * 3), evaluate = flops.back().total;
  CHECK(evaluate >= forward);
  CHECK(evaluate < 3 * forward);
}

TEST_CASE("messages are told in bytes") {
  auto const plan = tests::small_plan();
  auto const alone = told(plan, {});
  for (auto const& entry : alone.groups[0].messages) CHECK(entry.messages.empty());
  auto const report = told(plan, {2, 0, 4});
  auto const program = program_of(plan, 2, 0, 4);
  for (auto const& entry : report.groups[0].messages) {
    std::int64_t sum = 0, sums = 0;
    for (auto const& message : entry.messages) sum += message.bytes;
    CHECK(entry.bytes == sum);
    for (auto const& instruction : program.entry(entry.entry)->instructions)
      if (name_of(instruction.op) == "all_reduce") ++sums;
    CHECK(static_cast<std::int64_t>(entry.messages.size()) == sums);
    // Every gradient, 40 numbers and more, is summed in a training step.
    if (entry.entry == "train") CHECK(sum >= 4 * (6 * 4 + 4 + 4 * 3 + 3));
  }
}

TEST_CASE("of a rank with a GPU, memory and copies are told") {
  auto const plan = tests::small_plan();
  auto const report = told(plan, {2, 0, 10});
  REQUIRE(report.groups.size() == 1);
  auto const& device = report.groups[0].device;
  // Ranks of one node share memory, GPUs do not.
  auto const program = program_of(plan, 2, 0, 10);
  CHECK(device.bytes == report_memory(program).total);
  REQUIRE(device.entries.size() == 3);
  auto const numbers = program.arena_bytes[static_cast<std::size_t>(Arena::scalars)];
  auto const status = 8 * status_words;
  // 5 samples of 6 numbers and 3 labels, in f32.
  auto const samples = 5 * (6 + 3) * 4;
  for (auto const& entry : device.entries) {
    CAPTURE(entry.entry);
    bool const trains = entry.entry != "initialize";
    CHECK(entry.to_host == numbers + (trains ? status : 0));
    CHECK(entry.to_device == entry.to_host + (trains ? samples : 0));
    CHECK(entry.on_host.empty());
  }
}

TEST_CASE("of an instruction on the host, copies are told") {
  auto const plan = tests::small_plan();
  auto program = program_of(plan, 1, 0, 5);
  auto& train = program.entries[1].instructions;
  auto const loss = std::ranges::find_if(train, [](Instruction const& each) {
    return std::holds_alternative<operators::softmax_cross_entropy>(each.op);
  });
  REQUIRE(loss != train.end());
  loss->op = operators::external{};
  auto const device = report_device(plan, program);
  REQUIRE(device.entries[1].on_host.size() == 1);
  auto const& told = device.entries[1].on_host[0];
  CHECK(told.op == "external");
  CHECK(told.layer == loss->origin.name);
  // For 5 samples 3 scores and labels go in, 3 probabilities and a loss come out, in f32.
  CHECK(told.to_device == 5 * (3 + 1) * 4);
  CHECK(told.to_host == 5 * (3 + 3) * 4);
}

TEST_CASE("impossible runs are refused") {
  auto const plan = tests::small_plan();
  auto const problem = make_report(plan, {6, 4, 8});
  REQUIRE(!problem.good());
  CHECK(problem.problem().message.find("multiple of --procs-per-trainer") != std::string::npos);
  CHECK(!make_report(plan, {0, 0, 8}).good());
  CHECK(!make_report(plan, {1, 0, -1}).good());
  CHECK(!make_report(plan, {1, 0, std::int64_t{1} << 60}).good());
}

TEST_CASE("what lives at once is the largest sum, and no less is placed") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    auto plan = tests::small_plan();
    if (seed > 0) plan.program = tests::random_program(seed, 40);
    for (std::int64_t ranks : {1, 3}) {
      auto const program = program_of(plan, ranks, 0, 5);
      auto const memory = report_memory(program);
      CAPTURE(seed);
      CHECK(memory.live == largest_live(program));
      CHECK(memory.live <= memory.placed);
      CHECK(bytes(memory, MemoryClass::padding) >= 0);
      CHECK(std::accumulate(memory.bytes.begin(), memory.bytes.end(), std::int64_t{0}) ==
            memory.total);
    }
  }
}
