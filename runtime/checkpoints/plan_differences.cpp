// Compares what a plan computes in a step, name by name and instruction by instruction.
#include "runtime/checkpoints/plan_differences.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/checkpoints/npy.hpp"

namespace lbann::runtime {

namespace {

using Difference = std::optional<std::string>;

template <class T>
Difference compare_names(std::string const& kind, std::vector<T> const& saved,
                         std::vector<T> const& now) {
  auto const has = [](std::vector<T> const& all, std::string const& name) {
    return std::ranges::find(all, name, &T::name) != all.end();
  };
  for (auto const& one : saved)
    if (!has(now, one.name)) return "there is no " + kind + " `" + one.name + "` any more";
  for (auto const& one : now)
    if (!has(saved, one.name)) return kind + " `" + one.name + "` is new";
  return std::nullopt;
}

Difference compare_weights(Plan const& saved, Plan const& now) {
  if (auto names = compare_names("weights object", saved.weights, now.weights)) return names;
  for (auto const& weights : now.weights) {
    auto const& before = *std::ranges::find(saved.weights, weights.name, &WeightsInfo::name);
    auto const text = [](Plan const& plan, WeightsInfo const& of) {
      return describe(plan.program[of.tensor].type.type, of.dims);
    };
    if (text(saved, before) != text(now, weights))
      return fmt::format("weights `{}` were {}, now {}", weights.name, text(saved, before),
                         text(now, weights));
    if (before.optimizer != weights.optimizer)
      return fmt::format("the optimizer of weights `{}` was `{}`, now `{}`", weights.name,
                         before.optimizer, weights.optimizer);
  }
  return std::nullopt;
}

Difference compare_layers(Plan const& saved, Plan const& now) {
  if (auto names = compare_names("layer", saved.layers, now.layers)) return names;
  for (auto const& layer : now.layers) {
    auto const& before = *std::ranges::find(saved.layers, layer.name, &LayerInfo::name);
    if (before.type != layer.type)
      return fmt::format("layer `{}` was of type `{}`, now `{}`", layer.name, before.type,
                         layer.type);
  }
  return std::nullopt;
}

/// Instructions of an entry point as texts, with the layers they come from.
std::vector<std::pair<std::string, std::string>> instructions_of(Plan const& plan,
                                                                 std::string_view name) {
  std::vector<std::pair<std::string, std::string>> texts;
  if (auto const* entry = plan.program.entry_point(name))
    for (auto const& instruction : entry->instructions)
      texts.emplace_back(to_text(plan.program, instruction), instruction.origin.name);
  return texts;
}

Difference compare_program(Plan const& saved, Plan const& now) {
  auto const before = instructions_of(saved, "train"), after = instructions_of(now, "train");
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    if (before[i].first != after[i].first)
      return fmt::format("what `{}` computes has changed: `{}`, now `{}`",
                         after[i].second.empty() ? before[i].second : after[i].second,
                         before[i].first, after[i].first);
  if (before.size() != after.size())
    return fmt::format("a step had {} instructions, now {}", before.size(), after.size());
  return std::nullopt;
}

template <class T>
void note_change(std::vector<std::string>& notes, char const* what, T const& saved, T const& now) {
  if (saved != now) notes.push_back(fmt::format("{} was {}, now {}", what, saved, now));
}

}  // namespace

PlanDifferences compare_plans(Plan const& saved, Plan const& now) {
  PlanDifferences found;
  if (saved.random_seed != now.random_seed)
    found.refusal =
        fmt::format("the random seed was {}, now {}", saved.random_seed, now.random_seed);
  if (!found.refusal) found.refusal = compare_weights(saved, now);
  if (!found.refusal) found.refusal = compare_layers(saved, now);
  // The mini-batch size is a constant of some instructions, and accumulation needs others.
  if (!found.refusal && saved.mini_batch_size == now.mini_batch_size &&
      saved.accumulate == now.accumulate)
    found.refusal = compare_program(saved, now);
  auto& notes = found.allowed;
  note_change(notes, "the mini-batch size", saved.mini_batch_size, now.mini_batch_size);
  note_change(notes, "accumulate", saved.accumulate, now.accumulate);
  note_change(notes, "max_epochs", saved.training.max_epochs, now.training.max_epochs);
  note_change(notes, "max_batches", saved.training.max_batches, now.training.max_batches);
  note_change(notes, "max_seconds", saved.training.max_seconds, now.training.max_seconds);
  auto const records = [](auto const& all, auto record) {
    std::vector<Record> list;
    for (auto const& one : all) list.push_back(record(one).record);
    return list;
  };
  auto const of_reader = [](DataSource const& source) { return source.reader; };
  auto const itself = [](Declared const& declared) { return declared; };
  if (records(saved.data, of_reader) != records(now.data, of_reader))
    notes.push_back("fields of data readers have changed");
  if (records(saved.callbacks, itself) != records(now.callbacks, itself))
    notes.push_back("callbacks have changed");
  return found;
}

}  // namespace lbann::runtime
