// Tests of what initializers fill weights with.
#include "compiler/initializers/initializer.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "compiler/declarations/value_text.hpp"

namespace lbann::compiler {
namespace {

Operator fill(std::string_view text, InitContext const& context) {
  InitializerTypes const types;
  LineReader line(text);
  auto const* type = types.find(line.name());
  REQUIRE(type != nullptr);
  auto const declaration = line.declaration(type->declaration);
  REQUIRE_FALSE(line.failed());
  auto const filled = type->fill(declaration.object.get(), context);
  REQUIRE(filled.has_value());
  auto op = *filled;
  // Whatever it is, it must give a tensor like the weights.
  TensorType const counter{DataType::i64, {}};
  std::vector<TensorType> inputs;
  if (std::holds_alternative<operators::random>(op)) inputs.assign(3, counter);
  auto const outputs = infer(op, inputs);
  REQUIRE(outputs.good());
  CHECK(outputs.value() == TensorTypes{{context.type, context.shape}});
  return op;
}

InitContext const context{Shape({{6, false}, {4, false}}), DataType::f64, 17, 4, 6};

}  // namespace

TEST_CASE("constant_initializer") {
  auto const op = std::get<operators::map>(fill("constant_initializer {value: 0.5}", context));
  CHECK(to_text(op.expression) == "(0.5)");
}

TEST_CASE("uniform_initializer and normal_initializer") {
  auto const uniform =
      std::get<operators::random>(fill("uniform_initializer {min: -2, max: 3}", context));
  CHECK(uniform.distribution == operators::Distribution::uniform);
  CHECK(uniform.first == -2);
  CHECK(uniform.second == 3);
  CHECK(uniform.key == 17);
  auto const normal = std::get<operators::random>(
      fill("normal_initializer {mean: 1, standard_deviation: 0.25}", context));
  CHECK(normal.distribution == operators::Distribution::normal);
  CHECK(normal.first == 1);
  CHECK(normal.second == 0.25);
}

TEST_CASE("variance scaling") {
  struct Case {
    std::string_view normal_name, uniform_name;
    double variance;
  };
  for (auto const& [normal_name, uniform_name, variance] :
       {Case{"glorot_normal_initializer", "glorot_uniform_initializer", 2.0 / 10},
        Case{"he_normal_initializer", "he_uniform_initializer", 2.0 / 4},
        Case{"lecun_normal_initializer", "lecun_uniform_initializer", 1.0 / 4}}) {
    CAPTURE(normal_name);
    auto const normal = std::get<operators::random>(fill(normal_name, context));
    CHECK(normal.distribution == operators::Distribution::normal);
    CHECK(normal.first == 0);
    CHECK(normal.second == doctest::Approx(std::sqrt(variance)).epsilon(1e-15));
    auto const uniform = std::get<operators::random>(fill(uniform_name, context));
    CHECK(uniform.distribution == operators::Distribution::uniform);
    // A uniform law over [-b, b) has variance b^2 / 3.
    CHECK(uniform.second * uniform.second / 3 == doctest::Approx(variance).epsilon(1e-15));
    CHECK(uniform.first == -uniform.second);
  }
}

TEST_CASE("value_initializer: columns of a matrix become rows") {
  InitContext matrix{Shape({{2, false}, {3, false}}), DataType::f32, 0, 0, 0, 1};
  auto const given = "value_initializer {values: [1, 2, 3, 4, 5, 6]}";
  auto const columns = std::get<operators::constant>(fill(given, matrix));
  CHECK(columns.values == std::vector<double>{1, 3, 5, 2, 4, 6});
  // The height is the product of the leading dims, the width that of the others.
  matrix.shape = Shape({{1, false}, {2, false}, {3, false}, {1, false}});
  matrix.width_dims = 2;
  CHECK(std::get<operators::constant>(fill(given, matrix)).values == columns.values);
  matrix.width_dims = 0;
  CHECK(std::get<operators::constant>(fill(given, matrix)).values ==
        std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("numpy_initializer leaves its numbers to the run") {
  InitializerTypes const types;
  LineReader line("numpy_initializer {file: \"values.npy\"}");
  auto const* type = types.find(line.name());
  auto const declaration = line.declaration(type->declaration);
  CHECK_FALSE(type->fill(declaration.object.get(), context).has_value());
  CHECK(type->file(declaration.object.get()) == "values.npy");
  CHECK_FALSE(type->given_values(declaration.object.get()).has_value());
}

TEST_CASE("data_statistics_initializer leaves its numbers to the run") {
  InitializerTypes const types;
  LineReader line("data_statistics_initializer {data_field: \"x\", statistic: \"deviation\"}");
  auto const* type = types.find(line.name());
  auto const declaration = line.declaration(type->declaration);
  CHECK_FALSE(type->fill(declaration.object.get(), context).has_value());
  CHECK(type->data_statistic(declaration.object.get()) ==
        std::pair(std::string("x"), DataStatistic::deviation));
  auto const* other = types.find("constant_initializer");
  auto const standard = default_declaration(other->declaration);
  CHECK(other->data_statistic(standard.object.get()).first.empty());
}

TEST_CASE("the table of initializers") {
  InitializerTypes const types;
  CHECK(types.find("he") == nullptr);
  CHECK(types.find("he_normal_initializer")->needs_fans);
  CHECK_FALSE(types.find("constant_initializer")->needs_fans);
  CHECK(types.all().size() == 12);
}

}  // namespace lbann::compiler
