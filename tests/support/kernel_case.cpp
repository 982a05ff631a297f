// Runs calls of operators on random data and compares implementations.
#include "tests/support/kernel_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>
#include <utility>

#include <doctest/doctest.h>
#include "kernels/host/non_temporal.hpp"
#include "kernels/reference/all.hpp"
#include "kernels/thread_team.hpp"
#include "tests/support/counted.hpp"

namespace lbann::testing {

namespace {

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
  bool intact() const {
    for (auto const* p = all_.data(); p != all_.data() + all_.size(); ++p)
      if ((p < begin_ || p >= begin_ + bytes_) && *p != std::byte{0xA5}) return false;
    return true;
  }

 private:
  std::int64_t bytes_;
  std::vector<std::byte> all_;
  std::byte* begin_;
};

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
  return 8 * 4 * unit * std::sqrt(static_cast<double>(std::max<std::int64_t>(terms, 16)));
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

template <class F>
auto KernelCase::with_call(F&& f) {
  using kernels::View;
  std::vector<Guarded> memory;
  memory.reserve(inputs_.size() + output_types_.size() + 1);
  std::vector<View> inputs, outputs;
  auto view_of = [&](TensorType const& type) {
    memory.emplace_back(type.shape.elements(samples_) *
                        static_cast<std::int64_t>(bytes_of(type.type)));
    return kernels::make_view(memory.back().data(), type, samples_);
  };
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs.push_back(view_of(input_types_[i]));
  for (std::size_t o = 0; o < output_types_.size(); ++o) {
    outputs.push_back(view_of(output_types_[o]));
    if (place_[o] >= 0) outputs[o].data = inputs[static_cast<std::size_t>(place_[o])].data;
  }
  auto const scratch_bytes = lbann::scratch_bytes(op_, {input_types_, output_types_}, samples_,
                                                  kernels::ThreadTeam::size());
  Guarded scratch(scratch_bytes);
  auto result = f(kernels::Call{
      &op_, inputs, outputs, {scratch.data(), static_cast<std::size_t>(scratch_bytes)}, samples_});
  for (auto const& piece : memory) CHECK_MESSAGE(piece.intact(), "wrote outside: " << describe());
  CHECK_MESSAGE(scratch.intact(), "wrote outside its scratch: " << describe());
  return result;
}

bool KernelCase::accepts(kernels::Implementation const& implementation) {
  return with_call([&](kernels::Call const& call) { return implementation.accepts(call); });
}

std::vector<Values> KernelCase::run(kernels::Implementation const& implementation,
                                    Threads threads) {
  return with_call([&](kernels::Call const& call) {
    auto const kernel = implementation.bind(call);
    std::vector<Values> results(call.outputs.size());
    if (kernel == nullptr) FAIL("not bound: " << describe());
    for (int time = 0; time < 2; ++time) {
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        for (std::size_t e = 0; e < inputs_[i].size(); ++e)
          kernels::reference::set(call.inputs[i], static_cast<std::int64_t>(e), inputs_[i][e]);
      if (threads == Threads::all) {
        kernel->run();
      } else {
        // Kernels of threads without a team run on the calling thread.
        std::thread([&] { kernel->run(); }).join();
      }
    }
    for (std::size_t o = 0; o < results.size(); ++o)
      for (std::int64_t e = 0; e < call.outputs[o].elements(); ++e)
        results[o].push_back(kernels::reference::get(call.outputs[o], e));
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

kernels::Implementation const* implementation_of(Operator const& op, std::string_view name) {
  for (auto const& implementation : kernels::implementations(op.index()))
    if (implementation.name == name) return &implementation;
  FAIL_CHECK("no implementation " << name << " of " << name_of(op));
  return nullptr;
}

}  // namespace lbann::testing
