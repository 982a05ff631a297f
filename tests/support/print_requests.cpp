// Prints what the process has asked of the emulated device, when it ends.
#include <cstdio>

#include "kernels/device/emulated.hpp"

namespace {

struct AtTheEnd {
  ~AtTheEnd() {
    auto const found = lbann::device::requests();
    auto const print = [](char const* name, std::int64_t count) {
      std::printf("%s %lld\n", name, static_cast<long long>(count));
    };
    print("kernels", found.kernels);
    print("graphs", found.graphs);
    print("graph_kernels", found.graph_kernels);
    print("copies_to_device", found.copies_to_device);
    print("copies_to_host", found.copies_to_host);
    print("copies_on_device", found.copies_on_device);
    print("waits", found.waits);
    print("bytes_to_device", found.bytes_to_device);
    print("bytes_to_host", found.bytes_to_host);
  }
} const at_the_end;

}  // namespace
