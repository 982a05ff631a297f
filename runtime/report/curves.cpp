// Lines of metrics.jsonl as series.
#include "runtime/report/curves.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace lbann::runtime {

namespace {

constexpr std::size_t solid = 0, dashed = 1;

/// A number of a pass.
using Value = std::function<double(PassLine const&)>;

Series series_of(RunHistory const& run, std::size_t index, ExecutionMode mode,
                 std::string const& label, std::size_t pattern, Value const& value) {
  Series series{run.name + ", " + label, index, pattern, mode == ExecutionMode::testing, {}, {}};
  for (auto const& pass : run.passes) {
    if (pass.mode != mode) continue;
    // The test has the number of epochs trained, the others that of their epoch, from 0.
    auto const epochs = pass.epoch + (mode == ExecutionMode::testing ? 0 : 1);
    series.x.push_back(static_cast<double>(epochs));
    series.y.push_back(value(pass));
  }
  return series;
}

Chart by_epoch(std::vector<RunHistory> const& runs, std::string title, std::string unit,
               Value const& value) {
  Chart chart{std::move(title),
              "epochs",
              std::move(unit),
              "dashed: training, solid: validation, ◆: test",
              {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    chart.series.push_back(
        series_of(runs[i], i, ExecutionMode::training, "training", dashed, value));
    chart.series.push_back(
        series_of(runs[i], i, ExecutionMode::validation, "validation", solid, value));
    chart.series.push_back(series_of(runs[i], i, ExecutionMode::testing, "test", solid, value));
  }
  return chart;
}

Chart objective_by_step(std::vector<RunHistory> const& runs) {
  Chart chart{"Objective of each mini-batch", "steps", "", "", {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Series series{runs[i].name, i, solid, false, {}, {}};
    for (auto const& step : runs[i].steps) {
      series.x.push_back(static_cast<double>(step.step));
      series.y.push_back(step.objective);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart learning_rates_by_step(std::vector<RunHistory> const& runs) {
  Chart chart{"Learning rates", "steps", "", "", {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::map<std::string, Series> of_run;
    for (auto const& step : runs[i].steps)
      for (auto const& [name, rate] : step.learning_rates) {
        auto const [found, added] = of_run.try_emplace(name);
        auto& series = found->second;
        if (added) series = {runs[i].name + ", " + name, i, of_run.size() - 1, false, {}, {}};
        series.x.push_back(static_cast<double>(step.step));
        series.y.push_back(rate);
      }
    for (auto& [name, series] : of_run) chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart times_by_epoch(std::vector<RunHistory> const& runs) {
  Chart chart{"Time of each epoch",
              "epochs",
              "s",
              "solid: training, dashed: the part in which it waited for data",
              {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    chart.series.push_back(series_of(runs[i], i, ExecutionMode::training, "time", solid,
                                     [](PassLine const& pass) { return pass.seconds; }));
    chart.series.push_back(series_of(runs[i], i, ExecutionMode::training, "waiting", dashed,
                                     [](PassLine const& pass) { return pass.waited; }));
  }
  return chart;
}

Chart throughput_by_epoch(std::vector<RunHistory> const& runs) {
  Chart chart{"Samples trained in a second", "epochs", "1/s", "", {}};
  for (std::size_t i = 0; i < runs.size(); ++i)
    chart.series.push_back(
        series_of(runs[i], i, ExecutionMode::training, "training", solid, [](PassLine const& pass) {
          return pass.seconds > 0 ? static_cast<double>(pass.samples) / pass.seconds
                                  : std::numeric_limits<double>::quiet_NaN();
        }));
  return chart;
}

/// Names of the metrics of all runs, in the order in which they come.
std::vector<std::string> metrics_of(std::vector<RunHistory> const& runs) {
  std::vector<std::string> names;
  for (auto const& run : runs)
    for (auto const& pass : run.passes)
      for (auto const& [name, value] : pass.metrics)
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

std::string unit_of(std::vector<RunHistory> const& runs, std::string const& metric) {
  for (auto const& run : runs)
    if (auto const found = run.units.find(metric); found != run.units.end()) return found->second;
  return "";
}

}  // namespace

std::vector<Chart> curves_of(std::vector<RunHistory> const& runs) {
  std::vector<Chart> charts{
      by_epoch(runs, "Objective", "", [](PassLine const& pass) { return pass.objective; })};
  for (auto const& metric : metrics_of(runs))
    charts.push_back(by_epoch(runs, metric, unit_of(runs, metric), [&](PassLine const& pass) {
      auto const found = pass.metrics.find(metric);
      return found == pass.metrics.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
    }));
  charts.push_back(objective_by_step(runs));
  charts.push_back(learning_rates_by_step(runs));
  charts.push_back(times_by_epoch(runs));
  charts.push_back(throughput_by_epoch(runs));
  std::erase_if(charts, [](Chart const& chart) { return chart.empty(); });
  return charts;
}

}  // namespace lbann::runtime
