// Pretends that all ranks hold the same.
#include "runtime/communication/dry_run.hpp"

#include <cstring>

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

class DryRunSum final : public Sum {
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

class DryRun final : public Communicator {
 public:
  DryRun(std::int64_t rank, std::int64_t size, Traffic& traffic)
      : rank_(rank), size_(size), traffic_(traffic) {}

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
  std::unique_ptr<Sum> sum(void const* parts, void* sum, std::int64_t count,
                           DataType type) override {
    return std::make_unique<DryRunSum>(parts, sum, count, type, size_, traffic_);
  }
  std::unique_ptr<Communicator> split(std::int64_t) override {
    return dry_run_communicator(rank_, size_, traffic_);
  }
  std::unique_ptr<Communicator> on_this_node() override {
    return dry_run_communicator(0, 1, traffic_);
  }

 private:
  std::int64_t rank_, size_;
  Traffic& traffic_;
};

}  // namespace

std::unique_ptr<Communicator> dry_run_communicator(std::int64_t rank, std::int64_t size,
                                                   Traffic& traffic) {
  return std::make_unique<DryRun>(rank, size, traffic);
}

}  // namespace lbann::runtime
