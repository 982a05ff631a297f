// Texts of kernels: what NVRTC makes of them, on any machine that has it.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdlib>

#include "kernels/jit/compiler.hpp"
#include "kernels/jit/map_text.hpp"
#include "kernels/jit/reduce_function.hpp"
#include "schemas/expression/expression.hpp"
#include "schemas/expression/function_info.hpp"

using namespace lbann;
using kernels::MapCode;
using kernels::View;

namespace {

View view(DataType type, std::vector<std::int64_t> const& extents, std::uintptr_t address) {
  View view{reinterpret_cast<void*>(address), type, static_cast<std::uint8_t>(extents.size()), {}};
  std::copy(extents.begin(), extents.end(), view.extents.begin());
  return view;
}

/// `text` over [6, 5, 8]: the operands are of all kinds of access.
MapCode code_of(std::string const& text, DataType compute, std::int64_t last, DataType output) {
  auto const expression = parse_expression(text);
  REQUIRE_MESSAGE(expression.has_value(), text);
  std::vector<std::int64_t> const shape = {6, 5, last};
  std::vector<View> const kinds = {view(compute, shape, 1 << 20),
                                   view(DataType::f32, {5, 1}, 2 << 20),
                                   view(DataType::f64, {1}, 3 << 20),
                                   view(DataType::i64, shape, 4 << 20),
                                   view(DataType::u8, {6, 1, last}, 5 << 20),
                                   view(DataType::f64, {6, 1, 1}, 6 << 20)};
  std::vector<View> const operands(
      kinds.begin(), kinds.begin() + static_cast<std::ptrdiff_t>(expression->operand_count()));
  std::vector<View> outputs;
  for (std::size_t o = 0; o < expression->outputs.size(); ++o)
    outputs.push_back(view(output, shape, (16 + o) << 20));
  auto const code = kernels::assemble({*expression, compute, shape, operands, outputs, false});
  REQUIRE_MESSAGE(code.has_value(), text);
  return *code;
}

void check_compiles(std::string const& text) {
  auto const code = kernels::jit::machine_code(text, "sm_90");
  if (!code) FAIL_CHECK(code.problem().message);
}

}  // namespace

TEST_CASE("every scalar function compiles in both types") {
  for (std::size_t f = 0; f < function_count(); ++f) {
    auto const& info = info_of(static_cast<Function>(f));
    auto const name = std::string(info.name);
    auto const text = '(' + name +
                      (info.arity == 1   ? "(i0)"
                       : info.arity == 2 ? "(i0, i1)"
                                         : "(i0, i1, i2)") +
                      ')';
    for (auto const type : {DataType::f32, DataType::f64})
      check_compiles(kernels::jit::map_text(code_of(text, type, 8, type)).text);
  }
}

TEST_CASE("operands of every kind, one or several elements of a thread, outputs of every type") {
  auto const text = "(add(add(i0, i1), multiply(i2, add(i3, i4))), select(less(i5, i4), i0, 1e30))";
  for (auto const output : {DataType::f32, DataType::f64, DataType::bf16, DataType::f16,
                            DataType::i32, DataType::i64, DataType::u8})
    for (std::int64_t const last : {8, 7, 1})
      check_compiles(kernels::jit::map_text(code_of(text, DataType::f32, last, output)).text);
}

TEST_CASE("reductions of every mode") {
  using kernels::ReduceMode;
  for (auto const mode : {ReduceMode::sum, ReduceMode::max, ReduceMode::min, ReduceMode::product})
    check_compiles(kernels::jit::reduce_text(
        code_of("(multiply(i0, i1), add(i0, i5))", DataType::f32, 8, DataType::f32), mode));
}
