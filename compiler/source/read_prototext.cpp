// A recursive-descent parser of protobuf's text format (protobuf.dev, Text Format Specification).
#include "compiler/source/read_prototext.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "compiler/source/text_checks.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t deepest_block = 100;
constexpr std::size_t shortest_run = 32;  ///< of numbers of one field that are held together

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool octal_digit(char c) { return c >= '0' && c <= '7'; }

int hexadecimal_value(char c) {
  if (decimal_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_utf8(std::string& text, std::uint32_t code) {
  auto const byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | (code >> 6)), byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | (code >> 12)), byte(0x80 | ((code >> 6) & 0x3f)), byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | (code >> 18)), byte(0x80 | ((code >> 12) & 0x3f));
    byte(0x80 | ((code >> 6) & 0x3f)), byte(0x80 | (code & 0x3f));
  }
}

/// Ends the reading after a diagnostic was added.
struct StopParsing {};

class PrototextParser {
 public:
  PrototextParser(std::string_view text, std::uint32_t file, Report& report)
      : text_(text), file_(file), report_(report) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    skip_blanks();
  }

  Node root() {
    Node root;
    root.kind = Node::Kind::mapping;
    root.span = span(at_, text_.size());
    while (at_ < text_.size()) field(root, 0);
    return root;
  }

 private:
  Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  [[noreturn]] void fail(std::size_t at, std::string words, std::string note = {}) {
    auto& diagnostic = report_.add(diagnostics::syntax_error,
                                   span(at, std::min(at + 1, text_.size())), {std::move(words)});
    if (!note.empty()) diagnostic.notes.push_back(std::move(note));
    if (!open_.empty())
      diagnostic.labels.push_back({span(open_.back(), open_.back() + 1), "opened here"});
    throw StopParsing{};
  }

  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
      char const c = text_[at_];
      if (c == '#')
        at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      else if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
        return;
    }
  }

  bool take(char c) {
    if (here() != c) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  /// One field with its value or values, appended to `block`.
  void field(Node& block, std::size_t depth) {
    Entry entry;
    auto const begin = at_;
    entry.key = name();
    entry.key_span = span(begin, name_end_);
    bool const colon = take(':');
    if (here() == '[')
      list(block, entry, colon, depth);
    else
      append(block, with_value(std::move(entry), colon, depth));
    if (!take(',')) take(';');
  }

  /// Values of a repeated field, which are constants of a model if they are many.
  void append(Node& block, Entry entry) {
    auto& entries = block.entries;
    auto const number = number_of(entry.value);
    bool const goes_on = number && !entries.empty() && entries.back().key == entry.key;
    if (goes_on && run_ != nullptr && entries.back().value.numbers == run_) {
      run_->push_back(*number);
      entries.back().value.span.end = entry.value.span.end;
      return;
    }
    entries.push_back(std::move(entry));
    if (goes_on && entries.size() >= shortest_run) pack(entries);
  }

  /// Puts the last entries together if all are numbers of one field.
  void pack(std::vector<Entry>& entries) {
    auto const first = entries.end() - static_cast<std::ptrdiff_t>(shortest_run);
    std::vector<WrittenNumber> run;
    for (auto each = first; each != entries.end(); ++each) {
      auto const number = number_of(each->value);
      if (!number || each->key != first->key) return;
      run.push_back(*number);
    }
    run_ = std::make_shared<std::vector<WrittenNumber>>(std::move(run));
    first->value.kind = Node::Kind::numbers;
    first->value.text.clear();
    first->value.numbers = run_;
    first->value.span.end = entries.back().value.span.end;
    entries.erase(first + 1, entries.end());
  }

  /// A plain number that a double holds as it is written.
  static std::optional<WrittenNumber> number_of(Node const& node) {
    constexpr std::int64_t most = std::int64_t{1} << std::numeric_limits<double>::digits;
    if (node.kind != Node::Kind::scalar || node.quoted) return std::nullopt;
    auto const* begin = node.text.data();
    auto const* end = begin + node.text.size();
    auto const length = node.span.end - node.span.begin;
    if (length > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
    WrittenNumber number{0, node.span.begin, static_cast<std::uint16_t>(length), true};
    std::int64_t whole = 0;
    if (auto const read = std::from_chars(begin, end, whole);
        read.ec == std::errc{} && read.ptr == end) {
      if (whole < -most || whole > most) return std::nullopt;
      number.value = static_cast<double>(whole);
      return number;
    }
    number.whole = false;
    auto const read = std::from_chars(begin, end, number.value);
    if (read.ec != std::errc{} || read.ptr != end || !std::isfinite(number.value))
      return std::nullopt;
    return number;
  }

  std::string name() {
    auto const begin = at_;
    if (here() == '[') {
      auto const end = text_.find_first_of("]{}\"'\n", at_);
      if (end == std::string_view::npos || text_[end] != ']')
        fail(begin, "the name in brackets is not closed");
      at_ = end + 1;
    } else {
      if (!begins_name(here()))
        fail(
            begin,
            here() == '\0' ? "the text ends where a field is expected" : "a field is expected here",
            "fields are written `name: value` or `name { ... }`");
      while (begins_name(here()) || decimal_digit(here())) ++at_;
    }
    name_end_ = at_;
    std::string result;
    for (char c : text_.substr(begin, at_ - begin))
      if (c != ' ' && c != '\t') result += c;
    skip_blanks();
    return result;
  }

  Entry with_value(Entry entry, bool colon, std::size_t depth) {
    if (here() == '{' || here() == '<')
      entry.value = block(depth);
    else if (colon)
      entry.value = scalar();
    else
      fail(name_end_, "a `:` or a `{` is missing behind `" + entry.key + "`");
    return entry;
  }

  void list(Node& block, Entry const& entry, bool colon, std::size_t depth) {
    open_.push_back(at_);
    take('[');
    if (!take(']')) {
      do append(block, with_value(entry, colon, depth));
      while (take(','));
      if (!take(']')) fail(at_, "a `,` or `]` is missing before this place");
    }
    open_.pop_back();
  }

  Node block(std::size_t depth) {
    char const closing = here() == '{' ? '}' : '>';
    if (depth >= deepest_block) {
      report_.add(diagnostics::too_deep, span(at_, at_ + 1), {std::to_string(deepest_block)});
      throw StopParsing{};
    }
    Node node;
    node.kind = Node::Kind::mapping;
    auto const begin = at_;
    open_.push_back(begin);
    ++at_;
    skip_blanks();
    while (here() != closing) {
      if (at_ >= text_.size()) fail(text_.size(), "the block is not closed");
      field(node, depth + 1);
    }
    open_.pop_back();
    node.span = span(begin, at_ + 1);
    take(closing);
    return node;
  }

  Node scalar() {
    Node node;
    node.kind = Node::Kind::scalar;
    auto const begin = at_;
    if (here() == '"' || here() == '\'') {
      node.quoted = true;
      std::size_t end = at_;
      while (here() == '"' || here() == '\'') {
        string(node.text);
        end = at_;
        skip_blanks();
      }
      node.span = span(begin, end);
      return node;
    }
    bool const negative = here() == '-';
    if (negative) take('-');
    auto const word = at_;
    auto const part = [&](char c) {
      return begins_name(c) || decimal_digit(c) || c == '.' ||
             ((c == '-' || c == '+') && at_ > word && decimal_digit(text_[word]) &&
              (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E'));
    };
    while (part(here())) ++at_;
    if (at_ == word) fail(at_, "a value is expected here");
    node.text = (negative ? "-" : "") + number_or_word(text_.substr(word, at_ - word), word);
    node.span = span(begin, at_);
    skip_blanks();
    return node;
  }

  /// Hexadecimal and octal numbers in decimal, `1.5f` and `.5` as everyone writes them.
  std::string number_or_word(std::string_view word, std::size_t begin) {
    if (begins_name(word[0])) return std::string(word);
    bool const hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    bool const octal_number = word.size() > 1 && word[0] == '0' && decimal_digit(word[1]) &&
                              word.find_first_not_of("01234567") == std::string_view::npos;
    if (hexadecimal || octal_number) {
      auto const digits = word.substr(hexadecimal ? 2 : 1);
      std::uint64_t value = 0;
      auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                                hexadecimal ? 16 : 8);
      if (error != std::errc{} || end != digits.data() + digits.size())
        fail(begin, "`" + std::string(word) + "` is not a number");
      return std::to_string(value);
    }
    if (word.ends_with('f') || word.ends_with('F')) word.remove_suffix(1);
    double value = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::invalid_argument || end != word.data() + word.size())
      fail(begin, "`" + std::string(word) + "` is not a number", "quote it if it is a text");
    return (word[0] == '.' ? "0" : "") + std::string(word);
  }

  void string(std::string& text) {
    char const quote = here();
    auto const begin = at_++;
    while (here() != quote) {
      if (at_ >= text_.size() || here() == '\n') fail(begin, "the quoted text is not closed");
      if (here() == '\\')
        escape(text);
      else
        text += text_[at_++];
    }
    ++at_;
  }

  void escape(std::string& text) {
    constexpr std::string_view letters = "abfnrtv\\'\"?", meanings = "\a\b\f\n\r\t\v\\'\"?";
    auto const begin = at_++;
    char const c = here();
    if (auto const which = letters.find(c); c != '\0' && which != std::string_view::npos) {
      text += meanings[which];
      ++at_;
    } else if (octal_digit(c)) {
      unsigned value = 0;
      for (int i = 0; i < 3 && octal_digit(here()); ++i)
        value = value * 8 + static_cast<unsigned>(text_[at_++] - '0');
      text += static_cast<char>(value & 0xff);
    } else if (c == 'x' || c == 'X' || c == 'u' || c == 'U') {
      ++at_;
      std::size_t const most = c == 'u' ? 4 : c == 'U' ? 8 : 2;
      std::uint32_t value = 0;
      std::size_t count = 0;
      for (; count < most && hexadecimal_value(here()) >= 0; ++count)
        value = value * 16 + static_cast<std::uint32_t>(hexadecimal_value(text_[at_++]));
      if (count == 0 || (most > 2 && count < most) || value > 0x10ffff)
        fail(begin, "this escape is not complete");
      if (most == 2)
        text += static_cast<char>(value);
      else
        append_utf8(text, value);
    } else {
      fail(begin, "there is no such escape in a quoted text");
    }
  }

  std::string_view text_;
  std::uint32_t file_;
  Report& report_;
  std::size_t at_ = 0, name_end_ = 0;
  std::vector<std::size_t> open_;                    ///< brackets
  std::shared_ptr<std::vector<WrittenNumber>> run_;  ///< the numbers that are being read
};

}  // namespace

std::optional<Document> read_prototext(Source const& source, std::uint32_t file, Report& report) {
  if (!check_text(source, file, report, largest_messages)) return std::nullopt;
  Document document;
  document.file = file;
  try {
    document.root = PrototextParser(source.text, file, report).root();
  } catch (StopParsing const&) {
    return std::nullopt;
  }
  return document;
}

}  // namespace lbann::compiler
