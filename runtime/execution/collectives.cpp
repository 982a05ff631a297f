// Kernels that post, poll and await a transfer.
#include "runtime/execution/collectives.hpp"

#include "kernels/device/device.hpp"

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

class StagedSum final : public Transfer {
 public:
  StagedSum(Communicator& ranks, kernels::View const& parts, kernels::View const& sum)
      : parts_(parts),
        sum_(sum),
        host_(device::allocate_pinned(static_cast<std::int64_t>(parts.bytes()))),
        transfer_(ranks.sum(host_.get(), host_.get(), parts.elements(), parts.type)) {
    if (host_ == nullptr && parts.bytes() > 0)
      device::fail("the host has no memory for sums over ranks of tensors of the device");
  }

  void post() override {
    device::copy_to_host(host_.get(), parts_.data, parts_.bytes());
    device::synchronize();
    transfer_->post();
  }
  bool arrived() override { return transfer_->arrived(); }
  void await() override {
    transfer_->await();
    device::copy_to_device(sum_.data, host_.get(), sum_.bytes());
  }

 private:
  kernels::View parts_, sum_;
  device::Pinned host_;
  std::unique_ptr<Transfer> transfer_;
};

}  // namespace

std::unique_ptr<Transfer> staged_sum(Communicator& ranks, kernels::View const& parts,
                                     kernels::View const& sum) {
  return std::make_unique<StagedSum>(ranks, parts, sum);
}

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
