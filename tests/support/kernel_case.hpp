// One call of an operator on random data, run by every implementation and compared.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace lbann::testing {

/// Values of one tensor, whatever its type.
using Values = std::vector<double>;

/// What kernels compute in.
inline constexpr DataType floating_types[] = {DataType::f32, DataType::f64};

/// Numbers of samples: none, one, few, and more than fill the registers.
inline constexpr std::int64_t batches[] = {0, 1, 2, 3, 17};

/// A batch of samples with these extents.
Shape batch_of(std::initializer_list<std::int64_t> sample);

/// Rounding of a sum of `terms` products of magnitude up to 4, eight times the expected.
double rounding(DataType type, std::int64_t terms);

/// How the threads of a run are taken.
enum class Threads : std::uint8_t { all, one };

class KernelCase {
 public:
  /// Outputs follow from the operator's shape rule, which must accept the inputs.
  KernelCase(Operator op, TensorTypes inputs, std::int64_t samples);

  /// Puts numbers uniform in [low, high) in all inputs, whole ones in those of whole types.
  KernelCase& fill(unsigned seed, double low = -2, double high = 2);
  KernelCase& set(std::size_t input, Values values);
  Values& input(std::size_t index) { return inputs_[index]; }
  /// Calls are given so much scratch memory, if that is more than the operator's bound.
  KernelCase& scratch(std::int64_t bytes) {
    least_scratch_ = bytes;
    return *this;
  }
  /// From now on output `output` lies where input `input` lies.
  KernelCase& in_place(std::size_t input, std::size_t output);

  /// Output 0 is the part from `begin` on of a tensor with the extents `whole`.
  KernelCase& part(std::vector<std::int64_t> const& begin, std::vector<std::int64_t> const& whole);

  bool accepts(kernels::Implementation const& implementation);
  /// Outputs, twice computed: a second run must not see anything of the first.
  std::vector<Values> run(kernels::Implementation const& implementation,
                          Threads threads = Threads::all);

  /// Every implementation agrees with the reference within `tolerance` x (1 + |value|), at least
  /// one besides the reference accepts (unless `alone`), and one thread gives the bits of all. The
  /// reference kernel on numbers that count does just as many operations as the operator tells.
  void check(double tolerance, bool alone = false);
  /// The same with 1e-5 or 1e-12 by the type of the first floating-point output.
  void check();

 private:
  Operator op_;
  TensorTypes input_types_, output_types_;
  std::int64_t samples_;
  std::int64_t least_scratch_ = 0;
  std::vector<Values> inputs_;
  std::array<std::int64_t, kernels::max_rank> begin_{}, whole_{};  ///< see `part`
  std::vector<std::ptrdiff_t> place_;  ///< of each output: the input it lies on, or -1
  std::string describe() const;
  void check_flops(std::vector<Values> const& expected);
  struct Operands;
  /// Calls f(call, operands), whose memory the call refers to.
  template <class F>
  auto with_call(bool on_device, F&& f);
};

/// Results of `bytes` or more use non-temporal stores while this lives.
class NonTemporalStores {
 public:
  explicit NonTemporalStores(std::int64_t bytes);
  ~NonTemporalStores();
  NonTemporalStores(NonTemporalStores const&) = delete;
  NonTemporalStores& operator=(NonTemporalStores const&) = delete;

 private:
  std::int64_t before_;
};

/// The family of kernels written for what this build runs on: `host`, or on a device `kokkos`.
std::string_view family();

/// The families that have kernels of many operators, `reference` first.
std::vector<std::string_view> families();

/// The implementation of `op` with this name; a failed check if there is none.
kernels::Implementation const* implementation_of(Operator const& op, std::string_view name);

}  // namespace lbann::testing
