// Whether every rank has a device of its own is found out by rank 0, for all.
#include "runtime/communication/device_sums.hpp"

#include <iterator>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernels/device/device.hpp"

namespace lbann::runtime {

namespace {

class QueuedSum final : public Transfer {
 public:
  explicit QueuedSum(std::unique_ptr<device::GroupSum> sum) : sum_(std::move(sum)) {}
  void post() override { sum_->post(); }
  bool arrived() override { return true; }
  void await() override { sum_->await(); }
  bool is_queued() const override { return true; }

 private:
  std::unique_ptr<device::GroupSum> sum_;
};

/// Bytes of what a rank says of itself: whether it has a library, then which device.
std::string description_of_rank(bool able) { return (able ? '1' : '0') + device::identity(); }

bool all_able_and_apart(std::vector<std::vector<std::byte>> const& ranks, std::int64_t count) {
  std::set<std::string> apart;
  for (auto const& rank : ranks) {
    std::string const description(reinterpret_cast<char const*>(rank.data()), rank.size());
    if (!description.starts_with('1')) return false;
    apart.insert(description);
  }
  return std::ssize(apart) == count;
}

}  // namespace

std::unique_ptr<DeviceSums> DeviceSums::open(Communicator& ranks) {
  if (!device::has_own_memory()) return nullptr;
  auto const name = device::new_group();
  auto const own = description_of_rank(name.has_value());
  auto const all = ranks.gather(std::as_bytes(std::span(own)));
  struct {
    bool possible = false;
    device::GroupName name{};
  } decision;
  if (ranks.rank() == 0 && all_able_and_apart(all, ranks.size())) decision = {true, *name};
  ranks.broadcast(std::as_writable_bytes(std::span(&decision, 1)), 0);
  if (!decision.possible) return nullptr;
  auto group = device::join_group(decision.name, ranks.rank(), ranks.size());
  return std::unique_ptr<DeviceSums>(new DeviceSums(std::move(group)));
}

std::unique_ptr<Transfer> DeviceSums::sum(kernels::View const& parts, kernels::View const& sum) {
  return std::make_unique<QueuedSum>(
      group_->sum(parts.data, sum.data, parts.elements(), parts.type));
}

}  // namespace lbann::runtime
