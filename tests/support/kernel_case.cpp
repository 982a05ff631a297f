// Runs calls of operators on random data and compares implementations.
#include "tests/support/kernel_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>
#include <utility>

#include <doctest/doctest.h>
#include "kernels/device/device.hpp"
#include "kernels/host/non_temporal.hpp"
#include "kernels/reference/all.hpp"
#include "kernels/thread_team.hpp"
#include "tests/support/counted.hpp"

namespace lbann::testing {

/// Memory with a margin on both sides that must stay as it is.
class Guarded {
 public:
  explicit Guarded(std::int64_t bytes)
      : bytes_(bytes), all_(static_cast<std::size_t>(bytes) + 320) {
    std::memset(all_.data(), 0xA5, all_.size());
    auto const address = reinterpret_cast<std::uintptr_t>(all_.data());
    begin_ = all_.data() + ((address + 127) / 64 * 64 - address);
  }
  std::byte* data() { return begin_; }
  /// From now on `to_device` and `from_device` copy all of it; where it begins there.
  std::byte* on_device() {
    if (device_ == nullptr) device_ = device::allocate(static_cast<std::int64_t>(all_.size()) + 64);
    return first_on_device() + (begin_ - all_.data());
  }
  void to_device() const {
    if (device_ != nullptr) device::copy_to_device(first_on_device(), all_.data(), all_.size());
  }
  void from_device() {
    if (device_ != nullptr) device::copy_to_host(all_.data(), first_on_device(), all_.size());
  }
  bool intact() const {
    for (auto const* p = all_.data(); p != all_.data() + all_.size(); ++p)
      if ((p < begin_ || p >= begin_ + bytes_) && *p != std::byte{0xA5}) return false;
    return true;
  }

 private:
  /// Aligned as on the host.
  std::byte* first_on_device() const {
    return device_.get() + reinterpret_cast<std::uintptr_t>(all_.data()) % 64;
  }

  std::int64_t bytes_;
  std::vector<std::byte> all_;
  std::byte* begin_;
  device::Memory device_;
};

namespace {

/// Whether kernels of `implementation` work on another memory than the host's.
bool is_on_device(kernels::Implementation const& implementation) {
  return device::has_own_memory() && implementation.where == kernels::Where::device;
}

bool close(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::fabs(a - b) <= tolerance * (1 + std::fabs(b));
}

bool same_bits(Values const& a, Values const& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

}  // namespace

Shape batch_of(std::initializer_list<std::int64_t> sample) {
  return batched(std::vector<std::int64_t>(sample));
}

double rounding(DataType type, std::int64_t terms) {
  auto const unit = type == DataType::f64 ? 0x1p-53 : 0x1p-24;
  auto const count = static_cast<double>(std::max<std::int64_t>(terms, 16));
  // Each addition rounds a sum of random signs, which has grown with the root of its terms: all of
  // them together grow with their number (products of uniform factors, variance 16 / 9).
  return 8 * unit * std::max(4 * std::sqrt(count), 0.54 * count);
}

KernelCase::KernelCase(Operator op, TensorTypes inputs, std::int64_t samples)
    : op_(std::move(op)), input_types_(std::move(inputs)), samples_(samples) {
  auto outputs = infer(op_, input_types_);
  if (!outputs) FAIL(std::string(name_of(op_)) << ": " << outputs.problem().message);
  output_types_ = std::move(outputs).value();
  for (auto const& type : input_types_)
    inputs_.emplace_back(static_cast<std::size_t>(type.shape.elements(samples)));
  place_.assign(output_types_.size(), -1);
}

KernelCase& KernelCase::fill(unsigned seed, double low, double high) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    for (auto& value : inputs_[i]) {
      value = uniform(engine);
      if (!is_floating(input_types_[i].type)) value = std::floor(std::fabs(value));
    }
  return *this;
}

KernelCase& KernelCase::set(std::size_t input, Values values) {
  REQUIRE(values.size() == inputs_[input].size());
  inputs_[input] = std::move(values);
  return *this;
}

KernelCase& KernelCase::in_place(std::size_t input, std::size_t output) {
  place_[output] = static_cast<std::ptrdiff_t>(input);
  return *this;
}

std::string KernelCase::describe() const {
  std::string text(name_of(op_));
  for (auto const& type : input_types_)
    text += " " + std::string(name_of(type.type)) + to_text(type.shape);
  text += " ->";
  for (auto const& type : output_types_)
    text += " " + std::string(name_of(type.type)) + to_text(type.shape);
  return text + " samples " + std::to_string(samples_);
}

/// Operands and scratch of a call, each with a margin that must stay as it is.
struct KernelCase::Operands {
  std::vector<Guarded> memory;
  std::vector<kernels::View> inputs, outputs;  ///< what the kernel is bound to
  std::vector<kernels::View> on_host;          ///< inputs, then outputs, for the test
  std::span<std::byte> scratch;
};

template <class F>
auto KernelCase::with_call(bool on_device, F&& f) {
  using kernels::View;
  Operands operands;
  auto& memory = operands.memory;
  memory.reserve(inputs_.size() + output_types_.size() + 1);
  auto const place = [&](Guarded& piece) { return on_device ? piece.on_device() : piece.data(); };
  auto view_of = [&](TensorType const& type) {
    memory.emplace_back(type.shape.elements(samples_) *
                        static_cast<std::int64_t>(bytes_of(type.type)));
    operands.on_host.push_back(kernels::make_view(memory.back().data(), type, samples_));
    return kernels::make_view(place(memory.back()), type, samples_);
  };
  for (auto const& type : input_types_) operands.inputs.push_back(view_of(type));
  for (std::size_t o = 0; o < output_types_.size(); ++o) {
    operands.outputs.push_back(view_of(output_types_[o]));
    if (place_[o] < 0) continue;
    auto const input = static_cast<std::size_t>(place_[o]);
    operands.outputs[o].data = operands.inputs[input].data;
    operands.on_host.back().data = operands.on_host[input].data;
  }
  auto const scratch_bytes =
      std::max(least_scratch_, lbann::scratch_bytes(op_, {input_types_, output_types_}, samples_,
                                                    kernels::ThreadTeam::size()));
  memory.emplace_back(scratch_bytes);
  operands.scratch = {place(memory.back()), static_cast<std::size_t>(scratch_bytes)};
  auto result = f(kernels::Call{&op_, operands.inputs, operands.outputs, operands.scratch, samples_,
                                begin_, whole_},
                  operands);
  for (auto const& piece : memory) CHECK_MESSAGE(piece.intact(), "wrote outside: " << describe());
  return result;
}

KernelCase& KernelCase::part(std::vector<std::int64_t> const& begin,
                             std::vector<std::int64_t> const& whole) {
  std::ranges::copy(begin, begin_.begin());
  std::ranges::copy(whole, whole_.begin());
  return *this;
}

bool KernelCase::accepts(kernels::Implementation const& implementation) {
  return with_call(is_on_device(implementation), [&](kernels::Call const& call, Operands const&) {
    return implementation.accepts(call);
  });
}

std::vector<Values> KernelCase::run(kernels::Implementation const& implementation,
                                    Threads threads) {
  bool const on_device = is_on_device(implementation);
  return with_call(on_device, [&](kernels::Call const& call, Operands& operands) {
    auto const kernel = implementation.bind(call);
    std::vector<Values> results(call.outputs.size());
    if (kernel == nullptr) FAIL("not bound: " << describe());
    for (int time = 0; time < 2; ++time) {
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        for (std::size_t e = 0; e < inputs_[i].size(); ++e)
          kernels::reference::set(operands.on_host[i], static_cast<std::int64_t>(e), inputs_[i][e]);
      for (auto const& piece : operands.memory) piece.to_device();
      if (threads == Threads::all || on_device) {
        kernel->run();
      } else {
        // Kernels of threads without a team run on the calling thread.
        std::thread([&] { kernel->run(); }).join();
      }
      for (auto& piece : operands.memory) piece.from_device();
      device::synchronize();
    }
    for (std::size_t o = 0; o < results.size(); ++o) {
      auto const& output = operands.on_host[inputs_.size() + o];
      for (std::int64_t e = 0; e < output.elements(); ++e)
        results[o].push_back(kernels::reference::get(output, e));
    }
    return results;
  });
}

void KernelCase::check_flops(std::vector<Values> const& expected) {
  auto const before = Counted::operations();
  auto const found = run(kernels::reference::implementation<Counted>(op_.index()));
  auto const counted = Counted::operations() - before;
  auto const told = flops(op_, {input_types_, output_types_}, samples_);
  CHECK_MESSAGE(counted == 2 * told,  // `run` computes twice
                describe() << ": " << counted / 2 << " operations, told " << told);
  for (std::size_t o = 0; o < found.size(); ++o)
    CHECK_MESSAGE(same_bits(found[o], expected[o]), describe() << ": counting changes a result");
}

void KernelCase::check(double tolerance, bool alone) {
  auto const list = kernels::implementations(op_.index());
  REQUIRE(!list.empty());
  auto const expected = run(list.back());
  check_flops(expected);
  constexpr std::int64_t most_portable = 250'000;
  auto const operations = flops(op_, {input_types_, output_types_}, samples_);
  std::size_t others = 0;
  for (auto const& implementation : list.first(list.size() - 1)) {
    if (!accepts(implementation)) continue;
    ++others;
    // Large cases are for the blocks of other kernels; portable ones have none, and take long here.
    if (implementation.name == "kokkos" && others > 1 && operations > most_portable) continue;
    auto const found = run(implementation);
    for (std::size_t o = 0; o < found.size(); ++o) {
      REQUIRE(found[o].size() == expected[o].size());
      for (std::size_t e = 0; e < found[o].size(); ++e)
        if (!close(found[o][e], expected[o][e], tolerance)) {
          FAIL_CHECK(describe() << ": " << implementation.name << " gives " << found[o][e]
                                << ", reference " << expected[o][e] << " at " << e << " of output "
                                << o);
          break;
        }
    }
    // A library may add in another order when it has more threads.
    if (implementation.name == "blas") continue;
    auto const serial = run(implementation, Threads::one);
    for (std::size_t o = 0; o < found.size(); ++o)
      CHECK_MESSAGE(same_bits(found[o], serial[o]), describe() << ": depends on threads");
  }
  CHECK_MESSAGE((alone || others > 0), "only the reference accepts " << describe());
}

void KernelCase::check() {
  for (auto const& type : output_types_)
    if (is_floating(type.type)) return check(type.type == DataType::f64 ? 1e-12 : 1e-5);
  check(0);
}

NonTemporalStores::NonTemporalStores(std::int64_t bytes)
    : before_(std::exchange(kernels::host::non_temporal_bytes, bytes)) {}

NonTemporalStores::~NonTemporalStores() { kernels::host::non_temporal_bytes = before_; }

std::string_view family() { return device::has_own_memory() ? "kokkos" : "host"; }

std::vector<std::string_view> families() {
  if (device::has_own_memory()) return {"reference", family()};
  return {"reference", family(), "kokkos"};
}

kernels::Implementation const* implementation_of(Operator const& op, std::string_view name) {
  for (auto const& implementation : kernels::implementations(op.index()))
    if (implementation.name == name) return &implementation;
  FAIL_CHECK("no implementation " << name << " of " << name_of(op));
  return nullptr;
}

}  // namespace lbann::testing
