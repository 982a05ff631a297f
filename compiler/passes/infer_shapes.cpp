// Pass: dims of every output, from the data fields on.
#include <algorithm>
#include <unordered_map>

#include "compiler/layers/input.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

/// `samples [1, 28, 28] -> conv1 [20, 24, 24] -> ...` up to the parents of `layer`, along its first
/// parents, inserted layers left out.
std::string chain_to(Graph const& graph, GraphLayer const& layer) {
  constexpr int longest = 8;
  std::string text;
  auto const* at = &layer;
  for (int length = 0; !at->parents.empty();) {
    auto const edge = at->parents[0];
    at = &graph[edge.layer];
    if (!at->inserted_by.empty()) continue;
    if (++length > longest) return "... -> " + text;
    text = "`" + at->name + "` " +
           to_text(at->outputs[edge.output < at->outputs.size() ? edge.output : 0]) +
           (text.empty() ? "" : " -> ") + text;
  }
  return text;
}

/// Dims of a data field as the readers give it; complains once per field.
class Fields {
 public:
  explicit Fields(Compilation& compilation)
      : readers_(compilation.experiment.readers), report_(compilation.report) {}

  std::optional<Dims> dims_of(std::string const& field, Span span);

 private:
  std::vector<ReaderEntry> const& readers_;
  Report& report_;
  bool complained_of_readers_ = false;
};

std::optional<Dims> Fields::dims_of(std::string const& field, Span span) {
  if (readers_.empty()) {
    if (!complained_of_readers_) report_.add(diagnostics::no_data_reader, span);
    complained_of_readers_ = true;
    return std::nullopt;
  }
  std::optional<Dims> dims;
  ReaderEntry const* first = nullptr;
  bool good = true;
  for (auto const& reader : readers_) {
    ReaderEntry::FieldDims const* found = nullptr;
    std::vector<std::string_view> accepted;
    for (auto const& given : reader.fields) {
      accepted.push_back(given.name.text);
      if (given.name.text == field) found = &given;
    }
    auto const role = std::string(data_role_names[static_cast<std::size_t>(reader.role)]);
    if (found == nullptr) {
      auto& diagnostic = report_.add(diagnostics::unknown_data_field, span, {field});
      diagnostic.labels.push_back({reader.span, "the reader of the " + role + " data"});
      diagnostic.suggestions = nearest(field, accepted);
      return std::nullopt;
    }
    if (found->dims.empty()) {
      auto& diagnostic = report_.add(diagnostics::unknown_field_dims, span, {field});
      diagnostic.labels.push_back(
          {reader.span, "the reader of the " + role + " data does not tell them"});
      if (!found->unknown_because.empty()) diagnostic.notes.push_back(found->unknown_because);
      return std::nullopt;
    }
    if (!dims) {
      dims = found->dims;
      first = &reader;
    } else if (*dims != found->dims) {
      report_.add(diagnostics::field_dims_clash, reader.span,
                  {field, to_text(*dims),
                   std::string(data_role_names[static_cast<std::size_t>(first->role)]),
                   to_text(found->dims), role});
      good = false;
    }
  }
  return good ? dims : std::nullopt;
}

void check_mini_batch(Experiment const& experiment, Report& report) {
  for (auto const& reader : experiment.readers)
    if (reader.role == DataRole::train && reader.samples >= 0 &&
        experiment.mini_batch_size > reader.samples)
      report
          .add(diagnostics::mini_batch_too_large, experiment.mini_batch_span,
               {std::to_string(experiment.mini_batch_size), std::to_string(reader.samples)})
          .labels.push_back({reader.span, "gives " + std::to_string(reader.samples) + " samples"});
}

}  // namespace

void infer_shapes(Compilation& compilation) {
  auto& graph = compilation.graph;
  auto& report = compilation.report;
  Fields fields(compilation);
  check_mini_batch(compilation.experiment, report);
  std::vector<bool> known(graph.layers.size());  // what follows from an error stays unknown
  std::unordered_map<std::string_view, WeightsRole> used;  // weights, by the name the user gave
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    auto& layer = graph.layers[i];
    std::vector<Dims> inputs;
    bool parents_known = !layer.hint || known[layer.hint->index()];
    for (auto const& edge : layer.parents) {
      parents_known = parents_known && known[edge.layer.index()];
      if (parents_known) inputs.push_back(graph[edge.layer].outputs[edge.output]);
    }
    if (!parents_known) continue;
    std::optional<Dims> given;
    if (layer.type->declaration.name == layers::input::name)
      given = fields.dims_of(layer.declaration.as<layers::input>().data_field,
                             layer.declaration.place_of("data_field"));
    else if (layer.hint && !graph[*layer.hint].outputs.empty())
      given = graph[*layer.hint].outputs[0];
    std::vector<std::optional<WeightsRole>> given_weights;
    for (auto const& name : layer.weights_names) {
      auto const found = used.find(name.text);
      given_weights.push_back(found == used.end() ? std::nullopt : std::optional(found->second));
    }
    LayerContext const context{layer.name,
                               layer.declaration,
                               inputs,
                               layer.children.size(),
                               given,
                               report,
                               [&](Diagnostic& diagnostic) {
                                 if (auto chain = chain_to(graph, layer); !chain.empty())
                                   diagnostic.notes.push_back("shapes so far: " + chain);
                               },
                               std::move(given_weights)};
    auto outputs = layer.type->output_dims(layer.declaration.object.get(), context);
    if (!outputs) continue;
    if (!std::ranges::all_of(*outputs, [&](Dims const& dims) {
          return layers::fits_in_a_tensor(dims, compilation.experiment.mini_batch_size);
        })) {
      if (given && !layer.hint) {
        report.add(diagnostics::sample_too_large, layer.declaration.place_of("data_field"),
                   {std::to_string(compilation.experiment.mini_batch_size),
                    layer.declaration.as<layers::input>().data_field, to_text(*given)});
        continue;
      }
      context.complain(diagnostics::number_too_large, "", {layer.name});
      continue;
    }
    if (layer.hint && given && !outputs->empty() && (*outputs)[0] != *given) {
      context.complain(
          diagnostics::hint_clash, "",
          {layer.name, to_text((*outputs)[0]), graph[*layer.hint].name, to_text(*given)});
      continue;
    }
    layer.outputs = std::move(*outputs);
    known[i] = true;
    if (layer.weights_names.empty()) continue;
    auto const roles = layer.type->weights(layer.declaration.object.get(), context);
    for (std::size_t role = 0; role < std::min(roles.size(), layer.weights_names.size()); ++role)
      used.emplace(layer.weights_names[role].text, roles[role]);
  }
}

}  // namespace lbann::compiler
