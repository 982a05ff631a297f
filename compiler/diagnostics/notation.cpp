// A reader of YAML's flow style, as far as messages use it, that writes as it reads: `...`, keys
// alone and fields side by side are no documents for the reader of experiments.
#include "compiler/diagnostics/notation.hpp"

#include <algorithm>
#include <cctype>

namespace lbann::compiler {

namespace {

bool in_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '*';
}

/// Numbers, truth values, and what stands for something left out.
bool needs_no_quotes(std::string_view text) {
  if (text == "true" || text == "false" || text == "..." || text.starts_with('"')) return true;
  bool const begins =
      std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-' || text[0] == '.';
  return begins && std::ranges::all_of(text, [](char c) {
           return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == 'e' ||
                  c == '-' || c == '+';
         });
}

class Fragment {
 public:
  Fragment(Syntax syntax, std::string_view text) : messages_(is_messages(syntax)), rest_(text) {}

  std::optional<std::string> whole() {
    bool const entry = take("- ");
    auto text = rest_.starts_with('{') ? value() : fields({});
    if (!good_ || !rest_.empty()) return std::nullopt;
    return entry && !messages_ ? "{" + text + "}" : text;
  }

 private:
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  /// `a: 1, b: {c: 2}` up to `end`, or to the end of the text.
  std::string fields(std::string_view end) {
    std::string text;
    while (good_ && !rest_.empty() && (end.empty() || !rest_.starts_with(end))) {
      if (!text.empty()) text += messages_ ? " " : ", ";
      if (!text.empty() && !take(", ")) good_ = false;
      if (take("...")) {
        text += "...";
        continue;
      }
      text += field();
    }
    return text;
  }

  std::string key() {
    std::size_t const quotes = rest_.starts_with('"') ? rest_.find('"', 1) : 0;
    std::size_t size = 0;
    if (quotes != 0 && quotes != rest_.npos)
      size = quotes + 1;
    else
      while (size < rest_.size() && in_key(rest_[size])) ++size;
    if (size == 0 || size == rest_.size() || rest_[size] != ':') {
      good_ = false;
      return {};
    }
    std::string name(rest_.substr(0, size));
    rest_.remove_prefix(size + 1);
    return name;
  }

  std::string field() {
    auto text = key();
    if (!good_) return {};
    if (rest_.empty()) return text + (messages_ ? " {}" : " = {}");
    if (!take(" ")) good_ = false;
    // Keys alone, one below the other, are a place.
    if (auto const rest = rest_; rest.ends_with(':') && rest.find_first_of("{,[") == rest.npos) {
      while (good_ && !rest_.empty()) {
        text += "." + key();
        take(" ");
      }
      return text;
    }
    if (take("{")) {
      auto const inside = fields("}");
      good_ = good_ && take("}");
      if (messages_) return text + (inside.empty() ? " {}" : " { " + inside + " }");
      return text + " = {" + inside + "}";
    }
    return text + (messages_ ? ": " : " = ") + value();
  }

  std::string value() {
    if (take("{")) {
      auto const inside = fields("}");
      good_ = good_ && take("}");
      return messages_ ? "{ " + inside + " }" : "{" + inside + "}";
    }
    if (take("[")) {
      std::string text;
      while (good_ && !rest_.empty() && !rest_.starts_with(']')) {
        if (!text.empty() && !take(", ")) good_ = false;
        text += (text.empty() ? "" : ", ") + value();
      }
      good_ = good_ && take("]");
      return "[" + text + "]";
    }
    return scalar();
  }

  std::string scalar() {
    bool const quoted = rest_.starts_with('"');
    auto const end = quoted ? rest_.find('"', 1) : rest_.find_first_of(",]}");
    if (quoted && end == rest_.npos) good_ = false;
    auto const text = rest_.substr(0, quoted && good_ ? end + 1 : end);
    rest_.remove_prefix(text.size());
    if (text.empty() || (!quoted && text.find_first_of("{[:`\\") != text.npos)) good_ = false;
    if (!good_ || needs_no_quotes(text)) return std::string(text);
    return "\"" + std::string(text) + "\"";
  }

  bool messages_, good_ = true;
  std::string_view rest_;
};

}  // namespace

std::optional<std::string> fragment_in(Syntax syntax, std::string_view yaml) {
  if (yaml.find(':') == yaml.npos) return std::nullopt;
  if (syntax == Syntax::yaml) return std::string(yaml);
  return Fragment(syntax, yaml).whole();
}

std::string words_in(Syntax syntax, std::string_view words) {
  std::string text;
  while (true) {
    auto const open = words.find('`');
    auto const close = open == words.npos ? open : words.find('`', open + 1);
    if (close == words.npos) return text + std::string(words);
    auto const fragment = words.substr(open + 1, close - open - 1);
    text += words.substr(0, open + 1);
    // A key alone is a place, not an entry without fields.
    if (fragment.find(':') == fragment.size() - 1 && syntax != Syntax::yaml)
      text += fragment.substr(0, fragment.size() - 1);
    else
      text += fragment_in(syntax, fragment).value_or(std::string(fragment));
    text += '`';
    words.remove_prefix(close + 1);
  }
}

}  // namespace lbann::compiler
