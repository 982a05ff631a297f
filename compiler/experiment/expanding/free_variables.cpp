// Calls and expressions as they are written, without their values.
#include "compiler/experiment/expanding/free_variables.hpp"

#include <algorithm>
#include <cctype>

#include "compiler/experiment/expanding/expansion.hpp"
#include "compiler/experiment/values/entries.hpp"

namespace lbann::compiler {

namespace {

bool is_expression(std::string_view text) { return text.find("${") != std::string_view::npos; }

/// Whether `enabled` is `false` as it stands.
bool switched_off(Node const& fields) {
  Report unseen;  // what else stands there is told when it is written out
  return !is_enabled(fields, unseen);
}

class Finder {
 public:
  explicit Finder(ModuleTable const& modules) : modules_(modules) {}

  void names_in(Node const& node, Module const* module = nullptr) {
    for (auto const& child : node.items) names_in(child, module);
    for (auto const& entry : node.entries)
      if (!entry.key.starts_with("x-")) names_in(entry.value, module);
    if (node.kind == Node::Kind::scalar && is_expression(node.text)) words_of(node.text, module);
  }

  void calls_in(Node const& layers) {
    for (auto const& node : layers.items) {
      auto const* repeat = fields_of(node, "repeat");
      auto const* call = fields_of(node, "call");
      auto const* fields = repeat != nullptr ? repeat : call;
      if (fields == nullptr || switched_off(*fields)) continue;
      if (auto const* wanted = fields->find(repeat != nullptr ? "entries" : "module"))
        repeat != nullptr ? calls_in(wanted->value) : reach(wanted->value.text);
    }
  }

  FreeVariables found;

 private:
  /// Words of a text with expressions; parameters of the module that it stands in are no variables.
  void words_of(std::string_view text, Module const* module) {
    auto const in_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    for (auto begin = text.begin(); begin != text.end();) {
      begin = std::find_if(begin, text.end(), in_word);
      auto const end = std::find_if_not(begin, text.end(), in_word);
      std::string word(begin, end);
      bool const parameter = module != nullptr &&
                             std::ranges::find(module->parameters, word, &ModuleParameter::name) !=
                                 module->parameters.end();
      if (!parameter) found.names.insert(std::move(word));
      begin = end;
    }
  }

  void reach(std::string const& wanted) {
    for (auto const& [name, module] : modules_) {
      if ((name != wanted && !is_expression(wanted)) || !found.modules.insert(name).second)
        continue;
      for (auto const& parameter : module.parameters)
        if (parameter.default_value != nullptr) names_in(*parameter.default_value);
      if (module.layers == nullptr) continue;
      names_in(*module.layers, &module);
      calls_in(*module.layers);
    }
  }

  ModuleTable const& modules_;
};

}  // namespace

FreeVariables free_variables_of(Node const& root, ModuleTable const& modules) {
  Finder finder(modules);
  for (auto const& section : root.entries) {
    if (section.key != "modules" && !section.key.starts_with("x-")) finder.names_in(section.value);
    if (section.key != "model") continue;
    if (auto const* layers = section.value.find("layers")) finder.calls_in(layers->value);
  }
  return std::move(finder.found);
}

}  // namespace lbann::compiler
