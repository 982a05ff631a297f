// Fields of a declaration as a table of Markdown.
#include "compiler/reference/field_table.hpp"

#include <fmt/format.h>

#include <array>

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
  } else if (!field.choices.empty()) {
    kind += fmt::format(" of `{}`", fmt::join(field.choices, "`, `"));
  }
  if (!field.unit.empty()) kind += fmt::format(" ({})", field.unit);
  auto const words = stands_for_nothing(field) ? "" : to_words(field.default_value);
  auto const otherwise = field.presence == Presence::required ? std::string("required")
                         : words.empty()                      ? std::string("")
                                                              : fmt::format("`{}`", words);
  return fmt::format("| `{}` | {} | {} | {}{} |\n", field.name, kind, otherwise,
                     table_cell(field.doc), support_words(field.support, field.reason));
}

}  // namespace

std::string support_words(Support support, std::string_view reason) {
  if (support == Support::unimplemented) return " *Not supported yet.*";
  if (support == Support::ignored) return fmt::format(" *No effect: {}.*", reason);
  return {};
}

std::string table_cell(std::string_view text) {
  std::string cell;
  for (auto const c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string field_table(std::vector<FieldInfo> const& fields) {
  if (fields.empty()) return "No fields.\n";
  std::string text = "| field | value | default | meaning |\n|---|---|---|---|\n";
  for (auto const& field : fields) text += describe(field);
  return text;
}

}  // namespace lbann::compiler
