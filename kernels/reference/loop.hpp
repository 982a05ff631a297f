// Makes an implementation of a function of an operator and its views.
#pragma once

#include "kernels/element_types.hpp"
#include "kernels/reference/element.hpp"
#include "kernels/shapes/rows.hpp"

namespace lbann::kernels::reference {

/// What a loop is given: the operator and its views, alive as long as the kernel.
template <class Number, class Op>
struct Arguments {
  Op op;
  std::vector<View> inputs, outputs;
  std::int64_t samples;
  std::vector<Number> row;                          ///< place for one row of the first input
  std::array<std::int64_t, max_rank> begin, whole;  ///< see Call
};

template <class Number, class Op, void (*run_loop)(Arguments<Number, Op>&)>
class Loop : public Kernel {
 public:
  explicit Loop(Call const& call)
      : arguments_{operator_of<Op>(call),
                   {call.inputs.begin(), call.inputs.end()},
                   {call.outputs.begin(), call.outputs.end()},
                   call.samples,
                   {},
                   call.begin,
                   call.whole} {
    if (!call.inputs.empty())
      arguments_.row.resize(static_cast<std::size_t>(rows_of(call.inputs[0]).columns));
  }
  void run() override { run_loop(arguments_); }

 private:
  Arguments<Number, Op> arguments_;
};

/// The reference implementation of `Op` that calls `run_loop`.
template <class Number, class Op, void (*run_loop)(Arguments<Number, Op>&)>
Implementation loop() {
  return {"reference", [](Call const&) { return true; },
          [](Call const& call) -> std::unique_ptr<Kernel> {
            return std::make_unique<Loop<Number, Op, run_loop>>(call);
          }};
}

/// The reference implementation that is a class of its own.
template <class K>
Implementation kernel() {
  return {"reference", [](Call const&) { return true; },
          [](Call const& call) -> std::unique_ptr<Kernel> { return std::make_unique<K>(call); }};
}

/// The reference implementation of a product, a class for each floating-point type of its factors.
template <class Number, template <class, class> class Product>
Implementation product_kernel() {
  return {"reference", [](Call const&) { return true; },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<Product<Number, decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::reference
