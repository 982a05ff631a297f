// Prints how many bytes change hands between threads in a training step: in whole pages, what a
// thread reads that another one has written, and overwrites that another one has written or read,
// as long as caches may hold it (touched_pages.hpp).
//   exchanged_bytes PLAN MINI_BATCH THREADS [--instructions]
// With --instructions those of each instruction before, the most first.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "kernels/compute_threads.hpp"
#include "kernels/kernel.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/reports/choose_mesh.hpp"
#include "schemas/specialization/specialization.hpp"
#include "tests/benchmarks/touched_pages.hpp"
#include "tests/reports/execution.hpp"
#include "tests/reports/replicas.hpp"

namespace {

using namespace lbann;
using testing::ExchangedBytes;
using testing::Replicas;
using testing::TouchedPages;

[[noreturn]] void fail(std::string const& words) {
  std::fprintf(stderr, "exchanged_bytes: %s\n", words.c_str());
  std::exit(1);
}

struct Line {
  ExchangedBytes bytes;
  std::string what;
};

/// The instructions of a training step. Before it another one has run, so that weights are where
/// updates have left them; the inputs come from a thread that does not compute.
std::vector<Line> step(SpecializedProgram const& program, Replicas const& memory,
                       TouchedPages& pages) {
  std::vector<Line> lines;
  auto const run = [&](Instruction const& instruction, kernels::Call const& call) {
    bool const in_place = std::holds_alternative<operators::reshape>(instruction.op) &&
                          call.inputs[0].data == call.outputs[0].data;
    if (in_place) return;
    auto const kernel = kernels::bind(call);
    if (kernel == nullptr) fail("no kernel for " + std::string(name_of(instruction.op)));
    pages.take();
    kernel->run();
    lines.push_back(
        {pages.take(), std::string(name_of(instruction.op)) + ' ' + instruction.origin.name});
  };
  for (auto const* entry : {"initialize", "train", "train"}) {
    lines.clear();
    pages.forget(memory.memory(0, Arena::inputs));
    testing::execute(program, entry, memory, run, [](Instruction const&, Slot const&) {});
  }
  return lines;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) fail("usage: exchanged_bytes PLAN MINI_BATCH THREADS [--instructions]");
  auto const plan = read_plan(argv[1]);
  if (!plan) fail(plan.problem().message);
  TouchedPages* pages = nullptr;
  kernels::ComputeThreads const threads(std::atoll(argv[3]),
                                        kernels::ThreadTeam::InTurn{[&](std::int64_t part) {
                                          if (pages != nullptr) pages->begin(part);
                                        }});
  Placement placement;
  placement.mini_batch = std::atoll(argv[2]);
  placement.threads = kernels::ThreadTeam::size();
  placement.one_node = true;
  auto const mesh = choose_mesh(plan.value(), {}, 1, placement.mini_batch);
  if (!mesh) fail(mesh.problem().message);
  placement.mesh = mesh.value();
  auto const program = specialize(plan.value(), placement);
  if (!program) fail(program.problem().message);
  Replicas const memory(program.value(), Replicas::Filling::zeros);
  testing::fill_inputs(plan.value(), program.value(), memory);
  std::vector<std::span<std::byte>> regions;
  for (std::size_t arena = 0; arena < arena_count; ++arena)
    regions.push_back(memory.memory(0, static_cast<Arena>(arena)));
  TouchedPages touched(regions);
  pages = &touched;
  auto lines = step(program.value(), memory, touched);
  pages = nullptr;
  ExchangedBytes sum;
  for (auto const& line : lines) {
    sum.read += line.bytes.read;
    sum.overwritten += line.bytes.overwritten;
  }
  if (argc > 4) {
    std::stable_sort(lines.begin(), lines.end(),
                     [](Line const& a, Line const& b) { return a.bytes.sum() > b.bytes.sum(); });
    for (auto const& line : lines)
      if (line.bytes.sum() > 0)
        std::printf("%12lld read %12lld overwritten %s\n", static_cast<long long>(line.bytes.read),
                    static_cast<long long>(line.bytes.overwritten), line.what.c_str());
  }
  std::printf("%lld bytes read, %lld overwritten\n", static_cast<long long>(sum.read),
              static_cast<long long>(sum.overwritten));
  return 0;
}
