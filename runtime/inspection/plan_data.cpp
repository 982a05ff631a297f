// Every reader is opened as a run opens it.
#include "runtime/inspection/plan_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/data/decode_image.hpp"
#include "runtime/loading/plan_file.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

Result<std::unique_ptr<PlanData>> PlanData::open(RunOptions const& run) {
  auto file = read_plan(run.plan);
  if (!file) return file.problem();
  auto data = std::make_unique<PlanData>();
  auto& plan = data->plan_ = std::move(file.value().plan);
  if (!plan.unimplemented.empty())
    return Problem{fmt::format(
        "{}: the plan was compiled with --allow-unbuilt and asks for what is not supported yet: {}",
        run.plan.string(), fmt::join(plan.unimplemented, ", "))};
  if (plan.data.empty()) return Problem{run.plan.string() + ": the experiment has no data reader"};
  OpenContext context{{run.data_root.string()}, run.python};
  context.decode_image = decode_image;
  data->python_ = std::make_unique<PythonWorkers>(plan, context);
  context.workers = data->python_.get();
  data->predictions_.sources = plan.sources;
  data->predictions_.random_seed = plan.random_seed;
  for (auto const& source : plan.data) {
    if (source.role != ExecutionMode::prediction) continue;
    data->predictions_.data.push_back(source);
    data->predictions_.data.back().role = ExecutionMode::testing;
  }
  for (auto const* of : {&plan, &data->predictions_}) {
    auto opened = open_splits(*of, context, true);
    if (!opened) return opened.problem();
    for (auto& split : opened.value()) {
      split.samples->start_epoch(plan.random_seed, 0);
      std::ranges::sort(split.indices);
      auto const role = of == &plan ? split.role : ExecutionMode::prediction;
      data->splits_.emplace_back(reader_role(role), std::move(split));
    }
  }
  return data;
}

Result<Success> PlanData::read(Split const& split, std::int64_t index,
                               std::span<FieldColumn const> columns) const {
  auto read = split.samples->read_batch({&index, 1}, columns);
  if (read) return read;
  auto const& reader = split.source->reader;
  return Problem{
      located(plan_.sources, reader.span,
              fmt::format("reader `{}`, {}", reader.record.type, read.problem().message))};
}

}  // namespace lbann::runtime
