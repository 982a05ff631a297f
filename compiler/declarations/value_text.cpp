// Words of the graph's text form: names, values of fields, declarations.
#include "compiler/declarations/value_text.hpp"

#include <charconv>
#include <cstring>

namespace lbann::compiler {

namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '/';
}

}  // namespace

std::string real_text(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string quoted_text(std::string_view text) {
  std::string result = "\"";
  for (auto const c : text) {
    if (c == '"' || c == '\\') result += '\\';
    c == '\n' ? result += "\\n" : result += c;
  }
  return result + "\"";
}

std::string name_text(std::string_view name) {
  for (auto const c : name)
    if (!is_name_character(c)) return quoted_text(name);
  return name.empty() ? "\"\"" : std::string(name);
}

std::string value_text(Value const& value) {
  auto list = [](auto const& elements, auto each) {
    std::string text;
    for (auto const& element : elements) text += (text.empty() ? "" : ", ") + each(element);
    return "[" + text + "]";
  };
  struct Visitor {
    decltype(list)& list_text;
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return std::to_string(i); }
    std::string operator()(double x) const { return real_text(x); }
    std::string operator()(std::string const& s) const { return quoted_text(s); }
    std::string operator()(std::vector<std::int64_t> const& v) const {
      return list_text(v, [](std::int64_t i) { return std::to_string(i); });
    }
    std::string operator()(std::vector<double> const& v) const { return list_text(v, real_text); }
    std::string operator()(std::vector<std::string> const& v) const {
      return list_text(v, [](std::string const& s) { return quoted_text(s); });
    }
    std::string operator()(Shape const& shape) const { return quoted_text(lbann::to_text(shape)); }
    std::string operator()(Expression const& e) const { return quoted_text(lbann::to_text(e)); }
  };
  return std::visit(Visitor{list}, value);
}

std::string declaration_text(Declaration const& declaration) {
  if (!declaration) return "-";
  auto const record = declaration.type->record(declaration.object.get());
  std::string fields;
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    if (record.fields[i].second != declaration.type->fields[i].default_value)
      fields += (fields.empty() ? "" : ", ") + record.fields[i].first + ": " +
                value_text(record.fields[i].second);
  return record.type + (fields.empty() ? "" : " {" + fields + "}");
}

void LineReader::skip_spaces() {
  while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
}

void LineReader::fail(std::string expected) {
  if (!failed()) fault_ = "expected " + expected + " before `" + std::string(rest_) + "`";
  rest_ = {};
}

bool LineReader::take(std::string_view token) {
  if (failed() || !rest_.starts_with(token)) return false;
  if (is_name_character(token.back()) && rest_.size() > token.size() &&
      is_name_character(rest_[token.size()]))
    return false;
  rest_.remove_prefix(token.size());
  skip_spaces();
  return true;
}

void LineReader::expect(std::string_view token) {
  if (!take(token)) fail("`" + std::string(token) + "`");
}

std::string LineReader::name() {
  if (rest_.starts_with('"')) return quoted();
  std::size_t length = 0;
  while (length < rest_.size() && is_name_character(rest_[length])) ++length;
  std::string name(rest_.substr(0, length));
  if (name.empty()) fail("a name");
  if (!failed()) rest_.remove_prefix(length);
  skip_spaces();
  return name;
}

std::string LineReader::quoted() {
  if (!rest_.starts_with('"')) return fail("a quoted text"), "";
  std::string text;
  for (std::size_t i = 1; i < rest_.size(); ++i) {
    if (rest_[i] == '"') {
      rest_.remove_prefix(i + 1);
      skip_spaces();
      return text;
    }
    if (rest_[i] == '\\' && i + 1 < rest_.size()) {
      ++i;
      text += rest_[i] == 'n' ? '\n' : rest_[i];
    } else {
      text += rest_[i];
    }
  }
  fail("a closing quote");
  return {};
}

std::int64_t LineReader::integer() {
  std::int64_t value = 0;
  auto const [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  if (failed() || failure != std::errc{}) return fail("an integer"), 0;
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  skip_spaces();
  return value;
}

double LineReader::real() {
  double value = 0;
  auto const [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  if (failed() || failure != std::errc{}) return fail("a number"), 0;
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  skip_spaces();
  return value;
}

template <class Element, class Read>
std::vector<Element> LineReader::list(Read read) {
  std::vector<Element> elements;
  expect("[");
  while (!failed() && !take("]")) {
    if (!elements.empty()) expect(",");
    elements.push_back(read());
  }
  return elements;
}

Dims LineReader::dims() {
  return list<std::int64_t>([&] { return integer(); });
}

std::vector<std::string> LineReader::names() {
  std::vector<std::string> names;
  do {
    names.push_back(take("-") ? "" : name());
  } while (take(","));
  return names;
}

Value LineReader::value(FieldKind kind) {
  switch (kind) {
    case FieldKind::boolean: {
      if (take("true")) return true;
      expect("false");
      return false;
    }
    case FieldKind::integer:
      return integer();
    case FieldKind::real:
      return real();
    case FieldKind::text:
    case FieldKind::choice:
      return quoted();
    case FieldKind::integers:
      return dims();
    case FieldKind::reals:
      return list<double>([&] { return real(); });
    case FieldKind::texts:
      return list<std::string>([&] { return quoted(); });
    case FieldKind::shape:
      if (auto shape = parse_shape(quoted())) return *shape;
      fail("a shape");
      return Shape{};
    case FieldKind::expression:
      if (auto expression = parse_expression(quoted())) return *expression;
      fail("an expression");
      return Expression{};
  }
  return false;
}

Declaration LineReader::declaration(DeclarationType const& type) {
  auto declaration = default_declaration(type);
  auto const object = type.create();
  declaration.object = object;
  if (!take("{")) return declaration;
  bool first = true;
  while (!failed() && !take("}")) {
    if (!first) expect(",");
    first = false;
    auto const field = name();
    expect(":");
    std::size_t index = 0;
    while (index < type.fields.size() && type.fields[index].name != field) ++index;
    if (index == type.fields.size()) {
      fail("a field of `" + std::string(type.name) + "` instead of `" + field + "`");
    } else if (auto const value = this->value(type.fields[index].kind);
               !failed() && !type.set(object.get(), index, value)) {
      fail("another value of `" + field + "`");
    }
  }
  return declaration;
}

}  // namespace lbann::compiler
