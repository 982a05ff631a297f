// external and external_gradient: an example library is called, and what it lacks is told.
#include "kernels/external_layer.hpp"

#include <doctest/doctest.h>

#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase;

namespace {

operators::ExternalLibrary example(std::string layer) {
  return {LBANN_EXAMPLE_LAYER, std::move(layer)};
}

TensorType vectors(DataType type, std::int64_t size) { return {type, Shape{batch_extent, {size}}}; }

/// Why a call with two inputs is refused.
std::string refusal(operators::external op, TensorType const& input) {
  TensorTypes const inputs = {input, input};
  auto const outputs = infer(op, inputs).value();
  std::vector<kernels::View> in, out;
  for (auto const& type : inputs) in.push_back(kernels::make_view(nullptr, type, 2));
  for (auto const& type : outputs) out.push_back(kernels::make_view(nullptr, type, 2));
  Operator const held = std::move(op);
  kernels::Call const call{&held, in, out, {}, 2};
  auto why = kernels::refusal_of(call);
  CHECK((kernels::bind(call) == nullptr) == !why.empty());
  return why;
}

}  // namespace

TEST_CASE("external calls the library forward and backward") {
  for (auto type : {DataType::f32, DataType::f64})
    for (auto samples : {0, 1, 3}) {
      auto const input = vectors(type, 2);
      operators::external const op{example("product_and_sum"), input.shape, 2, true};
      KernelCase forward(op, {input, input}, samples);
      forward.fill(3);
      auto const a = forward.input(0), b = forward.input(1);
      auto const outputs = forward.run(*testing::implementation_of(op, "reference"));
      operators::external_gradient const back{example("product_and_sum"), 2};
      KernelCase backward(back, {input, input, input, input, input, input}, samples);
      backward.fill(5).set(0, a).set(1, b);
      auto const g = backward.input(4), h = backward.input(5);
      auto const gradients = backward.run(*testing::implementation_of(back, "reference"));
      REQUIRE(outputs[0].size() == 2 * static_cast<std::size_t>(samples));
      for (std::size_t i = 0; i < outputs[0].size(); ++i) {
        CHECK(outputs[0][i] == doctest::Approx(a[i] * b[i]));
        CHECK(outputs[1][i] == doctest::Approx(a[i] + b[i]));
        CHECK(gradients[0][i] == doctest::Approx(g[i] * b[i] + h[i]));
        CHECK(gradients[1][i] == doctest::Approx(g[i] * a[i] + h[i]));
      }
    }
}

TEST_CASE("external says what a library lacks") {
  auto const input = vectors(DataType::f32, 2);
  auto const of = [&](operators::ExternalLibrary library, std::int64_t outputs = 2) {
    return refusal({std::move(library), input.shape, outputs, true}, input);
  };
  auto const holds = [](std::string const& text, std::string_view part) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  };
  holds(of({"no/such/library.so", "any"}), "`no/such/library.so` cannot be opened: ");
  holds(of(example("nothing")), "does not export `setup_nothing`");
  holds(of(example("product_and_sum"), 1),
        "refuses `product_and_sum`: it has two inputs and two outputs");
  holds(of(example("product_of_later")), "was built for version 2 of lbann/external_layer.h");
  CHECK(of(example("product_alone")).empty());
  holds(refusal({example("product_and_sum"), input.shape, 2, true}, vectors(DataType::bf16, 2)),
        "f32 and f64 only");

  Operator const back = operators::external_gradient{example("product_alone"), 2};
  std::vector<kernels::View> const in(6, kernels::make_view(nullptr, input, 2));
  std::vector<kernels::View> const out(2, in[0]);
  holds(kernels::refusal_of({&back, in, out, {}, 2}), "`differentiable: false`");
}
