// Simulates ranks that hold the same data as this one.
#include "runtime/communication/dry_run.hpp"

#include <cstring>
#include <memory>

namespace lbann::runtime {

namespace {

template <class T>
void scale(void* data, std::int64_t count, std::int64_t ranks) {
  auto* const values = static_cast<T*>(data);
  for (std::int64_t i = 0; i < count; ++i) values[i] *= static_cast<T>(ranks);
}

void multiply(void* data, std::int64_t count, DataType type, std::int64_t ranks) {
  switch (type) {
    case DataType::f32:
      return scale<float>(data, count, ranks);
    case DataType::f64:
      return scale<double>(data, count, ranks);
    case DataType::i32:
      return scale<std::int32_t>(data, count, ranks);
    case DataType::i64:
      return scale<std::int64_t>(data, count, ranks);
    default:
      break;  // no sum is taken of other types
  }
}

class DryRunSum final : public Transfer {
 public:
  DryRunSum(void const* parts, void* sum, std::int64_t count, DataType type, std::int64_t ranks,
            Traffic& traffic)
      : parts_(parts), sum_(sum), count_(count), type_(type), ranks_(ranks), traffic_(traffic) {}

  void post() override {
    auto const bytes = static_cast<std::size_t>(count_) * bytes_of(type_);
    if (parts_ != sum_ && bytes > 0) std::memcpy(sum_, parts_, bytes);
    multiply(sum_, count_, type_, ranks_);
    ++traffic_.messages;
    traffic_.bytes += static_cast<std::int64_t>(bytes);
  }
  bool arrived() override { return true; }
  void await() override {}

 private:
  void const* parts_;
  void* sum_;
  std::int64_t count_;
  DataType type_;
  std::int64_t ranks_;
  Traffic& traffic_;
};

/// Messages that arrive at once and change nothing.
class DryRunMessages final : public Messages {
 public:
  explicit DryRunMessages(Traffic& traffic) : traffic_(traffic) {}
  void send(std::int64_t, std::span<std::byte const> bytes) override {
    ++traffic_.messages;
    traffic_.bytes += static_cast<std::int64_t>(bytes.size());
  }
  void receive(std::int64_t, std::span<std::byte>) override {}
  bool arrived() override { return true; }

 private:
  Traffic& traffic_;
};

/// Private memory; waiting for the other ranks returns at once.
class DryRunMemory final : public SharedMemory {
 public:
  DryRunMemory(std::int64_t bytes, Traffic& traffic)
      : data_(static_cast<std::size_t>(bytes) + buffer_alignment), traffic_(traffic) {
    void* begin = data_.data();
    auto space = data_.size();
    begin_ = static_cast<std::byte*>(
        std::align(buffer_alignment, static_cast<std::size_t>(bytes), begin, space));
  }
  std::byte* data() const override { return begin_; }
  std::uint64_t publish(std::int64_t bytes) override {
    if (bytes != nothing) {
      ++traffic_.messages;
      traffic_.bytes += bytes;
    }
    return ++times_;
  }
  bool reached(std::uint64_t) const override { return true; }
  void await(std::uint64_t) const override {}

 private:
  static constexpr std::size_t buffer_alignment = 64;
  std::vector<std::byte> data_;
  std::byte* begin_ = nullptr;
  Traffic& traffic_;
  std::uint64_t times_ = 0;
};

class DryRun final : public Communicator {
 public:
  DryRun(std::int64_t rank, std::int64_t size, bool one_node, Traffic& traffic)
      : rank_(rank), size_(size), one_node_(one_node), traffic_(traffic) {}

  std::int64_t rank() const override { return rank_; }
  std::int64_t size() const override { return size_; }
  void all_reduce(void* data, std::int64_t count, DataType type) override {
    sum(data, data, count, type)->post();
  }
  void broadcast(std::span<std::byte>, std::int64_t) override {}
  std::vector<std::vector<std::byte>> gather(std::span<std::byte const> bytes) override {
    if (rank_ != 0) return {};
    return {static_cast<std::size_t>(size_), {bytes.begin(), bytes.end()}};
  }
  void barrier() override {}
  std::unique_ptr<Transfer> sum(void const* parts, void* sum, std::int64_t count,
                                DataType type) override {
    return std::make_unique<DryRunSum>(parts, sum, count, type, size_, traffic_);
  }
  std::unique_ptr<Messages> messages(std::int64_t) override {
    return std::make_unique<DryRunMessages>(traffic_);
  }
  std::unique_ptr<Communicator> split(std::int64_t) override {
    return dry_run_communicator(rank_, size_, one_node_, traffic_);
  }
  std::unique_ptr<Communicator> on_this_node() override {
    return dry_run_communicator(0, 1, true, traffic_);
  }
  bool on_one_node() override { return one_node_; }
  std::unique_ptr<SharedMemory> share(std::int64_t bytes) override {
    if (!one_node_) return nullptr;
    return std::make_unique<DryRunMemory>(bytes, traffic_);
  }

 private:
  std::int64_t rank_, size_;
  bool one_node_;
  Traffic& traffic_;
};

}  // namespace

std::unique_ptr<Communicator> dry_run_communicator(std::int64_t rank, std::int64_t size,
                                                   bool one_node, Traffic& traffic) {
  return std::make_unique<DryRun>(rank, size, one_node, traffic);
}

}  // namespace lbann::runtime
