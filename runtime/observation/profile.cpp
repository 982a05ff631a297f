// Times each instruction and formats the table.
#include "runtime/observation/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "kernels/thread_team.hpp"
#include "runtime/memory/arenas.hpp"

namespace lbann::runtime {

namespace {

double median(std::vector<float> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Row {
  double seconds = 0;
  std::string_view operation, implementation;
  std::string layer;
  double bytes = 0;
  double flops = 0;
};

Row row_of(SpecializedProgram const& program, BoundEntry const& entry,
           BoundEntry::Step const& step) {
  auto const& instruction = entry.entry->instructions[step.instruction];
  TensorTypes inputs, outputs;
  for (auto id : instruction.inputs) inputs.push_back(program.tensors[id.index()].type);
  for (auto id : instruction.outputs) outputs.push_back(program.tensors[id.index()].type);
  Row row;
  row.operation = name_of(instruction.op);
  row.implementation = step.implementation;
  row.layer = instruction.origin.name;
  for (auto const* types : {&inputs, &outputs})
    for (auto const& type : *types)
      row.bytes += static_cast<double>(type.shape.elements(entry.samples)) *
                   static_cast<double>(bytes_of(type.type));
  row.flops = static_cast<double>(flops(instruction.op, {inputs, outputs}, entry.samples));
  return row;
}

}  // namespace

void Profile::run(BoundEntry const& entry) {
  using Clock = std::chrono::steady_clock;
  auto& times = times_[&entry];
  times.seconds.resize(entry.steps.size());
  wait_for_device();
  std::size_t i = 0;
  auto const synchronised = kernels::ThreadTeam::synchronisations();
  auto before = Clock::now();
  Executor::run(entry, [&](BoundEntry::Step const& step) {
    step.kernel->run();
    wait_for_device();
    auto const after = Clock::now();
    times.seconds[i++].push_back(std::chrono::duration<float>(after - before).count());
    before = after;
  });
  times.synchronisations = kernels::ThreadTeam::synchronisations() - synchronised;
}

std::vector<std::string> Profile::table(SpecializedProgram const& program) const {
  std::vector<std::string> lines;
  for (auto const& [entry, times] : times_) {
    auto const& seconds = times.seconds;
    std::vector<Row> rows;
    double total = 0, bytes = 0, operations = 0;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      rows.push_back(row_of(program, *entry, entry->steps[i]));
      rows.back().seconds = median(seconds[i]);
      total += rows.back().seconds;
      bytes += rows.back().bytes;
      operations += rows.back().flops;
    }
    auto const runs = seconds.empty() ? 0 : seconds.front().size();
    lines.push_back(
        fmt::format("profile of `{}`, {} samples: {:.1f} us in {} instructions, median of {} runs",
                    entry->entry->name, entry->samples, 1e6 * total, rows.size(), runs));
    lines.push_back(fmt::format(
        "in a run: {:.0f} operations, {:.0f} bytes of inputs and outputs, {} synchronisations of "
        "threads",
        operations, bytes, times.synchronisations));
    lines.push_back(fmt::format("{:>10} {:>6}  {:<28} {:<12} {:>10} {:>8} {:>8}  {}", "us", "share",
                                "operator", "kernel", "bytes", "GB/s", "GF/s", "layer"));
    std::stable_sort(rows.begin(), rows.end(),
                     [](Row const& a, Row const& b) { return a.seconds > b.seconds; });
    for (auto const& row : rows) {
      auto const per_second = [&](double amount) {
        return row.seconds > 0 ? 1e-9 * amount / row.seconds : 0.0;
      };
      lines.push_back(fmt::format("{:10.2f} {:5.1f}%  {:<28} {:<12} {:>10} {:8.2f} {:8.2f}  {}",
                                  1e6 * row.seconds, total > 0 ? 100 * row.seconds / total : 0.0,
                                  row.operation, row.implementation,
                                  bytes_text(static_cast<std::int64_t>(row.bytes)),
                                  per_second(row.bytes), per_second(row.flops), row.layer));
    }
  }
  return lines;
}

}  // namespace lbann::runtime
