// The text form of graphs, read back.
#include <unordered_map>

#include "compiler/declarations/value_text.hpp"
#include "compiler/graph/insert.hpp"

namespace lbann::compiler {

namespace {

/// Reads lines; what names later lines is resolved when all names are known.
class GraphReader {
 public:
  GraphReader(LayerTypes const& layers, InitializerTypes const& initializers,
              OptimizerTypes const& optimizers)
      : layer_types_(layers), initializer_types_(initializers), optimizer_types_(optimizers) {}

  Result<Graph> read(std::string_view text);

 private:
  struct PendingLayer {
    std::vector<std::pair<std::string, std::int64_t>> parents;  ///< output -1: not told
    std::vector<std::string> children, weights;
    std::string hint;
  };

  void layer(LineReader& line);
  void weights(LineReader& line);
  void measure(LineReader& line);
  template <class Types>
  Declaration declared(LineReader& line, Types const& types);
  LayerId find(std::string const& name);
  WeightsId find_weights(std::string const& name);
  void resolve();

  LayerTypes const& layer_types_;
  InitializerTypes const& initializer_types_;
  OptimizerTypes const& optimizer_types_;
  Graph graph_;
  std::vector<PendingLayer> pending_;
  std::vector<std::string> objective_, terms_;
  std::vector<std::pair<std::string, std::string>> metrics_;
  std::vector<std::vector<std::string>> regularized_;
  std::unordered_map<std::string, LayerId> layers_;
  std::unordered_map<std::string, WeightsId> weights_;
  std::string missing_;
};

template <class Types>
Declaration GraphReader::declared(LineReader& line, Types const& types) {
  if (line.take("-")) return {};
  auto const name = line.name();
  auto const* type = types.find(name);
  if (type == nullptr) return line.fail("a known type instead of `" + name + "`"), Declaration{};
  return line.declaration(type->declaration);
}

/// What stands behind `datatype`, if it comes next.
std::optional<DataType> datatype(LineReader& line) {
  if (!line.take("datatype")) return std::nullopt;
  auto const type = data_type_named(line.name());
  if (!type) line.fail("a type of numbers, e.g. f64");
  return type;
}

void GraphReader::layer(LineReader& line) {
  GraphLayer layer;
  PendingLayer pending;
  layer.name = line.name();
  line.expect(":");
  layer.declaration = declared(line, layer_types_);
  if (layer.declaration) layer.type = layer_types_.find(layer.declaration.type->name);
  if (line.take("(")) {
    do {
      auto const name = line.name();
      pending.parents.emplace_back(name, line.take(":") ? line.integer() : -1);
    } while (line.take(","));
    line.expect(")");
  }
  if (line.take("->")) pending.children = line.names();
  if (line.take("dims")) do {
      layer.outputs.push_back(line.dims());
    } while (line.take(","));
  if (line.take("weights")) pending.weights = line.names();
  if (line.take("given"))
    for (auto const& name : line.names()) layer.weights_names.push_back({name, {}});
  if (line.take("weights_of")) layer.weights_of = Name{line.name(), {}};
  if (line.take("hint")) pending.hint = line.name();
  layer.freeze = line.take("freeze");
  layer.recompute = line.take("recompute");
  layer.datatype = datatype(line);
  if (line.take("by")) layer.inserted_by = line.name();
  layers_.emplace(layer.name, LayerId(graph_.layers.size()));
  graph_.layers.push_back(std::move(layer));
  pending_.push_back(std::move(pending));
}

void GraphReader::weights(LineReader& line) {
  GraphWeights weights;
  weights.name = line.name();
  line.expect(":");
  weights.dims = line.dims();
  if (line.take("initializer")) weights.initializer = declared(line, initializer_types_);
  if (line.take("optimizer")) weights.optimizer = declared(line, optimizer_types_);
  if (line.take("fans")) {
    weights.fan_in = line.real();
    line.expect(",");
    weights.fan_out = line.real();
  }
  if (line.take("width")) weights.width_dims = static_cast<std::size_t>(line.integer());
  weights.datatype = datatype(line);
  weights_.emplace(weights.name, WeightsId(graph_.weights.size()));
  graph_.weights.push_back(std::move(weights));
}

void GraphReader::measure(LineReader& line) {
  auto scale = [&] {
    line.expect("scale");
    return line.real();
  };
  if (line.take("objective")) {
    objective_.push_back(line.name());
    graph_.objective.push_back({{}, scale(), {}});
  } else if (line.take("term")) {
    terms_.push_back(line.name());
    graph_.objective_terms.push_back({{}, scale(), {}});
  } else if (line.take("l2")) {
    Regularization term;
    term.scale_factor = scale();
    if (line.take("given"))
      for (auto const& name : line.names()) term.names.push_back({name, {}});
    regularized_.push_back(line.take("weights") ? line.names() : std::vector<std::string>{});
    graph_.regularizations.push_back(std::move(term));
  } else if (line.take("metric")) {
    GraphMetric metric;
    metric.name = line.quoted();
    line.expect("unit");
    metric.unit = line.quoted();
    line.expect("of");
    auto const layer = line.name();
    metrics_.emplace_back(layer, line.take("by") ? line.name() : "");
    graph_.metrics.push_back(std::move(metric));
  } else {
    line.fail("a layer, weights, objective, term, l2 or metric");
  }
}

LayerId GraphReader::find(std::string const& name) {
  if (name.empty()) return {};
  auto const found = layers_.find(name);
  if (found == layers_.end()) return missing_ = name, LayerId{};
  return found->second;
}

WeightsId GraphReader::find_weights(std::string const& name) {
  auto const found = weights_.find(name);
  if (found == weights_.end()) return missing_ = name, WeightsId{};
  return found->second;
}

void GraphReader::resolve() {
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    auto& layer = graph_.layers[i];
    for (auto const& [name, output] : pending_[i].parents) {
      auto const parent = find(name);
      if (!parent.valid()) continue;
      auto const* type = graph_[parent].type;
      auto const untold = type && has_numbered_outputs(*type) ? Edge::unnamed : 0;
      layer.parents.push_back(
          {parent, output < 0 ? untold : static_cast<std::uint32_t>(output), {}});
    }
    for (auto const& name : pending_[i].children) layer.children.push_back(find(name));
    for (auto const& name : pending_[i].weights) layer.weights.push_back(find_weights(name));
    if (!pending_[i].hint.empty()) layer.hint = find(pending_[i].hint);
  }
  for (std::size_t i = 0; i < objective_.size(); ++i)
    graph_.objective[i].layer = find(objective_[i]);
  for (std::size_t i = 0; i < terms_.size(); ++i)
    graph_.objective_terms[i].evaluation = find(terms_[i]);
  for (std::size_t i = 0; i < regularized_.size(); ++i)
    for (auto const& name : regularized_[i])
      graph_.regularizations[i].weights.push_back(find_weights(name));
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    graph_.metrics[i].layer = find(metrics_[i].first);
    graph_.metrics[i].evaluation = find(metrics_[i].second);
  }
}

Result<Graph> GraphReader::read(std::string_view text) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    auto const end = text.find('\n');
    LineReader line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.at_end() || line.take("#")) continue;
    if (line.take("layer"))
      layer(line);
    else if (line.take("weights"))
      weights(line);
    else
      measure(line);
    if (!line.at_end()) line.fail("the end of the line");
    if (line.failed()) return Problem{"line " + std::to_string(number) + ": " + line.fault()};
  }
  resolve();
  if (!missing_.empty()) return Problem{"nothing is named `" + missing_ + "`"};
  return std::move(graph_);
}

}  // namespace

Result<Graph> parse_graph(std::string_view text, LayerTypes const& layers,
                          InitializerTypes const& initializers, OptimizerTypes const& optimizers) {
  return GraphReader(layers, initializers, optimizers).read(text);
}

}  // namespace lbann::compiler
