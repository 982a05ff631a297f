// Every layer behind layers whose weights are split over ranks, and with sharded weights or
// updates: its example compiles, distributions are verified, and so is what each pass leaves on
// every rank of some meshes.
#include <doctest/doctest.h>

#include "compiler/compile.hpp"
#include "compiler/reference/layer_example.hpp"
#include "schemas/specialization/pipeline.hpp"

namespace lbann::compiler {

namespace {

Declarations const& all_declarations() {
  static Declarations const declarations;
  return declarations;
}

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

/// The experiment of a layer's example in which each input goes through a split layer first.
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

/// Number of examples that compile and are sound on every rank of some meshes.
std::size_t check_examples(std::string (*experiment)(LayerType const&)) {
  std::size_t count = 0;
  for (auto const* type : all_declarations().layers.all()) {
    if (type->inserted_only || example_entries(*type).empty() || type->parents.most == 0 ||
        type->declaration.support != Support::implemented)
      continue;
    CompileOptions options;
    options.name = std::string(type->declaration.name) + ".yaml";
    options.text = experiment(*type);
    CAPTURE(options.text);
    auto const compiled = compile(options, all_declarations());
    CHECK_MESSAGE(!compiled.internal_error, compiled.internal_error.value_or(Problem{}).message);
    // What learns nothing of its inputs, or takes indices, is no end of an objective.
    if (!compiled.plan) continue;
    ++count;
    for (auto const& mesh : {std::vector<MeshAxis>{{"data", 1}, {"rows", 2}, {"columns", 2}},
                             {{"data", 2}, {"rows", 1}, {"columns", 3}}}) {
      Placement placement;
      placement.mesh = mesh;
      placement.mini_batch = 5;
      auto const ranks = Mesh(placement).ranks();
      for (placement.rank = 0; placement.rank < ranks; ++placement.rank) {
        auto const dump = dump_after("place", *compiled.plan, placement);
        REQUIRE_MESSAGE(dump.good(), dump.problem().message);
        REQUIRE_MESSAGE(!dump.value().fault, dump.value().fault.value_or(""));
      }
    }
  }
  return count;
}

/// The example of a layer whose weights are all sharded.
std::string sharded_example(LayerType const& type) {
  auto text = split_example(type);
  text.insert(text.find("model:\n") + 7, "  sharded: true\n");
  return text;
}

/// The example of a layer of whose weights each rank updates a part.
std::string updated_example(LayerType const& type) {
  auto text = split_example(type);
  text.insert(text.find("trainer: {") + 10, "shard_updates: true, ");
  return text;
}

}  // namespace

TEST_CASE("every layer works behind split layers, on every rank of a mesh") {
  CHECK(check_examples(split_example) > 100);
}

TEST_CASE("every layer's weights can be sharded") { CHECK(check_examples(sharded_example) > 100); }

TEST_CASE("updates of every layer's weights can be sharded") {
  CHECK(check_examples(updated_example) > 100);
}

}  // namespace lbann::compiler
