// Kernels that post, poll and await a transfer.
#include "runtime/execution/collectives.hpp"

namespace lbann::runtime {

namespace {

template <auto action>
class TransferKernel final : public kernels::Kernel {
 public:
  explicit TransferKernel(Transfer& transfer) : transfer_(transfer) {}
  void run() override { (transfer_.*action)(); }

 private:
  Transfer& transfer_;
};

}  // namespace

std::unique_ptr<kernels::Kernel> post_kernel(Transfer& transfer) {
  return std::make_unique<TransferKernel<&Transfer::post>>(transfer);
}
std::unique_ptr<kernels::Kernel> poll_kernel(Transfer& transfer) {
  return std::make_unique<TransferKernel<&Transfer::arrived>>(transfer);
}
std::unique_ptr<kernels::Kernel> await_kernel(Transfer& transfer) {
  return std::make_unique<TransferKernel<&Transfer::await>>(transfer);
}

}  // namespace lbann::runtime
