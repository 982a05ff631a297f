// Scalars, lists and mappings; numbers as every reader of YAML takes them.
#include "compiler/export/nodes.hpp"

#include <algorithm>

#include "compiler/experiment/values/expression.hpp"

namespace lbann::compiler {

namespace {

/// `1.0e-7`: without a point and a sign of the exponent YAML 1.1 reads a text.
std::string number_text(double number) {
  auto text = to_text(Scalar(number));
  auto const e = text.find('e');
  if (e == std::string::npos) return text;
  auto mantissa = text.substr(0, e);
  if (mantissa.find('.') == std::string::npos) mantissa += ".0";
  auto const sign = text[e + 1] == '-' ? "-" : "+";
  return mantissa + "e" + sign + text.substr(text.find_first_of("123456789", e));
}

Node node_of(bool value) { return scalar_node(value ? "true" : "false", false); }
Node node_of(std::int64_t value) { return scalar_node(std::to_string(value), false); }
Node node_of(double value) { return scalar_node(number_text(value), false); }
Node node_of(std::string const& value) { return literal_node(value); }
Node node_of(Shape const& value) { return literal_node(to_text(value)); }
Node node_of(Expression const& value) { return literal_node(to_text(value)); }

template <class T>
Node node_of(std::vector<T> const& values) {
  auto list = list_node();
  for (auto const& value : values) list.items.push_back(node_of(value));
  return list;
}

}  // namespace

Node scalar_node(std::string text, bool quoted) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  node.quoted = quoted;
  return node;
}

Node literal_node(std::string text) {
  for (auto at = text.find("${"); at != std::string::npos; at = text.find("${", at + 3))
    text.insert(at, "$");
  return scalar_node(std::move(text), true);
}

Node list_node(std::vector<Node> items) {
  Node node;
  node.kind = Node::Kind::sequence;
  node.items = std::move(items);
  return node;
}

Node mapping_node() {
  Node node;
  node.kind = Node::Kind::mapping;
  return node;
}

void put(Node& mapping, std::string_view key, Node value) {
  mapping.entries.push_back({std::string(key), {}, std::move(value)});
}

Node single_key(std::string_view type, Node body) {
  auto node = mapping_node();
  put(node, type, body.entries.empty() ? Node{} : std::move(body));
  return node;
}

Node to_node(FieldInfo const& field, Value const& value) {
  auto node = std::visit([](auto const& held) { return node_of(held); }, value);
  if (field.kind == FieldKind::choice) node.quoted = false;
  return node;
}

bool can_be_written(FieldInfo const& field, Value const& value) {
  if (auto const* whole = std::get_if<std::int64_t>(&value))
    return field.range.holds(static_cast<double>(*whole));
  if (auto const* real = std::get_if<double>(&value)) return field.range.holds(*real);
  return true;
}

Node to_node(std::vector<Name> const& names) {
  auto list = list_node();
  for (auto const& name : names) list.items.push_back(literal_node(name.text));
  return list;
}

Node shortened(Node list) {
  if (list.items.size() != 1 || list.items.front().text.find_first_of(" ,") != std::string::npos)
    return list;
  auto only = std::move(list.items.front());
  return only;
}

bool same(Node const& a, Node const& b) {
  return a.kind == b.kind && a.text == b.text && a.quoted == b.quoted &&
         std::ranges::equal(a.items, b.items, same) &&
         std::ranges::equal(a.entries, b.entries, [](Entry const& left, Entry const& right) {
           return left.key == right.key && same(left.value, right.value);
         });
}

}  // namespace lbann::compiler
