// What happens when the device fails.
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "kernels/device/device.hpp"

namespace lbann::device {

namespace {
std::atomic<void (*)(std::string const&)> handler = nullptr;
}

void on_failure(void (*wanted)(std::string const& message)) { handler = wanted; }

void fail(std::string const& message) {
  if (auto const wanted = handler.load()) wanted(message);
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

}  // namespace lbann::device
