// map: the engine against the reference, in place, broadcast, converted, in pieces.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "kernels/host/map/engine.hpp"
#include "tests/kernels/host/aot_variant.hpp"
#include "tests/support/kernel_case.hpp"

using namespace lbann;
using kernels::host::MapEngine;
using testing::batch_of;
using testing::KernelCase;

namespace {

operators::map map_of(std::string const& text, Shape shape, DataType compute = DataType::f32,
                      std::vector<DataType> types = {}) {
  auto expression = parse_expression(text);
  REQUIRE_MESSAGE(expression.has_value(), text);
  if (types.empty()) types.assign(expression->outputs.size(), compute);
  return {*expression, std::move(shape), compute, std::move(types)};
}

}  // namespace

TEST_CASE("map: operands that are contiguous, by row, by channel, of one element") {
  for (auto compute : testing::floating_types)
    for (auto samples : testing::batches)
      for (auto const& sample :
           {Shape{{1}}, Shape{{7}}, Shape{{130}}, Shape{{1100}}, Shape{{3}, {5}, {5}},
            Shape{{4}, {12}, {12}}, Shape{{1}, {40}, {33}}, Shape{{300}, {2}, {2}},
            Shape{{90}, {7}, {7}}, Shape{{65}, {4}, {4}}, Shape{{6}, {9}, {14}}}) {
        Shape shape{batch_extent};
        for (auto extent : sample.extents) shape.extents.push_back(extent);
        Shape channel{{1}};
        for (std::size_t i = 0; i < sample.rank(); ++i)
          channel.extents.push_back(i == 0 ? sample.extents[0] : Extent{1});
        Shape per_sample{batch_extent};
        for (std::size_t i = 0; i < sample.rank(); ++i) per_sample.extents.push_back({1});
        auto const op =
            map_of("(add(multiply(i0, i1), i2), select(less(i0, i3), exp(i4), subtract(i0, 0.5)))",
                   shape, compute);
        KernelCase(op,
                   {{compute, shape},
                    {compute, sample},
                    {compute, channel},
                    {compute, Shape{}},
                    {compute, per_sample}},
                   samples)
            .fill(static_cast<unsigned>(samples) + 1)
            .check();
      }
}

TEST_CASE("map: general broadcast along several axes") {
  for (auto samples : testing::batches)
    KernelCase(map_of("(add(add(i0, i1), multiply(i2, i3)))", batch_of({3, 4, 5, 6})),
               {{DataType::f32, batch_of({3, 1, 5, 1})},
                {DataType::f32, Shape{{4}, {1}, {6}}},
                {DataType::f32, batch_of({1, 4, 5, 6})},
                {DataType::f32, Shape{{3}, {1}, {1}, {6}}}},
               samples)
        .fill(3)
        .check();
}

TEST_CASE("map: types are converted when read and when written") {
  for (auto compute : testing::floating_types)
    for (auto from : {DataType::f64, DataType::f32, DataType::i32, DataType::i64, DataType::u8})
      for (auto to : {DataType::f64, DataType::f32, DataType::i32, DataType::i64, DataType::u8}) {
        auto const shape = batch_of({700});
        KernelCase(map_of("(i0, multiply(add(i0, i1), i2), 3.5)", shape, compute, {to, to, to}),
                   {{from, shape}, {from, Shape{{700}}}, {from, Shape{{1}}}}, 3)
            .fill(7, 0, 9)
            .check(is_floating(to) ? 1e-5 : 1);
      }
}

TEST_CASE("map: whole numbers saturate, NaN becomes 0") {
  auto const shape = Shape{{4}};
  auto c =
      KernelCase(map_of("(i0)", shape, DataType::f64, {DataType::u8}), {{DataType::f64, shape}}, 1);
  c.set(0, {-3, 300, std::nan(""), 254.9}).check(0);
  CHECK(c.run(*testing::implementation_of(map_of("(i0)", shape), "host"))[0] ==
        testing::Values{0, 255, 0, 254});
}

TEST_CASE("map: in place") {
  for (auto samples : testing::batches) {
    auto const shape = batch_of({333});
    TensorType const t{DataType::f32, shape};
    // The first output is written where i0 lies, which is read again after that.
    KernelCase(map_of("(add(i0, i1), multiply(i0, i1))", shape), {t, t}, samples)
        .fill(1)
        .in_place(0, 0)
        .check();
    KernelCase(map_of("(exp(i0), subtract(exp(i0), i0))", shape), {t}, samples)
        .fill(2)
        .in_place(0, 0)
        .check();
    // Two tensors change places.
    KernelCase(map_of("(i1, i0)", shape), {t, t}, samples)
        .fill(3)
        .in_place(0, 0)
        .in_place(1, 1)
        .check();
    KernelCase(map_of("(add(i1, 1), i0, i1)", shape), {t, t}, samples)
        .fill(4)
        .in_place(0, 0)
        .in_place(1, 1)
        .check();
    // The same size of element, another type.
    KernelCase(map_of("(add(i0, 1))", shape, DataType::f32, {DataType::f32}),
               {{DataType::i32, shape}}, samples)
        .fill(5)
        .in_place(0, 0)
        .check();
  }
}

TEST_CASE("map: results written with non-temporal stores") {
  testing::NonTemporalStores const always(1);
  auto const f32 = DataType::f32, f64 = DataType::f64;
  Shape const shape{batch_extent, {1111}}, column{batch_extent, {1}};
  for (std::int64_t samples : {0, 1, 17}) {
    // By bytecode and by an AOT kernel; loaded, stored as it is, of one number, of another type.
    KernelCase(map_of("(multiply(add(i0, i1), i2), i2, 0.5, add(i0, 1))", shape, f32,
                      {f32, f32, f32, f64}),
               {{f32, shape}, {f32, Shape{{1111}}}, {f64, column}}, samples)
        .fill(1)
        .check();
    KernelCase(map_of("(add(multiply(subtract(i0, i1), i2), i3))", shape),
               {{f32, shape}, {f32, column}, {f32, column}, {f32, column}}, samples)
        .fill(2)
        .check();
    // One of two lies where an operand is read.
    KernelCase(map_of("(subtract(i0, i1), add(i0, i1))", shape, f64), {{f64, shape}, {f64, shape}},
               samples)
        .in_place(1, 0)
        .fill(3)
        .check();
  }
}

TEST_CASE("map: scalars are computed once, constants alone fill") {
  Shape const one{{1}};
  auto const shape = batch_of({50, 9});
  TensorType const t{DataType::f64, shape}, s{DataType::f64, one};
  for (auto samples : testing::batches)
    KernelCase(map_of("(multiply(i0, divide(sqrt(add(i1, 3)), i2)), add(i1, i2), 2)", shape,
                      DataType::f64),
               {t, s, s}, samples)
        .fill(4, 0.5, 2)
        .check();
  KernelCase(map_of("(add(i0, 1), multiply(i0, i1))", one, DataType::f64), {s, s}, 1)
      .fill(5)
      .in_place(0, 0)
      .check();
}

namespace {

/// A random expression of total functions with `count` of them.
Expression random_expression(std::mt19937& engine, std::size_t operands, std::size_t count) {
  constexpr Function unary[] = {Function::negative,   Function::square, Function::abs,
                                Function::sign,       Function::tanh,   Function::sigmoid,
                                Function::logical_not};
  constexpr Function binary[] = {Function::add,       Function::subtract,   Function::multiply,
                                 Function::maximum,   Function::minimum,    Function::less,
                                 Function::equal,     Function::less_equal, Function::logical_and,
                                 Function::logical_or};
  auto pick = [&](std::size_t n) { return static_cast<std::uint32_t>(engine() % n); };
  ExpressionBuilder builder;
  std::vector<Term> terms;
  for (std::size_t k = 0; k < operands; ++k) terms.push_back(builder.operand(k));
  terms.push_back(builder.constant(0.75));
  terms.push_back(builder.constant(-1.25));
  for (std::size_t i = 0; i < count; ++i) {
    auto any = [&] { return terms[pick(terms.size())]; };
    switch (pick(6)) {
      case 0:
      case 1:
        terms.push_back(builder.apply(unary[pick(std::size(unary))], {any()}));
        break;
      case 2:
        terms.push_back(builder.apply(Function::select, {any(), any(), any()}));
        break;
      default:
        terms.push_back(builder.apply(binary[pick(std::size(binary))], {any(), any()}));
    }
    // Values stay near 1.
    terms.back() = builder.apply(Function::minimum, {terms.back(), builder.constant(3)});
    terms.back() = builder.apply(Function::maximum, {terms.back(), builder.constant(-3)});
  }
  std::vector<Term> outputs{terms.back()};
  for (auto n = pick(3); n > 0; --n) outputs.push_back(terms[pick(terms.size())]);
  return builder.finish(outputs);
}

}  // namespace

TEST_CASE("map: random expressions") {
  std::mt19937 engine(11);
  std::size_t run = 0;
  for (int i = 0; i < 300; ++i) {
    auto const expression = random_expression(engine, 4, 1 + engine() % 12);
    auto const shape = batch_of({static_cast<std::int64_t>(1 + engine() % 300)});
    operators::map const op{expression, shape, DataType::f64,
                            std::vector<DataType>(expression.outputs.size(), DataType::f64)};
    TensorTypes inputs{{DataType::f64, shape},
                       {DataType::f64, shape},
                       {DataType::f64, Shape{{1}}},
                       {DataType::f64, Shape{{shape.extents[1]}}}};
    inputs.resize(expression.operand_count());
    KernelCase c(op, inputs, static_cast<std::int64_t>(engine() % 5));
    c.fill(static_cast<unsigned>(i));
    if (engine() % 2 == 0 && inputs.size() > 0) c.in_place(0, 0);
    if (engine() % 2 == 0 && inputs.size() > 1 && expression.outputs.size() > 1) c.in_place(1, 1);
    if (!c.accepts(*testing::implementation_of(op, "host"))) continue;
    ++run;
    c.check(1e-9);
  }
  CHECK(run > 250);
}

TEST_CASE("map: every function") {
  auto const shape = batch_of({77});
  for (std::size_t number = 0; number < function_count(); ++number)
    for (auto compute : testing::floating_types) {
      auto const function = static_cast<Function>(number);
      ExpressionBuilder builder;
      std::vector<Term> arguments;
      for (std::size_t i = 0; i < info_of(function).arity; ++i)
        arguments.push_back(builder.operand(i));
      operators::map const op{
          builder.finish({builder.apply(function, arguments)}), shape, compute, {compute}};
      // Where all of them are defined.
      double const low = function == Function::acosh ? 1.05 : 0.05;
      KernelCase(op, TensorTypes(arguments.size(), {compute, shape}), 3)
          .fill(static_cast<unsigned>(number), low, low + 0.9)
          .check();
    }
}

namespace {}  // namespace

TEST_CASE("map: ahead-of-time kernels give the bits of the bytecode") {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (std::size_t n = 1; n <= kernels::aot_kernel_count(); ++n) {
    auto const number = static_cast<std::uint8_t>(n);
    auto const expression =
        kernels::aot_kernel_expression(number, {0.5, 0.25, 0.125, 2, 3, 1.5, 5});
    auto const name = kernels::aot_kernel_name(number);
    std::size_t variants = 0;
    // Choices of operands of one element, one per row, contiguous, or of another type: all of them,
    // or some of too many, every other with one element where the kernel wants that.
    constexpr unsigned most_choices = 1u << 12;
    auto const all = 1u << 2 * expression.operand_count();
    for (unsigned round = 0; round < std::min(all, most_choices); ++round) {
      auto choice = all <= most_choices ? round : static_cast<unsigned>(engine()) % all;
      if (all > most_choices && round % 2 == 0)
        for (std::size_t k = 0; k < expression.operand_count(); ++k) {
          bool const single = (testing::first_variant(n) >> k & 1) != 0;
          auto const kind = choice >> 2 * k & 3;
          choice = (choice & ~(3u << 2 * k)) | (single ? 1u : kind == 1 ? 0u : kind) << 2 * k;
        }
      constexpr std::int64_t rows = 3, columns = 531;
      std::vector<std::vector<float>> data(expression.operand_count(),
                                           std::vector<float>(rows * columns));
      std::vector<std::vector<double>> wide(data.size(), std::vector<double>(rows * columns));
      std::vector<kernels::View> operands;
      bool any_full = false;
      for (std::size_t k = 0; k < data.size(); ++k) {
        for (auto& value : data[k]) value = static_cast<float>(uniform(engine));
        for (std::size_t e = 0; e < data[k].size(); ++e) wide[k][e] = data[k][e];
        auto const kind = choice >> 2 * k & 3;
        if (kind == 0) operands.push_back({data[k].data(), DataType::f32, 2, {rows, columns}});
        if (kind == 1) operands.push_back({data[k].data(), DataType::f32, 2, {1, 1}});
        if (kind == 2) operands.push_back({data[k].data(), DataType::f32, 1, {columns}});
        if (kind == 3) operands.push_back({wide[k].data(), DataType::f64, 2, {rows, columns}});
        any_full = any_full || kind != 1;
      }
      if (!any_full) continue;
      std::int64_t const shape[] = {rows, columns};
      auto results = [&](bool aot_kernels) {
        std::vector<std::vector<float>> out(expression.outputs.size(),
                                            std::vector<float>(rows * columns));
        std::vector<kernels::View> outputs;
        for (auto& o : out) outputs.push_back({o.data(), DataType::f32, 2, {rows, columns}});
        auto const map =
            MapEngine::bind({expression, DataType::f32, shape, operands, outputs, aot_kernels});
        REQUIRE(map.has_value());
        if (aot_kernels && map->aot_kernel() == name) ++variants;
        if (!aot_kernels) CHECK(map->aot_kernel().empty());
        map->run_parallel();
        return out;
      };
      auto const fast = results(true), slow = results(false);
      bool same = true;  // bit by bit: NaN is not equal to itself
      for (std::size_t o = 0; o < fast.size(); ++o)
        same = same &&
               std::memcmp(fast[o].data(), slow[o].data(), sizeof(float) * fast[o].size()) == 0;
      CHECK_MESSAGE(same, name << " " << choice);
    }
    CHECK_MESSAGE(variants > 0, name);
  }
}

TEST_CASE("map: any cut of the range gives the same bits, with the first operand from elsewhere") {
  for (std::int64_t columns : {5, 600}) {
    std::int64_t const rows = 37;
    auto const count = static_cast<std::size_t>(rows * columns);
    std::vector<float> product(count), bias(static_cast<std::size_t>(columns)), whole(count);
    std::vector<float> pieces(count), panels(count), values(count);
    for (std::size_t i = 0; i < count; ++i) product[i] = std::sin(static_cast<float>(i));
    for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = std::cos(static_cast<float>(i));
    auto const expression = *parse_expression("(tanh(add(i0, i1)))");
    std::int64_t const shape[] = {rows, columns};
    auto engine = [&](float* first, float* out) {
      kernels::View const operands[] = {{first, DataType::f32, 2, {rows, columns}},
                                        {bias.data(), DataType::f32, 1, {columns}}};
      kernels::View const outputs[] = {{out, DataType::f32, 2, {rows, columns}}};
      auto map = MapEngine::bind({expression, DataType::f32, shape, operands, outputs});
      REQUIRE(map.has_value());
      return *map;
    };
    engine(product.data(), whole.data()).run_parallel();
    auto const map = engine(nullptr, pieces.data());
    std::mt19937 random(3);
    for (std::int64_t begin = 0; begin < map.elements();) {
      auto const end = std::min<std::int64_t>(map.elements(), begin + 1 + random() % 900);
      map.run(begin, end, product.data() + begin);
      begin = end;
    }
    CHECK(pieces == whole);
    // Panels in place: the product was put where the output is.
    panels = product;
    auto const in_place = engine(nullptr, panels.data());
    for (std::int64_t row = 0; row < rows; row += 10)
      for (std::int64_t column = 0; column < columns; column += 190)
        in_place.run_panel(row, std::min(row + 10, rows), column, std::min(column + 190, columns),
                           panels.data() + row * columns + column, columns);
    CHECK(panels == whole);
    auto const evaluated = engine(product.data(), nullptr);
    evaluated.evaluate(11, 97, values.data());
    for (std::size_t i = 11; i < 97; ++i) CHECK(values[i - 11] == whole[i]);
  }
}
