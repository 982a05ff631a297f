// convolution by cuDNN, its epilogue by a launch of its own.
#include "kernels/element_types.hpp"
#include "kernels/kokkos/whole_product.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/vendor/cudnn/factor.hpp"
#include "kernels/vendor/cudnn/problem.hpp"

namespace lbann::kernels::cudnn {

namespace {

WindowGeometry geometry(Call const& call) {
  return geometry_of(operator_of<operators::convolution>(call), call.inputs[0], call.outputs[0],
                     call.inputs[1]);
}

template <class T>
class Convolution : public Kernel {
 public:
  explicit Convolution(Call const& call)
      : problem_(geometry(call), call.inputs[0].type),
        product_(operator_of<operators::convolution>(call).epilogue, call),
        factors_(call.inputs[0], call.inputs[1]) {
    choice_ = choose<cudnnConvolutionFwdAlgo_t, cudnnConvolutionFwdAlgoPerf_t>(
        problem_, "cudnnGetConvolutionForwardAlgorithm_v7",
        [this](auto* found, int most, int* count) {
          return cudnnGetConvolutionForwardAlgorithm_v7(handle(), problem_.x, problem_.kernel,
                                                        problem_.convolution, problem_.y, most,
                                                        count, found);
        });
    factors_.place(choice_.bytes);
  }

  void run() override {
    ComputeType<T> const one = 1, zero = 0;
    auto const *const x = factors_.first.get(), *const kernel = factors_.second.get();
    check(cudnnConvolutionForward(handle(), &one, problem_.x, x, problem_.kernel, kernel,
                                  problem_.convolution, choice_.algorithm, factors_.workspace,
                                  choice_.bytes, &zero, problem_.y, product_.data()),
          "cudnnConvolutionForward");
    product_.finish();
  }

 private:
  Problem problem_;
  kokkos::WholeProduct<T> product_;
  Factors<T> factors_;
  Choice<cudnnConvolutionFwdAlgo_t> choice_;
};

}  // namespace

Implementation convolution_kernel() {
  return {"cudnn",
          [](Call const& call) {
            auto const& epilogue = operator_of<operators::convolution>(call).epilogue;
            return with_factor_type(call.inputs[0].type, [&](auto zero) {
              return takes(geometry(call)) &&
                     kokkos::WholeProduct<decltype(zero)>::fits(epilogue, call);
            });
          },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<Convolution<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::cudnn
