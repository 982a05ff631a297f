// Copies operands to the host, runs there, copies results back.
#include "kernels/staged.hpp"

#include <algorithm>
#include <vector>

#include "kernels/device/device.hpp"

namespace lbann::kernels {

namespace {

/// Bytes of the device's memory and their copy on the host.
struct Range {
  std::byte* on_device = nullptr;
  std::size_t bytes = 0;
  device::Pinned copy;

  bool holds(std::byte const* begin, std::size_t size) const {
    return begin >= on_device && begin + size <= on_device + bytes;
  }
};

class Staged final : public Kernel {
 public:
  Staged(Implementation const& host, Call const& call) {
    add_ranges(call);
    Call copied = call;
    auto const inputs = copies_of(call.inputs), outputs = copies_of(call.outputs);
    copied.inputs = inputs;
    copied.outputs = outputs;
    scratch_ = device::allocate_pinned(static_cast<std::int64_t>(call.scratch.size()));
    copied.scratch = {scratch_.get(), call.scratch.size()};
    kernel_ = host.bind(copied);
    for (auto const& output : call.outputs)
      if (output.data != nullptr) results_.push_back({output, in_copy(output)});
  }

  bool bound() const { return kernel_ != nullptr; }
  bool waits() const override { return true; }

  void run() override {
    for (auto const& range : ranges_)
      device::copy_to_host(range.copy.get(), range.on_device, range.bytes);
    device::synchronize();
    kernel_->run();
    for (auto const& [view, copy] : results_) device::copy_to_device(view.data, copy, view.bytes());
    // The copies are written again by the next run.
    device::synchronize();
  }

 private:
  struct Result {
    View on_device;
    std::byte* copy;
  };

  /// Operands in the same memory, as an output in the place of an input, share a copy.
  void add_ranges(Call const& call) {
    std::vector<View> views(call.inputs.begin(), call.inputs.end());
    views.insert(views.end(), call.outputs.begin(), call.outputs.end());
    std::ranges::stable_sort(views, std::ranges::greater{}, &View::bytes);
    for (auto const& view : views) {
      auto* const begin = view.as<std::byte>();
      auto const bytes = view.bytes();
      if (begin == nullptr || std::ranges::any_of(ranges_, [&](Range const& range) {
            return range.holds(begin, bytes);
          }))
        continue;
      ranges_.push_back({begin, bytes, device::allocate_pinned(static_cast<std::int64_t>(bytes))});
      if (ranges_.back().copy == nullptr)
        device::fail("the host has no memory for copies of tensors of the device");
    }
  }

  std::byte* in_copy(View const& view) const {
    auto* const begin = view.as<std::byte>();
    auto const range = std::ranges::find_if(
        ranges_, [&](Range const& each) { return each.holds(begin, view.bytes()); });
    return range == ranges_.end() ? nullptr : range->copy.get() + (begin - range->on_device);
  }

  std::vector<View> copies_of(std::span<View const> views) const {
    std::vector<View> copies(views.begin(), views.end());
    for (auto& view : copies) view.data = in_copy(view);
    return copies;
  }

  std::vector<Range> ranges_;
  std::vector<Result> results_;
  device::Pinned scratch_;
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace

std::unique_ptr<Kernel> staged_kernel(Implementation const& host, Call const& call) {
  auto kernel = std::make_unique<Staged>(host, call);
  if (!kernel->bound()) return nullptr;
  return kernel;
}

}  // namespace lbann::kernels
