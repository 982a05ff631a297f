// Variables evaluated when first used, with a mark against cycles.
#include "compiler/experiment/substitution.hpp"

#include "schemas/diagnostics/catalogue.hpp"

#include <cstdlib>

namespace lbann::compiler {

namespace {

constexpr std::size_t most_copied_values = 1'000'000;

/// Number of values in an item, itself included.
std::size_t count_values(Item const& item) {
  std::size_t count = 1;
  for (auto const& child : item.items) count += count_values(child);
  for (auto const& entry : item.entries) count += count_values(entry.value);
  return count;
}

/// Place of a part of a scalar; the whole scalar where its text is not the text of the file.
Span part_of(Item const& item, std::size_t offset, std::size_t length) {
  std::size_t const quote = item.quoted ? 1 : 0;
  if (item.span.end - item.span.begin != item.text.size() + 2 * quote) return item.span;
  auto const begin = static_cast<std::uint32_t>(item.span.begin + quote + offset);
  return {item.span.file, begin, begin + static_cast<std::uint32_t>(length)};
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

}  // namespace

std::optional<Operand> Substitution::environment(std::string_view name, Span place) {
  auto const* value = std::getenv(std::string(name).c_str());
  if (value != nullptr) return Operand(scalar_of(value));
  report_.add(diagnostics::unset_environment, place, {std::string(name)});
  return std::nullopt;
}

void Substitution::evaluate(Scope::Binding& binding, Scope& scope) {
  binding.state = Scope::State::under_way;
  // Variables see one another only.
  bool const good = replace_all(binding.value, scope.outermost());
  binding.state = good ? Scope::State::good : Scope::State::bad;
}

void Substitution::evaluate_all(Scope& variables) {
  for (auto& [name, binding] : variables.bindings())
    if (binding.state == Scope::State::untouched) evaluate(binding, variables);
}

std::optional<Operand> Substitution::find(std::string_view name, Span place, Scope& scope) {
  constexpr std::string_view environment_prefix = "env:";
  if (name.starts_with(environment_prefix))
    return environment(name.substr(environment_prefix.size()), place);
  auto* binding = scope.find(name);
  if (binding == nullptr) {
    report_.add(diagnostics::unknown_variable, place, {std::string(name)}).suggestions =
        nearest(name, scope.names());
    return std::nullopt;
  }
  if (binding->state == Scope::State::under_way) {
    report_.add(diagnostics::variable_cycle, binding->key_span, {std::string(name)});
    return std::nullopt;
  }
  if (binding->state == Scope::State::untouched) evaluate(*binding, scope);
  if (binding->state == Scope::State::bad) return std::nullopt;
  return operand_of(binding->value);
}

bool Substitution::replace_all(Item& item, Scope& scope) {
  bool good = true;
  for (auto& child : item.items) good = replace_all(child, scope) && good;
  for (auto& entry : item.entries)
    if (!entry.key.starts_with("x-")) good = replace_all(entry.value, scope) && good;
  return replace_scalar(item, scope) && good;
}

std::optional<Operand> Substitution::value_of(std::string_view expression, Item const& item,
                                              std::size_t offset, Scope& scope) {
  std::optional<ExpressionProblem> problem;
  auto const lookup = [&](std::string_view name, std::size_t at) {
    return find(name, part_of(item, offset + at, name.size()), scope);
  };
  auto value = compiler::evaluate(expression, lookup, problem);
  if (problem)
    report_.add(problem->syntax ? diagnostics::expression_syntax : diagnostics::expression_value,
                part_of(item, offset + problem->at, problem->length),
                {problem->words, std::string(expression)});
  return value;
}

/// A scalar that is nothing but an expression becomes its value.
bool Substitution::take(Item& item, Operand const& value) {
  auto const place = item.span;
  if (value.item == nullptr) {
    item.quoted = std::holds_alternative<std::string>(value.scalar);
    item.text = to_text(value.scalar);
    return true;
  }
  copied_ += count_values(*value.item);
  if (copied_ > most_copied_values) {
    report_.add(diagnostics::too_large, place, {"variables stand for too many values"});
    return false;
  }
  item = Item(*value.item);
  // What is wrong with a single value is shown where it is used.
  if (item.kind == Item::Kind::null) item.span = place;
  return true;
}

bool Substitution::replace_scalar(Item& item, Scope& scope) {
  if (item.kind != Item::Kind::scalar || item.text.find("${") == std::string::npos) return true;
  auto const text = item.text;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    auto const dollar = text.find('$', at);
    result += text.substr(at, dollar - at);
    if (dollar == std::string::npos) break;
    if (text.compare(dollar, 3, "$${") == 0) {
      result += "${";
      at = dollar + 3;
      continue;
    }
    if (text.compare(dollar, 2, "${") != 0) {
      result += '$';
      at = dollar + 1;
      continue;
    }
    auto const begin = dollar + 2, end = expression_end(text, begin);
    if (end == std::string::npos) {
      report_.add(diagnostics::expression_syntax, part_of(item, dollar, 2),
                  {"the `}` is missing", text.substr(begin)});
      return false;
    }
    auto const expression = text.substr(begin, end - begin);
    auto const value = value_of(expression, item, begin, scope);
    if (!value) return false;
    if (dollar == 0 && end + 1 == text.size()) return take(item, *value);
    if (value->item != nullptr) {
      report_.add(diagnostics::expression_value, part_of(item, begin, expression.size()),
                  {"`" + expression + "` " + describe(*value), expression});
      return false;
    }
    result += to_text(value->scalar);
    at = end + 1;
  }
  item.text = result;
  item.quoted = true;
  return true;
}

}  // namespace lbann::compiler
