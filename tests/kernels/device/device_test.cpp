// The device of this build: memory, order of copies and launches, recorded graphs. And on the
// emulated device that it finds what it is there to find: each fault is planted once.
#include "kernels/device/device.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include "kernels/staged.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/reports/device.hpp"
#include "schemas/specialization/specialization.hpp"
#include "tests/support/kernel_case.hpp"

using namespace lbann;

namespace {

constexpr std::size_t count = 1000, bytes = count * sizeof(float);

/// y = 2 x on the device.
struct Doubling {
  Operator op;
  std::vector<kernels::View> inputs, outputs;
  std::unique_ptr<kernels::Kernel> kernel;

  Doubling(std::byte* x, std::byte* y) {
    Shape const shape({{static_cast<std::int64_t>(count), false}});
    operators::map map;
    map.expression.nodes = {{Node::Kind::operand},
                            {Node::Kind::function, Function::add, {0, 0, 0}}};
    map.expression.outputs = {1};
    map.shape = shape;
    map.compute = DataType::f32;
    map.types = {DataType::f32};
    op = map;
    inputs = {kernels::make_view(x, {DataType::f32, shape}, 1)};
    outputs = {kernels::make_view(y, {DataType::f32, shape}, 1)};
    kernel = kernels::bind({&op, inputs, outputs, {}, 1});
  }
};

std::vector<float> numbers(float first) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// How the process ends that does `work`: a signal, or -1 where it does not.
int signal_of(std::function<void()> const& work) {
  auto const child = ::fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stderr);
    // As the process would end without doctest.
    for (int each : {SIGSEGV, SIGABRT}) std::signal(each, SIG_DFL);
    work();
    std::_Exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

bool const emulated = device::kind() == device::Kind::emulated;

}  // namespace

TEST_CASE("memory of the device is zeroed and aligned") {
  auto const memory = device::allocate(bytes);
  REQUIRE(memory != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(memory.get()) % 256 == 0);
  auto found = numbers(1);
  device::copy_to_host(found.data(), memory.get(), bytes);
  device::synchronize();
  CHECK(found == std::vector<float>(count, 0));
}

TEST_CASE("copies and launches run in the order of queueing") {
  auto const x = device::allocate(bytes), y = device::allocate(bytes);
  auto const values = numbers(1), others = numbers(7);
  Doubling const doubling(x.get(), y.get());
  std::vector<float> first(count), second(count), copied(count);
  device::copy_to_device(x.get(), values.data(), bytes);
  doubling.kernel->run();
  device::copy_to_host(first.data(), y.get(), bytes);
  device::copy_to_device(x.get(), others.data(), bytes);
  doubling.kernel->run();
  device::copy_to_host(second.data(), y.get(), bytes);
  device::copy_on_device(x.get(), y.get(), bytes);
  device::copy_to_host(copied.data(), x.get(), bytes);
  device::synchronize();
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(first[i] == 2 * values[i]);
    CHECK(second[i] == 2 * others[i]);
    CHECK(copied[i] == second[i]);
  }
}

TEST_CASE("a recorded graph does the same again, with what memory holds then" *
          doctest::skip(!device::has_own_memory())) {
  auto const x = device::allocate(bytes), y = device::allocate(bytes);
  Doubling const doubling(x.get(), y.get());
  auto const in = device::allocate_pinned(bytes), out = device::allocate_pinned(bytes);
  device::begin_recording();
  device::copy_to_device(x.get(), in.get(), bytes);
  doubling.kernel->run();
  device::copy_to_host(out.get(), y.get(), bytes);
  auto const graph = device::end_recording();
  for (float const first : {1.0F, 5.0F, -3.0F}) {
    auto const values = numbers(first);
    std::memcpy(in.get(), values.data(), bytes);
    graph->launch();
    device::synchronize();
    auto const* const found = reinterpret_cast<float const*>(out.get());
    for (std::size_t i = 0; i < count; ++i) CHECK(found[i] == 2 * values[i]);
  }
}

template <std::size_t... i>
std::vector<Operator> one_of_each(std::index_sequence<i...>) {
  return {Operator(std::in_place_index<i>)...};
}

TEST_CASE("operators that are reported to run on the host are those without a kernel for devices" *
          doctest::skip(!device::has_own_memory())) {
  for (auto const& op : one_of_each(std::make_index_sequence<std::variant_size_v<Operator>>())) {
    CAPTURE(name_of(op));
    auto const kernels = kernels::implementations(op.index());
    // Of collectives kernels compute what they are for a rank alone; no plan leaves any to them.
    bool const on_host = !kernels.empty() && kernels.front().where == kernels::Where::host;
    CHECK((runs_on_host(op) || axes_of_collective(op) != nullptr) == on_host);
  }
}

TEST_CASE("a kernel of the host runs on copies" * doctest::skip(!device::has_own_memory())) {
  auto const x = device::allocate(bytes);
  Doubling const doubling(x.get(), x.get());  // in place: one copy for both
  auto const& reference = kernels::implementations(doubling.op.index()).back();
  REQUIRE(reference.where == kernels::Where::host);
  auto const staged =
      kernels::staged_kernel(reference, {&doubling.op, doubling.inputs, doubling.outputs, {}, 1});
  CHECK(staged->waits());
  auto found = numbers(3);
  auto const values = found;
  device::copy_to_device(x.get(), found.data(), bytes);
  staged->run();
  device::copy_to_host(found.data(), x.get(), bytes);
  device::synchronize();
  for (std::size_t i = 0; i < count; ++i) CHECK(found[i] == 2 * values[i]);
}

TEST_CASE("planted: the host touches memory of the device" * doctest::skip(!emulated)) {
  auto const memory = device::allocate(bytes);
  CHECK(signal_of([&] { *reinterpret_cast<float volatile*>(memory.get()) = 1; }) == SIGSEGV);
  CHECK(signal_of([&] {
          auto const value = *reinterpret_cast<float volatile*>(memory.get() + 40);
          static_cast<void>(value);
        }) == SIGSEGV);
  // Also after work has run there.
  auto const values = numbers(1);
  device::copy_to_device(memory.get(), values.data(), bytes);
  device::synchronize();
  CHECK(signal_of([&] { std::memset(memory.get(), 0, 4); }) == SIGSEGV);
}

TEST_CASE("planted: a kernel of the host is bound to memory of the device" *
          doctest::skip(!emulated)) {
  auto const x = device::allocate(bytes), y = device::allocate(bytes);
  Doubling const doubling(x.get(), y.get());
  auto const& reference = kernels::implementations(doubling.op.index()).back();
  CHECK(signal_of([&] {
          reference.bind({&doubling.op, doubling.inputs, doubling.outputs, {}, 1})->run();
        }) == SIGSEGV);
}

TEST_CASE("planted: the host does not wait for what it reads" * doctest::skip(!emulated)) {
  auto const x = device::allocate(bytes), y = device::allocate(bytes);
  auto const values = numbers(1);
  Doubling const doubling(x.get(), y.get());
  std::vector<float> found(count);
  device::copy_to_device(x.get(), values.data(), bytes);
  doubling.kernel->run();
  device::copy_to_host(found.data(), y.get(), bytes);
  CHECK(std::isnan(found.front()));
  CHECK(std::isnan(found.back()));
  device::synchronize();
  CHECK(found[1] == 2 * values[1]);
  // Nor for what a graph is to bring.
  device::begin_recording();
  device::copy_to_host(found.data(), y.get(), bytes);
  auto const graph = device::end_recording();
  CHECK(found[1] == 2 * values[1]);
  graph->launch();
  CHECK(std::isnan(found[1]));
  device::synchronize();
}

TEST_CASE("planted: the source of a copy is used again too early" * doctest::skip(!emulated)) {
  auto const x = device::allocate(bytes);
  auto values = numbers(1);
  std::vector<float> found(count);
  device::copy_to_device(x.get(), values.data(), bytes);
  std::iota(values.begin(), values.end(), 100.0F);
  device::copy_to_host(found.data(), x.get(), bytes);
  device::synchronize();
  CHECK(found[0] == 100);  // not 1, as by a copy that was made at once
}

TEST_CASE("planted: the host waits for the device while its work is recorded" *
          doctest::skip(!emulated)) {
  CHECK(signal_of([] {
          device::begin_recording();
          device::synchronize();
        }) == SIGABRT);
  auto const x = device::allocate(bytes), y = device::allocate(bytes);
  Doubling const doubling(x.get(), y.get());
  auto const& reference = kernels::implementations(doubling.op.index()).back();
  auto const staged =
      kernels::staged_kernel(reference, {&doubling.op, doubling.inputs, doubling.outputs, {}, 1});
  CHECK(signal_of([&] {
          device::begin_recording();
          staged->run();
        }) == SIGABRT);
}

TEST_CASE("planted: work is launched on memory that was released" * doctest::skip(!emulated)) {
  auto const x = device::allocate(bytes);
  auto y = device::allocate(bytes);
  Doubling const doubling(x.get(), y.get());
  y.reset();
  CHECK(signal_of([&] {
          doubling.kernel->run();
          device::synchronize();
        }) == SIGSEGV);
}

TEST_CASE("planted: more is copied than the device holds" * doctest::skip(!emulated)) {
  auto const x = device::allocate(4096);
  std::vector<std::byte> const values(std::size_t{1} << 20);
  CHECK(signal_of([&] {
          device::copy_to_device(x.get(), values.data(), values.size());
          device::synchronize();
        }) == SIGSEGV);
}
