// The world of one: every sum is already complete.
#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

namespace {

class SingleProcess final : public Communicator {
 public:
  std::int64_t rank() const override { return 0; }
  std::int64_t size() const override { return 1; }
  Result<Success> all_reduce(void*, std::int64_t, DataType) override { return Success{}; }
  Result<Success> broadcast(std::span<std::byte>, std::int64_t root) override {
    if (root != 0) return Problem{"rank " + std::to_string(root) + " does not exist"};
    return Success{};
  }
  Result<Success> barrier() override { return Success{}; }
};

}  // namespace

std::unique_ptr<Communicator> single_process() { return std::make_unique<SingleProcess>(); }

}  // namespace lbann::runtime
