// A ring of staging buffers between filling threads and the training loop, without locks.
//
// Mini-batches of all epochs are numbered by tickets. A thread claims the next ticket while it is
// below `allowed_`, fills buffer `ticket % ring size` and marks it. The consumer waits for the mark
// of its ticket and, with its next call, releases the buffer by raising `allowed_`.
#include "runtime/data/batch_stream.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <optional>
#include <system_error>
#include <thread>

#include "runtime/data/sample_order.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/processes/core_mask.hpp"
#include "schemas/specialization/specialize.hpp"

namespace lbann::runtime {

class BatchStream::Workers {
 public:
  Workers(Plan const& plan, Split split, Options options)
      : plan_(plan), split_(std::move(split)), options_(options), mini_batch_(options.mini_batch) {}
  ~Workers();

  Result<Success> start();
  void start_epoch(std::int64_t epoch, std::int64_t mini_batch, std::int64_t first_batch);
  Result<Batch const*> next();

  std::optional<std::string> find_not_finite(std::span<std::int64_t const> indices,
                                             std::span<std::byte* const> wanted) const {
    return runtime::find_not_finite(plan_, split_, indices, wanted);
  }
  std::int64_t samples() const { return static_cast<std::int64_t>(split_.indices.size()); }
  std::int64_t batches() const { return (samples() + mini_batch_ - 1) / mini_batch_; }
  std::vector<std::int64_t> const& field_bytes() const { return field_bytes_; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  /// One staging buffer.
  struct Staging {
    std::unique_ptr<std::byte, Free> memory;
    Batch batch;
    std::vector<FieldColumn> columns;
    std::optional<Problem> problem;
    std::atomic<std::int64_t> filled{-1};  ///< the last ticket that this buffer was filled for
  };
  Staging& staging(std::int64_t ticket) {
    return *ring_[static_cast<std::size_t>(ticket) % ring_.size()];
  }
  Result<Success> allocate();
  void work(std::int64_t thread);
  void fill(std::int64_t ticket);
  void allow();

  Plan const& plan_;
  Split split_;
  Options options_;
  std::vector<std::int64_t> field_bytes_;
  std::vector<std::unique_ptr<Staging>> ring_;
  std::vector<std::thread> threads_;

  // Written by the consumer while no ticket is allowed, read by threads after they saw `allowed_`.
  std::vector<std::int64_t> order_;
  std::int64_t epoch_begin_ = 0, mini_batch_;

  // Used by the consumer only: its next ticket, and the end of the epoch.
  std::int64_t ticket_ = 0, epoch_end_ = 0;

  std::atomic<std::int64_t> claimed_{0};  ///< tickets below are taken
  std::atomic<std::int64_t> allowed_{0};  ///< tickets below may be taken
  std::atomic<bool> stopping_{false};
};

Result<Success> BatchStream::Workers::allocate() {
  // A mini-batch larger than the data needs no more room than the data.
  auto const local = local_samples(std::min(options_.mini_batch, samples()), options_.ranks, 0);
  std::int64_t total = 0;
  std::vector<std::int64_t> offsets;
  std::vector<FieldColumn> columns;  // without their addresses
  for (std::size_t i = 0; i < split_.fields.size(); ++i) {
    auto const& field = split_.source->fields[i];
    auto const type = plan_.program[field.tensor].type.type;
    if (type != DataType::f32 && type != DataType::f64)
      return Problem{"field `" + field.name + "` is wanted as " + std::string(name_of(type)) +
                     "; data is given as f32 or f64"};
    auto factors = field.dims;
    factors.push_back(static_cast<std::int64_t>(bytes_of(type)));
    auto const bytes = checked_product(factors);
    std::int64_t batch_bytes = 0;
    offsets.push_back(total);
    if (!bytes || __builtin_mul_overflow(*bytes, local, &batch_bytes) ||
        batch_bytes > std::numeric_limits<std::int64_t>::max() / 4 - total)
      return Problem{"a mini-batch of field `" + field.name + "` is too large"};
    total += (batch_bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
    columns.push_back({split_.fields[i], {nullptr, type, *bytes / factors.back()}});
    field_bytes_.push_back(*bytes);
  }
  auto const buffers = std::max<std::int64_t>(options_.batches_ahead, 2);
  for (std::int64_t i = 0; i < buffers; ++i) {
    auto staging = std::make_unique<Staging>();
    auto const bytes = static_cast<std::size_t>(std::max(total, buffer_alignment));
    staging->memory.reset(static_cast<std::byte*>(std::aligned_alloc(buffer_alignment, bytes)));
    if (!staging->memory)
      return Problem{"no memory for mini-batches: " + std::to_string(bytes) + " bytes asked for"};
    staging->columns = columns;
    staging->batch.indices.reserve(static_cast<std::size_t>(local));
    for (std::size_t field = 0; field < offsets.size(); ++field) {
      auto* const address = staging->memory.get() + offsets[field];
      staging->batch.fields.push_back(address);
      staging->columns[field].first.data = address;
    }
    ring_.push_back(std::move(staging));
  }
  return Success{};
}

Result<Success> BatchStream::Workers::start() {
  if (auto allocated = allocate(); !allocated) return allocated;
  order_ = split_.indices;
  OnAllCores const scope;
  for (std::int64_t i = 0; i < std::max<std::int64_t>(options_.threads, 1); ++i) {
    try {
      threads_.emplace_back([this, i] { work(i); });
    } catch (std::system_error const& error) {
      return Problem{std::string("cannot start a thread for data: ") + error.what()};
    }
  }
  return Success{};
}

BatchStream::Workers::~Workers() {
  stopping_.store(true);
  allowed_.store(std::numeric_limits<std::int64_t>::max());
  allowed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void BatchStream::Workers::work(std::int64_t thread) {
  ::pthread_setname_np(::pthread_self(), ("data " + std::to_string(thread)).c_str());
  while (true) {
    auto const allowed = allowed_.load(std::memory_order_acquire);
    if (stopping_.load()) return;
    auto ticket = claimed_.load(std::memory_order_acquire);
    if (ticket >= allowed) {
      allowed_.wait(allowed, std::memory_order_acquire);
      continue;
    }
    if (!claimed_.compare_exchange_weak(ticket, ticket + 1)) continue;
    auto& batch = staging(ticket).batch;
    batch.thread = thread;
    batch.read_begin = std::chrono::steady_clock::now();
    fill(ticket);
    batch.read_end = std::chrono::steady_clock::now();
    auto& filled = staging(ticket).filled;
    filled.store(ticket, std::memory_order_release);
    filled.notify_one();
  }
}

void BatchStream::Workers::fill(std::int64_t ticket) {
  auto& staging = this->staging(ticket);
  auto& batch = staging.batch;
  staging.problem.reset();
  batch.number = ticket - epoch_begin_;
  auto const begin = batch.number * mini_batch_;
  batch.size = std::min(mini_batch_, samples() - begin);
  batch.local_size = local_samples(batch.size, options_.ranks, options_.rank);
  batch.first_sample = begin + options_.rank * (batch.size / options_.ranks) +
                       std::min(options_.rank, batch.size % options_.ranks);
  auto const indices = std::span(order_).subspan(static_cast<std::size_t>(batch.first_sample),
                                                 static_cast<std::size_t>(batch.local_size));
  batch.indices.assign(indices.begin(), indices.end());
  auto const read = split_.samples->read_batch(indices, staging.columns);
  if (read) return;
  auto const& source = *split_.source;
  staging.problem =
      Problem{located(plan_.sources, source.reader.span,
                      "reader `" + source.reader.record.type + "`, " + read.problem().message)};
}

/// Releases the buffers of all tickets before `ticket_`.
void BatchStream::Workers::allow() {
  auto const ahead = static_cast<std::int64_t>(ring_.size());
  allowed_.store(std::min(epoch_end_, ticket_ + ahead), std::memory_order_release);
  allowed_.notify_all();
}

void BatchStream::Workers::start_epoch(std::int64_t epoch, std::int64_t mini_batch,
                                       std::int64_t first_batch) {
  // Claim the rest of the previous epoch, then wait for the buffers that are being filled.
  auto claimed = claimed_.load();
  while (!claimed_.compare_exchange_weak(claimed, epoch_end_)) {
  }
  for (; ticket_ < claimed; ++ticket_) {
    auto& filled = staging(ticket_).filled;
    for (auto now = filled.load(std::memory_order_acquire); now != ticket_;
         now = filled.load(std::memory_order_acquire))
      filled.wait(now, std::memory_order_acquire);
  }
  if (split_.shuffle) {
    auto const role = reader_role(split_.role);
    std::ranges::copy(split_.indices, order_.begin());
    shuffle(order_, random_key(options_.seed, random_name("order/" + role)), epoch);
  }
  split_.samples->start_epoch(options_.seed, epoch);
  mini_batch_ = mini_batch > 0 ? std::min(mini_batch, options_.mini_batch) : options_.mini_batch;
  ticket_ = epoch_end_;
  epoch_begin_ = epoch_end_ - first_batch;
  epoch_end_ = epoch_begin_ + batches();
  allow();
}

Result<Batch const*> BatchStream::Workers::next() {
  // The caller no longer uses the previous buffer.
  allow();
  if (ticket_ == epoch_end_) return static_cast<Batch const*>(nullptr);
  auto& staging = this->staging(ticket_);
  for (auto filled = staging.filled.load(std::memory_order_acquire); filled != ticket_;
       filled = staging.filled.load(std::memory_order_acquire))
    staging.filled.wait(filled, std::memory_order_acquire);
  ++ticket_;
  if (staging.problem) return *staging.problem;
  return static_cast<Batch const*>(&staging.batch);
}

Result<std::unique_ptr<BatchStream>> BatchStream::open(Plan const& plan, Split split,
                                                       Options options) {
  if (options.mini_batch < 1 || options.ranks < 1 || options.rank < 0 ||
      options.rank >= options.ranks)
    return Problem{"mini-batches of " + std::to_string(options.mini_batch) + " samples for rank " +
                   std::to_string(options.rank) + " of " + std::to_string(options.ranks)};
  auto workers = std::make_unique<Workers>(plan, std::move(split), options);
  if (auto started = workers->start(); !started) return started.problem();
  return std::unique_ptr<BatchStream>(new BatchStream(std::move(workers)));
}

BatchStream::BatchStream(std::unique_ptr<Workers> workers) : workers_(std::move(workers)) {}
BatchStream::~BatchStream() = default;
std::int64_t BatchStream::samples() const { return workers_->samples(); }
std::int64_t BatchStream::batches() const { return workers_->batches(); }
std::vector<std::int64_t> BatchStream::field_bytes() const { return workers_->field_bytes(); }
void BatchStream::start_epoch(std::int64_t epoch, std::int64_t mini_batch,
                              std::int64_t first_batch) {
  workers_->start_epoch(epoch, mini_batch, first_batch);
}
Result<Batch const*> BatchStream::next() { return workers_->next(); }
std::optional<std::string> BatchStream::find_not_finite(std::span<std::int64_t const> indices,
                                                        std::span<std::byte* const> wanted) const {
  return workers_->find_not_finite(indices, wanted);
}

}  // namespace lbann::runtime
