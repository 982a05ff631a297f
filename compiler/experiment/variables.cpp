// Variables evaluated when first used, with a mark against cycles.
#include "compiler/experiment/variables.hpp"

#include <map>
#include <utility>

#include "compiler/experiment/expression.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t most_items = 1'000'000;  // copied by bare names

class Substitution {
 public:
  Substitution(Item const* variables, Report& report) : report_(report) {
    if (variables != nullptr) collect(*variables, "");
  }

  /// Replaces in `item`; false after a report.
  bool replace(Item& item);
  /// Evaluates all variables, so that unused ones are checked too.
  void check_all() {
    for (auto& [name, variable] : variables_) value_of(variable);
  }

 private:
  enum class State { untouched, under_way, good, bad };
  struct Variable {
    std::string name;
    Span key_span;
    Item value;
    State state = State::untouched;
  };

  void collect(Item const& mapping, std::string const& prefix) {
    for (auto const& entry : mapping.entries) {
      auto const name = prefix + entry.key;
      variables_.emplace(name, Variable{name, entry.key_span, entry.value, State::untouched});
      names_.push_back(name);
      if (entry.value.kind == Item::Kind::mapping) collect(entry.value, name + ".");
    }
  }

  Item const* value_of(Variable& variable);
  Item const* find(std::string_view name, Span place);
  bool replace_scalar(Item& item);
  std::optional<Scalar> scalar_value(std::string_view expression, Item const& item,
                                     std::size_t offset);
  Span inside(Item const& item, std::size_t offset, std::size_t length) const;

  Report& report_;
  std::map<std::string, Variable, std::less<>> variables_;
  std::vector<std::string> names_;
  std::size_t copied_ = 0;
};

std::size_t count_items(Item const& item) {
  std::size_t count = 1;
  for (auto const& child : item.items) count += count_items(child);
  for (auto const& entry : item.entries) count += count_items(entry.value);
  return count;
}

Item const* Substitution::value_of(Variable& variable) {
  if (variable.state == State::under_way) {
    report_.add(diagnostics::variable_cycle, variable.key_span, {variable.name});
    return nullptr;
  }
  if (variable.state == State::untouched) {
    variable.state = State::under_way;
    bool const good = replace(variable.value);
    variable.state = good ? State::good : State::bad;
  }
  return variable.state == State::good ? &variable.value : nullptr;
}

Item const* Substitution::find(std::string_view name, Span place) {
  auto const found = variables_.find(name);
  if (found != variables_.end()) return value_of(found->second);
  std::vector<std::string_view> const names(names_.begin(), names_.end());
  report_.add(diagnostics::unknown_variable, place, {std::string(name)}).suggestions =
      nearest(name, names);
  return nullptr;
}

bool Substitution::replace(Item& item) {
  bool good = true;
  for (auto& child : item.items) good = replace(child) && good;
  for (auto& entry : item.entries)
    if (!entry.key.starts_with("x-")) good = replace(entry.value) && good;
  if (item.kind == Item::Kind::scalar && item.text.find("${") != std::string::npos)
    good = replace_scalar(item) && good;
  return good;
}

/// Place of a part of a scalar; the whole scalar where its text is not the text of the file.
Span Substitution::inside(Item const& item, std::size_t offset, std::size_t length) const {
  std::size_t const quote = item.quoted ? 1 : 0;
  if (item.span.end - item.span.begin != item.text.size() + 2 * quote) return item.span;
  auto const begin = static_cast<std::uint32_t>(item.span.begin + quote + offset);
  return {item.span.file, begin, begin + static_cast<std::uint32_t>(length)};
}

bool bare_name(std::string_view expression) {
  for (char c : expression)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_' &&
        c != '.')
      return false;
  return !expression.empty() && !(expression[0] >= '0' && expression[0] <= '9') &&
         expression[0] != '.';
}

std::optional<Scalar> Substitution::scalar_value(std::string_view expression, Item const& item,
                                                 std::size_t offset) {
  std::optional<ExpressionProblem> problem;
  auto const lookup = [&](std::string_view name, std::size_t at) -> std::optional<Scalar> {
    auto const place = inside(item, offset + at, name.size());
    auto const* value = find(name, place);
    if (value == nullptr) return std::nullopt;
    if (value->kind == Item::Kind::scalar)
      return value->quoted ? Scalar(value->text) : scalar_of(value->text);
    auto const* what = value->kind == Item::Kind::null       ? "is empty"
                       : value->kind == Item::Kind::sequence ? "is a list, not one value"
                                                             : "is a mapping, not one value";
    report_.add(diagnostics::expression_value, place,
                {"`" + std::string(name) + "` " + what, std::string(expression)});
    return std::nullopt;
  };
  auto const value = evaluate(expression, lookup, problem);
  if (problem)
    report_.add(problem->syntax ? diagnostics::expression_syntax : diagnostics::expression_value,
                inside(item, offset + problem->at, problem->length),
                {problem->words, std::string(expression)});
  return value;
}

bool Substitution::replace_scalar(Item& item) {
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
    auto const begin = dollar + 2, end = text.find('}', begin);
    if (end == std::string::npos) {
      report_.add(diagnostics::expression_syntax, inside(item, dollar, 2),
                  {"the `}` is missing", text.substr(begin)});
      return false;
    }
    auto const expression = text.substr(begin, end - begin);
    bool const whole = dollar == 0 && end + 1 == text.size();
    if (whole && bare_name(expression)) {
      auto const* value = find(expression, inside(item, begin, expression.size()));
      if (value == nullptr) return false;
      copied_ += count_items(*value);
      if (copied_ > most_items) {
        report_.add(diagnostics::too_large, item.span, {"variables stand for too many values"});
        return false;
      }
      auto const place = item.span;
      item = *value;
      // What is wrong with a single value is shown where it is used.
      if (item.kind == Item::Kind::scalar || item.kind == Item::Kind::null) item.span = place;
      return true;
    }
    auto const value = scalar_value(expression, item, begin);
    if (!value) return false;
    if (whole) {
      item.quoted = std::holds_alternative<std::string>(*value);
      item.text = to_text(*value);
      return true;
    }
    result += to_text(*value);
    at = end + 1;
  }
  item.text = result;
  item.quoted = true;
  return true;
}

}  // namespace

void substitute_variables(Document& document, Report& report) {
  auto& root = document.root;
  auto const* variables = root.find("variables");
  Item const* mapping = nullptr;
  if (variables != nullptr && variables->value.kind == Item::Kind::mapping)
    mapping = &variables->value;
  Substitution substitution(mapping, report);
  substitution.check_all();
  for (auto& entry : root.entries)
    if (!entry.key.starts_with("x-") && entry.key != "variables") substitution.replace(entry.value);
}

}  // namespace lbann::compiler
