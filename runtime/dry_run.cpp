// Times a rank's program on random data.
#include "runtime/dry_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "kernels/conversion.hpp"
#include "runtime/communication/dry_run.hpp"
#include "runtime/execution/cores.hpp"
#include "runtime/execution/executor.hpp"
#include "runtime/execution/threads.hpp"
#include "runtime/loading/plan_file.hpp"
#include "runtime/process/fail.hpp"
#include "schemas/files/standard_streams.hpp"
#include "schemas/reports/flops.hpp"
#include "schemas/reports/memory.hpp"
#include "schemas/reports/run_size.hpp"

namespace lbann::runtime {

namespace {

/// Why `config` is invalid, or nothing.
std::string refusal_of(DryRunConfig const& config) {
  if (config.rank >= config.ranks)
    return fmt::format("--dry-run-rank {} of {} ranks; the last is {}", config.rank, config.ranks,
                       config.ranks - 1);
  if (config.procs_per_trainer > 0 && config.ranks % config.procs_per_trainer != 0)
    return fmt::format(
        "{} ranks are not divisible by --procs-per-trainer {}; choose a multiple of {}",
        config.ranks, config.procs_per_trainer, config.procs_per_trainer);
  return {};
}

/// Fills the inputs of a step: random samples, counts and the seed.
void fill_inputs(Plan const& plan, Executor const& executor, std::int64_t mini_batch) {
  auto const samples = executor.program().largest_batch;
  std::mt19937 engine(static_cast<std::uint32_t>(plan.random_seed));
  for (auto const& source : plan.data)
    for (auto const& field : source.fields) {
      auto const view = executor.place(field.tensor, samples);
      kernels::with_type(view.type, [&](auto zero) {
        auto* const values = view.as<decltype(zero)>();
        for (std::int64_t i = 0; values != nullptr && i < view.elements(); ++i)
          values[i] = kernels::convert<decltype(zero)>((engine() >> 8) * 0x1p-24);
      });
      executor.put(field.tensor);
    }
  auto const set = [&]<class T>(TensorId tensor, T value) {
    if (auto* const scalar = executor.scalar_or_null<T>(tensor)) *scalar = value;
  };
  set(plan.mini_batch, static_cast<double>(mini_batch));
  set(plan.first_sample, std::int64_t{0});
  set(plan.seed, plan.random_seed);
}

std::string memory_line(SpecializedProgram const& program) {
  auto const memory = report_memory(program);
  std::string line = "memory :";
  for (std::size_t i = 0; i < memory_class_count; ++i)
    if (memory.bytes[i] > 0)
      line += fmt::format(" {} {},", memory_class_names[i], bytes_text(memory.bytes[i]));
  return line + fmt::format(" together {} ({} bytes)", bytes_text(memory.total), memory.total);
}

double median(std::vector<double> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Runs the entry point once to warm up and `times` more; the line reports the median.
std::string entry_line(BoundEntry const& entry, std::int64_t times, double flops,
                       Traffic const& traffic) {
  using Clock = std::chrono::steady_clock;
  auto const before = traffic;
  Executor::run(entry);
  auto const messages = traffic.messages - before.messages, bytes = traffic.bytes - before.bytes;
  std::vector<double> seconds;
  for (std::int64_t i = 0; i < times; ++i) {
    auto const begin = Clock::now();
    Executor::run(entry);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
  }
  auto const typical = median(std::move(seconds));
  return fmt::format(
      "{} : {:.3f} ms without messages (median of {}), {:.4g} operations, {:.3g} GF/s, {} "
      "message{} of {} bytes",
      entry.entry->name, 1e3 * typical, times, flops, typical > 0 ? 1e-9 * flops / typical : 0,
      messages, messages == 1 ? "" : "s", bytes);
}

}  // namespace

int dry_run(RunOptions const& options, DryRunConfig const& config) {
  if (auto const refusal = refusal_of(config); !refusal.empty())
    return fail(refusal, exit_command_line);
  auto file = read_plan(options.plan);
  if (!file) return fail(file.problem().message, exit_file);
  Plan const plan = std::move(file.value().plan);

  auto const size = config.procs_per_trainer > 0 ? config.procs_per_trainer : config.ranks;
  RunSize run;
  run.mini_batch = config.mini_batch;
  auto const mini_batch = micro_batch_size_of(plan, run);
  Traffic traffic;
  bool const one_node = config.procs_per_node == 0 || config.procs_per_node % size == 0;
  auto const trainer = dry_run_communicator(config.rank % size, size, one_node, traffic);
  auto const chosen = choose_threads(*trainer->on_this_node(), options.binding, options.threads,
                                     options.io_threads);
  auto const threads = start_threads(chosen);
  if (!threads) return fail(threads.problem().message, exit_failed);
  auto const mesh = choose_mesh(plan, options.mesh, size, mini_batch);
  if (!mesh) return fail(mesh.problem().message, exit_command_line);
  auto executor = Executor::create(plan, mini_batch, options.selection, trainer.get(), mesh.value(),
                                   !options.no_shared_memory);
  if (!executor) return fail(executor.problem().message, exit_failed);
  auto const& program = executor.value()->program();
  fill_inputs(plan, *executor.value(), mini_batch);

  std::vector<std::string> lines = {
      fmt::format("dry run of {} : rank {} of {}, trainer {} of {}, {} samples of {}, {} threads",
                  plan.experiment, config.rank, config.ranks, config.rank / size,
                  config.ranks / size, program.largest_batch, mini_batch, chosen.compute),
      memory_line(program)};
  auto const times = options.step_limit > 0 ? options.step_limit : 10;
  for (auto const& flops : report_flops(program)) {
    auto const bound = executor.value()->bind(flops.entry, mini_batch);
    if (!bound) return fail(bound.problem().message, exit_failed);
    lines.push_back(entry_line(*bound.value(), times, static_cast<double>(flops.total), traffic));
  }
  auto const printed = print(fmt::format("{}\n", fmt::join(lines, "\n")));
  return printed ? exit_good : fail(printed.problem().message, exit_file);
}

}  // namespace lbann::runtime
