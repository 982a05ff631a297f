// Messages of a mini-batch: one for each sample that another rank keeps.
#include "runtime/data/store_exchange.hpp"

#include <algorithm>

#include "schemas/vocabulary/partition.hpp"

namespace lbann::runtime {

namespace {

/// The part of a mini-batch, `indices` on all ranks, that `rank` reads.
std::span<std::int64_t const> part_of(std::span<std::int64_t const> indices,
                                      std::vector<std::int64_t> const& cuts, std::int64_t rank) {
  auto const part = nested_part(static_cast<std::int64_t>(indices.size()), cuts, rank);
  return indices.subspan(static_cast<std::size_t>(part.begin), static_cast<std::size_t>(part.size));
}

}  // namespace

StoreExchange::StoreExchange(std::shared_ptr<DataStore> store, Communicator& ranks,
                             std::int64_t buffers, std::int64_t mini_batch,
                             std::shared_ptr<StoreCounts> counts, std::vector<std::int64_t> cuts)
    : store_(std::move(store)),
      ranks_(ranks),
      cuts_(cuts.empty() ? std::vector{ranks.size()} : std::move(cuts)),
      buffers_(static_cast<std::size_t>(buffers)),
      counts_(std::move(counts)) {
  auto const local = nested_part(mini_batch, cuts_, 0).size;
  for (auto& buffer : buffers_) {
    buffer.messages = ranks.messages(mini_batch);
    buffer.loans.reserve(static_cast<std::size_t>(local));
  }
}

std::int64_t StoreExchange::bytes_of(std::span<std::int64_t const> indices) const {
  std::int64_t bytes = 0;
  for (auto const index : part_of(indices, cuts_, ranks_.rank()))
    if (auto const keeper = store_->keeper(index); keeper >= 0 && keeper != ranks_.rank())
      bytes += store_->bytes_of_sample(index);
  return bytes;
}

void StoreExchange::begin_epoch(std::span<std::int64_t const> order, std::int64_t mini_batch) {
  store_->share(order, ranks_);
  std::int64_t most = 0;
  for (std::size_t begin = 0; begin < order.size(); begin += static_cast<std::size_t>(mini_batch))
    most = std::max(
        most, bytes_of(order.subspan(
                  begin, std::min(order.size() - begin, static_cast<std::size_t>(mini_batch)))));
  for (auto& buffer : buffers_) {
    if (static_cast<std::int64_t>(buffer.memory.size()) >= most) continue;
    for (auto const& loan : buffer.loans) store_->lend(loan.index, {});
    buffer.loans.clear();
    buffer.memory = std::vector<std::byte>(static_cast<std::size_t>(most));
  }
}

void StoreExchange::post(std::size_t number, std::span<std::int64_t const> indices) {
  auto& buffer = buffers_[number];
  for (auto const& loan : buffer.loans) store_->lend(loan.index, {});
  buffer.loans.clear();
  buffer.lent = false;
  buffer.counts = {};
  std::size_t at = 0;
  auto const me = ranks_.rank();
  for (std::int64_t rank = 0; rank < ranks_.size(); ++rank)
    for (auto const index : part_of(indices, cuts_, rank)) {
      auto const keeper = store_->keeper(index);
      if (rank == me && (keeper < 0 || keeper == me))
        ++(store_->kept(index).empty() ? buffer.counts.read : buffer.counts.own);
      if (keeper < 0 || keeper == rank) continue;
      if (rank == me) {
        auto const bytes =
            std::span(buffer.memory)
                .subspan(at, static_cast<std::size_t>(store_->bytes_of_sample(index)));
        at += bytes.size();
        buffer.loans.push_back({index, bytes});
        buffer.messages->receive(keeper, bytes);
        ++buffer.counts.received;
      } else if (keeper == me) {
        buffer.messages->send(rank, store_->kept(index));
      }
    }
}

void StoreExchange::taken(std::size_t number) {
  auto const& counts = buffers_[number].counts;
  counts_->own += counts.own;
  counts_->received += counts.received;
  counts_->read += counts.read;
}

bool StoreExchange::arrived(std::size_t number) {
  auto& buffer = buffers_[number];
  if (!buffer.messages->arrived()) return false;
  if (!buffer.lent)
    for (auto const& loan : buffer.loans) store_->lend(loan.index, loan.bytes);
  buffer.lent = true;
  return true;
}

}  // namespace lbann::runtime
