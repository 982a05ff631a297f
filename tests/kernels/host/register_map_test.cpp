// Maps of 16-bit tensors that are computed in registers: the bits of the bytecode, whatever is
// stored in which type.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "kernels/conversion.hpp"
#include "kernels/host/map/engine.hpp"
#include "tests/kernels/host/aot_variant.hpp"

using namespace lbann;
using kernels::View;
using kernels::host::MapEngine;

namespace {

std::mt19937 generator(11);

/// Numbers of `type`, some of them infinite, NaN, denormal, negative zero or halfway between two of
/// bf16.
std::vector<std::byte> numbers(DataType type, std::size_t count) {
  std::uniform_real_distribution<float> uniform(-2, 2);
  float const special[] = {std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN(),
                           1e-39f,
                           -3e-41f,
                           -0.f,
                           1 + 1.f / 256,
                           1 + 3.f / 256,
                           std::numeric_limits<float>::max()};
  std::vector<std::byte> data(count * bytes_of(type));
  for (std::size_t i = 0; i < count; ++i) {
    auto const value =
        generator() % 16 == 0 ? special[generator() % std::size(special)] : uniform(generator);
    kernels::with_stored_type(type, [&](auto zero) {
      auto const number = kernels::convert<decltype(zero)>(value);
      std::memcpy(data.data() + i * sizeof number, &number, sizeof number);
    });
  }
  return data;
}

/// Whether both hold the same bits, or NaN, of which the sign and the rest of the bits are open.
bool same_numbers(DataType type, std::vector<std::byte> const& a, std::vector<std::byte> const& b) {
  return kernels::with_stored_type(type, [&](auto zero) {
    for (std::size_t i = 0; i + sizeof zero <= a.size(); i += sizeof zero) {
      decltype(zero) x, y;
      std::memcpy(&x, &a[i], sizeof x);
      std::memcpy(&y, &b[i], sizeof y);
      if (std::memcmp(&a[i], &b[i], sizeof x) != 0 &&
          !(std::isnan(kernels::convert<float>(x)) && std::isnan(kernels::convert<float>(y))))
        return false;
    }
    return true;
  });
}

}  // namespace

TEST_CASE("map: 16 bits in registers give the bits of the bytecode") {
  DataType const types[] = {DataType::f32, DataType::bf16, DataType::f16};
  auto const any_type = [&] { return types[generator() % 3]; };
  std::size_t in_registers = 0;
  for (std::size_t n = 1; n <= kernels::aot_kernel_count(); ++n) {
    auto const expression =
        kernels::aot_kernel_expression(static_cast<std::uint8_t>(n), {0, 1, 0.125, 2, 3, 1.5, 5});
    bool taken = false;
    for (std::int64_t const columns : {32, 49, 531, 2000})
      for (int repetition = 0; repetition < 6; ++repetition) {
        std::int64_t const rows = 5, shape[] = {rows, columns};
        auto const count = static_cast<std::size_t>(rows * columns);
        std::vector<std::vector<std::byte>> data;
        std::vector<View> operands;
        for (std::size_t k = 0; k < expression.operand_count(); ++k) {
          bool const number = (testing::first_variant(n) >> k & 1) != 0;
          auto const type = number ? DataType::f64 : any_type();
          data.push_back(numbers(type, number ? static_cast<std::size_t>(rows) : count));
          operands.push_back({data.back().data(), type, 2, {rows, number ? 1 : columns}});
        }
        std::vector<DataType> stored;
        for (std::size_t o = 0; o < expression.outputs.size(); ++o) stored.push_back(any_type());
        auto const results = [&](bool aot_kernels) {
          std::vector<std::vector<std::byte>> out;
          std::vector<View> outputs;
          for (auto const type : stored) {
            out.emplace_back(count * bytes_of(type));
            outputs.push_back({out.back().data(), type, 2, {rows, columns}});
          }
          auto const map =
              MapEngine::bind({expression, DataType::f32, shape, operands, outputs, aot_kernels});
          REQUIRE(map.has_value());
          taken = taken || map->runs_in_registers();
          for (std::int64_t begin = 0; begin < rows * columns;) {
            auto const end = std::min<std::int64_t>(rows * columns, begin + 1 + generator() % 900);
            map->run(begin, end);
            begin = end;
          }
          return out;
        };
        auto const name = kernels::aot_kernel_name(static_cast<std::uint8_t>(n));
        auto const found = results(true), expected = results(false);
        for (std::size_t o = 0; o < stored.size(); ++o)
          CHECK_MESSAGE(same_numbers(stored[o], found[o], expected[o]),
                        name << " of rows of " << columns);
      }
    in_registers += taken ? 1 : 0;
  }
  CHECK(in_registers == 10);
}
