// Layers of the plan beside their operations in an entry point that goes forward alone.
#include "schemas/reports/summary.hpp"

#include <algorithm>
#include <map>

namespace lbann {

namespace {

std::int64_t entries_of(std::vector<std::int64_t> const& dims) {
  std::int64_t product = 1;
  for (auto const dim : dims) product *= dim;  // plans hold no weights that would not fit
  return product;
}

/// Operations by layer; none where nothing goes forward alone.
std::map<std::string_view, std::int64_t> forward(std::vector<EntryFlops> const& flops) {
  std::map<std::string_view, std::int64_t> found;
  auto entry = std::ranges::find(flops, "evaluate", &EntryFlops::entry);
  if (entry == flops.end()) entry = std::ranges::find(flops, predict_entry, &EntryFlops::entry);
  if (entry == flops.end()) return found;
  for (auto const& layer : entry->layers) found[layer.layer] = layer.flops;
  return found;
}

}  // namespace

ModelSummary summarize(Plan const& plan, std::vector<EntryFlops> const& flops) {
  ModelSummary summary;
  auto const operations = forward(flops);
  std::map<std::string_view, WeightsInfo const*> weights;
  for (auto const& each : plan.weights) {
    weights[each.name] = &each;
    (each.optimizer.empty() ? summary.frozen : summary.trained) += entries_of(each.dims);
  }
  for (auto const& layer : plan.layers) {
    if (!layer.inserted_by.empty()) continue;
    SummarizedLayer told{layer.name, layer.type, layer.parents, layer.dims};
    for (auto const& name : layer.weights) {
      auto const found = weights.find(name);
      if (found == weights.end()) {
        told.shares = true;
        continue;
      }
      auto const& info = *found->second;
      (info.optimizer.empty() ? told.frozen : told.trained) += entries_of(info.dims);
      weights.erase(found);
    }
    if (auto const found = operations.find(layer.name); found != operations.end())
      told.flops = found->second;
    summary.layers.push_back(std::move(told));
  }
  return summary;
}

}  // namespace lbann
