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

void print(std::string& text, Item const& item, std::size_t depth) {
  std::string const indent(2 * depth, ' ');
  switch (item.kind) {
    case Item::Kind::null:
      text += " ~" + span_text(item.span);
      return;
    case Item::Kind::scalar:
      text += " " + (item.quoted ? in_quotes(item.text) : item.text) + span_text(item.span);
      return;
    case Item::Kind::sequence:
      text += (item.items.empty() ? " []" : "") + span_text(item.span);
      for (auto const& child : item.items) {
        text += indent + "-";
        print(text, child, depth + 1);
      }
      return;
    case Item::Kind::mapping:
      text += (item.entries.empty() ? " {}" : "") + span_text(item.span);
      for (auto const& entry : item.entries) {
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
