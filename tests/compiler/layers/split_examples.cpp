// Examples of layers, with splits.
#include "tests/compiler/layers/split_examples.hpp"

#include "compiler/reference/layer_example.hpp"

namespace lbann::compiler {

namespace {

/// What stands between `begin` and the next `end` behind it; empty without `begin`.
std::string between(std::string const& text, std::string const& begin, std::string const& end) {
  auto const at = text.find(begin);
  if (at == text.npos) return {};
  auto const from = at + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

std::int64_t product_of(std::string const& dims) {
  std::int64_t product = 1;
  for (std::size_t at = 0; at < dims.size(); at = std::min(dims.find(' ', at), dims.size() - 1) + 1)
    product *= std::stoll(dims.substr(at));
  return product;
}

}  // namespace

std::string split_example(LayerType const& type) {
  auto const entries = example_entries(type);
  auto const last = entries.substr(entries.rfind("- "));
  auto name = between(last, "name: ", ",");
  if (name.empty()) name = between(last, "- ", ":") + "_1";
  auto const text = example_experiment(type, name);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = text.find('\n', at) + 1;
    auto const line = text.substr(at, end - at);
    at = end;
    auto const input = between(line, "- input: {name: ", ",");
    auto const dims = between(text, input + ": {dims: [", "]");
    if (input.empty() || dims.empty()) {
      result += line;
      continue;
    }
    result += "    - input: {name: " + input + "_given, data_field: " + input +
              "}\n    - fully_connected: {name: " + input + "_split, parents: " + input +
              "_given, num_neurons: " + std::to_string(product_of(dims)) +
              ", data_layout: model_parallel}\n    - reshape: {name: " + input +
              ", parents: " + input + "_split, dims: [" + dims + "]}\n";
  }
  return result;
}

std::string sharded_example(LayerType const& type) {
  auto text = split_example(type);
  text.insert(text.find("model:\n") + 7, "  sharded: true\n");
  return text;
}

std::string updated_example(LayerType const& type) {
  auto text = split_example(type);
  text.insert(text.find("trainer: {") + 10, "shard_updates: true, ");
  return text;
}

std::vector<LayerType const*> layers_with_examples(Declarations const& declarations) {
  std::vector<LayerType const*> types;
  for (auto const* type : declarations.layers.all())
    if (!type->inserted_only && !example_entries(*type).empty() && type->parents.most != 0 &&
        type->declaration.support == Support::implemented)
      types.push_back(type);
  return types;
}

}  // namespace lbann::compiler
