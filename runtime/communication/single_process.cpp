// The communicator of a single process: sums are copies.
#include <cstring>

#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

namespace {

class CompleteSum final : public Transfer {
 public:
  CompleteSum(void const* parts, void* sum, std::size_t bytes)
      : parts_(parts), sum_(sum), bytes_(bytes) {}
  void post() override {
    if (parts_ != sum_ && bytes_ > 0) std::memcpy(sum_, parts_, bytes_);
  }
  bool arrived() override { return true; }
  void await() override {}

 private:
  void const* parts_;
  void* sum_;
  std::size_t bytes_;
};

/// Never posted: there is no other rank.
class NoMessages final : public Messages {
 public:
  void send(std::int64_t, std::span<std::byte const>) override {}
  void receive(std::int64_t, std::span<std::byte>) override {}
  bool arrived() override { return true; }
};

class SingleProcess final : public Communicator {
 public:
  std::int64_t rank() const override { return 0; }
  std::int64_t size() const override { return 1; }
  void all_reduce(void*, std::int64_t, DataType) override {}
  void broadcast(std::span<std::byte>, std::int64_t) override {}
  std::vector<std::vector<std::byte>> gather(std::span<std::byte const> bytes) override {
    return {{bytes.begin(), bytes.end()}};
  }
  void barrier() override {}
  std::unique_ptr<Transfer> sum(void const* parts, void* sum, std::int64_t count,
                                DataType type) override {
    return std::make_unique<CompleteSum>(parts, sum,
                                         static_cast<std::size_t>(count) * bytes_of(type));
  }
  std::unique_ptr<Messages> messages(std::int64_t) override {
    return std::make_unique<NoMessages>();
  }
  std::unique_ptr<Communicator> split(std::int64_t) override { return single_process(); }
  std::unique_ptr<Communicator> on_this_node() override { return single_process(); }
  bool on_one_node() override { return true; }
  std::unique_ptr<SharedMemory> share(std::int64_t) override { return nullptr; }
};

}  // namespace

std::unique_ptr<Communicator> single_process() { return std::make_unique<SingleProcess>(); }

}  // namespace lbann::runtime
