// Recursive descent, one function for each level of binding, to nodes of an expression.
#include "compiler/callbacks/rate_expression.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <numbers>
#include <optional>
#include <vector>

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_info.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::callbacks {

namespace {

constexpr int deepest_nesting = 100;

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

class Reader {
 public:
  Reader(std::string_view text, std::int64_t max_epochs) : text_(text), max_epochs_(max_epochs) {}

  std::variant<Expression, std::string> read() {
    auto const value = choice();
    skip_blanks();
    if (value && at_ < text_.size()) unexpected();
    if (problem_) return *problem_;
    auto expression = builder_.finish({*value});
    if (verify(expression, rate_operands)) return std::string("there are too many operations");
    return expression;
  }

 private:
  using Rule = std::optional<Term> (Reader::*)();

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  std::nullopt_t fail(std::string words) {
    if (!problem_) problem_ = std::move(words);
    return std::nullopt;
  }
  std::nullopt_t unexpected() {
    if (at_ >= text_.size()) return fail("something is missing at the end");
    return fail(quoted(text_.substr(at_, 1)) + " is out of place");
  }

  /// Takes one of the signs, the longer ones first, or nothing.
  std::string_view sign_of(std::initializer_list<std::string_view> signs) {
    skip_blanks();
    for (auto const sign : signs)
      if (text_.substr(at_).starts_with(sign)) {
        at_ += sign.size();
        return sign;
      }
    return {};
  }
  std::string_view name() {
    skip_blanks();
    auto const begin = at_;
    if (at_ < text_.size() && letter(text_[at_]))
      while (at_ < text_.size() && (letter(text_[at_]) || digit(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  /// Takes a word that stands by itself.
  bool word(std::string_view wanted) {
    auto const before = at_;
    if (name() == wanted) return true;
    at_ = before;
    return false;
  }

  Term apply(Function function, std::initializer_list<Term> arguments) {
    return builder_.apply(function, arguments);
  }

  /// One level deeper, if that is not too deep.
  std::optional<Term> nested(Rule rule) {
    if (depth_ >= deepest_nesting) return fail("too many nested parentheses");
    ++depth_;
    auto const value = (this->*rule)();
    --depth_;
    return value;
  }

  std::optional<Term> choice() {
    auto const value = either();
    if (!value || !word("if")) return value;
    auto const condition = either();
    if (!condition) return std::nullopt;
    if (!word("else")) return fail("`else` is missing");
    auto const other = nested(&Reader::choice);
    if (!other) return std::nullopt;
    return apply(Function::select, {*condition, *value, *other});
  }

  std::optional<Term> logical(std::string_view sign, Function function, Rule operand) {
    auto value = (this->*operand)();
    while (value && word(sign)) {
      auto const right = (this->*operand)();
      if (!right) return std::nullopt;
      value = apply(function, {*value, *right});
    }
    return value;
  }
  std::optional<Term> either() { return logical("or", Function::logical_or, &Reader::both); }
  std::optional<Term> both() { return logical("and", Function::logical_and, &Reader::negation); }

  std::optional<Term> negation() {
    if (!word("not")) return comparison();
    auto const value = nested(&Reader::negation);
    if (!value) return std::nullopt;
    return apply(Function::logical_not, {*value});
  }

  std::optional<Term> comparison() {
    auto const a = sum();
    if (!a) return std::nullopt;
    auto const sign = sign_of({"==", "!=", "<=", ">=", "<", ">"});
    if (sign.empty()) return a;
    auto const b = sum();
    if (!b) return std::nullopt;
    if (sign == "==") return apply(Function::equal, {*a, *b});
    if (sign == "!=") return apply(Function::logical_not, {apply(Function::equal, {*a, *b})});
    if (sign == "<=") return apply(Function::less_equal, {*a, *b});
    if (sign == ">=") return apply(Function::less_equal, {*b, *a});
    return sign == "<" ? apply(Function::less, {*a, *b}) : apply(Function::less, {*b, *a});
  }

  std::optional<Term> sum() {
    auto value = product();
    while (value) {
      auto const sign = sign_of({"+", "-"});
      if (sign.empty()) break;
      auto const right = product();
      if (!right) return std::nullopt;
      value = sign == "+" ? *value + *right : *value - *right;
    }
    return value;
  }

  std::optional<Term> product() {
    auto value = signed_power();
    while (value) {
      auto const sign = sign_of({"//", "*", "/", "%"});
      if (sign.empty()) break;
      auto const right = signed_power();
      if (!right) return std::nullopt;
      auto const whole = [&] { return apply(Function::floor, {*value / *right}); };
      value = sign == "*"    ? *value * *right
              : sign == "/"  ? *value / *right
              : sign == "//" ? whole()
                             : *value - whole() * *right;
    }
    return value;
  }

  std::optional<Term> signed_power() {
    auto const sign = sign_of({"-", "+"});
    if (sign.empty()) return power();
    auto const value = nested(&Reader::signed_power);
    if (!value) return std::nullopt;
    return sign == "-" ? -*value : *value;
  }

  /// `a ** b ** c` is a ** (b ** c).
  std::optional<Term> power() {
    auto const base = atom();
    if (!base || sign_of({"**"}).empty()) return base;
    auto const exponent = nested(&Reader::signed_power);
    if (!exponent) return std::nullopt;
    return apply(Function::pow, {*base, *exponent});
  }

  std::optional<Term> atom() {
    skip_blanks();
    if (at_ == text_.size()) return unexpected();
    if (digit(text_[at_]) || text_[at_] == '.') return number();
    if (!sign_of({"("}).empty()) {
      auto const value = nested(&Reader::choice);
      if (!value) return std::nullopt;
      if (sign_of({")"}).empty()) return fail("a `)` is missing");
      return value;
    }
    auto const word = name();
    if (word.empty()) return unexpected();
    for (std::string_view const keyword : {"if", "else", "and", "or", "not"})
      if (word == keyword) return fail(quoted(word) + " is out of place");
    if (!sign_of({"("}).empty()) return call(word);
    return named(word);
  }

  std::optional<Term> number() {
    auto const* const begin = text_.data() + at_;
    double value = 0;
    auto const [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    at_ += static_cast<std::size_t>(end - begin);
    bool const goes_on = at_ < text_.size() && (letter(text_[at_]) || text_[at_] == '.');
    if (error == std::errc{} && !goes_on) return builder_.constant(value);
    return fail(quoted(std::string_view(begin, end + (goes_on ? 1 : 0))) + " is not a number");
  }

  Term operand(RateOperand which) { return builder_.operand(static_cast<std::size_t>(which)); }

  std::optional<Term> named(std::string_view word) {
    if (word == "step") return operand(RateOperand::step);
    if (word == "steps_per_epoch") return operand(RateOperand::steps_per_epoch);
    if (word == "epoch") return operand(RateOperand::step) / operand(RateOperand::steps_per_epoch);
    if (word == "first") return operand(RateOperand::first);
    if (word == "pi") return builder_.constant(std::numbers::pi);
    if (word == "true" || word == "false") return builder_.constant(word == "true" ? 1 : 0);
    if (word == "max_epochs") {
      if (max_epochs_ == 0) return fail("`max_epochs` is asked for, but training has none");
      return builder_.constant(static_cast<double>(max_epochs_));
    }
    return fail("there is no " + quoted(word) +
                " among `step`, `epoch`, `steps_per_epoch`, `max_epochs`, `first`, `pi`");
  }

  /// The arguments of a function, its `(` being read.
  std::optional<Term> call(std::string_view word) {
    std::vector<Term> arguments;
    do {
      auto const argument = nested(&Reader::choice);
      if (!argument) return std::nullopt;
      arguments.push_back(*argument);
    } while (!sign_of({","}).empty());
    if (sign_of({")"}).empty()) return fail("a `)` is missing");
    if (word == "min" || word == "max") {
      auto value = arguments[0];
      for (std::size_t i = 1; i < arguments.size(); ++i)
        value = apply(word == "min" ? Function::minimum : Function::maximum, {value, arguments[i]});
      return value;
    }
    auto const function = function_named(word);
    if (!function) return fail("there is no function " + quoted(word));
    auto const arity = info_of(*function).arity;
    if (arguments.size() != arity)
      return fail("function " + quoted(word) + " takes " + std::to_string(arity) +
                  (arity == 1 ? " number, not " : " numbers, not ") +
                  std::to_string(arguments.size()));
    return builder_.apply(*function, arguments);
  }

  std::string_view text_;
  std::int64_t max_epochs_;
  std::size_t at_ = 0;
  int depth_ = 0;
  ExpressionBuilder builder_;
  std::optional<std::string> problem_;
};

}  // namespace

std::variant<Expression, std::string> rate_expression(std::string_view text,
                                                      std::int64_t max_epochs) {
  return Reader(text, max_epochs).read();
}

}  // namespace lbann::callbacks
