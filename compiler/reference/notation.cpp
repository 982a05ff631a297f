// Expressions with infix operators, and parentheses only where they are needed.
#include "compiler/reference/notation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::compiler {

namespace {

class NotationWriter {
 public:
  NotationWriter(Expression const& expression, Symbols const& symbols)
      : nodes_(expression.nodes), symbols_(symbols), names_(nodes_.size()) {
    std::vector<int> uses(nodes_.size(), 0);
    std::vector<std::size_t> length(nodes_.size(), 0);
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      for (std::size_t i = 0; i < arity(n); ++i) {
        ++uses[nodes_[n].arguments[i]];
        length[n] += 1 + length[nodes_[n].arguments[i]];
      }
    // Short ones are as clear where they stand.
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (uses[n] > 1 && length[n] > 3 && !is_condition(n)) {
        auto const definition = write(n, choice);
        names_[n] = std::string(1, static_cast<char>('a' + definitions_.size()));
        definitions_.push_back(names_[n] + " = " + definition);
      }
    text_ = write(expression.outputs[0], choice);
  }

  std::string text() const {
    auto text = text_;
    for (auto const& definition : definitions_) text += "\n  " + definition;
    return text;
  }

 private:
  /// How tightly the parts of a text hold together, loosest first.
  enum Binding : int { choice, either, both, negation, comparison, sum, product, power, atom };

  /// A text, and whether all of it is to be taken negative. Signs are carried outward, so that
  /// `--x` and `(-x) * y` do not occur.
  struct Piece {
    std::string text;
    Binding binding;
    bool minus = false;
  };

  /// Constants that are better known by other names.
  struct NamedConstant {
    double value;
    std::string_view name;
  };
  static constexpr NamedConstant known_constants[] = {{0.7978845608028654, "sqrt(2 / pi)"},
                                                      {1.1283791670955126, "2 / sqrt(pi)"},
                                                      {0.886226925452758, "sqrt(pi) / 2"}};

  /// `part` where something of `least` binding is wanted.
  static std::string fitted(Piece const& part, Binding least) {
    if (part.minus) {
      auto const text = "-" + (part.binding < product ? "(" + part.text + ")" : part.text);
      return least > sum ? "(" + text + ")" : text;
    }
    return part.binding < least ? "(" + part.text + ")" : part.text;
  }

  /// The same without its sign.
  static std::string unsigned_text(Piece part, Binding least) {
    part.minus = false;
    return fitted(part, least);
  }

  std::size_t arity(std::size_t n) const {
    return nodes_[n].kind == lbann::Node::Kind::function ? info_of(nodes_[n].function).arity : 0;
  }

  bool is(std::size_t n, Function function) const {
    return nodes_[n].kind == lbann::Node::Kind::function && nodes_[n].function == function;
  }

  bool is_condition(std::size_t n) const {
    constexpr Function conditions[] = {Function::equal,      Function::less,
                                       Function::less_equal, Function::logical_and,
                                       Function::logical_or, Function::logical_not};
    return nodes_[n].kind == lbann::Node::Kind::function &&
           std::ranges::find(conditions, nodes_[n].function) != std::end(conditions);
  }

  bool is_constant(std::size_t n, double value) const {
    return nodes_[n].kind == lbann::Node::Kind::constant && nodes_[n].constant == value;
  }

  /// lbann::Node `n` as a number.
  Piece part(std::size_t n) {
    if (is_condition(n)) return {"[" + condition(n).text + "]", atom};
    return value(n);
  }

  std::string write(std::size_t n, Binding least) { return fitted(part(n), least); }

  /// The same where a condition is wanted: what is no comparison holds unless it is 0 or NaN.
  std::string write_condition(std::size_t n, Binding least) {
    return fitted(is_condition(n) ? condition(n) : value(n), least);
  }

  Piece compared(std::size_t n, std::string_view sign) {
    auto const [a, b, unused] = nodes_[n].arguments;
    return {fmt::format("{} {} {}", write(a, sum), sign, write(b, sum)), comparison};
  }

  Piece condition(std::size_t n) {
    auto const [a, b, unused] = nodes_[n].arguments;
    switch (nodes_[n].function) {
      case Function::equal:
        return compared(n, "=");
      case Function::less:
        return compared(n, "<");
      case Function::less_equal:
        return compared(n, "<=");
      case Function::logical_and:
        return {write_condition(a, both) + " and " + write_condition(b, both), both};
      case Function::logical_or:
        return {write_condition(a, either) + " or " + write_condition(b, either), either};
      default:
        if (is(a, Function::equal)) return compared(a, "!=");
        return {"not " + write_condition(a, comparison), negation};
    }
  }

  Piece constant(double number) const {
    for (auto const& [value, name] : symbols_.constants)
      if (value == number) return {std::string(name), atom};
    for (auto const& known : known_constants)
      if (known.value == number) return {std::string(known.name), product};
    if (number < 0) return {fmt::format("{}", -number), atom, true};
    return {fmt::format("{}", number), atom};
  }

  /// `a + b`, or `a - b` if `b` is to be taken negative.
  static Piece added(Piece const& a, Piece b, bool negative) {
    b.minus = b.minus != negative;
    bool const minus = b.minus;
    return {fitted(a, sum) + (minus ? " - " : " + ") + unsigned_text(b, minus ? product : sum),
            sum};
  }

  Piece multiplied(std::size_t a, std::size_t b) {
    // What is multiplied by 1 / d is divided by d.
    if (is(b, Function::reciprocal) && names_[b].empty())
      return divided(part(a), part(nodes_[b].arguments[0]));
    if (is(b, Function::divide) && names_[b].empty()) {
      auto const [top, bottom, unused] = nodes_[b].arguments;
      auto quotient = divided(part(a), part(bottom));
      quotient.minus = quotient.minus != is_constant(top, -1);
      if (is_constant(top, 1) || is_constant(top, -1)) return quotient;
    }
    auto const left = part(a), right = part(b);
    return {unsigned_text(left, product) + " * " + unsigned_text(right, product), product,
            left.minus != right.minus};
  }

  static Piece divided(Piece const& a, Piece const& b) {
    return {unsigned_text(a, product) + " / " + unsigned_text(b, power), product,
            a.minus != b.minus};
  }

  /// `b if a, else c`, and only the condition where that is all.
  Piece chosen(std::size_t a, std::size_t b, std::size_t c) {
    if (is_constant(b, 1) && is_constant(c, 0))
      return {"[" + write_condition(a, choice) + "]", atom};
    if (is_constant(b, 0) && is_constant(c, 1))
      return {"[not " + write_condition(a, comparison) + "]", atom};
    return {fmt::format("{} if {}, else {}", write(b, either), write_condition(a, either),
                        write(c, choice)),
            choice};
  }

  Piece value(std::size_t n) {
    auto const& node = nodes_[n];
    if (!names_[n].empty()) return {names_[n], atom};
    if (node.kind == lbann::Node::Kind::operand)
      return {symbols_.operands[node.arguments[0]], atom};
    if (node.kind == lbann::Node::Kind::constant) return constant(node.constant);
    auto const [a, b, c] = node.arguments;
    switch (node.function) {
      case Function::add:
        return added(part(a), part(b), false);
      case Function::subtract:
        return added(part(a), part(b), true);
      case Function::negative: {
        auto inner = part(a);
        inner.minus = !inner.minus;
        return inner;
      }
      case Function::multiply:
        return multiplied(a, b);
      case Function::divide:
        return divided(part(a), part(b));
      case Function::reciprocal:
        return divided({"1", atom}, part(a));
      case Function::square:
        return {write(a, atom) + "^2", power};
      case Function::pow:
        return {write(a, atom) + "^" + write(b, atom), power};
      case Function::maximum:
        return {fmt::format("max({}, {})", write(a, choice), write(b, choice)), atom};
      case Function::minimum:
        return {fmt::format("min({}, {})", write(a, choice), write(b, choice)), atom};
      case Function::select:
        return chosen(a, b, c);
      default: {
        auto const& info = info_of(node.function);
        auto text = std::string(info.name) + "(";
        for (std::size_t i = 0; i < info.arity; ++i)
          text += (i == 0 ? "" : ", ") + write(node.arguments[i], choice);
        return {text + ")", atom};
      }
    }
  }

  std::vector<lbann::Node> const& nodes_;
  Symbols const& symbols_;
  std::vector<std::string> names_;  ///< of nodes that have lines of their own
  std::vector<std::string> definitions_;
  std::string text_;
};

}  // namespace

std::string in_notation(Expression const& expression, std::string_view result,
                        Symbols const& symbols) {
  return fmt::format("{} = {}", result, NotationWriter(expression, symbols).text());
}

}  // namespace lbann::compiler
