// convolution_kernel_gradient by cuDNN.
#include "kernels/element_types.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/vendor/cudnn/factor.hpp"
#include "kernels/vendor/cudnn/problem.hpp"

namespace lbann::kernels::cudnn {

namespace {

WindowGeometry geometry(Call const& call) {
  auto const& op = operator_of<operators::convolution_kernel_gradient>(call);
  return geometry_of(op, call.inputs[0], call.inputs[1], call.outputs[0]);
}

template <class T>
class KernelGradient : public Kernel {
 public:
  explicit KernelGradient(Call const& call)
      : problem_(geometry(call), call.inputs[0].type),
        factors_(call.inputs[0], call.inputs[1]),
        dkernel_(call.outputs[0].data) {
    choice_ = choose<cudnnConvolutionBwdFilterAlgo_t, cudnnConvolutionBwdFilterAlgoPerf_t>(
        problem_, "cudnnGetConvolutionBackwardFilterAlgorithm_v7",
        [this](auto* found, int most, int* count) {
          return cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle(), problem_.x, problem_.y,
                                                               problem_.convolution,
                                                               problem_.kernel, most, count, found);
        });
    factors_.place(choice_.bytes);
  }

  void run() override {
    ComputeType<T> const one = 1, zero = 0;
    auto const *const x = factors_.first.get(), *const dy = factors_.second.get();
    check(
        cudnnConvolutionBackwardFilter(handle(), &one, problem_.x, x, problem_.y, dy,
                                       problem_.convolution, choice_.algorithm, factors_.workspace,
                                       choice_.bytes, &zero, problem_.kernel, dkernel_),
        "cudnnConvolutionBackwardFilter");
  }

 private:
  Problem problem_;
  Factors<T> factors_;
  void* dkernel_;
  Choice<cudnnConvolutionBwdFilterAlgo_t> choice_;
};

}  // namespace

Implementation convolution_kernel_gradient_kernel() {
  return {"cudnn",
          [](Call const& call) { return factors_of_one_type(call) && takes(geometry(call)); },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<KernelGradient<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::cudnn
