// Binds a case to memory, runs its implementations in turns, prints the best of each.
#include "tests/kernels/benchmarks/measure.hpp"

#include <sys/mman.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

#include "kernels/kernel.hpp"
#include "kernels/tasks.hpp"
#include "tests/kernels/benchmarks/peak.hpp"

namespace lbann::benchmarks {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// In huge pages where the system has them, as the runtime's arenas are.
class Memory {
 public:
  explicit Memory(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    std::size_t const page = bytes_ >= huge_page ? huge_page : 64;
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(page, (bytes_ / page + 1) * page)));
    if (page == huge_page) ::madvise(data_.get(), bytes_, MADV_HUGEPAGE);
    std::memset(data_.get(), 0, bytes_);
  }
  std::span<std::byte> all() const { return {data_.get(), bytes_}; }

 private:
  static constexpr std::size_t huge_page = std::size_t{1} << 21;
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> data_;
};

/// A case in memory: floats uniform in [-1, 1], whole numbers zero, indices anywhere.
struct Bound {
  std::vector<Memory> memory;
  std::vector<kernels::View> inputs, outputs;
  std::span<std::byte> scratch;
  double bytes = 0, flops = 0;

  explicit Bound(Case const& one) {
    auto const outputs_of = infer(one.op, one.inputs);
    if (!outputs_of) {
      std::fprintf(stderr, "%s: %s\n", one.name.c_str(), outputs_of.problem().message.c_str());
      std::exit(1);
    }
    Signature const signature{one.inputs, outputs_of.value()};
    std::mt19937 generator(1);
    for (auto const& type : one.inputs) {
      inputs.push_back(place(type, one.samples));
      auto* const numbers = inputs.back().as<float>();
      auto const places = inputs.size() == 2 ? one.places : 0;
      if (type.type == DataType::f32)
        for (std::int64_t i = 0; i < inputs.back().elements(); ++i)
          numbers[i] = places > 0 ? static_cast<float>(generator() % places)
                                  : static_cast<float>(generator() % 2001) * 1e-3f - 1;
    }
    for (std::size_t o = 0; o < outputs_of.value().size(); ++o) {
      outputs.push_back(place(outputs_of.value()[o], one.samples));
      if (o < one.in_place.size())
        outputs[o].data = inputs[static_cast<std::size_t>(one.in_place[o])].data;
    }
    memory.emplace_back(scratch_bytes(one.op, signature, one.samples, kernels::ThreadTeam::size()));
    scratch = memory.back().all();
    flops = static_cast<double>(lbann::flops(one.op, signature, one.samples));
  }

  kernels::View place(TensorType const& type, std::int64_t samples) {
    auto const size = type.shape.elements(samples) * static_cast<std::int64_t>(bytes_of(type.type));
    bytes += static_cast<double>(size);
    memory.emplace_back(size);
    return kernels::make_view(memory.back().all().data(), type, samples);
  }
};

struct Contestant {
  std::string_view name;
  std::unique_ptr<kernels::Kernel> kernel;
  double best = 1e9;  ///< seconds
};

/// In turns, so that all see the same disturbances; each runs twice, for its own data in the
/// caches.
std::vector<Contestant> contest(Case const& one, Bound const& bound, double seconds) {
  kernels::Call const call{&one.op, bound.inputs, bound.outputs, bound.scratch, one.samples};
  auto const list = kernels::implementations(one.op.index());
  std::vector<Contestant> contestants;
  for (auto const& implementation : list.first(list.size() - 1)) {
    // Portable kernels are for devices where there are others for this machine.
    if (implementation.name == "kokkos" && !contestants.empty()) continue;
    if (implementation.accepts(call))
      contestants.push_back({implementation.name, implementation.bind(call)});
  }
  auto const begin = Clock::now();
  for (int round = 0; round < 3 || seconds_since(begin) < seconds; ++round)
    for (auto& contestant : contestants) {
      contestant.kernel->run();
      auto const start = Clock::now();
      contestant.kernel->run();
      Kokkos::fence();
      contestant.best = std::min(contestant.best, seconds_since(start));
    }
  return contestants;
}

}  // namespace

Machine measure_machine() {
  Machine machine;
  constexpr std::int64_t count = std::int64_t{16} << 20;
  Memory const from(4 * count), to(4 * count);
  auto const* const source = reinterpret_cast<float const*>(from.all().data());
  auto* const target = reinterpret_cast<float*>(to.all().data());
  for (int round = 0; round < 20; ++round) {
    auto const start = Clock::now();
    kernels::launch_on_threads(count, [=](std::int64_t i) { target[i] = source[i]; });
    Kokkos::fence();
    machine.bytes = std::max(machine.bytes, 8.0 * count / seconds_since(start));
  }
  machine.flops = fma_rate();
  return machine;
}

void measure(Options const& options, Case const& one) {
  if (one.name.find(options.only) == std::string::npos) return;
  Bound const bound(one);
  auto const& machine = options.machine;
  auto const computing = bound.flops / machine.flops, moving = bound.bytes / machine.bytes;
  for (auto const& [name, kernel, best] : contest(one, bound, options.seconds)) {
    std::printf("%-46s %-7.*s %10.1f us  ", one.name.c_str(), static_cast<int>(name.size()),
                name.data(), best * 1e6);
    if (computing > moving)
      std::printf("%7.1f GFLOP/s %4.0f %%\n", bound.flops / best * 1e-9, 100 * computing / best);
    else
      std::printf("%7.1f GB/s    %4.0f %%\n", bound.bytes / best * 1e-9, 100 * moving / best);
    std::fflush(stdout);
  }
}

}  // namespace lbann::benchmarks
