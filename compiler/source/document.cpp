// Looking up keys of a document, and numbers of long lists.
#include "compiler/source/document.hpp"

#include <array>
#include <charconv>

namespace lbann::compiler {

Entry const* Node::find(std::string_view key) const {
  for (auto const& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

Node scalar_node(Node const& numbers, WrittenNumber const& number) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.span = {numbers.span.file, number.begin, number.begin + number.length};
  std::array<char, 32> text;
  auto const end = number.whole
                       ? std::to_chars(text.data(), text.data() + text.size(),
                                       static_cast<std::int64_t>(number.value))
                       : std::to_chars(text.data(), text.data() + text.size(), number.value);
  node.text.assign(text.data(), end.ptr);
  if (!number.whole && node.text.find_first_of(".e") == std::string::npos) node.text += ".0";
  return node;
}

Node as_sequence(Node node) {
  if (node.kind != Node::Kind::numbers) return node;
  Node list;
  list.kind = Node::Kind::sequence;
  list.span = node.span;
  list.items.reserve(node.numbers->size());
  for (auto const& number : *node.numbers) list.items.push_back(scalar_node(node, number));
  return list;
}

}  // namespace lbann::compiler
