// The one signature of all kernels: views in, a bound kernel out, ready to run without looking
// anything up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "schemas/operators/operators.hpp"

namespace lbann::kernels {

inline constexpr std::size_t max_rank = 8;

/// A tensor in memory, in C order, for a fixed number of samples; not an owner.
struct View {
  void* data = nullptr;
  DataType type = DataType::f32;
  std::uint8_t rank = 0;
  std::array<std::int64_t, max_rank> extents{};

  std::int64_t elements() const {
    std::int64_t n = 1;
    for (std::size_t i = 0; i < rank; ++i) n *= extents[i];
    return n;
  }
  std::size_t bytes() const { return static_cast<std::size_t>(elements()) * bytes_of(type); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

/// The view of a tensor of this type whose batch is bound to `samples`.
View make_view(void* data, TensorType const& type, std::int64_t samples);

/// All an implementation is told when it is bound. Outputs may be the same memory as an input only
/// for map, reshape and epilogue operands. Any batch may be zero.
struct Call {
  Operator const* op = nullptr;
  std::span<View const> inputs;
  std::span<View const> outputs;
  std::span<std::byte> scratch;  ///< aligned to 64, at least the operator's bound
  std::int64_t samples = 0;
  /// Where the first output begins in the tensor of all ranks, and the extents of that one, for
  /// operators whose values depend on their place. Zeros: it is the whole tensor.
  std::array<std::int64_t, max_rank> begin{}, whole{};
};

/// The operator of `call`, which must be an `Op`.
template <class Op>
Op const& operator_of(Call const& call) {
  return *std::get_if<Op>(call.op);
}

/// A kernel with its arguments bound; `run` allocates nothing, throws nothing.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void run() = 0;
  /// Whether `run` waits for the device, so that it cannot be recorded (`device::begin_recording`).
  virtual bool waits() const { return false; }
};

/// The memory that a kernel works on.
enum class Where : std::uint8_t { host, device };

/// One way to execute an operator.
struct Implementation {
  std::string_view name;  ///< `reference`, `kokkos`, `blas`
  bool (*accepts)(Call const& call);
  std::unique_ptr<Kernel> (*bind)(Call const& call);
  Where where = Where::host;  ///< the device of this build, or the host
};

/// Implementations of operator number `op` (index in `Operator`), best first, reference last.
std::span<Implementation const> implementations(std::size_t op);

/// Which implementations may be chosen.
enum class Selection : std::uint8_t { best, reference };

/// Binds the first implementation that accepts `call`; its name goes to `chosen` if given. Null if
/// there is none. The views lie in the device's memory; one that works on the host's gets copies of
/// them, see staged.hpp.
std::unique_ptr<Kernel> bind(Call const& call, Selection selection = Selection::best,
                             std::string_view* chosen = nullptr);

}  // namespace lbann::kernels
