// Convolutions of bf16 by tiles, also where the kernel that is chosen converts factors to f32.
#include <cmath>

#include "kernels/host/sixteen_bit/convolution.hpp"
#include "tests/kernels/host/narrow_windows.hpp"

using namespace lbann;
using namespace lbann::kernels::host::sixteen_bit;
using testing::KernelCase;

namespace {

constexpr auto bf16 = DataType::bf16;

void check_tiles(Operator const& op, TensorTypes inputs, std::int64_t samples, std::int64_t terms,
                 bool (*takes)(kernels::Call const&),
                 std::unique_ptr<kernels::Kernel> (*make)(kernels::Call const&)) {
  // Results of an epilogue are bf16: sums that differ by rounding may be rounded apart.
  auto const tolerance = testing::rounding(DataType::f32, terms) + (inputs.size() > 2 ? 0x1p-7 : 0);
  KernelCase call(op, std::move(inputs), samples);
  call.fill(static_cast<unsigned>(samples + terms)).scratch(1 << 22);
  kernels::Implementation const tiles{"tiles", takes, make};
  REQUIRE(call.accepts(tiles));
  auto const found = call.run(tiles)[0],
             expected = call.run(*testing::implementation_of(op, "reference"))[0];
  std::size_t apart = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    apart += std::abs(found[i] - expected[i]) <= tolerance * (1 + std::abs(expected[i])) ? 0 : 1;
  CHECK(apart == 0);
}

}  // namespace

TEST_CASE("tiles: convolutions of all extents, and their gradients") {
  for (auto const& w : testing::narrow_windows)
    for (auto samples : {0, 1, 2, 17}) {
      auto op = w.forward();
      op.epilogue = *parse_expression("(maximum(add(i0, i1), 0))");
      op.types = {bf16};
      auto const y = w.result(bf16);
      check_tiles(op, {{bf16, w.images()}, {bf16, w.kernel()}, {DataType::f32, w.bias()}}, samples,
                  w.terms(), takes_convolution, make_convolution);
      check_tiles(w.input_gradient(), {{bf16, y}, {bf16, w.kernel()}}, samples,
                  w.kernel().elements(1) / w.groups, takes_input_gradient, make_input_gradient);
      check_tiles(w.kernel_gradient(), {{bf16, w.images()}, {bf16, y}}, samples,
                  y.elements(samples) / w.filters, takes_kernel_gradient, make_kernel_gradient);
    }
}
