// Expressions: values, rounding, overflow, and what is wrong where.
#include "compiler/experiment/values/expression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace lbann::compiler;

namespace {

compiler::Node scalar_node(std::string_view text) {
  compiler::Node node;
  node.kind = compiler::Node::Kind::scalar;
  node.text = text;
  return node;
}

compiler::Node sequence(std::vector<std::string_view> const& texts) {
  compiler::Node node;
  node.kind = compiler::Node::Kind::sequence;
  for (auto const text : texts) node.items.push_back(scalar_node(text));
  return node;
}

compiler::Node mapping(std::vector<std::pair<std::string_view, std::string_view>> const& entries) {
  compiler::Node node;
  node.kind = compiler::Node::Kind::mapping;
  for (auto const& [key, text] : entries)
    node.entries.push_back({std::string(key), {}, scalar_node(text)});
  return node;
}

std::optional<Operand> value_of(std::string_view text, std::optional<ExpressionProblem>& problem) {
  static compiler::Node const list = sequence({"4", "5"});
  static compiler::Node const table = mapping({{"b", "3"}, {"7", "9"}});
  Lookup const lookup = [](std::string_view name, std::size_t, Wanted) -> std::optional<Operand> {
    if (name == "list") return operand_of(list);
    if (name == "table") return operand_of(table);
    if (name == "table.b") return Scalar(std::int64_t{3});
    if (name == "n") return Scalar(std::int64_t{7});
    if (name == "x.y") return Scalar(0.5);
    if (name == "t") return Scalar(std::string("text"));
    if (name == "b") return Scalar(true);
    return std::nullopt;
  };
  return evaluate(text, lookup, problem);
}

}  // namespace

TEST_CASE("evaluate(expression)") {
  struct Case {
    std::string_view text;
    Scalar value;
  };
  for (auto const& [text, expected] : std::vector<Case>{
           {"1 + 2 * 3", std::int64_t{7}},
           {"(1 + 2) * 3", std::int64_t{9}},
           {"7 // 2", std::int64_t{3}},
           {"-7 // 2", std::int64_t{-4}},
           {"-7 % 3", std::int64_t{2}},
           {"7 % -3", std::int64_t{-2}},
           {"6 / 3", 2.0},
           {"1e-4 * 10", 1e-4 * 10},
           {"n * 2 - -1", std::int64_t{15}},
           {"x.y", 0.5},
           {"t", std::string("text")},
           {"b", true},
           {"2 - 3 - 4", std::int64_t{-5}},
           {"7.5 // 2", 3.0},
           {"9223372036854775807", INT64_MAX},
           {".5", 0.5},
           {"n/2", 3.5},
           {"n == 7", true},
           {"n >= 7.5 or not false", true},
           {"1 < 2 and 'text' == t", true},
           {"1 if n > 5 else 1 / 0", std::int64_t{1}},
           {"1 / 0 if false else 2", std::int64_t{2}},
           {"1 if false else 2 if b else 3", std::int64_t{2}},
           {"true or 1 / 0 > 1", true},
           {"list[1]", std::int64_t{5}},
           {"table['b'] + table[n]", std::int64_t{12}},
           {"table.b", std::int64_t{3}},
           {"len(list) * max(1, n, 3) - min(2, 1.5)", 12.5},
           {"t != 'x}'", true},
       }) {
    CAPTURE(text);
    std::optional<ExpressionProblem> problem;
    auto const value = value_of(text, problem);
    REQUIRE(value.has_value());
    CHECK(*value == expected);
    CHECK_FALSE(problem.has_value());
  }
}

TEST_CASE("evaluate tells what is wrong and where") {
  struct Case {
    std::string_view text;
    bool syntax;
    std::size_t at;
  };
  for (auto const& [text, syntax, at] : std::vector<Case>{
           {"", true, 0},
           {"1 +", true, 3},
           {"1 2", true, 2},
           {"(1", true, 0},
           {"1)", true, 1},
           {"1 $ 2", true, 2},
           {"3abc", true, 0},
           {"1..2", true, 0},
           {"1 / 0", false, 2},
           {"1 % 0", false, 2},
           {"t + 1", false, 2},
           {"-b", false, 0},
           {"1.0 // 0", false, 4},
           {"9223372036854775807 + 1", false, 20},
           {"1e308 * 10", false, 6},
           {"list[2]", false, 5},
           {"list[-1]", false, 5},
           {"table['c']", false, 6},
           {"n[0]", false, 2},
           {"list + 1", false, 0},
           {"1 < t", false, 2},
           {"1 if 2 else 3", false, 5},
           {"1 if b", true, 6},
           {"list[0", true, 4},
           {"'open", true, 0},
           {"foo(1)", true, 0},
           {"len(3)", false, 0},
           {"max(1, t)", false, 0},
       }) {
    CAPTURE(text);
    std::optional<ExpressionProblem> problem;
    CHECK_FALSE(value_of(text, problem).has_value());
    REQUIRE(problem.has_value());
    CHECK(problem->syntax == syntax);
    CHECK(problem->at == at);
    CHECK_FALSE(problem->words.empty());
  }
  std::optional<ExpressionProblem> problem;
  CHECK_FALSE(value_of(std::string(100000, '('), problem).has_value());
  problem.reset();
  CHECK_FALSE(value_of("unknown + 1", problem).has_value());
  CHECK_FALSE(problem.has_value());  // the lookup told
}

TEST_CASE("scalar_of and to_text are inverse") {
  CHECK(scalar_of("0x10") == Scalar(std::string("0x10")));
  CHECK(scalar_of("1e-3") == Scalar(1e-3));
  CHECK(scalar_of("+5") == Scalar(std::int64_t{5}));
  CHECK(scalar_of("-9223372036854775808") == Scalar(INT64_MIN));
  CHECK(scalar_of("9223372036854775808") == Scalar(9223372036854775808.0));
  CHECK(scalar_of("nan") == Scalar(std::string("nan")));
  CHECK(scalar_of("1.") == Scalar(1.0));
  CHECK(scalar_of("-") == Scalar(std::string("-")));
  CHECK(scalar_of(".") == Scalar(std::string(".")));
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    auto const whole = static_cast<std::int64_t>(random());
    CHECK(scalar_of(to_text(Scalar(whole))) == Scalar(whole));
    auto const real =
        std::ldexp(static_cast<double>(whole), static_cast<int>(random() % 200) - 100);
    CHECK(scalar_of(to_text(Scalar(real))) == Scalar(real));
  }
  CHECK(to_text(Scalar(64.0)) == "64.0");
}
