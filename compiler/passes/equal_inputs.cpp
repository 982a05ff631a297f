// What makes the inputs of a layer equal that must be.
#include "compiler/passes/equal_inputs.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "schemas/vocabulary/shape.hpp"

namespace lbann::compiler {

namespace {

/// Fields that tell the first of the dims that a layer gives.
constexpr std::array<std::string_view, 2> size_fields{"num_neurons", "out_channels"};

Dims const& dims_of(Graph const& graph, Edge const& edge) {
  return graph[edge.layer].outputs[edge.output];
}

std::optional<std::string_view> size_field(GraphLayer const& layer) {
  for (auto const& field : layer.type->declaration.fields)
    if (std::ranges::find(size_fields, field.name) != size_fields.end()) return field.name;
  return std::nullopt;
}

/// Whether dims differ in the first number alone.
bool differ_in_first(Dims const& a, Dims const& b) {
  return a.size() == b.size() && !a.empty() && std::equal(a.begin() + 1, a.end(), b.begin() + 1);
}

/// Says which number would make input `index` of `layer` have the dims `wanted`; false if none.
bool suggest_size(Graph const& graph, GraphLayer const& layer, std::size_t index,
                  Dims const& wanted, Diagnostic& diagnostic) {
  auto const& dims = dims_of(graph, layer.parents[index]);
  if (!differ_in_first(dims, wanted)) return false;
  // Back to the layer that chose the number, through those that keep it.
  auto edge = layer.parents[index];
  for (;;) {
    auto const& maker = graph[edge.layer];
    if (auto const field = size_field(maker)) {
      diagnostic.labels.push_back({maker.declaration.place_of(*field),
                                   "`" + std::string(*field) + ": " + std::to_string(wanted[0]) +
                                       "` would give " + to_text(wanted)});
      return true;
    }
    if (maker.parents.size() != 1 || dims_of(graph, maker.parents[0]) != dims) return false;
    edge = maker.parents[0];
  }
}

}  // namespace

void suggest_equal_inputs(Graph const& graph, GraphLayer const& layer, Diagnostic& diagnostic) {
  auto const& first = dims_of(graph, layer.parents[0]);
  for (std::size_t i = 1; i < layer.parents.size(); ++i) {
    auto const& dims = dims_of(graph, layer.parents[i]);
    if (dims == first) continue;
    if (suggest_size(graph, layer, i, first, diagnostic) ||
        suggest_size(graph, layer, 0, dims, diagnostic) ||
        checked_product(dims) != checked_product(first))
      return;
    diagnostic.notes.push_back("both have as many entries: `reshape: {dims: " + to_text(first) +
                               "}` behind `" + graph[layer.parents[i].layer].name +
                               "` makes them equal");
    return;
  }
}

}  // namespace lbann::compiler
