// Reference pages in Markdown: one section for each declaration, in order of its list.
#include "compiler/reference/pages.hpp"

#include <fmt/format.h>

#include <array>

#include "compiler/experiment/foreign_names.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/reference/explain.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/functions/function.hpp"
#include "schemas/operators/operators.hpp"

namespace lbann::compiler {

namespace {

std::string_view kind_name(FieldKind kind) {
  constexpr std::array<std::string_view, 10> names = {
      "yes or no",     "whole number", "number", "text",  "one of",
      "whole numbers", "numbers",      "texts",  "shape", "expression"};
  return names[static_cast<std::size_t>(kind)];
}

std::string join(std::vector<std::string> const& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

/// A default as it would be written in an experiment.
std::string to_words(Value const& value) {
  struct Visitor {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return std::to_string(i); }
    std::string operator()(double x) const { return fmt::format("{}", x); }
    std::string operator()(std::string const& s) const { return s.empty() ? "" : s; }
    std::string operator()(std::vector<std::int64_t> const& v) const {
      return v.empty() ? "" : fmt::format("[{}]", fmt::join(v, ", "));
    }
    std::string operator()(std::vector<double> const& v) const {
      return v.empty() ? "" : fmt::format("[{}]", fmt::join(v, ", "));
    }
    std::string operator()(std::vector<std::string> const& v) const {
      return v.empty() ? "" : fmt::format("[{}]", fmt::join(v, ", "));
    }
    std::string operator()(Shape const& s) const { return s.rank() == 0 ? "" : to_text(s); }
    std::string operator()(Expression const& e) const { return e.empty() ? "" : to_text(e); }
  };
  return std::visit(Visitor{}, value);
}

/// What holds of a thing that is not fully there, behind its sentence.
std::string support_words(Support support, std::string_view reason) {
  if (support == Support::unbuilt) return " *Not supported yet.*";
  if (support == Support::inert) return fmt::format(" *No effect: {}.*", reason);
  return {};
}

/// Whether the default says that the field is left out.
bool stands_for_nothing(FieldInfo const& field) {
  if (auto const* whole = std::get_if<std::int64_t>(&field.default_value))
    return !field.range.holds(static_cast<double>(*whole));
  if (auto const* real = std::get_if<double>(&field.default_value))
    return !field.range.holds(*real);
  return false;
}

std::string describe(FieldInfo const& field) {
  std::string kind(kind_name(field.kind));
  if (field.kind == FieldKind::choice) {
    std::vector<std::string> choices;
    for (auto choice : field.choices) choices.push_back(fmt::format("`{}`", choice));
    kind = join(choices, ", ");
  }
  if (!field.unit.empty()) kind += fmt::format(" ({})", field.unit);
  auto const words = stands_for_nothing(field) ? "" : to_words(field.default_value);
  auto const otherwise = field.presence == Presence::required ? std::string("required")
                         : words.empty()                      ? std::string("")
                                                              : fmt::format("`{}`", words);
  return fmt::format("| `{}` | {} | {} | {}{} |\n", field.name, kind, otherwise, field.doc,
                     support_words(field.support, field.reason));
}

/// The keys under which other declarations stand, and those that stand nowhere else.
std::string parts(DeclarationType const& type);

std::string table(std::vector<FieldInfo> const& fields) {
  if (fields.empty()) return "No fields.\n";
  std::string text = "| field | value | default | meaning |\n|---|---|---|---|\n";
  for (auto const& field : fields) text += describe(field);
  return text;
}

std::string section(std::string_view name, std::string_view summary,
                    std::vector<FieldInfo> const& fields) {
  return fmt::format("\n## {}\n\n{}\n\n{}", name, summary, table(fields));
}

std::string section(DeclarationType const& type) {
  return fmt::format("\n## {}\n\n{}{}\n\n{}{}", type.name, type.summary,
                     support_words(type.support, type.reason), table(type.fields), parts(type));
}

/// Types with pages or sections of their own are named, the others told.
std::string inner(DeclarationType const& type) {
  return fmt::format("\n`{}`: {}\n\n{}{}", type.name, type.summary, table(type.fields),
                     parts(type));
}

std::string parts(DeclarationType const& type) {
  constexpr std::array<std::string_view, 4> forms = {
      "a mapping", "a list of mappings", "a mapping with a single key", "a list of such mappings"};
  std::string text;
  for (auto const& part : type.parts) {
    std::vector<std::string> names;
    for (auto const* each : part.types) names.push_back(fmt::format("`{}`", each->name));
    bool const elsewhere = part.name == "callbacks" || part.name == "transforms";
    text += fmt::format("\n`{}`, {}{}: {}\n", part.name, forms[static_cast<std::size_t>(part.form)],
                        part.typed() ? " of " + join(names, ", ") : "", part.doc);
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

std::string arity(Arity a) {
  if (a.most < 0) return fmt::format("{} or more", a.least);
  if (a.least == a.most) return std::to_string(a.least);
  return fmt::format("{} to {}", a.least, a.most);
}

std::string layers(Vocabulary const& vocabulary) {
  auto text = head("Layers");
  for (auto const* type : vocabulary.layers.all())
    text += fmt::format("\n## {}\n\n{}\n\nParents: {}. Children: {}.\n\n{}", type->declaration.name,
                        type->declaration.summary, arity(type->parents), arity(type->children),
                        table(type->declaration.fields));
  return text;
}

std::string plain(std::string_view title, std::vector<DeclarationType const*> const& types) {
  auto text = head(title);
  for (auto const* type : types) text += section(*type);
  return text;
}

/// What is not a list of types: the sections every experiment has, and fields all layers share.
std::string sections_page(Vocabulary const& vocabulary) {
  return plain(
      "Sections",
      {&vocabulary.trainer, &vocabulary.model, &vocabulary.layer, &vocabulary.weights,
       &vocabulary.layer_term, &vocabulary.l2_weight_regularization, &vocabulary.layer_metric,
       &vocabulary.executable_metric, &vocabulary.python_metric, &vocabulary.data_set_metadata});
}

std::string data_readers(Vocabulary const& vocabulary) {
  auto text = plain("Data readers", vocabulary.reader_list);
  text += "\n# Transforms\n\nWhat may stand in the list `transforms` of a reader.\n";
  for (auto const* type : vocabulary.reader_list.front()->parts.front().types)
    text += section(*type);
  return text;
}

std::string operators() {
  auto text = head("Operators");
  for (auto const& info : describe_operators())
    text += section(info.name, info.summary, info.fields);
  return text;
}

std::string functions() {
  auto text = head("Scalar functions") + "\n| function | arguments | value |\n|---|---|---|\n";
  for (std::size_t i = 0; i < function_count(); ++i) {
    auto const& info = info_of(static_cast<Function>(i));
    text += fmt::format("| `{}` | {} | {} |\n", info.name, info.arity, info.summary);
  }
  return text;
}

/// What other frameworks call what is here.
std::string names_of_others() {
  auto text =
      head("Names of PyTorch, Keras and Caffe") +
      "\nIn lower case and without `_`. An experiment that uses one of them is told ours.\n\n"
      "| theirs | ours | |\n|---|---|---|\n";
  for (auto const& row : foreign_names())
    text += fmt::format("| `{}` | {} | {} |\n", row.theirs,
                        row.ours.empty() ? std::string() : fmt::format("`{}`", row.ours), row.note);
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

}  // namespace

std::vector<std::string_view> page_names() {
  return {"layers",    "optimizers", "initializers", "data_readers", "callbacks",    "sections",
          "operators", "functions",  "passes",       "diagnostics",  "foreign_names"};
}

std::optional<std::string> page(std::string_view name, Vocabulary const& vocabulary) {
  if (name == "layers") return layers(vocabulary);
  if (name == "optimizers") return plain("Optimizers", vocabulary.optimizer_list);
  if (name == "initializers") return plain("Initializers", vocabulary.initializer_list);
  if (name == "data_readers") return data_readers(vocabulary);
  if (name == "callbacks") return plain("Callbacks", vocabulary.callback_list);
  if (name == "sections") return sections_page(vocabulary);
  if (name == "operators") return operators();
  if (name == "functions") return functions();
  if (name == "passes") return passes();
  if (name == "foreign_names") return names_of_others();
  if (name == "diagnostics") return diagnostics();
  return std::nullopt;
}

}  // namespace lbann::compiler
