// Copies b in one piece, and a as one contiguous block of columns for each rank that reads them.
#include "runtime/execution/factor_broadcast.hpp"

#include <cstring>

namespace lbann::runtime {

namespace {

class FactorTransfer final : public Transfer {
 public:
  FactorTransfer(Factors const& factors, SharedMemory& memory)
      : factors_(factors),
        memory_(memory),
        element_(static_cast<std::int64_t>(bytes_of(factors.a.type))) {}

  void post() override {
    copy_b();
    copy_a();
    times_ = memory_.publish((factors_.a.elements() + factors_.b.elements()) * element_);
  }
  bool arrived() override { return memory_.reached(times_); }
  void await() override { memory_.await(times_); }

 private:
  void copy_b() {
    auto const row = factors_.b.extents[1] * element_;
    auto const bytes = factors_.b.extents[0] * row;
    if (bytes > 0)
      std::memcpy(factors_.all_b + factors_.first_sample * row, factors_.b.data,
                  static_cast<std::size_t>(bytes));
  }

  void copy_a() {
    auto const local = factors_.a.extents[0], columns = factors_.a.extents[1];
    auto const* const from = factors_.a.as<std::byte>();
    for (std::int64_t rank = 0; rank < factors_.ranks; ++rank) {
      auto const part = own_rows(columns, factors_.ranks, rank);
      auto const piece = part.count() * element_;
      auto* const to = factors_.all_a + block_of(factors_, rank) + factors_.first_sample * piece;
      for (std::int64_t i = 0; i < local; ++i)
        std::memcpy(to + i * piece, from + (i * columns + part.first) * element_,
                    static_cast<std::size_t>(piece));
    }
  }

  Factors factors_;
  SharedMemory& memory_;
  std::int64_t element_;
  std::uint64_t times_ = 0;
};

class Barrier final : public Transfer {
 public:
  Barrier(SharedMemory& memory, std::int64_t bytes) : memory_(memory), bytes_(bytes) {}
  void post() override { times_ = memory_.publish(bytes_); }
  bool arrived() override { return memory_.reached(times_); }
  void await() override { memory_.await(times_); }

 private:
  SharedMemory& memory_;
  std::int64_t bytes_;
  std::uint64_t times_ = 0;
};

class BarrierKernel final : public kernels::Kernel {
 public:
  explicit BarrierKernel(SharedMemory& memory) : memory_(memory) {}
  void run() override { memory_.await(memory_.publish(SharedMemory::nothing)); }

 private:
  SharedMemory& memory_;
};

}  // namespace

std::int64_t block_of(Factors const& factors, std::int64_t rank) {
  return own_rows(factors.a.extents[1], factors.ranks, rank).first * factors.samples *
         static_cast<std::int64_t>(bytes_of(factors.a.type));
}

std::unique_ptr<Transfer> factor_transfer(Factors const& factors, SharedMemory& memory) {
  return std::make_unique<FactorTransfer>(factors, memory);
}

std::unique_ptr<Transfer> barrier_transfer(SharedMemory& memory, std::int64_t bytes) {
  return std::make_unique<Barrier>(memory, bytes);
}

std::unique_ptr<kernels::Kernel> barrier_kernel(SharedMemory& memory) {
  return std::make_unique<BarrierKernel>(memory);
}

}  // namespace lbann::runtime
