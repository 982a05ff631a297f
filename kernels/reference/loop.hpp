// Makes an implementation of a function of an operator and its views.
#pragma once

#include <type_traits>

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
  return {"reference", loadable, [](Call const& call) -> std::unique_ptr<Kernel> {
            return std::make_unique<Loop<Number, Op, run_loop>>(call);
          }};
}

/// The reference implementation that is a class of its own.
template <class K>
Implementation kernel() {
  return {"reference", loadable,
          [](Call const& call) -> std::unique_ptr<Kernel> { return std::make_unique<K>(call); }};
}

/// The same, with a class for each type of the first input: f32, f64 and, for products, bf16.
template <class K32, class K64, class K16 = void>
Implementation kernel_by_type() {
  constexpr bool takes_sixteen_bits = !std::is_void_v<K16>;
  return {"reference",
          [](Call const& call) {
            return loadable(call) && (takes_sixteen_bits || !is_sixteen_bit(call.inputs[0].type));
          },
          [](Call const& call) -> std::unique_ptr<Kernel> {
            if constexpr (takes_sixteen_bits)
              if (is_sixteen_bit(call.inputs[0].type)) return std::make_unique<K16>(call);
            if (call.inputs[0].type == DataType::f64) return std::make_unique<K64>(call);
            return std::make_unique<K32>(call);
          }};
}

}  // namespace lbann::kernels::reference
