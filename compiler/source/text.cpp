// Prints a document.
#include "compiler/source/text.hpp"

namespace lbann::compiler {

namespace {

std::string span_text(Span span) {
  return "  [" + std::to_string(span.begin) + ", " + std::to_string(span.end) + ")\n";
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + "\"";
}

void print(std::string& text, Node const& node, std::size_t depth) {
  std::string const indent(2 * depth, ' ');
  switch (node.kind) {
    case Node::Kind::null:
      text += " ~" + span_text(node.span);
      return;
    case Node::Kind::scalar:
      text += " " + (node.quoted ? in_quotes(node.text) : node.text) + span_text(node.span);
      return;
    case Node::Kind::sequence:
      text += (node.items.empty() ? " []" : "") + span_text(node.span);
      for (auto const& child : node.items) {
        text += indent + "-";
        print(text, child, depth + 1);
      }
      return;
    case Node::Kind::numbers:
      print(text, as_sequence(node), depth);
      return;
    case Node::Kind::mapping:
      text += (node.entries.empty() ? " {}" : "") + span_text(node.span);
      for (auto const& entry : node.entries) {
        text += indent + entry.key + ":";
        print(text, entry.value, depth + 1);
      }
  }
}

}  // namespace

std::string to_text(Document const& document) {
  std::string text = "document";
  print(text, document.root, 1);
  return text;
}

}  // namespace lbann::compiler
