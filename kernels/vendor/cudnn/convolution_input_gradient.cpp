// convolution_input_gradient by cuDNN.
#include "kernels/element_types.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/vendor/cudnn/factor.hpp"
#include "kernels/vendor/cudnn/plan.hpp"

namespace lbann::kernels::cudnn {

namespace {

template <class T>
class InputGradient : public Kernel {
 public:
  explicit InputGradient(Call const& call)
      : plan_(Plan::for_device(problem_of(call))), factors_(call, plan_->workspace_bytes()) {
    plan_->bind(call.outputs[0].data, factors_.second.data(), factors_.first.data(),
                factors_.workspace);
  }

  void run() override {
    factors_.copy();
    plan_->run();
  }

 private:
  std::unique_ptr<Plan> plan_;
  Factors<T> factors_;
};

}  // namespace

Implementation convolution_input_gradient_kernel() {
  return {"cudnn",
          [](Call const& call) {
            return factors_of_one_type(call) && takes(problem_of(call).geometry);
          },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<InputGradient<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::cudnn
