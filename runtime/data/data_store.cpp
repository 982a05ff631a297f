// A table of places in memory, written by the thread that reads a sample first.
#include "runtime/data/data_store.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <system_error>
#include <thread>

#include "schemas/processes/core_mask.hpp"

namespace lbann::runtime {

Result<std::shared_ptr<StoreMemory>> StoreMemory::reserve(std::int64_t bytes) {
  auto* const begin = ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED)
    return Problem{"no address space for the data store: " + std::to_string(bytes) +
                   " bytes asked for; --data-store-limit makes it smaller"};
  return std::shared_ptr<StoreMemory>(new StoreMemory(static_cast<std::byte*>(begin), bytes));
}

StoreMemory::~StoreMemory() { ::munmap(begin_, static_cast<std::size_t>(size_)); }

std::byte* StoreMemory::take(std::int64_t bytes) {
  auto const begin = used_.fetch_add(bytes);
  if (bytes <= size_ && begin <= size_ - bytes) return begin_ + begin;
  used_.fetch_sub(bytes);
  return nullptr;
}

DataStore::DataStore(std::shared_ptr<Samples const> samples, StoreOptions const& options)
    : samples_(std::move(samples)),
      memory_(options.memory),
      preloads_(options.preloads),
      places_(static_cast<std::size_t>(samples_->count())),
      keepers_(static_cast<std::size_t>(samples_->count())),
      sizes_(static_cast<std::size_t>(samples_->count())) {}

std::int64_t DataStore::keeper(std::int64_t index) const {
  return keepers_[static_cast<std::size_t>(index)] - 1;
}

std::int64_t DataStore::bytes_of_sample(std::int64_t index) const {
  return sizes_[static_cast<std::size_t>(index)];
}

std::span<std::byte const> DataStore::kept(std::int64_t index) const {
  auto const& place = places_[static_cast<std::size_t>(index)];
  auto const* const data = place.data.load(std::memory_order_acquire);
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(place.size)};
}

void DataStore::lend(std::int64_t index, std::span<std::byte const> bytes) {
  auto& place = places_[static_cast<std::size_t>(index)];
  place.size = static_cast<std::int64_t>(bytes.size());
  place.data.store(bytes.empty() ? nullptr : bytes.data(), std::memory_order_release);
}

Result<std::span<std::byte const>> DataStore::bytes_of(std::int64_t index) const {
  auto const found = kept(index);
  if (!found.empty() || preloads_ || full_.load(std::memory_order_relaxed) || keeper(index) >= 0)
    return found;
  return read_and_keep(index);
}

/// One thread at most calls this for a sample: each is read once in an epoch.
Result<std::span<std::byte const>> DataStore::read_and_keep(std::int64_t index) const {
  thread_local std::vector<std::byte> packed;
  packed.clear();
  if (auto read = samples_->pack(index, packed); !read) return read.problem();
  auto const size = static_cast<std::int64_t>(packed.size());
  // Messages between ranks count bytes in 32 bits.
  if (size == 0 || size > std::numeric_limits<std::int32_t>::max())
    return std::span<std::byte const>{};
  auto* const room = memory_->take(size);
  if (room == nullptr) {
    full_.store(true, std::memory_order_relaxed);
    return std::span<std::byte const>{};
  }
  std::memcpy(room, packed.data(), packed.size());
  auto& place = places_[static_cast<std::size_t>(index)];
  place.size = size;
  place.data.store(room, std::memory_order_release);
  samples_kept_.fetch_add(1);
  return std::span<std::byte const>{room, packed.size()};
}

Result<Success> DataStore::read_whole(std::int64_t index, std::size_t field,
                                      SampleValues& sample) const {
  auto const bytes = bytes_of(index);
  if (!bytes) return bytes.problem();
  if (bytes.value().empty()) return samples_->read_whole(index, field, sample);
  return samples_->unpack(bytes.value(), index, field, sample);
}

Result<Success> DataStore::read(std::int64_t index, std::size_t field,
                                FieldValues const& values) const {
  auto const bytes = bytes_of(index);
  if (!bytes) return bytes.problem();
  if (bytes.value().empty()) return samples_->read(index, field, values);
  thread_local SampleValues sample;
  if (auto read = samples_->unpack(bytes.value(), index, field, sample); !read) return read;
  // The reader says it better.
  if (static_cast<std::int64_t>(sample.values.size()) != values.count)
    return samples_->read(index, field, values);
  for (std::int64_t i = 0; i < values.count; ++i)
    values.set(i, sample.values[static_cast<std::size_t>(i)]);
  return Success{};
}

Result<Success> DataStore::preload(std::span<std::int64_t const> indices, std::int64_t threads,
                                   Communicator& ranks) {
  auto const many = static_cast<std::size_t>(ranks.size());
  std::atomic<std::size_t> next{static_cast<std::size_t>(ranks.rank())};
  std::vector<std::optional<Problem>> problems(indices.size());
  auto const work = [&] {
    for (auto at = next.fetch_add(many); at < indices.size() && !full_; at = next.fetch_add(many))
      if (auto read = read_and_keep(indices[at]); !read)
        problems[at] =
            Problem{"sample " + std::to_string(indices[at]) + ": " + read.problem().message};
  };
  {
    OnAllCores const scope;
    std::vector<std::jthread> helpers;
    try {
      for (std::int64_t i = 1; i < threads; ++i) helpers.emplace_back(work);
    } catch (std::system_error const& error) {
      return Problem{std::string("cannot start a thread for data: ") + error.what()};
    }
    work();
  }
  for (auto& problem : problems)
    if (problem) return *problem;
  return Success{};
}

void DataStore::share(std::span<std::int64_t const> indices, Communicator& ranks) {
  if (ranks.size() == 1) return;
  auto const is_new = [&](std::int64_t index) { return keeper(index) < 0 && !kept(index).empty(); };
  std::int64_t news = std::ranges::count_if(indices, is_new);
  ranks.all_reduce(&news, 1, DataType::i64);
  if (news == 0) return;
  // Keepers first, then sizes: of what is new each has one rank that knows it.
  auto const count = indices.size();
  std::vector<std::int32_t> table(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_new(indices[i])) continue;
    table[i] = static_cast<std::int32_t>(ranks.rank()) + 1;
    table[count + i] = static_cast<std::int32_t>(kept(indices[i]).size());
  }
  ranks.all_reduce(table.data(), static_cast<std::int64_t>(table.size()), DataType::i32);
  for (std::size_t i = 0; i < count; ++i) {
    if (table[i] == 0) continue;
    keepers_[static_cast<std::size_t>(indices[i])] = table[i];
    sizes_[static_cast<std::size_t>(indices[i])] = table[count + i];
  }
}

}  // namespace lbann::runtime
