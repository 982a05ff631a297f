// Sections of layers; formulas of those that are one expression come from the expression itself.
#include "compiler/reference/layer_section.hpp"

#include <fmt/format.h>

#include "compiler/reference/field_table.hpp"
#include "compiler/reference/layer_example.hpp"
#include "compiler/reference/notation.hpp"
#include "schemas/expression/builder.hpp"

namespace lbann::compiler {

namespace {

/// The layer's expression where each real field is a number that occurs nowhere else, and these
/// numbers with the names of the fields.
Expression with_symbols(LayerType const& type, Symbols& symbols) {
  auto const layer = type.declaration.create();
  double mark = 0x1.2345678p-30;
  for (std::size_t i = 0; i < type.declaration.fields.size(); ++i) {
    auto const& field = type.declaration.fields[i];
    if (field.kind != FieldKind::real) continue;
    type.declaration.set(layer.get(), i, mark);
    symbols.constants.emplace_back(mark, field.name);
    mark *= 1.25;
  }
  return type.expression(layer.get(), DataType::f32);
}

/// Value and gradients: `y = ...` of one input x, `z = ...` of x and y.
std::string expression_formula(LayerType const& type) {
  bool const single = type.parents.least == 1;
  std::vector<std::string> const inputs =
      single ? std::vector<std::string>{"x"} : std::vector<std::string>{"x", "y"};
  std::string const output = single ? "y" : "z";
  Symbols symbols;
  auto const expression = with_symbols(type, symbols);
  symbols.operands = inputs;
  auto text = in_notation(expression, output, symbols);
  symbols.operands.resize(expression.operand_count());
  symbols.operands.push_back(output);
  symbols.operands.push_back("d" + output);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    auto const gradient = gradient_of(expression, i, {true});
    text += "\n" + (gradient ? in_notation(*gradient, "d" + inputs[i], symbols)
                             : fmt::format("d{} = 0", inputs[i]));
  }
  return text;
}

std::string arity_words(Arity a) {
  if (a.most < 0) return fmt::format("{} or more", a.least);
  if (a.least == a.most) return std::to_string(a.least);
  return fmt::format("{} to {}", a.least, a.most);
}

std::string shapes_words(LayerType const& type) {
  if (type.expression == nullptr || !type.shapes.empty()) return std::string(type.shapes);
  return type.parents.least == 1 ? "x [n...] -> y [n...]" : "x [n...], y [n...] -> z [n...]";
}

std::string example_text(LayerType const& type, Declarations const& declarations) {
  auto const entries = example_entries(type);
  if (entries.empty()) return "\nIt is inserted by the compiler and cannot be written.\n";
  auto text = "\n```yaml\n" + entries + "\n```\n";
  if (!type.example.weights.empty())
    text = fmt::format("\n```yaml\nweights:\n- name: {}\nlayers:\n{}\n```\n", type.example.weights,
                       entries);
  auto const compiled = compile_example(type, declarations);
  text += "\n| of this example | dims | |\n|---|---|---|\n";
  for (auto const& tensor : compiled.tensors)
    text += fmt::format("| {} `{}` | {} | {} |\n", tensor.kind, tensor.name, to_text(tensor.dims),
                        tensor.initial);
  for (auto const& message : compiled.diagnostics) text += "\n**" + message + "**\n";
  return text;
}

}  // namespace

std::string layer_formula(LayerType const& type) {
  if (!type.declaration.formula.empty() || type.expression == nullptr)
    return std::string(type.declaration.formula);
  return expression_formula(type);
}

std::string layer_section(LayerType const& type, Declarations const& declarations) {
  auto const& declaration = type.declaration;
  return fmt::format("## {}\n\n{}\n\n```text\n{}\n\n{}\n```\n\nParents: {}. Children: {}.\n\n{}{}",
                     declaration.name, declaration.summary, shapes_words(type), layer_formula(type),
                     arity_words(type.parents), arity_words(type.children),
                     field_table(declaration.fields), example_text(type, declarations));
}

}  // namespace lbann::compiler
