// Recursive descent, one function for each level of binding.
#include "compiler/experiment/values/expression.hpp"

#include <charconv>
#include <cmath>
#include <initializer_list>
#include <vector>

namespace lbann::compiler {

namespace {

constexpr int deepest_expression = 100;

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// A number that fills all of `text` in YAML 1.2's core schema, decimal only.
std::optional<Scalar> number_of(std::string_view text) {
  auto body = text;
  if (!body.empty() && (body.front() == '-' || body.front() == '+')) body.remove_prefix(1);
  if (body.empty() || (!digit(body.front()) && body.front() != '.')) return std::nullopt;
  if (body.front() == '.' && (body.size() < 2 || !digit(body[1]))) return std::nullopt;
  bool const negative = text.front() == '-';
  if (body.find_first_not_of("0123456789") == std::string_view::npos) {
    std::uint64_t magnitude = 0;
    auto const [end, error] = std::from_chars(body.data(), body.data() + body.size(), magnitude);
    std::uint64_t const limit = std::uint64_t{1} << 63;
    if (error == std::errc{} && magnitude < limit + (negative ? 1 : 0))
      return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
  }
  double real = 0;
  auto const [end, error] = std::from_chars(body.data(), body.data() + body.size(), real);
  if (end != body.data() + body.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Too small becomes zero, too large infinite; the exponent tells which.
    auto const e = body.find_first_of("eE");
    real = e != std::string_view::npos && e + 1 < body.size() && body[e + 1] == '-' ? 0 : INFINITY;
  } else if (error != std::errc{}) {
    return std::nullopt;
  }
  return negative ? -real : real;
}

class Evaluator {
 public:
  Evaluator(std::string_view text, Lookup const& lookup, std::optional<ExpressionProblem>& problem)
      : text_(text), lookup_(lookup), problem_(problem) {}

  bool names_exist() { return skipped(&Evaluator::whole).has_value(); }

  std::optional<Operand> whole() {
    auto value = choice();
    if (!value) return std::nullopt;
    skip_blanks();
    if (at_ != text_.size()) return unexpected();
    return value;
  }

 private:
  using Rule = std::optional<Operand> (Evaluator::*)();

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  std::nullopt_t fail(bool syntax, std::string words, std::size_t at, std::size_t length) {
    if (!problem_) problem_ = ExpressionProblem{syntax, std::move(words), at, length};
    return std::nullopt;
  }
  std::nullopt_t unexpected() {
    if (at_ >= text_.size()) return fail(true, "something is missing at the end", text_.size(), 1);
    return fail(true, "`" + std::string(text_.substr(at_, 1)) + "` is out of place", at_, 1);
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
  /// Takes a word that stands by itself.
  bool word(std::string_view wanted) {
    skip_blanks();
    auto const rest = text_.substr(at_);
    if (!rest.starts_with(wanted)) return false;
    if (rest.size() > wanted.size() &&
        (letter(rest[wanted.size()]) || digit(rest[wanted.size()]) || rest[wanted.size()] == '.'))
      return false;
    at_ += wanted.size();
    return true;
  }

  /// Reads without evaluating: what is not chosen may be wrong in its values.
  std::optional<Operand> skipped(Rule rule) {
    ++skipping_;
    auto value = (this->*rule)();
    --skipping_;
    return value;
  }
  std::optional<bool> truth(Operand const& operand, std::size_t at) {
    if (skipping_ > 0) return true;
    if (operand.node == nullptr)
      if (auto const* held = std::get_if<bool>(&operand.scalar)) return *held;
    fail(false, named(operand) + " is not true or false", at, 1);
    return std::nullopt;
  }
  static std::string named(Operand const& operand) {
    return operand.node == nullptr ? "`" + to_text(operand.scalar) + "`" : "what stands here";
  }

  std::optional<Operand> choice() {
    skip_blanks();
    auto const begin = at_;
    auto first = skipped(&Evaluator::either);
    if (!first) return std::nullopt;
    if (!word("if")) {
      if (skipping_ > 0) return first;
      at_ = begin;
      return either();
    }
    skip_blanks();
    auto const place = at_;
    auto const condition = either();
    if (!condition) return std::nullopt;
    auto const chosen = truth(*condition, place);
    if (!chosen) return std::nullopt;
    if (!word("else")) return fail(true, "`else` is missing", at_, 1);
    if (depth_ >= deepest_expression) return fail(true, "too many nested choices", place, 1);
    ++depth_;
    auto second = *chosen ? skipped(&Evaluator::choice) : choice();
    --depth_;
    if (!second || !*chosen || skipping_ > 0) return second;
    auto const after = at_;
    at_ = begin;
    auto value = either();
    at_ = after;
    return value;
  }

  /// `a word b word ...`: the operands after the first `decisive` one are not evaluated.
  std::optional<Operand> logical(std::string_view sign, bool decisive, Rule operand) {
    skip_blanks();
    auto place = at_;
    auto value = (this->*operand)();
    while (value && word(sign)) {
      auto const left = truth(*value, place);
      if (!left) return std::nullopt;
      skip_blanks();
      place = at_;
      auto right = *left == decisive ? skipped(operand) : (this->*operand)();
      if (!right) return std::nullopt;
      if (*left == decisive || skipping_ > 0) {
        value = Operand(Scalar(*left));
        continue;
      }
      auto const held = truth(*right, place);
      if (!held) return std::nullopt;
      value = Operand(Scalar(*held));
    }
    return value;
  }
  std::optional<Operand> either() { return logical("or", true, &Evaluator::both); }
  std::optional<Operand> both() { return logical("and", false, &Evaluator::negation); }

  std::optional<Operand> negation() {
    if (!word("not")) return comparison();
    if (depth_ >= deepest_expression) return fail(true, "too many nested operators", at_, 1);
    ++depth_;
    skip_blanks();
    auto const place = at_;
    auto const value = negation();
    --depth_;
    if (!value) return std::nullopt;
    auto const held = truth(*value, place);
    if (!held) return std::nullopt;
    return Operand(Scalar(!*held));
  }

  std::optional<Operand> comparison() {
    auto left = sum();
    if (!left) return std::nullopt;
    skip_blanks();
    auto const place = at_;
    auto const sign = sign_of({"==", "!=", "<=", ">=", "<", ">"});
    if (sign.empty()) return left;
    auto const right = sum();
    if (!right) return std::nullopt;
    if (skipping_ > 0) return Operand(Scalar(true));
    if (left->node != nullptr || right->node != nullptr)
      return fail(false, "what is compared " + describe(left->node != nullptr ? *left : *right),
                  place, sign.size());
    bool const equal = sign == "==" || sign == "!=";
    auto const& a = left->scalar;
    auto const& b = right->scalar;
    if (equal && (is_number(a) != is_number(b) || !is_number(a)))
      return Operand(Scalar((a == b) == (sign == "==")));
    if (!is_number(a) || !is_number(b))
      return fail(false, named(is_number(a) ? *right : *left) + " is not a number", place,
                  sign.size());
    auto const* x = std::get_if<std::int64_t>(&a);
    auto const* y = std::get_if<std::int64_t>(&b);
    bool const whole = x != nullptr && y != nullptr;
    bool const less = whole ? *x < *y : real(a) < real(b);
    bool const same = whole ? *x == *y : real(a) == real(b);
    bool const result = sign == "=="   ? same
                        : sign == "!=" ? !same
                        : sign == "<"  ? less
                        : sign == "<=" ? less || same
                        : sign == ">"  ? !less && !same
                                       : !less;
    return Operand(Scalar(result));
  }

  std::optional<Operand> sum() { return chain({"+", "-"}, &Evaluator::product); }
  std::optional<Operand> product() { return chain({"//", "*", "/", "%"}, &Evaluator::indexed); }

  std::optional<Operand> chain(std::initializer_list<std::string_view> signs, Rule operand) {
    skip_blanks();
    auto const first = at_;
    auto left = (this->*operand)();
    while (left) {
      auto const end = text_.find_last_not_of(" \t", at_ == 0 ? 0 : at_ - 1) + 1;
      skip_blanks();
      auto const place = at_;
      auto const sign = sign_of(signs);
      if (sign.empty()) break;
      if (left->node != nullptr && skipping_ == 0)
        return fail(false, "what stands here " + describe(*left), first, end - first);
      skip_blanks();
      auto const second = at_;
      auto const right = (this->*operand)();
      if (!right) return std::nullopt;
      if (right->node != nullptr && skipping_ == 0)
        return fail(false, "what stands here " + describe(*right), second, at_ - second);
      left = apply(sign, *left, *right, place);
    }
    return left;
  }

  /// An atom and the indices behind it.
  std::optional<Operand> indexed() {
    auto value = atom();
    while (value && at_ < text_.size() && text_[at_] == '[') {
      auto const open = at_++;
      if (depth_ >= deepest_expression) return fail(true, "too many nested brackets", open, 1);
      ++depth_;
      skip_blanks();
      auto const place = at_;
      auto const index = choice();
      auto const length = at_ - place;
      --depth_;
      if (!index) return std::nullopt;
      if (sign_of({"]"}).empty()) return fail(true, "a `]` is missing", open, 1);
      if (skipping_ == 0) value = element(*value, *index, place, length);
    }
    return value;
  }

  std::optional<Operand> element(Operand const& list, Operand const& index, std::size_t at,
                                 std::size_t length) {
    if (list.node == nullptr || index.node != nullptr)
      return fail(false,
                  named(list.node == nullptr ? list : index) + " cannot be used as " +
                      (list.node == nullptr ? "a list" : "an index"),
                  at, length);
    auto const name = to_text(index.scalar);
    if (list.node->kind == Node::Kind::mapping) {
      if (auto const* entry = list.node->find(name)) return operand_of(entry->value);
      std::string keys;
      for (auto const& entry : list.node->entries) keys += (keys.empty() ? "" : ", ") + entry.key;
      return fail(false, "there is no key `" + name + "` among " + keys, at, length);
    }
    auto const size = list.node->items.size();
    auto const* number = std::get_if<std::int64_t>(&index.scalar);
    if (number == nullptr || *number < 0 || static_cast<std::size_t>(*number) >= size)
      return fail(false,
                  "there is no entry " + name + " in a list of " + std::to_string(size) +
                      ", counted from 0",
                  at, length);
    return operand_of(list.node->items[static_cast<std::size_t>(*number)]);
  }

  std::optional<Operand> atom() {
    skip_blanks();
    if (at_ == text_.size()) return unexpected();
    auto const begin = at_;
    char const c = text_[at_];
    if (depth_ >= deepest_expression) return fail(true, "too many nested parentheses", at_, 1);
    if (c == '-' || c == '+') {
      ++at_;
      ++depth_;
      auto const value = indexed();
      --depth_;
      if (!value) return std::nullopt;
      return c == '-' ? apply("-", Scalar(std::int64_t{0}), *value, begin) : value;
    }
    if (c == '(') {
      ++at_;
      ++depth_;
      auto value = choice();
      --depth_;
      if (!value) return std::nullopt;
      if (sign_of({")"}).empty()) return fail(true, "a `)` is missing", begin, 1);
      return value;
    }
    if (c == '\'') {
      auto const end = text_.find('\'', begin + 1);
      if (end == std::string_view::npos) return fail(true, "the text is not closed", begin, 1);
      at_ = end + 1;
      return Operand(Scalar(std::string(text_.substr(begin + 1, end - begin - 1))));
    }
    if (digit(c) || c == '.') return number();
    if (!letter(c)) return unexpected();
    while (at_ < text_.size() && (letter(text_[at_]) || digit(text_[at_]) || text_[at_] == '.'))
      ++at_;
    auto name = text_.substr(begin, at_ - begin);
    if (name == "env" && at_ < text_.size() && text_[at_] == ':') {
      ++at_;
      while (at_ < text_.size() && (letter(text_[at_]) || digit(text_[at_]))) ++at_;
      name = text_.substr(begin, at_ - begin);
    }
    if (name == "true" || name == "false") return Operand(Scalar(name == "true"));
    for (auto const keyword : {"if", "else", "and", "or", "not"})
      if (name == keyword) {
        at_ = begin;
        return fail(true, "`" + std::string(name) + "` is out of place", begin, name.size());
      }
    if (at_ < text_.size() && text_[at_] == '(') return call(name, begin);
    if (skipping_ == 0) return lookup_(name, begin, Wanted::value);
    if (!lookup_(name, begin, Wanted::existence)) return std::nullopt;
    return Operand(Scalar(std::int64_t{1}));
  }

  std::optional<Operand> number() {
    auto const begin = at_;
    while (at_ < text_.size() && (digit(text_[at_]) || letter(text_[at_]) || text_[at_] == '.' ||
                                  ((text_[at_] == '-' || text_[at_] == '+') &&
                                   (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E'))))
      ++at_;
    auto const word = text_.substr(begin, at_ - begin);
    if (auto const number = number_of(word)) return Operand(*number);
    return fail(true, "`" + std::string(word) + "` is not a number", begin, word.size());
  }

  /// `min(a, b)`, `max(a, b)`, `len(list)`.
  std::optional<Operand> call(std::string_view name, std::size_t begin) {
    bool const length = name == "len";
    if (!length && name != "min" && name != "max")
      return fail(true, "there is no function `" + std::string(name) + "`", begin, name.size());
    ++at_;
    ++depth_;
    std::vector<Operand> arguments;
    do {
      auto argument = choice();
      if (!argument) return std::nullopt;
      arguments.push_back(std::move(*argument));
    } while (!sign_of({","}).empty());
    --depth_;
    if (sign_of({")"}).empty()) return fail(true, "a `)` is missing", begin, name.size());
    if (skipping_ > 0) return Operand(Scalar(std::int64_t{1}));
    if (length) {
      if (arguments.size() != 1 || arguments[0].node == nullptr)
        return fail(false, "`len` takes one list or mapping", begin, name.size());
      auto const& node = *arguments[0].node;
      return Operand(Scalar(static_cast<std::int64_t>(node.items.size() + node.entries.size())));
    }
    auto const* best = &arguments[0];
    for (auto const& argument : arguments) {
      if (argument.node != nullptr || !is_number(argument.scalar))
        return fail(false, named(argument) + " is not a number", begin, name.size());
      bool const less = real(argument.scalar) < real(best->scalar);
      bool const more = real(argument.scalar) > real(best->scalar);
      if (name == "min" ? less : more) best = &argument;
    }
    return *best;
  }

  std::optional<Operand> apply(std::string_view sign, Operand const& a, Operand const& b,
                               std::size_t at) {
    if (skipping_ > 0) return Operand(Scalar(std::int64_t{1}));
    for (auto const* side : {&a, &b}) {
      if (side->node != nullptr)
        return fail(false, "what stands here " + describe(*side), at, sign.size());
      if (std::holds_alternative<std::string>(side->scalar))
        return fail(false, "the text " + named(*side) + " is not a number", at, sign.size());
      if (!is_number(side->scalar))
        return fail(false, named(*side) + " is not a number", at, sign.size());
    }
    auto const* x = std::get_if<std::int64_t>(&a.scalar);
    auto const* y = std::get_if<std::int64_t>(&b.scalar);
    return x != nullptr && y != nullptr && sign != "/"
               ? whole_numbers(sign, *x, *y, at)
               : reals(sign, real(a.scalar), real(b.scalar), at);
  }

  static bool is_number(Scalar const& scalar) {
    return std::holds_alternative<std::int64_t>(scalar) || std::holds_alternative<double>(scalar);
  }
  static double real(Scalar const& scalar) {
    auto const* whole = std::get_if<std::int64_t>(&scalar);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(scalar);
  }

  std::optional<Operand> whole_numbers(std::string_view sign, std::int64_t x, std::int64_t y,
                                       std::size_t at) {
    std::int64_t z = 0;
    bool overflow = false;
    switch (sign[0]) {
      case '+':
        overflow = __builtin_add_overflow(x, y, &z);
        break;
      case '-':
        overflow = __builtin_sub_overflow(x, y, &z);
        break;
      case '*':
        overflow = __builtin_mul_overflow(x, y, &z);
        break;
      default:
        if (y == 0) return fail(false, "division by zero", at, sign.size());
        overflow = x == INT64_MIN && y == -1;
        if (overflow) break;
        z = x / y;
        if (x % y != 0 && (x < 0) != (y < 0)) --z;
        if (sign == "%") z = x - z * y;
    }
    if (overflow) return fail(false, "the result does not fit into 64 bits", at, sign.size());
    return Operand(Scalar(z));
  }

  std::optional<Operand> reals(std::string_view sign, double x, double y, std::size_t at) {
    double z = 0;
    if (sign == "+") z = x + y;
    if (sign == "-") z = x - y;
    if (sign == "*") z = x * y;
    if ((sign[0] == '/' || sign == "%") && y == 0)
      return fail(false, "division by zero", at, sign.size());
    if (sign == "/") z = x / y;
    if (sign == "//") z = std::floor(x / y);
    if (sign == "%") z = x - std::floor(x / y) * y;
    if (!std::isfinite(z)) return fail(false, "the result is not finite", at, sign.size());
    return Operand(Scalar(z));
  }

  std::string_view text_;
  Lookup const& lookup_;
  std::optional<ExpressionProblem>& problem_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int skipping_ = 0;
};

}  // namespace

Scalar scalar_of(std::string_view text) {
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (auto const number = number_of(text)) return *number;
  return std::string(text);
}

std::string to_text(Scalar const& scalar) {
  if (auto const* text = std::get_if<std::string>(&scalar)) return *text;
  if (auto const* truth = std::get_if<bool>(&scalar)) return *truth ? "true" : "false";
  char buffer[32];
  if (auto const* whole = std::get_if<std::int64_t>(&scalar))
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, *whole).ptr};
  std::string text(buffer,
                   std::to_chars(buffer, buffer + sizeof buffer, std::get<double>(scalar)).ptr);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

Operand operand_of(Node const& node) {
  if (node.kind != Node::Kind::scalar) return Operand(&node);
  return node.quoted ? Operand(Scalar(node.text)) : Operand(scalar_of(node.text));
}

std::string describe(Operand const& operand) {
  if (operand.node == nullptr) return "is one value";
  return operand.node->kind == Node::Kind::null       ? "is empty"
         : operand.node->kind == Node::Kind::sequence ? "is a list, not one value"
                                                      : "is a mapping, not one value";
}

std::optional<Operand> evaluate(std::string_view expression, Lookup const& lookup,
                                std::optional<ExpressionProblem>& problem) {
  return Evaluator(expression, lookup, problem).whole();
}

bool check_expression(std::string_view expression, Lookup const& lookup,
                      std::optional<ExpressionProblem>& problem) {
  return Evaluator(expression, lookup, problem).names_exist();
}

}  // namespace lbann::compiler
