// Pages and lists, looked up by name.
#include "compiler/command/reference.hpp"

#include "compiler/command/exit_codes.hpp"
#include "compiler/compile.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/reference/explain.hpp"
#include "compiler/reference/pages.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/specialization/pipeline.hpp"

namespace lbann::compiler {

std::string list_of_stages() {
  std::string text;
  for (auto const& stage : stages()) {
    text += padded(stage.name, 11) + ' ' + std::string(stage.folder) + '\n';
    for (auto const& [word, what] :
         {std::pair("takes ", stage.takes), std::pair("gives ", stage.gives),
          std::pair("rules out ", stage.excludes)})
      text += std::string(12, ' ') + word + std::string(what) + '\n';
  }
  return text;
}

std::string list_of_passes() {
  std::string text;
  for (auto const& pass : pipeline())
    text += padded(pass.name, 25) + ' ' + std::string(pass.summary) + '\n';
  for (auto const& pass : specialization_passes())
    text += padded(pass.name, 25) + " On each rank: " + std::string(pass.summary) + '\n';
  return text;
}

int print_reference(std::string const& name) {
  Declarations const declarations;
  if (auto const text = page(name, declarations)) return give(*text);
  std::string names;
  for (auto const& other : page_names(declarations)) names += (names.empty() ? "" : ", ") + other;
  return fail(wrong_command_line, "`" + name + "` is no reference page; there are " + names);
}

int print_explanation(std::string const& name) {
  Declarations const declarations;
  auto const* info = diagnostic_named(name);
  if (auto const text = info != nullptr ? explain(*info) : explain(name, declarations);
      !text.empty())
    return give(text);
  auto names = explained_names(declarations);
  for (auto const* other : catalogue()) names.push_back(other->code);
  auto const meant = nearest(name, names);
  return fail(
      wrong_command_line,
      "`" + name +
          "` is no code of a diagnostic and no name of a layer, optimizer, "
          "initializer, data reader or callback" +
          (meant.empty() ? "; `--reference diagnostics` lists the codes" : "; " + question(meant)));
}

}  // namespace lbann::compiler
