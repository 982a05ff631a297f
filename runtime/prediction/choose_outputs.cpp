// Layers by name, or those that the compiler took for predictions.
#include "runtime/prediction/choose_outputs.hpp"

#include <algorithm>

#include "schemas/callbacks/list.hpp"
#include "schemas/vocabulary/nearest.hpp"

namespace lbann::runtime {

namespace {

std::string quoted(std::vector<std::string> const& names) {
  std::string text;
  for (auto const& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

/// Layers that callbacks say are predicted.
template <class... Callbacks>
std::vector<std::string> layers_of_callbacks(Plan const& plan, std::variant<Callbacks...> const*) {
  std::vector<std::string> names;
  auto const ask = [&]<class T>(Record const& record, T const*) {
    if constexpr (requires(T const& callback) { callback.predicts(); })
      if (auto const known = from_record<T>(record))
        for (auto const& name : known->predicts())
          if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (auto const& callback : plan.callbacks)
    (ask(callback.record, static_cast<Callbacks const*>(nullptr)), ...);
  return names;
}

}  // namespace

Result<std::vector<ModelOutput>> choose_outputs(Plan const& plan,
                                                std::vector<std::string> const& names) {
  std::vector<ModelOutput> chosen;
  if (names.empty()) {
    auto const asked = layers_of_callbacks(plan, static_cast<DeclaredCallback const*>(nullptr));
    if (!asked.empty()) return choose_outputs(plan, asked);
    for (auto const& output : plan.outputs)
      if (output.by_default) chosen.push_back(output);
    if (chosen.empty())
      return Problem{
          "no layer of the model is followed by nothing but losses and metrics; "
          "--layers names what to predict"};
    return chosen;
  }
  std::vector<std::string_view> layers;
  for (auto const& output : plan.outputs)
    if (layers.empty() || layers.back() != output.layer) layers.push_back(output.layer);
  for (auto const& name : names) {
    auto const before = chosen.size();
    if (std::ranges::find(chosen, name, &ModelOutput::layer) != chosen.end())
      return Problem{"--layers names `" + name + "` twice"};
    for (auto const& output : plan.outputs)
      if (output.layer == name) chosen.push_back(output);
    if (chosen.size() > before) continue;
    auto const near = nearest(name, layers);
    return Problem{"no layer `" + name + "` has an output to predict" +
                   (near.empty() ? "" : "; the nearest names are " + quoted(near))};
  }
  return chosen;
}

}  // namespace lbann::runtime
