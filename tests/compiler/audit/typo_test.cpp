// Every key of every shipped experiment, misspelt in turn: the right line is blamed, and what was
// meant is among the first three suggestions.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "compiler/compile.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/export/toml.hpp"
#include "compiler/source/read_prototext.hpp"
#include "compiler/source/read_toml.hpp"
#include "compiler/source/read_yaml.hpp"

using namespace lbann;
using namespace lbann::compiler;
namespace fs = std::filesystem;

namespace {

struct Key {
  std::string name;
  Span span;
  std::string owner;  ///< the key whose value it stands in
};

/// Keys whose names users choose: variables, modules and their parameters, patterns, data fields.
bool users_choose_below(std::vector<std::string> const& path) {
  if (!path.empty() && path.front() == "variables") return true;
  if (path.size() == 3 && path[0] == "modules" && path[2] == "parameters") return true;
  return std::ranges::any_of(
      std::array{"modules", "settings", "fields", "arrays", "columns", "datasets"},
      [&](std::string_view name) { return !path.empty() && path.back() == name; });
}

void collect(compiler::Node const& node, std::vector<std::string>& path, std::vector<Key>& keys) {
  for (auto const& child : node.items) collect(child, path, keys);
  for (auto const& entry : node.entries) {
    if (entry.key.starts_with("x-")) continue;
    if (!users_choose_below(path))
      keys.push_back({entry.key, entry.key_span, path.empty() ? std::string() : path.back()});
    path.push_back(entry.key);
    collect(entry.value, path, keys);
    path.pop_back();
  }
}

/// Two neighbours swapped, a letter dropped, a letter doubled.
std::vector<std::string> misspellings(std::string const& name) {
  auto const middle = name.size() / 2;
  auto swapped = name, dropped = name, doubled = name;
  std::swap(swapped[middle - 1], swapped[middle]);
  dropped.erase(middle, 1);
  doubled.insert(middle, 1, name[middle]);
  std::vector<std::string> typos = {swapped, dropped, doubled};
  std::erase(typos, name);  // equal neighbours
  return typos;
}

std::string text_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string folder_of_source() {
  auto const* root = std::getenv("LBANN_SOURCE_ROOT");
  REQUIRE(root != nullptr);
  return root;
}

/// What a typo may hit that is a name, too.
std::set<std::string, std::less<>> all_names(Declarations const& declarations) {
  std::set<std::string, std::less<>> names;
  for (auto const* list : {&declarations.layer_list, &declarations.optimizer_list,
                           &declarations.initializer_list, &declarations.reader_list,
                           &declarations.callback_list, &declarations.training_algorithm_list,
                           &declarations.objective_list, &declarations.metric_list})
    for (auto const* type : *list) {
      names.emplace(type->name);
      for (auto const& field : type->fields) names.emplace(field.name);
    }
  return names;
}

/// An experiment, and what reads its syntax.
struct WrittenExperiment {
  fs::path path;
  std::string text;
  Syntax syntax = Syntax::yaml;
};

std::optional<Document> read(WrittenExperiment const& written) {
  Report report;
  Budget budget;
  Source const source{written.path.filename().string(), written.text};
  switch (written.syntax) {
    case Syntax::yaml:
      return read_yaml(source, 0, budget, report);
    case Syntax::toml:
      return read_toml(source, 0, report);
    case Syntax::prototext:
      return read_prototext(source, 0, report);
    case Syntax::protobin:
      break;  // no keys in it that a person could mistype
  }
  return std::nullopt;
}

std::vector<WrittenExperiment> shipped_experiments() {
  std::vector<WrittenExperiment> list;
  for (auto const& entry :
       fs::recursive_directory_iterator(fs::path(folder_of_source()) / "experiments"))
    if (auto const kind = entry.path().extension(); kind == ".yaml" || kind == ".toml")
      list.push_back({entry.path(), text_of(entry.path()), syntax_of(kind.string())});
  return list;
}

std::vector<Key> keys_of(WrittenExperiment const& written) {
  CAPTURE(written.path.string());
  auto const document = read(written);
  REQUIRE(document.has_value());
  std::vector<Key> keys;
  std::vector<std::string> path;
  collect(document->root, path, keys);
  return keys;
}

/// Misspells every key in turn; gives the number of typos.
std::size_t misspell_keys(WrittenExperiment const& written, std::vector<Key> const& keys,
                          Declarations const& declarations) {
  static auto const names = all_names(declarations);
  CAPTURE(written.path.string());

  CompileOptions options;
  options.name = written.path.filename().string();
  options.folder = written.path.parent_path().string();
  options.syntax = written.syntax;
  options.stop_after = "experiment";
  std::size_t typos = 0;
  for (auto const& key : keys) {
    if (key.name.size() < 2) continue;
    for (auto const& typo : misspellings(key.name)) {
      if (names.contains(typo)) continue;
      ++typos;
      options.text = written.text;
      options.text.replace(key.span.begin, key.span.end - key.span.begin, typo);
      auto const compiled = compile(options, declarations);
      auto const line = position_of(written.text, key.span.begin).line;
      bool found = false;
      for (auto const& diagnostic : compiled.report.diagnostics()) {
        auto const& suggestions = diagnostic.suggestions;
        bool const here = diagnostic.info->severity == Severity::error && diagnostic.span.known() &&
                          position_of(written_source(compiled.sources, diagnostic.span.file).text,
                                      diagnostic.span.begin)
                                  .line == line;
        bool const meant =
            std::find(suggestions.begin(), suggestions.end(), key.name) != suggestions.end();
        found = found || (here && meant && suggestions.size() <= 3);
      }
      if (!found)
        FAIL_CHECK("line " << line << ": `" << typo << "` for `" << key.name << "`:\n"
                           << render(compiled.report, compiled.sources, false));
    }
  }
  return typos;
}

}  // namespace

TEST_CASE("typo audit: every key of every experiment, misspelt") {
  Declarations const declarations;
  std::size_t typos = 0;
  auto const experiments = shipped_experiments();
  for (auto const& written : experiments)
    typos += misspell_keys(written, keys_of(written), declarations);
  CHECK(experiments.size() >= 18);
  CHECK(typos > 1000);
  MESSAGE(typos << " typos in " << experiments.size() << " experiments");
}

TEST_CASE("typo audit: the same experiments in TOML") {
  Declarations const declarations;
  std::size_t typos = 0;
  for (auto& written : shipped_experiments()) {
    auto const document = read(written);
    REQUIRE(document.has_value());
    WrittenExperiment const toml{written.path, to_toml(document->root), Syntax::toml};
    typos += misspell_keys(toml, keys_of(toml), declarations);
  }
  CHECK(typos > 1000);
  MESSAGE(typos << " typos");
}

TEST_CASE("typo audit: LBANN's messages") {
  Declarations const declarations;
  std::size_t typos = 0;
  auto const folder = fs::path(folder_of_source()) / "tests/compiler/importer/experiments";
  for (auto const* name : {"lenet", "not_built", "model", "reader", "optimizer"}) {
    auto const path = folder / (std::string(name) + ".prototext");
    WrittenExperiment const written{path, text_of(path), Syntax::prototext};
    typos += misspell_keys(written, keys_of(written), declarations);
  }
  CHECK(typos > 500);
  MESSAGE(typos << " typos");
}

// What the files have in common is misspelt once: every key in every message it stands in.
TEST_CASE("typo audit: LBANN's own experiments") {
  auto const* root = std::getenv("LBANN_TEST_CONFORMANCE");
  if (root == nullptr || !fs::is_directory(fs::path(root) / "cases")) {
    MESSAGE("skipped: LBANN_TEST_CONFORMANCE names no folder with `cases`");
    return;
  }
  std::vector<WrittenExperiment> experiments;
  for (auto const& entry : fs::directory_iterator(fs::path(root) / "cases"))
    experiments.push_back({entry.path() / "experiment.prototext",
                           text_of(entry.path() / "experiment.prototext"), Syntax::prototext});
  std::sort(experiments.begin(), experiments.end(),
            [](WrittenExperiment const& a, WrittenExperiment const& b) {
              return std::pair(a.text.size(), a.path) < std::pair(b.text.size(), b.path);
            });
  Declarations const declarations;
  std::set<std::pair<std::string, std::string>> seen;
  std::size_t typos = 0;
  for (auto const& written : experiments) {
    auto keys = keys_of(written);
    std::erase_if(keys, [&](Key const& key) { return !seen.emplace(key.owner, key.name).second; });
    typos += misspell_keys(written, keys, declarations);
  }
  CHECK(typos > 1000);
  MESSAGE(typos << " typos in " << experiments.size() << " experiments");
}
