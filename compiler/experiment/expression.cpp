// Recursive descent: sum of products of signed atoms.
#include "compiler/experiment/expression.hpp"

#include <charconv>
#include <cmath>

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

  std::optional<Scalar> whole() {
    auto value = sum();
    if (!value) return std::nullopt;
    skip_blanks();
    if (at_ != text_.size()) return unexpected();
    return value;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  std::string_view next_operator(std::string_view candidates) {
    skip_blanks();
    if (at_ == text_.size() || candidates.find(text_[at_]) == std::string_view::npos) return {};
    return text_.substr(at_, text_.substr(at_).starts_with("//") ? 2 : 1);
  }
  std::nullopt_t fail(bool syntax, std::string words, std::size_t at, std::size_t length) {
    if (!problem_) problem_ = ExpressionProblem{syntax, std::move(words), at, length};
    return std::nullopt;
  }
  std::nullopt_t unexpected() {
    if (at_ >= text_.size()) return fail(true, "something is missing at the end", text_.size(), 1);
    return fail(true, "`" + std::string(text_.substr(at_, 1)) + "` is out of place", at_, 1);
  }

  std::optional<Scalar> sum() { return chain("+-", &Evaluator::product); }
  std::optional<Scalar> product() { return chain("*/%", &Evaluator::atom); }

  std::optional<Scalar> chain(std::string_view candidates,
                              std::optional<Scalar> (Evaluator::*operand)()) {
    auto left = (this->*operand)();
    while (left) {
      auto const sign = next_operator(candidates);
      if (sign.empty()) break;
      auto const place = at_;
      at_ += sign.size();
      auto const right = (this->*operand)();
      if (!right) return std::nullopt;
      left = apply(sign, *left, *right, place);
    }
    return left;
  }

  std::optional<Scalar> atom() {
    skip_blanks();
    if (at_ == text_.size()) return unexpected();
    auto const begin = at_;
    char const c = text_[at_];
    if (depth_ >= deepest_expression) return fail(true, "too many nested parentheses", at_, 1);
    if (c == '-' || c == '+') {
      ++at_;
      ++depth_;
      auto const value = atom();
      --depth_;
      if (!value) return std::nullopt;
      return c == '-' ? apply("-", std::int64_t{0}, *value, begin) : value;
    }
    if (c == '(') {
      ++at_;
      ++depth_;
      auto const value = sum();
      --depth_;
      if (!value) return std::nullopt;
      if (next_operator(")").empty()) return fail(true, "a `)` is missing", begin, 1);
      ++at_;
      return value;
    }
    if (digit(c) || c == '.') {
      while (at_ < text_.size() && (digit(text_[at_]) || letter(text_[at_]) || text_[at_] == '.' ||
                                    ((text_[at_] == '-' || text_[at_] == '+') &&
                                     (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E'))))
        ++at_;
      auto const word = text_.substr(begin, at_ - begin);
      if (auto const number = number_of(word)) return number;
      return fail(true, "`" + std::string(word) + "` is not a number", begin, word.size());
    }
    if (!letter(c)) return unexpected();
    while (at_ < text_.size() && (letter(text_[at_]) || digit(text_[at_]) || text_[at_] == '.'))
      ++at_;
    return lookup_(text_.substr(begin, at_ - begin), begin);
  }

  std::optional<Scalar> apply(std::string_view sign, Scalar const& a, Scalar const& b,
                              std::size_t at) {
    for (auto const* side : {&a, &b}) {
      if (std::holds_alternative<std::string>(*side))
        return fail(false, "the text `" + std::get<std::string>(*side) + "` is not a number", at,
                    sign.size());
      if (std::holds_alternative<bool>(*side))
        return fail(false, "`" + to_text(*side) + "` is not a number", at, sign.size());
    }
    auto const* x = std::get_if<std::int64_t>(&a);
    auto const* y = std::get_if<std::int64_t>(&b);
    return x != nullptr && y != nullptr && sign != "/" ? whole_numbers(sign, *x, *y, at)
                                                       : reals(sign, real(a), real(b), at);
  }

  static double real(Scalar const& scalar) {
    auto const* whole = std::get_if<std::int64_t>(&scalar);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(scalar);
  }

  std::optional<Scalar> whole_numbers(std::string_view sign, std::int64_t x, std::int64_t y,
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
    return z;
  }

  std::optional<Scalar> reals(std::string_view sign, double x, double y, std::size_t at) {
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
    return z;
  }

  std::string_view text_;
  Lookup const& lookup_;
  std::optional<ExpressionProblem>& problem_;
  std::size_t at_ = 0;
  int depth_ = 0;
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

std::optional<Scalar> evaluate(std::string_view expression, Lookup const& lookup,
                               std::optional<ExpressionProblem>& problem) {
  return Evaluator(expression, lookup, problem).whole();
}

}  // namespace lbann::compiler
