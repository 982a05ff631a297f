// The table of layer types, and what all layers share.
#include "compiler/layers/layer.hpp"

#include <algorithm>

namespace lbann::compiler {

std::vector<LayerType> make_layer_types();  // generated: compiler/layers/list.cpp

LayerTypes::LayerTypes() : types_(make_layer_types()) {
  for (auto const& type : types_)
    if (std::ranges::find(families_, type.family) == families_.end())
      families_.push_back(type.family);
  std::ranges::sort(types_, {}, [](LayerType const& type) { return type.declaration.name; });
}

LayerType const* LayerTypes::find(std::string_view name) const {
  auto const found = std::ranges::lower_bound(
      types_, name, {}, [](LayerType const& type) { return type.declaration.name; });
  return found != types_.end() && found->declaration.name == name ? &*found : nullptr;
}

std::vector<LayerType const*> LayerTypes::all() const {
  std::vector<LayerType const*> all;
  for (auto const& type : types_) all.push_back(&type);
  return all;
}

Diagnostic& LayerContext::report(DiagnosticInfo const& info, std::string_view field,
                                 std::vector<std::string> arguments) const {
  auto const span = field.empty() ? declaration.type_span : declaration.place_of(field);
  auto& diagnostic =
      collected.add(info, span.known() ? span : declaration.span, std::move(arguments));
  if (explain) explain(diagnostic);
  return diagnostic;
}

}  // namespace lbann::compiler
