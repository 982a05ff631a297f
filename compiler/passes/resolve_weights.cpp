// Pass: the weights of every layer, with dims, initializer and optimizer.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "compiler/experiment/expanding/settings.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

std::string count_text(std::size_t count) {
  return count == 0 ? "no weights" : std::to_string(count) + " weights";
}

class Resolver {
 public:
  explicit Resolver(Compilation& compilation);

  void resolve(LayerId id);
  void share(LayerId id);
  void find_unused();
  void resolve_regularizations();
  void find_nothing_to_train();

 private:
  /// The first layer that uses given weights, and whether it freezes them.
  struct Use {
    LayerId layer;
    bool freeze = false, columns_first = false;
  };

  void use(LayerId id, WeightsRole const& role, WeightsId weights, Span span);
  WeightsId create(LayerId id, WeightsRole const& role);
  std::optional<std::vector<WeightsRole>> roles_of(GraphLayer const& layer);
  Declaration default_initializer(WeightsRole const& role) const;
  Declaration effective_optimizer(Declaration const& own, bool freeze,
                                  WeightsRole const& role) const;
  void check_fans(GraphWeights const& weights, GraphLayer const& layer);
  void check_values(WeightsId id);
  void check_statistic(GraphWeights const& weights, Span span);
  bool take_matching(std::string_view pattern, std::vector<WeightsId>& into) const;

  Compilation& compilation_;
  Graph& graph_;
  Report& report_;
  std::size_t given_;  ///< weights the user declared come first
  std::unordered_map<std::string, WeightsId> names_;
  std::vector<std::optional<Use>> uses_;
  std::unordered_map<std::string_view, LayerId> layers_;  ///< by name
};

Resolver::Resolver(Compilation& compilation)
    : compilation_(compilation),
      graph_(compilation.graph),
      report_(compilation.report),
      given_(compilation.graph.weights.size()),
      uses_(given_) {
  for (std::size_t i = 0; i < given_; ++i) names_.emplace(graph_.weights[i].name, WeightsId(i));
  for (std::size_t i = 0; i < graph_.layers.size(); ++i)
    layers_.emplace(graph_.layers[i].name, LayerId(i));
}

Declaration Resolver::default_initializer(WeightsRole const& role) const {
  auto const* type = compilation_.initializer_types.find(role.initializer.type);
  auto declaration = default_declaration(type->declaration);
  declaration.object = role.initializer.fields;
  return declaration;
}

/// None where the weights are not trained.
Declaration Resolver::effective_optimizer(Declaration const& own, bool freeze,
                                          WeightsRole const& role) const {
  if (role.optimizer && !freeze) {
    auto const* type = compilation_.optimizer_types.find(role.optimizer->type);
    auto declaration = default_declaration(type->declaration);
    declaration.object = role.optimizer->fields;
    return declaration;
  }
  auto const& chosen = own ? own : compilation_.experiment.optimizer;
  if (freeze || !chosen) return {};
  auto const* type = compilation_.optimizer_types.find(chosen.type->name);
  bool const trains = type != nullptr && type->trains;  // none: it is not built
  return trains ? chosen : Declaration{};
}

void Resolver::check_fans(GraphWeights const& weights, GraphLayer const& layer) {
  auto const* type = compilation_.initializer_types.find(weights.initializer.type->name);
  if (type->needs_fans && (weights.fan_in <= 0 || weights.fan_out <= 0))
    report_.add(diagnostics::no_fans, weights.initializer.type_span,
                {std::string(type->declaration.name), layer.name});
}

/// One number for each entry, whether they stand in the experiment or in a file.
void Resolver::check_values(WeightsId id) {
  auto const& weights = graph_.weights[id.index()];
  auto const& initializer = weights.initializer;
  auto const* type = compilation_.initializer_types.find(initializer.type->name);
  auto const size = checked_product(weights.dims);
  if (!size) return;
  if (auto const given = type->given_values(initializer.object.get());
      given && static_cast<std::int64_t>(*given) != *size)
    report_.add(
        diagnostics::value_count, initializer.place_of("values"),
        {std::to_string(*given), std::to_string(*size), weights.name, to_text(weights.dims)});
  check_statistic(weights, initializer.place_of("data_field"));
  // Tests of passes have no experiment behind the graph.
  auto const& entries = compilation_.experiment.weights;
  auto const file = type->file(initializer.object.get());
  if (file.empty() || id.index() >= entries.size()) return;
  if (auto const held = entries[id.index()].file_numbers; held && *held != *size)
    report_.add(diagnostics::data_header, initializer.place_of("file"),
                {file, std::string(type->declaration.name),
                 "it holds " + std::to_string(*held) + " numbers, but weights `" + weights.name +
                     "` with dims " + to_text(weights.dims) + " have " + std::to_string(*size) +
                     " entries"});
}

/// Of weights that are statistics: the field is one that training reads, and has as many channels
/// or entries as they have.
void Resolver::check_statistic(GraphWeights const& weights, Span span) {
  auto const& initializer = weights.initializer;
  auto const* type = compilation_.initializer_types.find(initializer.type->name);
  auto const data_field = type->data_statistic(initializer.object.get()).first;
  if (data_field.empty()) return;
  std::string why = "no input layer takes it";
  for (auto const& layer : graph_.layers) {
    auto const* taken = layer.type->data_field(layer.declaration.object.get());
    if (taken == nullptr || *taken != data_field || layer.outputs.empty()) continue;
    auto const& dims = layer.outputs[0];
    auto const count = checked_product(weights.dims);
    why = count == dims[0] || count == checked_product(dims) ? std::string()
                                                             : "a sample of it is " + to_text(dims);
  }
  auto const& readers = compilation_.experiment.readers;
  auto const trains = [](ReaderEntry const& reader) {
    return reader.role == ExecutionMode::training;
  };
  if (why.empty() && !readers.empty() && std::ranges::none_of(readers, trains))
    why = "there is no reader of training data";
  if (!why.empty())
    report_.add(diagnostics::no_statistics, span,
                {weights.name, to_text(weights.dims), data_field, why});
}

void Resolver::use(LayerId id, WeightsRole const& role, WeightsId weights_id, Span span) {
  auto const& layer = graph_[id];
  auto& weights = graph_.weights[weights_id.index()];
  auto& use = uses_[weights_id.index()];
  if (!use) {
    use = Use{id, layer.freeze, role.columns_first};
    weights.dims = role.dims;
    weights.fan_in = role.fan_in;
    weights.fan_out = role.fan_out;
    weights.width_dims = role.width_dims;
    weights.inputs_first = role.inputs_first;
    if (!weights.initializer)
      weights.initializer =
          default_declaration(compilation_.initializer_types.standard().declaration);
    weights.optimizer =
        role.trained ? effective_optimizer(weights.optimizer, layer.freeze, role) : Declaration{};
    check_fans(weights, layer);
    check_values(weights_id);
    return;
  }
  auto const& first = graph_[use->layer];
  // As matrices of LBANN: equal, or the same one in the other order. Of a square one the dims do
  // not tell the order.
  auto expected = role.dims;
  if (use->columns_first && role.either_order) std::ranges::reverse(expected);
  bool const other_order = use->columns_first != role.columns_first;
  if (weights.dims != expected || (other_order && (!role.either_order || expected == role.dims)))
    report_
        .add(diagnostics::weights_dims_clash, span,
             {weights.name, to_text(weights.dims), first.name, to_text(role.dims), layer.name})
        .labels.push_back({first.span, "first used here"});
  else if (use->freeze != layer.freeze)
    report_
        .add(diagnostics::weights_freeze_clash, span,
             {weights.name, use->freeze ? first.name : layer.name,
              use->freeze ? layer.name : first.name})
        .labels.push_back({first.span, "first used here"});
}

WeightsId Resolver::create(LayerId layer_id, WeightsRole const& role) {
  auto const& layer = graph_[layer_id];
  WeightsId const id(graph_.weights.size());
  GraphWeights weights;
  weights.name = layer.name + role.suffix;
  for (int number = 2; !names_.emplace(weights.name, id).second; ++number)
    weights.name = layer.name + role.suffix + std::to_string(number);
  weights.dims = role.dims;
  weights.initializer = default_initializer(role);
  if (role.trained) weights.optimizer = effective_optimizer({}, layer.freeze, role);
  weights.fan_in = role.fan_in;
  weights.fan_out = role.fan_out;
  weights.width_dims = role.width_dims;
  weights.inputs_first = role.inputs_first;
  if (layer.datatype) weights.datatype = compute_type_of(*layer.datatype);
  weights.span = layer.span;
  check_statistic(weights, layer.span);
  graph_.weights.push_back(std::move(weights));
  uses_.push_back(Use{layer_id, layer.freeze});
  return id;
}

/// Nothing after reporting.
std::optional<std::vector<WeightsRole>> Resolver::roles_of(GraphLayer const& layer) {
  std::vector<Dims> inputs;
  for (auto const& edge : layer.parents) inputs.push_back(graph_[edge.layer].outputs[edge.output]);
  std::optional<Dims> given;
  if (layer.hint && !graph_[*layer.hint].outputs.empty()) given = graph_[*layer.hint].outputs[0];
  if (layer.type->data_field(layer.declaration.object.get()) != nullptr && !layer.outputs.empty())
    given = layer.outputs[0];
  std::vector<std::optional<WeightsRole>> given_weights;
  for (auto const& name : layer.weights_names) {
    auto const id = names_.at(name.text);
    given_weights.emplace_back();
    if (id.index() >= given_ || !uses_[id.index()]) continue;
    given_weights.back().emplace();
    given_weights.back()->dims = graph_.weights[id.index()].dims;
  }
  LayerContext const context{layer.name, layer.declaration, inputs, layer.children.size(),
                             given,      report_,           {},     std::move(given_weights)};
  auto roles = layer.type->weights(layer.declaration.object.get(), context);
  for (auto const& role : roles)
    if (!layers::fits_in_a_tensor(role.dims, 1)) {
      context.report(diagnostics::number_too_large, "", {layer.name});
      return std::nullopt;
    }
  return roles;
}

void Resolver::share(LayerId id) {
  auto& layer = graph_[id];
  auto const& place = layer.weights_of->span;
  // Along the chain of those that share, to the one that has weights of its own.
  std::vector<std::string> path = {layer.name};
  auto const* other = &layer;
  while (other->weights_of) {
    auto const found = layers_.find(other->weights_of->text);
    if (found == layers_.end()) return;  // told of when the graph was built
    other = &graph_[found->second];
    path.push_back(other->name);
    if (path.size() > graph_.layers.size()) {
      report_.add(diagnostics::layer_cycle, place,
                  {"`" + path[0] + "` -> `" + path[1] + "` -> ... -> `" + path[0] + "`"});
      return;
    }
  }
  auto const roles = roles_of(layer);
  if (!roles) return;
  if (roles->empty() && !layer.shares_as_part)
    report_.add(diagnostics::no_effect, place,
                {"weights_of", "`" + layer.name + "` has no weights"});
  if (roles->empty()) return;
  if (!layer.weights_names.empty() || roles->size() != other->weights.size()) {
    auto const given = layer.weights_names.size() + other->weights.size();
    report_.add(diagnostics::weights_count, place,
                {layer.name, count_text(roles->size()),
                 std::to_string(given) + (given == 1 ? " is" : " are")});
    return;
  }
  for (std::size_t i = 0; i < roles->size(); ++i) use(id, (*roles)[i], other->weights[i], place);
  layer.weights = other->weights;
}

void Resolver::resolve(LayerId id) {
  auto& layer = graph_[id];
  auto const found = roles_of(layer);
  if (!found) return;
  auto const& roles = *found;
  if (layer.weights_names.size() > roles.size()) {
    report_.add(diagnostics::weights_count, layer.weights_names[roles.size()].span,
                {layer.name, count_text(roles.size()),
                 std::to_string(layer.weights_names.size()) +
                     (layer.weights_names.size() == 1 ? " is" : " are")});
    return;
  }
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (i >= layer.weights_names.size()) {
      layer.weights.push_back(create(id, roles[i]));
      continue;
    }
    auto const& name = layer.weights_names[i];
    auto const weights = names_.at(name.text);
    use(id, roles[i], weights, name.span);
    layer.weights.push_back(weights);
  }
}

void Resolver::find_unused() {
  for (std::size_t i = 0; i < given_; ++i)
    if (!uses_[i])
      report_.add(diagnostics::unused_weights, graph_.weights[i].span, {graph_.weights[i].name});
}

/// Adds the trained weights whose names match; false if there are none.
bool Resolver::take_matching(std::string_view pattern, std::vector<WeightsId>& into) const {
  auto const before = into.size();
  for (std::size_t i = 0; i < graph_.weights.size(); ++i)
    if (graph_.weights[i].optimizer && matches(pattern, graph_.weights[i].name))
      into.push_back(WeightsId(i));
  return into.size() > before;
}

/// "`a`, `b`, `c` and 13 more".
std::string quoted_names(std::vector<Name const*> const& names) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i)
    text += (i == 0 ? "`" : ", `") + names[i]->text + "`";
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

void Resolver::resolve_regularizations() {
  for (auto& term : graph_.regularizations) {
    bool patterns = false;
    std::unordered_set<WeightsId> named;
    std::vector<Name const*> again, untrained;
    for (auto const& name : term.names) {
      auto const found = names_.find(name.text);
      if (found == names_.end() && take_matching(name.text, term.weights)) {
        patterns = true;
      } else if (found == names_.end()) {
        std::vector<std::string_view> accepted;
        for (auto const& weights : graph_.weights) accepted.push_back(weights.name);
        report_.add(diagnostics::unknown_weights, name.span, {name.text}).suggestions =
            nearest(name.text, accepted);
      } else if (!graph_.weights[found->second.index()].optimizer) {
        untrained.push_back(&name);
      } else {
        term.weights.push_back(found->second);
        if (!named.insert(found->second).second) again.push_back(&name);
      }
    }
    if (!untrained.empty())
      report_.add(diagnostics::untrained_regularization, untrained.front()->span,
                  {quoted_names(untrained)});
    if (patterns) {  // which may match what is named as well: each counts once
      std::ranges::sort(term.weights, {}, &WeightsId::value);
      auto const rest = std::ranges::unique(term.weights);
      term.weights.erase(rest.begin(), rest.end());
    } else {
      for (auto const* name : again)
        report_.add(diagnostics::regularized_twice, name->span, {name->text});
    }
    if (term.names.empty())
      for (std::size_t i = 0; i < graph_.weights.size(); ++i)
        if (graph_.weights[i].optimizer) term.weights.push_back(WeightsId(i));
  }
}

void Resolver::find_nothing_to_train() {
  if (graph_.objective_terms.empty()) return;
  for (auto const& weights : graph_.weights)
    if (weights.optimizer) return;
  report_.add(diagnostics::nothing_to_train, graph_.objective_terms[0].span);
}

}  // namespace

void resolve_weights(Compilation& compilation) {
  Resolver resolver(compilation);
  auto const& layers = compilation.graph.layers;
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (!layers[i].weights_of) resolver.resolve(LayerId(i));
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (layers[i].weights_of) resolver.share(LayerId(i));
  resolver.find_unused();
  resolver.resolve_regularizations();
  resolver.find_nothing_to_train();
}

}  // namespace lbann::compiler
