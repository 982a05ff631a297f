// Names of layers in modules: each call has its own, and what a module is given by name.
#include <algorithm>
#include <charconv>

#include "compiler/experiment/expanding/expansion.hpp"
#include "compiler/experiment/expanding/weights_in_place.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

constexpr std::array<std::string_view, 4> reference_fields = {"parents", "children", "hint_layer",
                                                              "weights_of"};

}  // namespace

std::map<std::string, Span> Expansion::names_in(LayerList const& list) {
  std::map<std::string, Span> names;
  for (auto const& layer : list.layers) {
    if (layer.kind != Node::Kind::mapping || layer.entries.size() != 1) continue;
    if (auto const* name = layer.entries.front().value.find("name"))
      names.emplace(name->value.text, name->value.span);
  }
  return names;
}

void Expansion::rename(Node& name, std::string text) {
  if (within_limits(name.span, {0, text.size()})) name.text = std::move(text);
}

void Expansion::resolve_name(Node& name, LayerList const& list, Module const* module,
                             std::vector<Node> const& parents, std::string const& prefix,
                             std::map<std::string, Span> const& own) {
  if (name.kind != Node::Kind::scalar) return;
  auto const dot = name.text.find('.');
  auto const base = name.text.substr(0, dot);
  auto const rest = dot == std::string::npos ? std::string() : name.text.substr(dot);
  if (auto const call = list.calls.find(base); call != list.calls.end()) {
    auto const& outputs = call->second;
    auto const wanted = rest.empty() ? std::string() : rest.substr(1);
    std::size_t index = outputs.size();
    auto const [end, failure] =
        std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
    if (wanted.empty()) {
      index = 0;
    } else if (failure != std::errc{} || end != wanted.data() + wanted.size()) {
      auto const of_call = list.prefixes.at(base) + wanted;
      index = static_cast<std::size_t>(std::find(outputs.begin(), outputs.end(), of_call) -
                                       outputs.begin());
    }
    if (wanted.empty() && outputs.size() > 1) {
      report_
          .add(diagnostics::ambiguous_output, name.span,
               {base, std::to_string(outputs.size()) + " outputs", "this reference"})
          .suggestions = {base + ".0", base + ".1"};
    } else if (index >= outputs.size()) {
      report_.add(diagnostics::unknown_output, name.span, {base, wanted});
    } else {
      rename(name, prefix + outputs[index]);
    }
    return;
  }
  if (module == nullptr) return;  // told of when the graph is built
  if (own.contains(name.text) || own.contains(base)) {
    rename(name, prefix + name.text);
    return;
  }
  auto const& inputs = module->inputs;
  auto const input = std::find(inputs.begin(), inputs.end(), base);
  bool const only = inputs.empty() && base == " input";
  if (input != inputs.end() || only) {
    auto const index = static_cast<std::size_t>(input - inputs.begin());
    if (index < parents.size())
      rename(name, parents[index].text + rest);
    else
      report_.add(diagnostics::no_layer_before, name.span, {module->name});
    return;
  }
  std::vector<std::string_view> known(inputs.begin(), inputs.end());
  for (auto const& [layer, place] : own) known.push_back(layer);
  for (auto const& [call, outputs] : list.calls) known.push_back(call);
  auto& diagnostic = report_.add(diagnostics::unknown_layer, name.span, {name.text});
  diagnostic.suggestions = nearest(name.text, known);
  diagnostic.notes.push_back("a module knows its own layers and its `inputs`");
}

void Expansion::resolve_names(LayerList& list, Module const* module,
                              std::vector<Node> const& parents, std::string const& prefix) {
  if (module == nullptr && list.calls.empty()) return;
  if (module != nullptr) prefix_weights(list, prefix);
  auto const own = names_in(list);
  for (auto& layer : list.layers) {
    for (auto const field : reference_fields) {
      auto* names = field_of(layer, field);
      if (names == nullptr) continue;
      resolve_name(*names, list, module, parents, prefix, own);
      for (auto& name : names->items) resolve_name(name, list, module, parents, prefix, own);
    }
    if (auto* name = field_of(layer, "name"); name != nullptr && module != nullptr)
      rename(*name, prefix + name->text);
  }
}

/// Weights that a module declares have names of their own in each call, others are the model's.
void Expansion::prefix_weights(LayerList& list, std::string const& prefix) {
  auto const declared = declared_weights(list.layers);
  for (auto& layer : list.layers)
    each_weights(layer, [&](Node& weights) {
      auto* name = name_of_weights(weights);
      if (name != nullptr && declared.contains(name->text)) rename(*name, prefix + name->text);
    });
}

void Expansion::resolve_measures(Node& section, LayerList const& list) {
  for (auto& node : section.items)
    if (auto* layer = field_of(node, "layer")) resolve_name(*layer, list, nullptr, {}, "", {});
}

}  // namespace lbann::compiler
