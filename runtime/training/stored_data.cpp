// Counts of all ranks are gathered once, at the end.
#include "runtime/training/stored_data.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runtime/memory/arenas.hpp"

namespace lbann::runtime {

namespace {

std::int64_t memory_of_node() {
  return std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
}

/// What one rank tells the others.
struct RankStore {
  std::int64_t samples = 0, bytes = 0;
  StoreCounts counts;
};

}  // namespace

Result<StoredData> StoredData::reserve(StoreChoice const& choice, std::int64_t ranks_on_node) {
  auto const bytes =
      choice.most_bytes > 0 ? choice.most_bytes : memory_of_node() / 2 / ranks_on_node;
  auto memory = StoreMemory::reserve(bytes);
  if (!memory) return memory.problem();
  StoredData stored;
  stored.options_ = {std::move(memory).value(), choice.preloads};
  return stored;
}

void StoredData::add(Split const& split) {
  if (!split.store) {
    auto const* const reason =
        split.source->mixing        ? "its samples are mixed as they are read, and are not kept"
        : split.samples->is_drawn() ? "its samples are others in each epoch, and are not kept"
                                    : "it shares out mini-batches itself, its samples are not kept";
    auto line =
        fmt::format("data store : reader `{}`: {}", split.source->reader.record.type, reason);
    if (std::ranges::find(not_kept_, line) == not_kept_.end()) not_kept_.push_back(std::move(line));
    return;
  }
  auto found = std::ranges::find(stores_, split.store, &Stored::store);
  if (found == stores_.end()) found = stores_.insert(stores_.end(), {split.store, {}});
  found->indices.insert(found->indices.end(), split.indices.begin(), split.indices.end());
}

std::shared_ptr<BatchExchange> StoredData::exchange(Split const& split, Communicator& ranks,
                                                    std::int64_t buffers, std::int64_t mini_batch,
                                                    std::vector<std::int64_t> cuts) const {
  return std::make_shared<StoreExchange>(split.store, ranks, buffers, mini_batch, counts_,
                                         std::move(cuts));
}

Result<Success> StoredData::preload(std::int64_t threads, Communicator& ranks) const {
  for (auto const& [store, indices] : stores_)
    if (options_.preloads)
      if (auto loaded = store->preload(indices, threads, ranks); !loaded) return loaded;
  return Success{};
}

std::vector<std::string> StoredData::notes() const {
  std::vector<std::string> lines = {
      fmt::format("data store : up to {} on each rank", bytes_text(options_.memory->size()))};
  lines.insert(lines.end(), not_kept_.begin(), not_kept_.end());
  return lines;
}

std::string StoredData::summary(Communicator& ranks) const {
  RankStore mine{0, options_.memory->used(), *counts_};
  for (auto const& stored : stores_) mine.samples += stored.store->samples_kept();
  RankStore all;
  for (auto const& bytes : ranks.gather(std::as_bytes(std::span(&mine, 1)))) {
    RankStore one;
    std::memcpy(&one, bytes.data(), sizeof one);
    all.samples += one.samples;
    all.bytes += one.bytes;
    all.counts.own += one.counts.own;
    all.counts.received += one.counts.received;
    all.counts.read += one.counts.read;
  }
  return fmt::format(
      "data store : {} samples, {} on {} ranks; {} samples came from a rank's own memory, {} from "
      "another rank's, {} were read",
      all.samples, bytes_text(all.bytes), ranks.size(), all.counts.own, all.counts.received,
      all.counts.read);
}

}  // namespace lbann::runtime
