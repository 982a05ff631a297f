// convolution by cuDNN, its epilogue by a launch of its own.
#include "kernels/element_types.hpp"
#include "kernels/kokkos/whole_product.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/vendor/cudnn/factor.hpp"
#include "kernels/vendor/cudnn/plan.hpp"

namespace lbann::kernels::cudnn {

namespace {

template <class T>
class Convolution : public Kernel {
 public:
  explicit Convolution(Call const& call)
      : plan_(Plan::for_device(problem_of(call))),
        factors_(call, plan_->workspace_bytes()),
        product_(operator_of<operators::convolution>(call).epilogue, call) {
    plan_->bind(factors_.first.data(), factors_.second.data(), product_.data(), factors_.workspace);
  }

  void run() override {
    factors_.copy();
    plan_->run();
    product_.finish();
  }

 private:
  std::unique_ptr<Plan> plan_;
  Factors<T> factors_;
  kokkos::WholeProduct<T> product_;
};

}  // namespace

Implementation convolution_kernel() {
  return {"cudnn",
          [](Call const& call) {
            auto const& epilogue = operator_of<operators::convolution>(call).epilogue;
            return with_factor_type(call.inputs[0].type, [&](auto zero) {
              return takes(problem_of(call).geometry) &&
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
