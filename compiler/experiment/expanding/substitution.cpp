// Variables evaluated when first used, with a mark against cycles.
#include "compiler/experiment/expanding/substitution.hpp"

#include "schemas/diagnostics/catalogue.hpp"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace lbann::compiler {

namespace {

/// Variables that may be evaluated for one another.
constexpr int deepest_variables = 100;
constexpr std::string_view counted_as = "variables";

/// Place of a part of a scalar; the whole scalar where its text is not the text of the file.
Span part_of(Node const& node, std::size_t offset, std::size_t length) {
  std::size_t const quote = node.quoted ? 1 : 0;
  if (node.span.end - node.span.begin != node.text.size() + 2 * quote) return node.span;
  auto const begin = static_cast<std::uint32_t>(node.span.begin + quote + offset);
  return {node.span.file, begin, begin + static_cast<std::uint32_t>(length)};
}

/// The `}` that ends the expression at `begin`; one inside of a quoted text does not.
std::size_t expression_end(std::string_view text, std::size_t begin) {
  bool quoted = false;
  for (auto i = begin; i < text.size(); ++i) {
    if (text[i] == '\'') quoted = !quoted;
    if (text[i] == '}' && !quoted) return i;
  }
  return text.find('}', begin);
}

/// `$${` as the `${` it stands for.
std::string without_escapes(std::string_view text) {
  std::string result;
  for (std::size_t at = 0;;) {
    auto const escape = text.find("$${", at);
    result += text.substr(at, escape - at);
    if (escape == std::string_view::npos) return result;
    result += "${";
    at = escape + 3;
  }
}

/// The first `${...}` from `at` on; `$${` is none.
std::optional<FoundExpression> find_expression(std::string_view text, std::size_t at) {
  for (;;) {
    at = text.find('$', at);
    if (at == std::string_view::npos) return std::nullopt;
    if (text.substr(at).starts_with("$${"))
      at += 3;
    else if (text.substr(at).starts_with("${"))
      return FoundExpression{at, expression_end(text, at + 2)};
    else
      ++at;
  }
}

}  // namespace

std::optional<Operand> Substitution::environment(std::string_view name, Span place) {
  auto const* value = std::getenv(std::string(name).c_str());
  if (value != nullptr) {
    if (!budget_.take({0, std::strlen(value)}, place, "variables of the environment", report_))
      return std::nullopt;
    return Operand(scalar_of(value));
  }
  report_.add(diagnostics::unset_environment, place, {std::string(name)});
  return std::nullopt;
}

void Substitution::evaluate(Scope::Binding& binding, Scope& scope) {
  binding.state = Scope::State::under_way;
  // Variables see one another only.
  ++depth_;
  bool const good = replace_all(binding.value, scope.outermost());
  --depth_;
  binding.state = good ? Scope::State::good : Scope::State::bad;
}

void Substitution::evaluate_all(Scope& variables) {
  for (auto& [name, binding] : variables.bindings())
    if (binding.state == Scope::State::untouched) evaluate(binding, variables);
}

std::optional<Operand> Substitution::find(std::string_view name, Span place, Scope& scope,
                                          Wanted wanted) {
  constexpr std::string_view environment_prefix = "env:";
  Operand const exists(Scalar(true));
  if (name.starts_with(environment_prefix)) {
    if (wanted == Wanted::existence) return exists;  // each environment has others
    return environment(name.substr(environment_prefix.size()), place);
  }
  if (!scope.holds(name)) {
    report_.add(diagnostics::unknown_variable, place, {std::string(name)}).suggestions =
        nearest(name, scope.names());
    return std::nullopt;
  }
  if (wanted == Wanted::existence) return exists;
  auto* binding = scope.find(name);
  if (binding->state == Scope::State::under_way) {
    report_.add(diagnostics::variable_cycle, binding->key_span, {std::string(name)});
    return std::nullopt;
  }
  if (binding->state == Scope::State::untouched) {
    if (depth_ >= deepest_variables) {
      if (!std::exchange(too_deep_, true))
        report_.add(diagnostics::too_deep, place, {std::to_string(deepest_variables)})
            .notes.emplace_back("counted are variables that need one another");
      return std::nullopt;
    }
    evaluate(*binding, scope);
  }
  if (binding->state == Scope::State::bad) return std::nullopt;
  // Each use copies the text, be it for a comparison.
  if (!budget_.take({0, binding->value.text.size()}, place, counted_as, report_))
    return std::nullopt;
  return operand_of(binding->value);
}

bool Substitution::replace_all(Node& node, Scope& scope) {
  bool good = true;
  for (auto& child : node.items) good = replace_all(child, scope) && good;
  for (auto& entry : node.entries)
    if (!entry.key.starts_with("x-")) good = replace_all(entry.value, scope) && good;
  return replace_scalar(node, scope) && good;
}

Lookup Substitution::lookup_in(Node const& node, std::size_t offset, Scope& scope) {
  return [this, &node, offset, &scope](std::string_view name, std::size_t at, Wanted wanted) {
    return find(name, part_of(node, offset + at, name.size()), scope, wanted);
  };
}

void Substitution::report(ExpressionProblem const& problem, std::string_view expression,
                          Node const& node, std::size_t offset) {
  report_.add(problem.syntax ? diagnostics::expression_syntax : diagnostics::expression_value,
              part_of(node, offset + problem.at, problem.length),
              {problem.words, std::string(expression)});
}

std::optional<Operand> Substitution::value_of(std::string_view expression, Node const& node,
                                              std::size_t offset, Scope& scope) {
  std::optional<ExpressionProblem> problem;
  auto value = compiler::evaluate(expression, lookup_in(node, offset, scope), problem);
  if (problem) report(*problem, expression, node, offset);
  return value;
}

bool Substitution::check_names(Node const& node, Scope& scope) {
  bool good = true;
  for (auto const& child : node.items) good = check_names(child, scope) && good;
  for (auto const& entry : node.entries)
    if (!entry.key.starts_with("x-")) good = check_names(entry.value, scope) && good;
  if (node.kind != Node::Kind::scalar) return good;
  std::string_view const text = node.text;
  for (std::size_t at = 0;;) {
    auto const found = find_expression(text, at);
    if (!found) return good;
    if (!closed(*found, node)) return false;
    auto const begin = found->dollar + 2;
    auto const expression = text.substr(begin, found->end - begin);
    std::optional<ExpressionProblem> problem;
    good = check_expression(expression, lookup_in(node, begin, scope), problem) && good;
    if (problem) report(*problem, expression, node, begin);
    at = found->end + 1;
  }
}

/// Reports an expression whose `}` is missing.
bool Substitution::closed(FoundExpression found, Node const& node) {
  if (found.end != std::string::npos) return true;
  report_.add(diagnostics::expression_syntax, part_of(node, found.dollar, 2),
              {"the `}` is missing", node.text.substr(found.dollar + 2)});
  return false;
}

/// A scalar that is nothing but an expression becomes its value.
bool Substitution::take(Node& node, Operand const& value) {
  auto const place = node.span;
  if (value.node == nullptr) {
    node.quoted = std::holds_alternative<std::string>(value.scalar);
    node.text = to_text(value.scalar);
    return true;
  }
  if (!budget_.take(volume_of(*value.node), place, counted_as, report_)) return false;
  node = Node(*value.node);
  // What is wrong with a single value is shown where it is used.
  if (node.kind == Node::Kind::null) node.span = place;
  return true;
}

bool Substitution::replace_scalar(Node& node, Scope& scope) {
  if (node.kind != Node::Kind::scalar || node.text.find("${") == std::string::npos) return true;
  auto const text = node.text;
  std::string result;
  for (std::size_t at = 0;;) {
    auto const found = find_expression(text, at);
    result +=
        without_escapes(std::string_view(text).substr(at, found ? found->dollar - at : text.npos));
    if (!found) break;
    if (!closed(*found, node)) return false;
    auto const [dollar, end] = *found;
    auto const begin = dollar + 2;
    auto const expression = text.substr(begin, end - begin);
    auto const value = value_of(expression, node, begin, scope);
    if (!value) return false;
    if (dollar == 0 && end + 1 == text.size()) return take(node, *value);
    if (value->node != nullptr) {
      report_.add(diagnostics::expression_value, part_of(node, begin, expression.size()),
                  {"`" + expression + "` " + describe(*value), expression});
      return false;
    }
    auto const words = to_text(value->scalar);
    if (!budget_.take({0, words.size()}, node.span, counted_as, report_)) return false;
    result += words;
    at = end + 1;
  }
  node.text = result;
  node.quoted = true;
  return true;
}

}  // namespace lbann::compiler
