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
  bool is_read = false;  ///< some of it is an input

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
      if (range.is_read) device::copy_to_host(range.copy.get(), range.on_device, range.bytes);
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
    for (auto const& view : views)
      if (view.data != nullptr && range_of(view) == nullptr) add_range(view);
    for (auto const& input : call.inputs)
      if (input.data != nullptr) range_of(input)->is_read = true;
  }

  void add_range(View const& view) {
    auto const bytes = view.bytes();
    ranges_.push_back(
        {view.as<std::byte>(), bytes, device::allocate_pinned(static_cast<std::int64_t>(bytes))});
    if (ranges_.back().copy == nullptr)
      device::fail("the host has no memory for copies of tensors of the device");
  }

  /// The range that holds it, or null.
  Range* range_of(View const& view) {
    auto const range = std::ranges::find_if(
        ranges_, [&](Range const& each) { return each.holds(view.as<std::byte>(), view.bytes()); });
    return range == ranges_.end() ? nullptr : &*range;
  }

  std::byte* in_copy(View const& view) {
    auto const* const range = range_of(view);
    return range == nullptr ? nullptr
                            : range->copy.get() + (view.as<std::byte>() - range->on_device);
  }

  std::vector<View> copies_of(std::span<View const> views) {
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
