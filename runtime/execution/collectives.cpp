// Three kernels that work on a message instead of numbers.
#include "runtime/execution/collectives.hpp"

namespace lbann::runtime {

namespace {

template <auto action>
class SumKernel final : public kernels::Kernel {
 public:
  explicit SumKernel(Sum& sum) : sum_(sum) {}
  void run() override { (sum_.*action)(); }

 private:
  Sum& sum_;
};

}  // namespace

std::unique_ptr<kernels::Kernel> posting(Sum& sum) {
  return std::make_unique<SumKernel<&Sum::post>>(sum);
}
std::unique_ptr<kernels::Kernel> polling(Sum& sum) {
  return std::make_unique<SumKernel<&Sum::arrived>>(sum);
}
std::unique_ptr<kernels::Kernel> awaiting(Sum& sum) {
  return std::make_unique<SumKernel<&Sum::await>>(sum);
}

}  // namespace lbann::runtime
