// Compilations and experiments made from short texts, for tests of layers, graphs and passes.
#include "tests/support/graph_fixture.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "compiler/declarations/value_text.hpp"
#include "compiler/graph/verify.hpp"
#include "tests/support/expected.hpp"

namespace lbann::compiler {

namespace {

std::filesystem::path source_root() {
  auto const* root = std::getenv("LBANN_SOURCE_ROOT");
  if (root == nullptr)
    throw std::runtime_error("LBANN_SOURCE_ROOT names the folder of the sources");
  return root;
}

std::vector<Name> names_after(LineReader& line, std::string_view word) {
  std::vector<Name> names;
  if (line.take(word))
    for (auto& name : line.names()) names.push_back({std::move(name), {}});
  return names;
}

LayerEntry layer_entry(LayerTypes const& types, std::string_view text, std::uint32_t begin) {
  LineReader line(text);
  LayerEntry entry;
  entry.name.text = line.name();
  entry.name.span = {0, begin, begin + static_cast<std::uint32_t>(entry.name.text.size())};
  entry.named = true;
  entry.span = entry.name.span;
  line.expect(":");
  auto const type = line.name();
  if (auto const* known = types.find(type))
    entry.declaration = line.declaration(known->declaration);
  if (line.take("(")) {
    entry.parents.emplace();
    if (!line.take(")")) {
      for (auto& name : line.names()) entry.parents->push_back({std::move(name), entry.name.span});
      line.expect(")");
    }
  }
  entry.children = names_after(line, "children");
  entry.weights = names_after(line, "weights");
  if (line.take("weights_of")) entry.weights_of = Name{line.name(), entry.name.span};
  if (line.take("hint")) entry.hint_layer = Name{line.name(), {}};
  entry.freeze = line.take("freeze");
  if (!line.at_end()) line.fail("the end");
  if (line.failed()) throw std::invalid_argument(std::string(text) + ": " + line.fault());
  return entry;
}

}  // namespace

GraphFixture::GraphFixture(std::string_view graph_text, DataType type)
    : compilation{
          experiment, layer_types, initializer_types, optimizer_types, callback_types, report, {},
          {},         {}} {
  experiment.type = type;
  auto graph = parse_graph(graph_text, layer_types, initializer_types, optimizer_types);
  if (!graph) throw std::invalid_argument(graph.problem().message);
  compilation.graph = std::move(graph).value();
}

std::vector<std::string> GraphFixture::codes() const {
  std::vector<std::string> codes;
  for (auto const& diagnostic : report.diagnostics()) codes.emplace_back(diagnostic.info->code);
  return codes;
}

std::string GraphFixture::instructions(std::string_view entry) const {
  std::string text;
  for (auto const& instruction : compilation.program.entry_point(entry)->instructions) {
    auto const line = to_text(compilation.program, instruction);
    auto const end = std::min(line.find(" from "), line.find(" by "));
    text += line.substr(0, end) + "\n";
  }
  return text;
}

void give_field(Experiment& experiment, std::string name, Dims dims) {
  if (experiment.readers.empty()) experiment.readers.emplace_back();
  for (auto& reader : experiment.readers) {
    auto& field = reader.fields.emplace_back();
    field.name.text = name;
    field.dims = dims;
  }
}

Declaration optimizer_from(OptimizerTypes const& types, std::string_view text) {
  LineReader line(text);
  auto const* type = types.find(line.name());
  if (type == nullptr) throw std::invalid_argument("no such optimizer");
  auto declaration = line.declaration(type->declaration);
  if (line.failed()) throw std::invalid_argument(line.fault());
  return declaration;
}

std::vector<LayerEntry> layer_entries(LayerTypes const& types, std::string_view text) {
  std::vector<LayerEntry> entries;
  for (std::size_t begin = 0; begin < text.size();) {
    auto const end = std::min(text.find('\n', begin), text.size());
    if (end > begin)
      entries.push_back(
          layer_entry(types, text.substr(begin, end - begin), static_cast<std::uint32_t>(begin)));
    begin = end + 1;
  }
  return entries;
}

void check_graph_cases(std::string const& name, void (*pass)(Compilation&),
                       std::function<void(GraphFixture&)> const& prepare) {
  std::vector<std::string_view> established;
  for (std::string_view const known :
       {"insert_evaluation_layers", "insert_identity_layers", "insert_dummy_layers",
        "insert_split_layers", "order_layers", "assign_types", "infer_shapes", "resolve_weights"}) {
    established.push_back(known);
    if (known == name) break;
  }
  auto const relative = [](std::filesystem::path const& path) {
    return std::filesystem::relative(path, source_root()).string();
  };
  int count = 0;
  for (auto const& file :
       std::filesystem::directory_iterator(source_root() / "tests/compiler/passes" / name)) {
    if (file.path().extension() != ".before") continue;
    ++count;
    CAPTURE(file.path().string());
    GraphFixture fixture(tests::expected_text(relative(file.path())));
    if (prepare) prepare(fixture);
    pass(fixture.compilation);
    CHECK(fixture.codes() == std::vector<std::string>{});
    auto const fault = verify(fixture.compilation.graph, established);
    CHECK_MESSAGE(!fault, fault.value_or(""));
    auto after = file.path();
    after.replace_extension(".after");
    auto const text = to_text(fixture.compilation.graph);
    CHECK(tests::difference(relative(after), text) == "");
    auto const again =
        parse_graph(text, fixture.layer_types, fixture.initializer_types, fixture.optimizer_types);
    REQUIRE_MESSAGE(again.good(), (again.good() ? "" : again.problem().message));
    CHECK(to_text(again.value()) == text);
  }
  CHECK(count > 0);
}

}  // namespace lbann::compiler
