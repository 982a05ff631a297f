// Prints an experiment as YAML.
#include "compiler/experiment/text.hpp"

#include "compiler/experiment/expression.hpp"

namespace lbann::compiler {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  // What looks like an expression was a text once its variables had been replaced.
  for (auto at = result.find("${"); at != std::string::npos; at = result.find("${", at + 3))
    result.insert(at, "$");
  return result + "\"";
}

std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(std::int64_t value) { return std::to_string(value); }
std::string value_text(double value) { return to_text(Scalar(value)); }
std::string value_text(std::string const& value) { return quoted(value); }
std::string value_text(Shape const& value) { return to_text(value); }
std::string value_text(Expression const&) { return quoted("expression"); }

template <class T>
std::string value_text(std::vector<T> const& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) text += (i ? ", " : "") + value_text(values[i]);
  return text + "]";
}

std::string names_text(std::vector<Name> const& names) {
  std::vector<std::string> texts;
  for (auto const& name : names) texts.push_back(name.text);
  return value_text(texts);
}

/// `type: {a: 1, b: 2}`, then `more` fields.
std::string entry_text(Declaration const& declaration, std::string const& more = {}) {
  auto const record = declaration.type->record(declaration.object.get());
  std::string fields;
  for (auto const& [name, value] : record.fields) {
    if (!fields.empty()) fields += ", ";
    fields += name + ": " + std::visit([](auto const& v) { return value_text(v); }, value);
  }
  if (!more.empty()) fields += (fields.empty() ? "" : ", ") + more;
  return record.type + ": {" + fields + "}";
}

std::string layer_text(LayerEntry const& layer) {
  auto more = "name: " + quoted(layer.name.text);
  if (layer.parents) more += ", parents: " + names_text(*layer.parents);
  if (!layer.children.empty()) more += ", children: " + names_text(layer.children);
  if (!layer.weights.empty()) more += ", weights: " + names_text(layer.weights);
  if (layer.weights_of) more += ", weights_of: " + quoted(layer.weights_of->text);
  if (layer.hint_layer) more += ", hint_layer: " + quoted(layer.hint_layer->text);
  if (layer.freeze) more += ", freeze: true";
  return entry_text(layer.declaration, more);
}

std::string reader_text(ReaderEntry const& reader) {
  std::string fields;
  for (auto const& field : reader.fields) {
    if (field.dims.empty()) continue;
    if (!fields.empty()) fields += ", ";
    fields += field.name.text + ": {dims: " + value_text(field.dims) + "}";
  }
  return entry_text(reader.declaration, "fields: {" + fields + "}");
}

}  // namespace

std::string to_text(Experiment const& experiment) {
  std::string text = "trainer:\n  mini_batch_size: " + std::to_string(experiment.mini_batch_size) +
                     "\n  random_seed: " + std::to_string(experiment.random_seed) +
                     "\n  training_algorithm: {" + experiment.training.type +
                     ": {name: " + quoted(experiment.training.name);
  auto const& training = experiment.training;
  if (training.max_epochs != 0) text += ", max_epochs: " + std::to_string(training.max_epochs);
  if (training.max_batches != 0) text += ", max_batches: " + std::to_string(training.max_batches);
  if (training.max_seconds != 0) text += ", max_seconds: " + value_text(training.max_seconds);
  text += "}}\n";
  if (!experiment.readers.empty()) text += "data_reader:\n";
  for (auto const& reader : experiment.readers) text += "  - " + reader_text(reader) + "\n";
  text += "model:\n  name: " + quoted(experiment.name) +
          "\n  datatype: " + (experiment.type == DataType::f64 ? "double" : "float") +
          "\n  layers:\n";
  for (auto const& layer : experiment.layers) text += "    - " + layer_text(layer) + "\n";
  if (!experiment.weights.empty()) text += "  weights:\n";
  for (auto const& weights : experiment.weights) {
    text += "    - {name: " + quoted(weights.name.text);
    if (weights.initializer) text += ", initializer: {" + entry_text(weights.initializer) + "}";
    if (weights.optimizer) text += ", optimizer: {" + entry_text(weights.optimizer) + "}";
    text += "}\n";
  }
  if (!experiment.objective.empty()) text += "  objective_function:\n";
  for (auto const& term : experiment.objective) {
    bool const is_layer = term.kind == ObjectiveTerm::Kind::layer_term;
    text += std::string("    - ") + (is_layer ? "layer_term" : "l2_weight_regularization") +
            ": {scale_factor: " + value_text(term.scale_factor);
    if (is_layer) text += ", layer: " + quoted(term.layer.text);
    if (!term.weights.empty()) text += ", weights: " + names_text(term.weights);
    text += "}\n";
  }
  if (!experiment.metrics.empty()) text += "  metrics:\n";
  for (auto const& metric : experiment.metrics)
    text += "    - layer_metric: {name: " + quoted(metric.name.text) +
            ", layer: " + quoted(metric.layer.text) + ", unit: " + quoted(metric.unit) + "}\n";
  if (!experiment.callbacks.empty()) text += "  callbacks:\n";
  for (auto const& callback : experiment.callbacks) text += "    - " + entry_text(callback) + "\n";
  if (experiment.optimizer) text += "optimizer: {" + entry_text(experiment.optimizer) + "}\n";
  return text;
}

}  // namespace lbann::compiler
