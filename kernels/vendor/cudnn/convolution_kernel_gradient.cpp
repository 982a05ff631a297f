// convolution_kernel_gradient by cuDNN.
#include "kernels/element_types.hpp"
#include "kernels/selection/list.hpp"
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
        x_(call.inputs[0].data),
        dy_(call.inputs[1].data),
        dkernel_(call.outputs[0].data) {
    choice_ = choose<cudnnConvolutionBwdFilterAlgo_t, cudnnConvolutionBwdFilterAlgoPerf_t>(
        problem_, "cudnnGetConvolutionBackwardFilterAlgorithm_v7",
        [this](auto* found, int most, int* count) {
          return cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle(), problem_.x, problem_.y,
                                                               problem_.convolution,
                                                               problem_.kernel, most, count, found);
        });
    workspace_ = workspace(choice_.bytes);
  }

  void run() override {
    T const one = 1, zero = 0;
    check(cudnnConvolutionBackwardFilter(handle(), &one, problem_.x, x_, problem_.y, dy_,
                                         problem_.convolution, choice_.algorithm, workspace_,
                                         choice_.bytes, &zero, problem_.kernel, dkernel_),
          "cudnnConvolutionBackwardFilter");
  }

 private:
  Problem problem_;
  void const *x_, *dy_;
  void* dkernel_;
  Choice<cudnnConvolutionBwdFilterAlgo_t> choice_;
  void* workspace_;
};

}  // namespace

Implementation convolution_kernel_gradient_kernel() {
  return {"cudnn", [](Call const& call) { return one_type(call) && takes(geometry(call)); },
          [](Call const& call) {
            return with_floating(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<KernelGradient<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::cudnn
