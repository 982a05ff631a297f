// Makes an implementation of a function of an operator and its views.
#pragma once

#include "kernels/reference/element.hpp"

namespace lbann::kernels::reference {

/// What a loop is given: the operator and its views, alive as long as the kernel.
template <class Op>
struct Arguments {
  Op op;
  std::vector<View> inputs, outputs;
  std::int64_t samples;
};

template <class Op, void (*run_loop)(Arguments<Op> const&)>
class Loop : public Kernel {
 public:
  explicit Loop(Call const& call)
      : arguments_{operator_of<Op>(call),
                   {call.inputs.begin(), call.inputs.end()},
                   {call.outputs.begin(), call.outputs.end()},
                   call.samples} {}
  void run() override { run_loop(arguments_); }

 private:
  Arguments<Op> arguments_;
};

/// The reference implementation of `Op` that calls `run_loop`.
template <class Op, void (*run_loop)(Arguments<Op> const&)>
Implementation loop() {
  return {"reference", loadable, [](Call const& call) -> std::unique_ptr<Kernel> {
            return std::make_unique<Loop<Op, run_loop>>(call);
          }};
}

}  // namespace lbann::kernels::reference
