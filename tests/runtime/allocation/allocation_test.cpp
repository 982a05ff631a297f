// A training step allocates nothing, on any thread, neither through operator new nor below it.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>

#include "kernels/compute_threads.hpp"
#include "kernels/device/device.hpp"
#include "runtime/callbacks/make_callback.hpp"
#include "runtime/callbacks/metrics_file.hpp"
#include "runtime/training/feeds.hpp"
#include "schemas/data_readers/synthetic.hpp"
#include "tests/runtime/regression.hpp"

namespace {
std::atomic<bool> counting{false};
std::atomic<long> allocations{0};

void count() {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

// The allocator of glibc under its own names, so that everything linked in comes through here.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  count();
  return __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size) {
  count();
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  count();
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}
}

using namespace lbann;
using namespace lbann::runtime;

namespace {

long counted(auto const& action) {
  allocations = 0;
  counting = true;
  action();
  counting = false;
  return allocations;
}

/// Counts in two windows within epochs, each from the end of one step to the end of another. What a
/// thread that reads data allocates for its first part of a mini-batch, which on a busy machine may
/// come late, falls into one of them at most.
class CountingWindows final : public Callback {
 public:
  bool observes_steps() const override { return true; }
  Result<Success> step_end(StepResult const& step) override {
    if (step.step == 98 || step.step == 148) {
      counting = false;
      fewest = std::min(fewest, allocations.exchange(0));
      ++windows;
    }
    if (step.step == 60 || step.step == 110) counting = true;
    return Success{};
  }

  long fewest = std::numeric_limits<long>::max();
  int windows = 0;
};

}  // namespace

TEST_CASE("the hook sees every way to allocate") {
  void* volatile kept = nullptr;
  auto const keep = [&](void* p) {
    kept = p;
    std::free(kept);
  };
  CHECK(counted([&] { keep(std::malloc(10)); }) == 1);
  CHECK(counted([&] { keep(std::calloc(10, 1)); }) == 1);
  CHECK(counted([&] { keep(std::realloc(nullptr, 10)); }) == 1);
  CHECK(counted([&] { keep(std::aligned_alloc(64, 64)); }) == 1);
  CHECK(counted([&] {
          void* p = nullptr;
          if (::posix_memalign(&p, 64, 64) == 0) keep(p);
        }) == 1);
  CHECK(counted([&] {
          auto* const p = new int(3);
          kept = p;
          delete p;
        }) == 1);
  CHECK(counted([&] {
          struct alignas(128) Wide {
            char bytes[128];
          };
          auto* const p = new Wide{};
          kept = p;
          delete p;
        }) == 1);
  CHECK(counted([] {}) == 0);
}

// What is queued on the emulated device is allocated.
TEST_CASE("forty steps of training with data threads and metrics allocate nothing" *
          doctest::skip(device::kind() == device::Kind::emulated)) {
  test::ScratchFolder const scratch;
  auto plan = test::regression_plan();
  auto reader = from_record<data_readers::synthetic>(plan.data[0].reader.record);
  REQUIRE(reader.has_value());
  reader->num_samples = 8 * 50;
  reader->shuffle = true;
  plan.data[0].reader.record = to_record(*reader);
  plan.data[0].samples = reader->num_samples;
  plan.data.resize(1);

  auto feeds = open_feeds(plan, {"", 2});
  REQUIRE(feeds.good());
  auto executor =
      Executor::create(plan, feeds.value().sizes.largest_micro_batch(), kernels::Selection::best);
  REQUIRE(executor.good());
  Log log(nullptr);
  CallbackContext const view{plan, *executor.value(), log, feeds.value().sizes, scratch.path()};
  Callbacks callbacks;
  auto metrics = metrics_file(view);
  REQUIRE(metrics.good());
  callbacks.add(std::move(metrics).value(), "metrics");
  callbacks.add(callback_of(callbacks::timer{}, view, {}), "timer");
  callbacks.add(callback_of(callbacks::print{}, view, {}), "print");
  auto counts = std::make_unique<CountingWindows>();
  auto const& windows = *counts;
  callbacks.add(std::move(counts), "counts");
  Sgd sgd(view, *executor.value(), callbacks, feeds.value().phases, {});
  REQUIRE(sgd.prepare().good());
  sgd.initialize();
  allocations = 0;
  auto const ending = sgd.train();
  REQUIRE(ending.good());
  CHECK(ending.value().steps == 150);
  CHECK(windows.windows == 2);
  CHECK(windows.fewest == 0);
}

int main(int argc, char** argv) {
  kernels::ComputeThreads const threads(2, kernels::WaitPolicy::passive);
  return doctest::Context(argc, argv).run();
}
