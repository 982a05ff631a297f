// Speed of products, convolutions and pooling at the shapes of the experiments, best of many runs.
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace {

using namespace lbann;

struct Options {
  double peak = 227e9;   ///< f32 operations in a second on one core; LBANN_PEAK_GFLOPS
  double seconds = 0.4;  ///< spent on each line
  std::string only;      ///< lines that contain it
};

class Memory {
 public:
  explicit Memory(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 64)) {
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(64, (bytes_ + 63) / 64 * 64)));
  }
  std::byte* data() { return data_.get(); }
  std::size_t size() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> data_;
};

/// Runs every implementation of `op` but the reference; outputs share memory with `in_place`
/// inputs.
void measure(Options const& options, std::string const& what, Operator const& op,
             TensorTypes const& inputs, std::int64_t samples, std::vector<int> in_place = {}) {
  if (what.find(options.only) == std::string::npos) return;
  auto const inferred = infer(op, inputs);
  if (!inferred) {
    std::printf("%s: %s\n", what.c_str(), inferred.problem().message.c_str());
    return;
  }
  auto const& outputs = inferred.value();
  std::vector<Memory> memory;
  memory.reserve(inputs.size() + outputs.size() + 1);
  std::vector<kernels::View> in, out;
  double bytes = 0;
  auto place = [&](TensorType const& type) {
    auto const size = static_cast<std::size_t>(type.shape.elements(samples)) * bytes_of(type.type);
    bytes += static_cast<double>(size);
    memory.emplace_back(size);
    return kernels::make_view(memory.back().data(), type, samples);
  };
  std::mt19937 generator(1);
  for (auto const& type : inputs) {
    in.push_back(place(type));
    for (std::int64_t i = 0; i < in.back().elements(); ++i)
      in.back().as<float>()[i] = static_cast<float>(generator() % 2001) * 1e-3f - 1;
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    out.push_back(place(outputs[o]));
    if (o < in_place.size()) out[o].data = in[static_cast<std::size_t>(in_place[o])].data;
  }
  memory.emplace_back(static_cast<std::size_t>(scratch_bytes(op, {inputs, outputs}, samples)));
  kernels::Call const call{&op, in, out, {memory.back().data(), memory.back().size()}, samples};
  auto const work = static_cast<double>(flops(op, {inputs, outputs}, samples));
  auto const list = kernels::implementations(op.index());
  struct Contestant {
    std::string_view name;
    std::unique_ptr<kernels::Kernel> kernel;
    double best = 1e9;
  };
  std::vector<Contestant> contestants;
  for (auto const& implementation : list.first(list.size() - 1))
    if (implementation.accepts(call))
      contestants.push_back({implementation.name, implementation.bind(call)});
  // In turns, so that all see the same disturbances.
  using Clock = std::chrono::steady_clock;
  auto const end = Clock::now() + std::chrono::duration<double>(options.seconds);
  for (int round = 0; round < 5 || Clock::now() < end; ++round)
    for (auto& contestant : contestants) {
      contestant.kernel->run();  // its own data in the caches
      auto const start = Clock::now();
      contestant.kernel->run();
      Kokkos::fence();
      contestant.best =
          std::min(contestant.best, std::chrono::duration<double>(Clock::now() - start).count());
    }
  for (auto const& [name, kernel, best] : contestants) {
    double const threads = Kokkos::DefaultHostExecutionSpace().concurrency();
    std::printf("%-42s %-8s %10.1f us %7.1f GF/s %3.0f %% of peak %7.1f GB/s\n", what.c_str(),
                std::string(name).c_str(), best * 1e6, work / best / 1e9,
                100 * work / best / (options.peak * threads), bytes / best / 1e9);
  }
}

TensorType f32(Shape shape) { return {DataType::f32, std::move(shape)}; }

/// The three products of a layer x [batch, in] -> [batch, out] with weights [out, in].
void fully_connected(Options const& options, std::string const& net, std::int64_t in,
                     std::int64_t out, std::int64_t batch) {
  auto const name = net + " " + std::to_string(in) + "-" + std::to_string(out);
  Shape const x{batch_extent, {in}}, y{batch_extent, {out}}, w{{out}, {in}};
  operators::matmul forward{
      false, true, *parse_expression("(maximum(add(i0, i1), 0))"), {DataType::f32}};
  measure(options, name + " forward, bias, relu", forward, {f32(x), f32(w), f32(Shape{{out}})},
          batch);
  measure(options, name + " gradient of data", operators::matmul{}, {f32(y), f32(w)}, batch);
  measure(options, name + " gradient of weights", operators::matmul{true, false, {}, {}},
          {f32(y), f32(x)}, batch);
  operators::matmul update{true,
                           false,
                           *parse_expression("(add(multiply(i1, 0.9), i0), subtract(i2, "
                                             "multiply(i3, add(multiply(i1, 0.9), i0))))"),
                           {DataType::f32, DataType::f32}};
  measure(options, name + " the same, SGD", update, {f32(y), f32(x), f32(w), f32(w), f32(Shape{})},
          batch, {2, 3});
}

void convolution(Options const& options, std::string const& net, std::int64_t channels,
                 std::int64_t extent, std::int64_t filters, std::int64_t taps, std::int64_t batch) {
  auto const name = net + " " + std::to_string(channels) + "-" + std::to_string(filters);
  auto const positions = extent - taps + 1;
  std::vector<std::int64_t> const one{1, 1}, none{0, 0};
  Shape const x{batch_extent, {channels}, {extent}, {extent}};
  Shape const y{batch_extent, {filters}, {positions}, {positions}};
  Shape const w{{filters}, {channels}, {taps}, {taps}};
  measure(options, name + " convolution", operators::convolution{one, none, one, 1, {}, {}},
          {f32(x), f32(w)}, batch);
  measure(options, name + " convolution, bias, relu",
          operators::convolution{
              one, none, one, 1, *parse_expression("(maximum(add(i0, i1), 0))"), {DataType::f32}},
          {f32(x), f32(w), f32(Shape{{filters}, {1}, {1}})}, batch);
  measure(options, name + " gradient of data",
          operators::convolution_input_gradient{one, none, one, 1, {extent, extent}},
          {f32(y), f32(w)}, batch);
  measure(options, name + " gradient of kernel",
          operators::convolution_kernel_gradient{one, none, one, 1, {taps, taps}}, {f32(x), f32(y)},
          batch);
}

void pooling(Options const& options, std::string const& net, std::int64_t channels,
             std::int64_t extent, std::int64_t batch) {
  auto const name = net + " " + std::to_string(channels) + "x" + std::to_string(extent);
  using operators::PoolMode;
  Shape const x{batch_extent, {channels}, {extent}, {extent}};
  Shape const y{batch_extent, {channels}, {extent / 2}, {extent / 2}};
  measure(options, name + " max pooling", operators::pooling{PoolMode::max, {2, 2}, {2, 2}, {0, 0}},
          {f32(x)}, batch);
  measure(options, name + " its gradient",
          operators::pooling_gradient{PoolMode::max, {2, 2}, {2, 2}, {0, 0}}, {f32(x), f32(y)},
          batch);
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::initialize();
  Options options;
  if (argc > 1) options.only = argv[1];
  if (char const* peak = std::getenv("LBANN_PEAK_GFLOPS")) options.peak = std::atof(peak) * 1e9;
  std::printf("%d threads\n", static_cast<int>(Kokkos::DefaultHostExecutionSpace().concurrency()));
  convolution(options, "lenet", 1, 28, 6, 5, 64);
  convolution(options, "lenet", 6, 12, 16, 5, 64);
  convolution(options, "wide", 64, 56, 64, 3, 8);
  pooling(options, "lenet", 6, 24, 64);
  pooling(options, "lenet", 16, 8, 64);
  for (auto [in, out] : {std::pair{256, 120}, {120, 84}, {84, 10}})
    fully_connected(options, "lenet", in, out, 64);
  for (auto [in, out] : {std::pair{784, 1024}, {1024, 1024}, {1024, 10}})
    fully_connected(options, "mlp", in, out, 128);
  for (auto [in, out] : {std::pair{3072, 4096}, {4096, 3072}})
    fully_connected(options, "autoencoder", in, out, 64);
  Kokkos::finalize();
}
