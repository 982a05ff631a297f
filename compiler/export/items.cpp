// Scalars, lists and mappings; numbers as every reader of YAML takes them.
#include "compiler/export/items.hpp"

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

Item item_of(bool value) { return scalar_item(value ? "true" : "false", false); }
Item item_of(std::int64_t value) { return scalar_item(std::to_string(value), false); }
Item item_of(double value) { return scalar_item(number_text(value), false); }
Item item_of(std::string const& value) { return literal_item(value); }
Item item_of(Shape const& value) { return literal_item(to_text(value)); }
Item item_of(Expression const& value) { return literal_item(to_text(value)); }

template <class T>
Item item_of(std::vector<T> const& values) {
  auto list = list_item();
  for (auto const& value : values) list.items.push_back(item_of(value));
  return list;
}

}  // namespace

Item scalar_item(std::string text, bool quoted) {
  Item item;
  item.kind = Item::Kind::scalar;
  item.text = std::move(text);
  item.quoted = quoted;
  return item;
}

Item literal_item(std::string text) {
  for (auto at = text.find("${"); at != std::string::npos; at = text.find("${", at + 3))
    text.insert(at, "$");
  return scalar_item(std::move(text), true);
}

Item list_item(std::vector<Item> items) {
  Item item;
  item.kind = Item::Kind::sequence;
  item.items = std::move(items);
  return item;
}

Item mapping_item() {
  Item item;
  item.kind = Item::Kind::mapping;
  return item;
}

void put(Item& mapping, std::string_view key, Item value) {
  mapping.entries.push_back({std::string(key), {}, std::move(value)});
}

Item single_key(std::string_view type, Item body) {
  auto item = mapping_item();
  put(item, type, body.entries.empty() ? Item{} : std::move(body));
  return item;
}

Item to_item(FieldInfo const& field, Value const& value) {
  auto item = std::visit([](auto const& held) { return item_of(held); }, value);
  if (field.kind == FieldKind::choice) item.quoted = false;
  return item;
}

bool can_be_written(FieldInfo const& field, Value const& value) {
  if (auto const* whole = std::get_if<std::int64_t>(&value))
    return field.range.holds(static_cast<double>(*whole));
  if (auto const* real = std::get_if<double>(&value)) return field.range.holds(*real);
  return true;
}

Item to_item(std::vector<Name> const& names) {
  auto list = list_item();
  for (auto const& name : names) list.items.push_back(literal_item(name.text));
  return list;
}

Item shortened(Item list) {
  if (list.items.size() != 1 || list.items.front().text.find_first_of(" ,") != std::string::npos)
    return list;
  auto only = std::move(list.items.front());
  return only;
}

bool same(Item const& a, Item const& b) {
  return a.kind == b.kind && a.text == b.text && a.quoted == b.quoted &&
         std::ranges::equal(a.items, b.items, same) &&
         std::ranges::equal(a.entries, b.entries, [](Entry const& left, Entry const& right) {
           return left.key == right.key && same(left.value, right.value);
         });
}

}  // namespace lbann::compiler
