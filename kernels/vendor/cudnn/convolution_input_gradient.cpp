// convolution_input_gradient by cuDNN.
#include "kernels/element_types.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/vendor/cudnn/factor.hpp"
#include "kernels/vendor/cudnn/problem.hpp"

namespace lbann::kernels::cudnn {

namespace {

WindowGeometry geometry(Call const& call) {
  auto const& op = operator_of<operators::convolution_input_gradient>(call);
  return geometry_of(op, call.outputs[0], call.inputs[0], call.inputs[1]);
}

template <class T>
class InputGradient : public Kernel {
 public:
  explicit InputGradient(Call const& call)
      : problem_(geometry(call), call.inputs[0].type),
        factors_(call.inputs[0], call.inputs[1]),
        dx_(call.outputs[0].data) {
    choice_ = choose<cudnnConvolutionBwdDataAlgo_t, cudnnConvolutionBwdDataAlgoPerf_t>(
        problem_, "cudnnGetConvolutionBackwardDataAlgorithm_v7",
        [this](auto* found, int most, int* count) {
          return cudnnGetConvolutionBackwardDataAlgorithm_v7(handle(), problem_.kernel, problem_.y,
                                                             problem_.convolution, problem_.x, most,
                                                             count, found);
        });
    factors_.place(choice_.bytes);
  }

  void run() override {
    ComputeType<T> const one = 1, zero = 0;
    auto const *const dy = factors_.first.get(), *const kernel = factors_.second.get();
    check(cudnnConvolutionBackwardData(handle(), &one, problem_.kernel, kernel, problem_.y, dy,
                                       problem_.convolution, choice_.algorithm, factors_.workspace,
                                       choice_.bytes, &zero, problem_.x, dx_),
          "cudnnConvolutionBackwardData");
  }

 private:
  Problem problem_;
  Factors<T> factors_;
  void* dx_;
  Choice<cudnnConvolutionBwdDataAlgo_t> choice_;
};

}  // namespace

Implementation convolution_input_gradient_kernel() {
  return {"cudnn",
          [](Call const& call) { return factors_of_one_type(call) && takes(geometry(call)); },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<InputGradient<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::cudnn
