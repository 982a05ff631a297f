// Reference pages in Markdown: one section for each declaration, in order of its list.
#include "compiler/reference/pages.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <span>

#include "compiler/experiment/values/foreign_names.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/reference/explain.hpp"
#include "compiler/reference/field_table.hpp"
#include "compiler/reference/layer_section.hpp"
#include "compiler/reference/notation.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/functions/function.hpp"
#include "schemas/operators/formulas.hpp"
#include "schemas/operators/operators.hpp"

namespace lbann::compiler {

namespace {

constexpr std::string_view how_to_read_layers = R"(
Each layer has its dims and what it computes, in plain text, its fields, and an example with the dims and weights that
come of it.

`x [c, n...]` is an input x whose samples have an axis of c entries and any number of further ones; the mini-batch is
no axis. Inputs stand in the order of `parents`. Indices are counted from 0. `sum over i: f(i)` goes over all i for
which f(i) exists. `[x < y]` is 1 where x < y, else 0; where a condition is wanted a number is true unless it is 0 or
NaN.

`dx` is what the gradient of the objective with respect to x gets from the layer, `dy` the one of its output. Where no
`dx` is given it is the derivative of the formula, and 0 for inputs that are indices, labels or random. A layer whose
formula is one expression shows the `dx` that the compiler derives.

`lbann-compile --explain LAYER` prints the section of a layer.
)";

/// The keys under which other declarations stand, and those that stand nowhere else.
std::string parts(DeclarationType const& type);

std::string formula_block(std::string_view formula) {
  return formula.empty() ? std::string() : fmt::format("```text\n{}\n```\n\n", formula);
}

std::string section(std::string_view name, std::string_view summary, std::string_view formula,
                    std::vector<FieldInfo> const& fields) {
  return fmt::format("\n## {}\n\n{}\n\n{}{}", name, summary, formula_block(formula),
                     field_table(fields));
}

std::string section(DeclarationType const& type) {
  return fmt::format("\n## {}\n\n{}{}\n\n{}{}{}", type.name, type.summary,
                     support_words(type.support, type.reason), formula_block(type.formula),
                     field_table(type.fields), parts(type));
}

/// Types with pages or sections of their own are named, the others told.
std::string inner(DeclarationType const& type) {
  return fmt::format("\n`{}`: {}\n\n{}{}", type.name, type.summary, field_table(type.fields),
                     parts(type));
}

std::string parts(DeclarationType const& type) {
  constexpr std::array<std::string_view, 4> forms = {
      "a mapping", "a list of mappings", "a mapping with a single key", "a list of such mappings"};
  std::string text;
  for (auto const& part : type.parts) {
    std::vector<std::string> names;
    for (auto const* each : part.types) names.push_back(fmt::format("`{}`", each->name));
    auto const choices = fmt::format("{}", fmt::join(names, ", "));
    bool const elsewhere = part.name == "callbacks" || part.name == "transforms";
    text += fmt::format("\n`{}`, {}{}: {}\n", part.name, forms[static_cast<std::size_t>(part.form)],
                        part.typed() ? " of " + choices : "", part.doc);
    if (!elsewhere || !part.typed())
      for (auto const* each : part.types) text += inner(*each);
  }
  return text;
}

std::string head(std::string_view title) {
  return fmt::format(
      "<!-- Generated from the declarations by `lbann-compile --reference`; never edited. -->\n# "
      "{}\n",
      title);
}

/// `Losses and accuracies` as the name of a page: `layers/losses_and_accuracies`.
std::string page_of_family(std::string_view family) {
  std::string name = "layers/";
  for (auto const c : family)
    name += c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

/// All layers, with a link to the page of their family.
std::string layer_index(Declarations const& declarations) {
  auto text = head("Layers") + std::string(how_to_read_layers);
  for (auto const family : declarations.layers.families()) {
    auto const place = page_of_family(family);
    text += fmt::format("\n## [{}]({}.md)\n\n| layer | |\n|---|---|\n", family, place);
    for (auto const* type : declarations.layers.all())
      if (type->family == family)
        text += fmt::format("| [`{0}`]({1}.md#{0}) | {2} |\n", type->declaration.name, place,
                            table_cell(type->declaration.summary));
  }
  return text;
}

std::string family_page(std::string_view family, Declarations const& declarations) {
  auto text = head(family) + "\n[How to read this page](../layers.md)\n";
  for (auto const* type : declarations.layers.all())
    if (type->family == family) text += "\n" + layer_section(*type, declarations);
  return text;
}

std::string plain(std::string_view title, std::vector<DeclarationType const*> const& types) {
  auto text = head(title);
  for (auto const* type : types) text += section(*type);
  return text;
}

/// What is not a list of types: the sections every experiment has, and fields all layers share.
std::string sections_page(Declarations const& declarations) {
  std::vector<DeclarationType const*> types = {&declarations.trainer, &declarations.model,
                                               &declarations.layer, &declarations.weights};
  for (auto const* list : {&declarations.objective_list, &declarations.metric_list})
    types.insert(types.end(), list->begin(), list->end());
  types.push_back(&declarations.data_set_metadata);
  return plain("Sections", types);
}

std::string data_readers(Declarations const& declarations) {
  auto text = plain("Data readers", declarations.reader_list);
  text += "\n# Transforms\n\nWhat may stand in the list `transforms` of a reader.\n";
  for (auto const* type : declarations.reader_list.front()->parts.front().types)
    text += section(*type);
  return text;
}

std::string operators() {
  auto text = head("Operators");
  auto const infos = describe_operators();
  auto const formulas = operator_formulas();
  for (std::size_t i = 0; i < infos.size(); ++i)
    text += section(infos[i].name, infos[i].summary, formulas[i], infos[i].fields);
  return text;
}

/// `dx = dz * y`, for each argument (x, y, or c, x, y) that has one.
std::string gradients_of(Function function) {
  auto const arity = info_of(function).arity;
  constexpr std::array<std::string_view, 3> all_names = {"c", "x", "y"};
  auto const names = std::span(all_names).subspan(arity == 3 ? 0 : 1);
  ExpressionBuilder build;
  std::vector<Term> arguments;
  Symbols symbols;
  for (std::size_t i = 0; i < arity; ++i) {
    arguments.push_back(build.operand(i));
    symbols.operands.emplace_back(names[i]);
  }
  symbols.operands.insert(symbols.operands.end(), {"z", "dz"});
  auto const expression = build.finish({build.apply(function, arguments)});
  std::string text;
  for (std::size_t i = 0; i < arity; ++i)
    if (auto const gradient = gradient_of(expression, i, {true}))
      text += fmt::format("{}`{}`", text.empty() ? "" : ", ",
                          in_notation(*gradient, "d" + std::string(names[i]), symbols));
  return text;
}

std::string functions() {
  auto text = head("Scalar functions") +
              "\nWhat maps are made of. z is the value, dz its gradient.\n\n"
              "| function | value | gradients |\n|---|---|---|\n";
  for (std::size_t i = 0; i < function_count(); ++i) {
    auto const& info = info_of(static_cast<Function>(i));
    text += fmt::format("| `{}` | {} | {} |\n", info.name, table_cell(info.summary),
                        gradients_of(static_cast<Function>(i)));
  }
  return text;
}

/// What other frameworks call what is here.
std::string names_of_others() {
  auto text = head("Names of PyTorch, Keras and Caffe") +
              "\nIn lower case and without `_`. The message about one of them says ours.\n\n"
              "| theirs | ours | |\n|---|---|---|\n";
  for (auto const& row : foreign_names()) {
    auto ours = row.ours.empty() ? std::string() : fmt::format("`{}`", row.ours);
    if (!row.adds.empty()) ours += fmt::format(" with `{}`", row.adds);
    text += fmt::format("| `{}` | {} | {} |\n", row.theirs, ours, row.note);
  }
  return text;
}

std::string passes() {
  auto text = head("Passes") +
              "\nIn the order they run.\n\n| pass | works on | what it does |\n|---|---|---|\n";
  for (auto const& pass : pipeline())
    text += fmt::format("| `{}` | {} | {} |\n", pass.name, pass.on_program ? "program" : "graph",
                        pass.summary);
  return text;
}

std::string diagnostics() {
  auto text = head("Diagnostics") +
              "\n`lbann-compile --explain CODE` prints a section of this page.\n\n"
              "| code | message |\n|---|---|\n";
  for (auto const* info : catalogue())
    text += fmt::format(
        "| [`{0}`](#{0}){1} | {2} |\n", info->code,
        info->severity == Severity::error
            ? ""
            : fmt::format(" ({})", severity_names[static_cast<std::size_t>(info->severity)]),
        info->message);
  for (auto const* info : catalogue()) text += "\n" + explain(*info);
  return text;
}

/// What can be explained by its name.
std::array<std::vector<DeclarationType const*> const*, 5> explained_lists(
    Declarations const& declarations) {
  return {&declarations.layer_list, &declarations.optimizer_list, &declarations.initializer_list,
          &declarations.reader_list, &declarations.callback_list};
}

}  // namespace

std::vector<std::string> page_names(Declarations const& declarations) {
  std::vector<std::string> names = {"layers",    "optimizers",  "initializers", "data_readers",
                                    "callbacks", "sections",    "operators",    "functions",
                                    "passes",    "diagnostics", "foreign_names"};
  for (auto const family : declarations.layers.families()) names.push_back(page_of_family(family));
  return names;
}

std::vector<std::string_view> explained_names(Declarations const& declarations) {
  std::vector<std::string_view> names;
  for (auto const* list : explained_lists(declarations))
    for (auto const* type : *list) names.push_back(type->name);
  return names;
}

std::string explain(std::string_view name, Declarations const& declarations) {
  std::string text;
  if (auto const* layer = declarations.layers.find(name))
    text = layer_section(*layer, declarations);
  for (auto const* list : explained_lists(declarations))
    for (auto const* type : *list)
      if (type->name == name && list != &declarations.layer_list)
        text += section(*type).substr(text.empty() ? 1 : 0);
  return text;
}

std::optional<std::string> page(std::string_view name, Declarations const& declarations) {
  if (name == "layers") return layer_index(declarations);
  for (auto const family : declarations.layers.families())
    if (name == page_of_family(family)) return family_page(family, declarations);
  if (name == "optimizers") return plain("Optimizers", declarations.optimizer_list);
  if (name == "initializers") return plain("Initializers", declarations.initializer_list);
  if (name == "data_readers") return data_readers(declarations);
  if (name == "callbacks") return plain("Callbacks", declarations.callback_list);
  if (name == "sections") return sections_page(declarations);
  if (name == "operators") return operators();
  if (name == "functions") return functions();
  if (name == "passes") return passes();
  if (name == "foreign_names") return names_of_others();
  if (name == "diagnostics") return diagnostics();
  return std::nullopt;
}

}  // namespace lbann::compiler
