// Lines of names and values.
#include "compiler/export/plan_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lbann::compiler {

namespace {

std::string value_words(Value const& value) {
  struct Visitor {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return std::to_string(i); }
    std::string operator()(double x) const { return fmt::format("{}", x); }
    std::string operator()(std::string const& s) const { return fmt::format("\"{}\"", s); }
    std::string operator()(std::vector<std::int64_t> const& v) const {
      return fmt::format("[{}]", fmt::join(v, ", "));
    }
    std::string operator()(std::vector<double> const& v) const {
      return fmt::format("[{}]", fmt::join(v, ", "));
    }
    std::string operator()(std::vector<std::string> const& v) const {
      return fmt::format("[{}]", fmt::join(v, ", "));
    }
    std::string operator()(Shape const& s) const { return lbann::to_text(s); }
    std::string operator()(Expression const& e) const { return lbann::to_text(e); }
  };
  return std::visit(Visitor{}, value);
}

std::string record_words(Record const& record) {
  std::string text = record.type;
  for (auto const& [name, value] : record.fields)
    text += fmt::format(" {}={}", name, value_words(value));
  return text;
}

std::string limits_words(TrainingAlgorithm const& training) {
  std::string text;
  if (training.max_epochs > 0) text += fmt::format(" max_epochs={}", training.max_epochs);
  if (training.max_batches > 0) text += fmt::format(" max_batches={}", training.max_batches);
  if (training.max_seconds > 0) text += fmt::format(" max_seconds={}", training.max_seconds);
  return text.empty() ? " no training" : text;
}

}  // namespace

std::string to_text(Plan const& plan) {
  auto text = fmt::format(
      "plan version {} meaning {:016x}\nmodel {}\ntype {}\nmini_batch_size {}\nrandom_seed {}\n"
      "training {}{}\n",
      plan_version, meaning_digest(plan), plan.experiment, name_of(plan.type), plan.mini_batch_size,
      plan.random_seed, plan.training.type, limits_words(plan.training));
  if (plan.accumulate > 1) text += fmt::format("accumulate {}\n", plan.accumulate);
  if (plan.hydrogen_block_size > 0)
    text += fmt::format("hydrogen_block_size {}\n", plan.hydrogen_block_size);
  for (auto const& change : plan.training.mini_batches)
    text += fmt::format("mini_batch {} from epoch {}\n", change.mini_batch, change.epoch);
  for (auto const& source : plan.data) {
    text += fmt::format("data {} {}", reader_role(source.role), record_words(source.reader.record));
    if (source.samples >= 0) text += fmt::format(" samples={}", source.samples);
    for (auto const& field : source.fields)
      text += fmt::format(" {}:[{}]", field.name, fmt::join(field.dims, ", "));
    if (source.mixing)
      text += fmt::format(" mixing {} alpha={}", fmt::join(source.mixing->fields, ", "),
                          source.mixing->alpha);
    text += "\n";
  }
  for (auto const& layer : plan.layers) {
    text += fmt::format("layer {} {}", layer.name, layer.type);
    if (!layer.parents.empty()) text += fmt::format(" ({})", fmt::join(layer.parents, ", "));
    for (auto const& dims : layer.dims) text += fmt::format(" [{}]", fmt::join(dims, ", "));
    if (!layer.inserted_by.empty()) text += " by " + layer.inserted_by;
    text += "\n";
  }
  for (auto const& output : plan.outputs)
    if (output.by_default) text += fmt::format("predicts {}.{}\n", output.layer, output.index);
  for (auto const& weights : plan.weights) {
    text += fmt::format("weights {} [{}] {}", weights.name, fmt::join(weights.dims, ", "),
                        weights.optimizer.empty() ? "not trained" : weights.optimizer);
    if (!weights.statistic_of.empty())
      text += fmt::format(", {} of {}",
                          enum_names<DataStatistic>[static_cast<std::size_t>(weights.statistic)],
                          weights.statistic_of);
    text += "\n";
  }
  for (auto const& metric : plan.metrics)
    text += fmt::format("metric \"{}\"{}\n", metric.name,
                        metric.unit.empty() ? "" : " in " + metric.unit);
  for (auto const& callback : plan.callbacks)
    text += "callback " + record_words(callback.record) + "\n";
  for (auto const& name : plan.unimplemented) text += "not supported yet " + name + "\n";
  return text + lbann::to_text(plan.program);
}

}  // namespace lbann::compiler
