// Text form of expressions.
#include <charconv>
#include <cmath>
#include <map>

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_info.hpp"

namespace lbann {

namespace {

class Writer {
 public:
  explicit Writer(Expression const& expression)
      : nodes_(expression.nodes), names_(nodes_.size(), -1) {
    std::vector<int> uses(nodes_.size(), 0);
    for (auto const& node : nodes_)
      for (std::size_t i = 0; i < arity(node); ++i) ++uses[node.arguments[i]];
    for (auto output : expression.outputs) ++uses[output];
    text_ = "(";
    int named = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].kind != Node::Kind::function || uses[n] < 2) continue;
      text_ += "t" + std::to_string(named) + " = ";
      write(n);
      text_ += "; ";
      names_[n] = named++;
    }
    for (std::size_t o = 0; o < expression.outputs.size(); ++o) {
      if (o != 0) text_ += ", ";
      write(expression.outputs[o]);
    }
    text_ += ")";
  }

  std::string text() && { return std::move(text_); }

 private:
  static std::size_t arity(Node const& node) {
    return node.kind == Node::Kind::function ? info_of(node.function).arity : 0;
  }

  void write(std::size_t n) {
    auto const& node = nodes_[n];
    if (names_[n] >= 0) {
      text_ += "t" + std::to_string(names_[n]);
    } else if (node.kind == Node::Kind::operand) {
      text_ += "i" + std::to_string(node.arguments[0]);
    } else if (node.kind == Node::Kind::constant) {
      std::array<char, 40> digits;
      auto const end = std::to_chars(digits.begin(), digits.end(), node.constant).ptr;
      text_.append(digits.begin(), end);
    } else {
      auto const& info = info_of(node.function);
      text_ += info.name;
      for (std::size_t i = 0; i < info.arity; ++i) {
        text_ += i == 0 ? "(" : ", ";
        write(node.arguments[i]);
      }
      text_ += ")";
    }
  }

  std::vector<Node> const& nodes_;
  std::vector<int> names_;
  std::string text_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<Expression> read() {
    std::vector<Term> outputs;
    if (!take('(')) return std::nullopt;
    if (!take(')')) {
      do {
        auto const term = statement();
        if (!term) return std::nullopt;
        outputs.push_back(*term);
      } while (take(','));
      if (!take(')')) return std::nullopt;
    }
    skip_space();
    if (!text_.empty()) return std::nullopt;
    return builder_.finish(outputs);
  }

 private:
  /// Any number of definitions `t0 = term;`, then a term.
  std::optional<Term> statement() {
    for (;;) {
      auto const before = text_;
      auto const name = word();
      if (name.empty() || !take('=')) {
        text_ = before;
        return term(0);
      }
      auto const defined = term(0);
      if (!defined || !take(';') || !names_.emplace(name, *defined).second) return std::nullopt;
    }
  }

  std::optional<Term> term(std::size_t depth) {
    if (depth > max_nodes || ++terms_ > 4 * max_nodes) return std::nullopt;
    skip_space();
    if (text_.empty()) return std::nullopt;
    auto const before = text_;
    auto const name = word();
    if (auto const known = names_.find(name); known != names_.end()) return known->second;
    if (auto const function = function_named(name)) {
      auto const arity = info_of(*function).arity;
      std::array<Term, 3> arguments{};
      for (std::size_t i = 0; i < arity; ++i) {
        if (!take(i == 0 ? '(' : ',')) return std::nullopt;
        auto const argument = term(depth + 1);
        if (!argument) return std::nullopt;
        arguments[i] = *argument;
      }
      if (!take(')')) return std::nullopt;
      return builder_.apply(*function, std::span<Term const>(arguments.data(), arity));
    }
    if (name.size() > 1 && name.front() == 'i') {
      std::uint32_t number = 0;
      auto const end = name.data() + name.size();
      auto const [stop, error] = std::from_chars(name.data() + 1, end, number);
      if (error == std::errc{} && stop == end) return builder_.operand(number);
    }
    text_ = before;
    double value = 0;
    auto const [stop, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{}) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(stop - text_.data()));
    return builder_.constant(value);
  }

  void skip_space() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  }

  bool take(char wanted) {
    skip_space();
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  std::string_view word() {
    skip_space();
    std::size_t length = 0;
    auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    while (length < text_.size() && (is_letter(text_[length]) ||
                                     (length > 0 && text_[length] >= '0' && text_[length] <= '9')))
      ++length;
    auto const result = text_.substr(0, length);
    text_.remove_prefix(length);
    return result;
  }

  std::string_view text_;
  ExpressionBuilder builder_{Algebra::verbatim};
  std::map<std::string_view, Term> names_;
  std::size_t terms_ = 0;
};

}  // namespace

std::string to_text(Expression const& expression) { return Writer(expression).text(); }

std::optional<Expression> parse_expression(std::string_view text) { return Reader(text).read(); }

}  // namespace lbann
