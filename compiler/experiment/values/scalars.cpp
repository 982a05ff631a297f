// YAML 1.2's core schema, told from YAML 1.1 where the two differ.
#include "compiler/experiment/values/scalars.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "compiler/diagnostics/shortened.hpp"
#include "compiler/experiment/values/expression.hpp"
#include "compiler/experiment/values/foreign_names.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/vocabulary/field_check.hpp"

namespace lbann::compiler {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (auto& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool digits_only(std::string_view text, std::string_view digits = "0123456789") {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text;
}

std::optional<std::int64_t> integer_in(std::string_view digits, int base) {
  std::int64_t value = 0;
  auto const [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

/// What YAML 1.1 makes of a truth word, or nothing.
std::optional<bool> old_truth(std::string_view text) {
  auto const word = lower(text);
  if (word == "yes" || word == "on" || word == "y") return true;
  if (word == "no" || word == "off" || word == "n") return false;
  return std::nullopt;
}

/// Numbers that the two versions read differently: what was probably meant, most likely first.
std::vector<std::string> ambiguous_number(std::string_view text) {
  auto const sign = text.size() > 1 && text[0] == '-' ? "-" : "";
  auto const body = without_sign(text);
  if (body.size() > 1 && body[0] == '0' && digits_only(body)) {
    auto const first = body.find_first_not_of('0');
    std::vector<std::string> both;
    both.push_back(sign + std::string(first == std::string_view::npos ? "0" : body.substr(first)));
    if (auto const octal = integer_in(body, 8)) both.push_back(sign + std::to_string(*octal));
    return both;
  }
  if (body.starts_with("0o") && digits_only(body.substr(2), "01234567"))
    if (auto const octal = integer_in(body.substr(2), 8)) return {sign + std::to_string(*octal)};
  if (body.starts_with("0b") && digits_only(body.substr(2), "01_"))
    if (auto const binary = integer_in(body.substr(2), 2)) return {sign + std::to_string(*binary)};
  if (!body.empty() && body[0] >= '0' && body[0] <= '9' &&
      body.find('_') != std::string_view::npos && digits_only(body, "0123456789_.eE+-")) {
    std::string plain(text);
    std::erase(plain, '_');
    if (!std::holds_alternative<std::string>(scalar_of(plain))) return {plain};
  }
  auto const colon = body.find(':');
  if (colon != std::string_view::npos && digits_only(body.substr(0, colon)) &&
      digits_only(body.substr(colon + 1), "0123456789:")) {
    std::int64_t seconds = 0;
    for (auto rest = body;;) {
      auto const end = rest.find(':');
      auto const part = integer_in(rest.substr(0, end), 10);
      if (!part || __builtin_mul_overflow(seconds, 60, &seconds) ||
          __builtin_add_overflow(seconds, *part, &seconds))
        return {};
      if (end == std::string_view::npos) break;
      rest = rest.substr(end + 1);
    }
    return {sign + std::to_string(seconds)};
  }
  return {};
}

/// A number of the core schema, decimal or hexadecimal.
Scalar plain_scalar(std::string_view text) {
  if (text.starts_with("0x"))
    if (auto const value = integer_in(text.substr(2), 16)) return *value;
  return scalar_of(text);
}

class ValueReader {
 public:
  ValueReader(FieldInfo const& field, Report& report) : field_(field), report_(report) {}

  std::optional<Value> value(Node const& node) {
    switch (field_.kind) {
      case FieldKind::boolean:
        return as_value(boolean(node));
      case FieldKind::integer:
        return as_value(integer(node));
      case FieldKind::real:
        return as_value(real(node));
      case FieldKind::text:
        return as_value(text(node));
      case FieldKind::choice:
        return as_value(choice(node));
      case FieldKind::integers:
        return list<std::int64_t>(node, &ValueReader::integer);
      case FieldKind::reals:
        return list<double>(node, &ValueReader::real);
      case FieldKind::texts:
        if (node.kind == Node::Kind::mapping && !field_.pair.empty()) return pairs(node);
        return list<std::string>(
            node, field_.choices.empty() ? &ValueReader::text : &ValueReader::choice);
      case FieldKind::shape:
      case FieldKind::expression:
        break;  // no declaration of the language has one
    }
    return wrong(node);
  }

 private:
  template <class T>
  static std::optional<Value> as_value(std::optional<T> value) {
    if (!value) return std::nullopt;
    return Value(std::move(*value));
  }

  std::nullopt_t wrong(Node const& node, std::vector<std::string> suggestions = {}) {
    auto& diagnostic = report_.add(diagnostics::wrong_type, node.span,
                                   {std::string(field_.name), expectation(field_), describe(node)});
    if (suggestions.size() == 1) diagnostic.edits = {{node.span, suggestions.front()}};
    diagnostic.suggestions = std::move(suggestions);
    return std::nullopt;
  }

  /// Of a value in quotes that would be right without them.
  std::nullopt_t wrong_or_quoted(Node const& node) {
    Report tried;
    auto plain = node;
    plain.quoted = false;
    bool const fits = node.kind == Node::Kind::scalar && node.quoted &&
                      ValueReader(field_, tried).value(plain) && tried.diagnostics().empty();
    return fits ? wrong(node, {node.text}) : wrong(node);
  }

  /// Of a number that its type does not hold, whatever the field asks for.
  std::nullopt_t too_large(Node const& node, std::string range) {
    if (auto const asked = describe(field_.range); !asked.empty()) range = asked;
    report_.add(diagnostics::out_of_range, node.span,
                {std::string(field_.name), std::move(range), node.text});
    return std::nullopt;
  }

  std::nullopt_t ambiguous(Node const& node, std::vector<std::string> suggestions) {
    auto& diagnostic = report_.add(diagnostics::ambiguous_scalar, node.span, {node.text});
    if (suggestions.size() == 1) diagnostic.edits = {{node.span, suggestions.front()}};
    diagnostic.suggestions = std::move(suggestions);
    return std::nullopt;
  }

  template <class T>
  std::optional<T> in_range(Node const& node, T value) {
    if (field_.range.holds(static_cast<double>(value))) {
      if (!field_.usual.holds(static_cast<double>(value)))
        report_.add(
            diagnostics::unusual_value, node.span,
            {std::string(field_.name), to_text(Scalar(value)), std::string(field_.unusual)});
      return value;
    }
    report_.add(diagnostics::out_of_range, node.span,
                {std::string(field_.name), describe(field_.range), to_text(Scalar(value))});
    return std::nullopt;
  }

  std::optional<bool> boolean(Node const& node) {
    if (node.kind != Node::Kind::scalar || node.quoted) return wrong_or_quoted(node);
    if (auto const truth = scalar_of(node.text); std::holds_alternative<bool>(truth))
      return std::get<bool>(truth);
    if (auto const old = old_truth(node.text)) return ambiguous(node, {*old ? "true" : "false"});
    return wrong(node);
  }

  std::optional<std::int64_t> integer(Node const& node) {
    if (node.kind != Node::Kind::scalar || node.quoted) return wrong_or_quoted(node);
    if (auto const meant = ambiguous_number(node.text); !meant.empty())
      return ambiguous(node, meant);
    auto const number = plain_scalar(node.text);
    if (auto const* whole = std::get_if<std::int64_t>(&number)) return in_range(node, *whole);
    auto const* real = std::get_if<double>(&number);
    if (real == nullptr || std::floor(*real) != *real) return wrong(node);
    if (std::abs(*real) < 0x1p63)
      return wrong(node, {std::to_string(static_cast<std::int64_t>(*real))});
    return too_large(node, "between -9223372036854775808 and 9223372036854775807");
  }

  std::optional<double> real(Node const& node) {
    if (node.kind != Node::Kind::scalar || node.quoted) return wrong_or_quoted(node);
    if (auto const meant = ambiguous_number(node.text); !meant.empty())
      return ambiguous(node, meant);
    auto const number = plain_scalar(node.text);
    if (auto const* whole = std::get_if<std::int64_t>(&number))
      return in_range(node, static_cast<double>(*whole));
    auto const* real = std::get_if<double>(&number);
    if (real == nullptr) return wrong(node);
    if (!std::isfinite(*real))
      return too_large(node, "between -1.7976931348623157e+308 and 1.7976931348623157e+308");
    return in_range(node, *real);
  }

  std::optional<std::string> text(Node const& node) {
    if (node.kind != Node::Kind::scalar) return wrong(node);
    if (node.quoted) return node.text;
    auto const quoted = "\"" + node.text + "\"";
    if (node.text.size() > 1 && old_truth(node.text)) return ambiguous(node, {quoted});
    if (std::holds_alternative<bool>(scalar_of(node.text))) return wrong(node, {quoted});
    return node.text;
  }

  std::optional<std::string> choice(Node const& node) {
    if (node.kind != Node::Kind::scalar) return wrong(node);
    auto const& choices = field_.choices;
    if (std::find(choices.begin(), choices.end(), node.text) != choices.end()) return node.text;
    auto& diagnostic = report_.add(diagnostics::not_a_choice, node.span,
                                   {std::string(field_.name), alternatives(choices), node.text});
    diagnostic.suggestions = nearest(node.text, choices);
    if (auto const ours = translated_value(field_.name, node.text); !ours.empty()) {
      diagnostic.suggestions = {std::string(ours)};
      diagnostic.edits = {{node.span, std::string(ours)}};
    }
    return std::nullopt;
  }

  template <class T>
  std::optional<Value> list(Node const& node,
                            std::optional<T> (ValueReader::*element)(Node const&)) {
    std::vector<T> values;
    if (node.kind == Node::Kind::scalar) {
      if (auto const meant = list_in_text(node); !meant.empty()) return wrong(node, {meant});
      auto value = (this->*element)(node);
      if (!value) return std::nullopt;
      values.push_back(std::move(*value));
      return values;
    }
    bool good = true;
    auto const take = [&](Node const& child) {
      auto value = (this->*element)(child);
      good = good && value.has_value();
      if (value) values.push_back(std::move(*value));
    };
    if (node.kind == Node::Kind::sequence)
      for (auto const& child : node.items) take(child);
    else if (node.kind == Node::Kind::numbers)
      take_numbers(node, values, take);
    else
      return wrong(node);
    if (!good) return std::nullopt;
    return values;
  }

  /// A mapping for a list of texts of two words each. Of a name with its texts, `name=text`, these
  /// may be several.
  std::optional<Value> pairs(Node const& node) {
    std::vector<std::string> values;
    bool good = true;
    auto const add = [&](std::string const& key, Node const& value) {
      auto second = text(value);
      good = good && second.has_value();
      if (second) values.push_back(key + std::string(field_.pair) + *second);
    };
    for (auto const& [key, key_span, value] : node.entries)
      if (field_.pair != "=" || value.kind != Node::Kind::sequence || value.items.empty())
        add(key, value);
      else
        for (auto const& item : value.items) add(key, item);
    if (!good) return std::nullopt;
    return values;
  }

  /// Of numbers that are as they should be nothing but their values is looked at.
  template <class T, class Take>
  void take_numbers(Node const& node, std::vector<T>& values, Take const& take) {
    values.reserve(node.numbers->size());
    for (auto const& number : *node.numbers) {
      if constexpr (std::is_arithmetic_v<T>)
        if (std::isfinite(number.value) && field_.range.holds(number.value) &&
            field_.usual.holds(number.value) && (number.whole || std::is_same_v<T, double>)) {
          values.push_back(static_cast<T>(number.value));
          continue;
        }
      take(scalar_node(node, number));
    }
  }

  /// LBANN's prototext writes lists as texts of words; here they are lists.
  std::string list_in_text(Node const& node) const {
    auto const& text = node.text;
    auto const first = text.find_first_not_of(' ');
    auto const last = text.find_last_not_of(' ');
    if (first == std::string::npos || text.find_first_of(" ,", first) >= last) return {};
    std::string list = "[";
    for (std::size_t at = first; at <= last;) {
      auto const end = std::min(text.find_first_of(" ,", at), last + 1);
      if (list.size() > 1) list += ", ";
      list += text.substr(at, end - at);
      at = std::min(text.find_first_not_of(" ,", end), text.size());
    }
    return list + "]";
  }

  FieldInfo const& field_;
  Report& report_;
};

}  // namespace

std::optional<Value> read_value(Node const& node, FieldInfo const& field, Report& report) {
  return ValueReader(field, report).value(node);
}

std::string describe(Node const& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "empty";
    case Node::Kind::sequence:
    case Node::Kind::numbers:
      return "a list";
    case Node::Kind::mapping:
      return "a mapping";
    case Node::Kind::scalar:
      break;
  }
  constexpr std::size_t longest = 60;
  auto const shown = "`" + shortened(node.text, longest) + "`";
  auto const scalar = node.quoted ? Scalar(node.text) : scalar_of(node.text);
  return std::holds_alternative<std::string>(scalar) ? "the text " + shown : shown;
}

std::string expectation(FieldInfo const& field) {
  switch (field.kind) {
    case FieldKind::boolean:
      return "`true` or `false`";
    case FieldKind::integer:
      return "a whole number";
    case FieldKind::real:
      return "a number";
    case FieldKind::text:
      return "a text";
    case FieldKind::choice:
      return alternatives(field.choices);
    case FieldKind::integers:
      return "a list of whole numbers";
    case FieldKind::reals:
      return "a list of numbers";
    case FieldKind::texts:
      return field.pair.empty() ? "a list of texts" : "a list of texts, or a mapping";
    case FieldKind::shape:
      return "a shape";
    case FieldKind::expression:
      return "an expression";
  }
  return {};
}

std::string alternatives(std::vector<std::string_view> const& names, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? last : ", ";
    text += "`" + std::string(names[i]) + "`";
  }
  return text;
}

}  // namespace lbann::compiler
