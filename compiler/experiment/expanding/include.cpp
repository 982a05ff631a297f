// Files included by files, with a mark against circles.
#include "compiler/experiment/expanding/include.hpp"

#include <algorithm>
#include <filesystem>

#include "compiler/source/files.hpp"
#include "compiler/source/read_toml.hpp"
#include "compiler/source/read_yaml.hpp"
#include "compiler/source/text_checks.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/vocabulary/syntax.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t deepest_includes = 32;
constexpr std::size_t most_files = 1000;

class Includer {
 public:
  Includer(std::map<std::string, std::string> const& edited, std::vector<Source>& sources,
           Budget& budget, Report& report)
      : edited_(edited), sources_(sources), budget_(budget), report_(report) {}

  void top(Node& root, std::string const& folder) {
    auto const found = std::find_if(root.entries.begin(), root.entries.end(),
                                    [](Entry const& entry) { return entry.key == "include"; });
    if (found != root.entries.end()) {
      auto const include = std::move(found->value);
      root.entries.erase(found);
      if (include.kind == Node::Kind::scalar) merge_file(root, include, folder);
      for (auto const& node : include.items) merge_file(root, node, folder);
      if (include.kind == Node::Kind::mapping)
        report_.add(diagnostics::include_file, include.span, {"include", "a mapping is no file"});
    }
    for (auto& entry : root.entries)
      if (!entry.key.starts_with("x-")) lists(entry.value, folder);
  }

 private:
  /// The document in a file, its own includes done, or nothing after a report.
  std::optional<Node> read(Node const& name, std::string const& folder, bool whole) {
    auto const refuse = [&](std::string words) {
      report_.add(diagnostics::include_file, name.span, {name.text, std::move(words)});
      return std::nullopt;
    };
    if (name.kind != Node::Kind::scalar) return refuse("it is no file name");
    auto const path = (std::filesystem::path(folder) / name.text).lexically_normal().string();
    if (std::find(open_.begin(), open_.end(), path) != open_.end())
      return refuse("it includes itself");
    if (budget_.exhausted()) return std::nullopt;
    if (open_.size() >= deepest_includes || ++files_ > most_files)
      return refuse("too many files include files");
    auto const syntax = syntax_of(path);
    if (is_messages(syntax))
      return refuse("LBANN's messages are compiled together: name them all on the command line");
    auto const edited = edited_.find(path);
    auto text = edited != edited_.end() ? Result<std::string>(edited->second)
                                        : read_file(path, largest_text);
    if (!text.good()) {
      sources_.push_back({path, ""});       // the experiment needs it all the same
      auto words = text.problem().message;  // the path is told by the name that stands there
      if (words.starts_with(path + ": ")) words.erase(0, path.size() + 2);
      return refuse(std::move(words));
    }
    if (!budget_.take({0, text.value().size()}, name.span, "included files", report_))
      return std::nullopt;
    auto const file = static_cast<std::uint32_t>(sources_.size());
    sources_.push_back({path, std::move(text).value()});
    report_.file_is(file, syntax);
    Source const source = sources_.back();  // the table may grow while this is read
    auto document = syntax == Syntax::toml ? read_toml(source, file, report_)
                                           : read_yaml(source, file, budget_, report_);
    if (!document) return std::nullopt;
    open_.push_back(path);
    auto const beside = std::filesystem::path(path).parent_path().string();
    if (whole)
      top(document->root, beside);
    else
      lists(document->root, beside);
    open_.pop_back();
    return std::move(document->root);
  }

  void merge_file(Node& into, Node const& name, std::string const& folder) {
    auto included = read(name, folder, true);
    if (!included || included->kind == Node::Kind::null) return;
    if (included->kind != Node::Kind::mapping)
      report_.add(diagnostics::include_file, name.span,
                  {name.text, "it is not a mapping of sections"});
    else
      merge(into, std::move(*included));
  }

  static void merge(Node& into, Node included) {
    for (auto& entry : included.entries) {
      auto const own = std::find_if(into.entries.begin(), into.entries.end(),
                                    [&](Entry const& other) { return other.key == entry.key; });
      if (own == into.entries.end())
        into.entries.push_back(std::move(entry));
      else if (own->value.kind == Node::Kind::mapping && entry.value.kind == Node::Kind::mapping)
        merge(own->value, std::move(entry.value));
    }
  }

  /// Entries `- include: FILE` of lists.
  void lists(Node& node, std::string const& folder) {
    for (auto& entry : node.entries)
      if (!entry.key.starts_with("x-")) lists(entry.value, folder);
    if (node.kind != Node::Kind::sequence) return;
    std::vector<Node> items;
    for (auto& child : node.items) {
      bool const include = child.kind == Node::Kind::mapping && child.entries.size() == 1 &&
                           child.entries.front().key == "include";
      if (!include) {
        lists(child, folder);
        items.push_back(std::move(child));
        continue;
      }
      auto const& name = child.entries.front().value;
      auto included = read(name, folder, false);
      if (!included || included->kind == Node::Kind::null) continue;
      if (included->kind != Node::Kind::sequence)
        report_.add(diagnostics::include_file, name.span, {name.text, "it does not hold a list"});
      for (auto& each : included->items) items.push_back(std::move(each));
    }
    node.items = std::move(items);
  }

  std::map<std::string, std::string> const& edited_;
  std::vector<Source>& sources_;
  Budget& budget_;
  Report& report_;
  std::vector<std::string> open_;
  std::size_t files_ = 0;
};

}  // namespace

void include_files(Document& document, std::string const& folder,
                   std::map<std::string, std::string> const& edited, std::vector<Source>& sources,
                   Budget& budget, Report& report) {
  if (document.root.kind == Node::Kind::mapping)
    Includer(edited, sources, budget, report).top(document.root, folder);
}

}  // namespace lbann::compiler
