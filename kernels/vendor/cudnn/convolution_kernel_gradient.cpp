// convolution_kernel_gradient by cuDNN.
#include "kernels/element_types.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/vendor/cudnn/factor.hpp"
#include "kernels/vendor/cudnn/plan.hpp"

namespace lbann::kernels::cudnn {

namespace {

template <class T>
class KernelGradient : public Kernel {
 public:
  explicit KernelGradient(Call const& call)
      : plan_(Plan::for_device(problem_of(call))), factors_(call, plan_->workspace_bytes()) {
    plan_->bind(factors_.first.data(), call.outputs[0].data, factors_.second.data(),
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

Implementation convolution_kernel_gradient_kernel() {
  return {"cudnn",
          [](Call const& call) {
            return factors_of_one_type(call) && takes(problem_of(call).geometry);
          },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<KernelGradient<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::cudnn
