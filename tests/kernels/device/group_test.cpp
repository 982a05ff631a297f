// Sums over the devices of processes: here of one, which is all that a machine with one GPU can
// have.
#include "kernels/device/group.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "kernels/device/device.hpp"

using namespace lbann;

TEST_CASE("a group of one process: sums are copies, at once and recorded") {
  auto const name = device::new_group();
  if (!name) {
    MESSAGE("skipped: no sums by devices in this build, or no library for them");
    return;
  }
  CHECK(!device::identity().empty());
  constexpr std::size_t count = 1000, bytes = count * sizeof(float);
  auto const parts = device::allocate(bytes), sum = device::allocate(bytes);
  auto const group = device::join_group(*name, 0, 1);
  auto const all = group->sum(parts.get(), sum.get(), count, DataType::f32);
  std::vector<float> numbers(count), found(count);
  auto const run = [&](auto const& launch, float first) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = first + static_cast<float>(i);
    device::copy_to_device(parts.get(), numbers.data(), bytes);
    launch();
    device::copy_to_host(found.data(), sum.get(), bytes);
    device::synchronize();
    CHECK(found == numbers);
  };
  auto const post = [&] {
    all->post();
    all->await();
  };
  run(post, 1);
  device::begin_recording();
  post();
  auto const graph = device::end_recording();
  run([&] { graph->launch(); }, 2);
  run([&] { graph->launch(); }, 3);
}
