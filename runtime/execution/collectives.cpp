// Kernels that post, poll and await a transfer.
#include "runtime/execution/collectives.hpp"

#include <vector>

#include "kernels/device/device.hpp"
#include "runtime/execution/exchange_transfer.hpp"

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
    wait_for_device();
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

/// Pinned memory for an image of `bytes` of a device's tensor.
device::Pinned image_of(std::int64_t bytes) {
  auto image = device::allocate_pinned(bytes);
  if (image == nullptr && bytes > 0)
    device::fail("the host has no memory for messages with parts of tensors of the device");
  return image;
}

class StagedExchange final : public Transfer {
 public:
  StagedExchange(Communicator& trainer, Exchange exchange, kernels::View const& input,
                 kernels::View const& output)
      : input_(input),
        output_(output),
        from_(image_of(static_cast<std::int64_t>(input.bytes()))),
        to_(image_of(static_cast<std::int64_t>(output.bytes()))) {
    auto const bytes = (exchange.sent(trainer.rank()) + exchange.received(trainer.rank())) *
                       static_cast<std::int64_t>(bytes_of(input.type));
    scratch_.resize(static_cast<std::size_t>(bytes));
    auto from = input, to = output;
    from.data = from_.get();
    to.data = to_.get();
    auto const bytes_in = [&](std::vector<IndexRange> const& elements) {
      auto const element = static_cast<std::int64_t>(bytes_of(input.type));
      std::vector<IndexRange> ranges;
      for (auto const& range : elements)
        ranges.push_back({range.begin * element, range.size * element});
      return ranges;
    };
    read_ = bytes_in(exchange.read);
    written_ = bytes_in(exchange.written);
    transfer_ = exchange_transfer(trainer, std::move(exchange), from, to, scratch_);
  }

  void post() override {
    for (auto const& [begin, size] : read_)
      device::copy_to_host(from_.get() + begin, input_.as<std::byte>() + begin,
                           static_cast<std::size_t>(size));
    wait_for_device();
    transfer_->post();
  }
  bool arrived() override { return transfer_->arrived(); }
  void await() override {
    transfer_->await();
    for (auto const& [begin, size] : written_)
      device::copy_to_device(output_.as<std::byte>() + begin, to_.get() + begin,
                             static_cast<std::size_t>(size));
  }

 private:
  kernels::View input_, output_;
  device::Pinned from_, to_;
  std::vector<IndexRange> read_, written_;  ///< bytes of them
  std::vector<std::byte> scratch_;
  std::unique_ptr<Transfer> transfer_;
};

}  // namespace

std::unique_ptr<Transfer> staged_exchange(Communicator& trainer, Exchange exchange,
                                          kernels::View const& input, kernels::View const& output) {
  return std::make_unique<StagedExchange>(trainer, std::move(exchange), input, output);
}

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
