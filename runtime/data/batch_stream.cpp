// A ring of staging buffers between filling threads and the training loop, without locks.
//
// Mini-batches of all epochs are numbered by tickets, and each is made of `parts_` parts, so that
// part `p` of ticket `t` has the number `t * parts_ + p`. A thread claims the next part while its
// number is below `allowed_`, fills it in buffer `t % ring size` and counts it there. The consumer
// waits until all parts of its ticket are counted and, with its next call, prepares the buffer for
// a later ticket. Once other ranks have sent what they have of it, `allowed_` is raised.
#include "runtime/data/batch_stream.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <limits>
#include <optional>
#include <system_error>
#include <thread>

#include "runtime/communication/waiting.hpp"
#include "runtime/data/mixing.hpp"
#include "runtime/data/sample_order.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/processes/core_mask.hpp"
#include "schemas/specialization/specialize.hpp"
#include "schemas/vocabulary/partition.hpp"

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
  std::int64_t parts() const { return parts_; }
  bool at_end() const { return ticket_ == epoch_end_; }

 private:
  /// One staging buffer.
  struct Staging {
    Memory memory{nullptr, nullptr};
    Batch batch;
    std::int64_t first = 0;  ///< place in the mini-batch of this rank's first sample
    std::int64_t epoch = 0;
    std::vector<FieldColumn> columns;
    std::vector<std::optional<Problem>> problems;  ///< per part
    std::atomic<std::int64_t> done{0};             ///< parts of the present ticket
  };
  /// What a thread reads with: columns in a staging buffer, and others for what is mixed with them.
  struct Reading {
    std::vector<FieldColumn> columns, partners;
    Memory memory{nullptr, nullptr};  ///< of `partners`
  };
  /// Fields of one staging buffer or of `Reading::memory`: their bytes, and the first byte of each.
  struct Layout {
    std::int64_t bytes = 0;
    std::vector<std::int64_t> offsets;
  };
  Staging& staging(std::int64_t ticket) {
    return *ring_[static_cast<std::size_t>(ticket) % ring_.size()];
  }
  Result<Success> allocate();
  Result<Layout> layout(std::int64_t samples) const;
  static Result<Memory> place(Layout const& layout, std::vector<FieldColumn>& columns,
                              std::function<Memory(std::int64_t)> const& allocate);
  void prepare(std::int64_t ticket);
  bool arrived(std::int64_t ticket);
  void await_exchange();
  void allow();
  void release();
  void work(std::int64_t thread);
  void fill(Staging& staging, std::int64_t part, Reading& reading);
  Result<Success> read(Staging const& staging, std::int64_t begin, std::int64_t end,
                       Reading& reading) const;
  Result<Success> mix_partners(Staging const& staging, std::int64_t begin, std::int64_t end,
                               Reading& reading) const;
  static void await(Staging& staging, std::int64_t parts);

  Plan const& plan_;
  Split split_;
  Options options_;
  std::vector<std::int64_t> field_bytes_;
  std::vector<std::unique_ptr<Staging>> ring_;
  std::vector<Reading> readings_;  ///< per thread
  std::vector<std::thread> threads_;
  std::int64_t parts_ = 1;  ///< of a mini-batch
  PhiloxKey share_key_{};   ///< of the shares of samples that are mixed

  // Used by the consumer only: the order of the epoch and that of what its samples are mixed with,
  // its first ticket and its end, the next ticket to be taken, to be prepared, and to be released
  // to threads.
  std::vector<std::int64_t> order_, partners_;
  std::int64_t epoch_ = 0;
  std::int64_t mini_batch_, epoch_begin_ = 0, epoch_end_ = 0, ticket_ = 0, prepared_ = 0;
  std::int64_t released_ = 0;

  std::atomic<std::int64_t> claimed_{0};  ///< parts below are taken
  std::atomic<std::int64_t> allowed_{0};  ///< parts below may be taken
  std::atomic<bool> stopping_{false};
};

/// Where the fields of so many samples lie.
Result<BatchStream::Workers::Layout> BatchStream::Workers::layout(std::int64_t samples) const {
  Layout layout;
  for (std::size_t i = 0; i < field_bytes_.size(); ++i) {
    std::int64_t bytes = 0;
    layout.offsets.push_back(layout.bytes);
    if (__builtin_mul_overflow(field_bytes_[i], samples, &bytes) ||
        bytes > std::numeric_limits<std::int64_t>::max() / 4 - layout.bytes)
      return Problem{"a mini-batch of field `" + split_.source->fields[i].name + "` is too large"};
    layout.bytes += (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
  }
  return layout;
}

/// Memory of this layout, with columns that lie in it.
Result<BatchStream::Memory> BatchStream::Workers::place(
    Layout const& layout, std::vector<FieldColumn>& columns,
    std::function<Memory(std::int64_t)> const& allocate) {
  auto const bytes = std::max(layout.bytes, buffer_alignment);
  auto memory = allocate(bytes);
  if (!memory)
    return Problem{"no memory for mini-batches: " + std::to_string(bytes) + " bytes asked for"};
  for (std::size_t i = 0; i < columns.size(); ++i)
    columns[i].first.data = memory.get() + layout.offsets[i];
  return memory;
}

Result<Success> BatchStream::Workers::allocate() {
  // A mini-batch larger than the data needs no more room than the data.
  auto const local = nested_part(std::min(options_.mini_batch, samples()), options_.cuts, 0).size;
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
    if (!bytes) return Problem{"a sample of field `" + field.name + "` is too large"};
    columns.push_back({split_.fields[i], {nullptr, type, *bytes / factors.back()}});
    field_bytes_.push_back(*bytes);
  }
  auto const whole = layout(local);
  if (!whole) return whole.problem();
  // More parts than threads, so that none waits long for the last one.
  auto const threads = std::max<std::int64_t>(options_.threads, 1);
  if (threads > 1 && !split_.samples->takes_whole_batches())
    parts_ = std::clamp<std::int64_t>(local, 1, 4 * threads);
  auto const buffers = std::max<std::int64_t>(options_.batches_ahead, 2);
  for (std::int64_t i = 0; i < buffers; ++i) {
    auto staging = std::make_unique<Staging>();
    staging->columns = columns;
    auto memory = place(whole.value(), staging->columns, options_.allocate);
    if (!memory) return memory.problem();
    staging->memory = std::move(memory).value();
    staging->batch.indices.reserve(static_cast<std::size_t>(local));
    if (split_.mixing) staging->batch.partners.reserve(static_cast<std::size_t>(local));
    staging->batch.parts.resize(static_cast<std::size_t>(parts_));
    staging->problems.resize(static_cast<std::size_t>(parts_));
    for (auto const& column : staging->columns)
      staging->batch.fields.push_back(static_cast<std::byte const*>(column.first.data));
    ring_.push_back(std::move(staging));
  }
  for (std::int64_t i = 0; i < threads; ++i) {
    readings_.push_back({columns, {}});
    if (!split_.mixing) continue;
    auto& reading = readings_.back();
    auto const part = layout((local + parts_ - 1) / parts_);
    if (!part) return part.problem();
    reading.partners = columns;
    auto memory = place(part.value(), reading.partners, &allocate_on_host);
    if (!memory) return memory.problem();
    reading.memory = std::move(memory).value();
  }
  return Success{};
}

Result<Success> BatchStream::Workers::start() {
  if (auto allocated = allocate(); !allocated) return allocated;
  order_ = split_.indices;
  if (split_.mixing) partners_ = split_.indices;
  share_key_ = random_key(options_.seed, random_name("share/" + reader_role(split_.role)));
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
  // Of a run that ends in order all ranks have posted the same.
  if (std::uncaught_exceptions() == 0) await_exchange();
}

void BatchStream::Workers::work(std::int64_t thread) {
  ::pthread_setname_np(::pthread_self(), ("data " + std::to_string(thread)).c_str());
  auto& reading = readings_[static_cast<std::size_t>(thread)];
  while (true) {
    auto const allowed = allowed_.load(std::memory_order_acquire);
    if (stopping_.load()) return;
    auto claimed = claimed_.load(std::memory_order_acquire);
    if (claimed >= allowed) {
      allowed_.wait(allowed, std::memory_order_acquire);
      continue;
    }
    if (!claimed_.compare_exchange_weak(claimed, claimed + 1)) continue;
    auto& staging = this->staging(claimed / parts_);
    auto& part = staging.batch.parts[static_cast<std::size_t>(claimed % parts_)];
    part.thread = thread;
    part.begin = std::chrono::steady_clock::now();
    fill(staging, claimed % parts_, reading);
    part.end = std::chrono::steady_clock::now();
    staging.done.fetch_add(1, std::memory_order_release);
    staging.done.notify_one();
  }
}

/// Reads part `part`; `reading` is the thread's.
void BatchStream::Workers::fill(Staging& staging, std::int64_t part, Reading& reading) {
  auto const samples = staging.batch.local_size;
  auto const begin = samples * part / parts_, end = samples * (part + 1) / parts_;
  staging.batch.parts[static_cast<std::size_t>(part)].samples = end - begin;
  if (begin == end) return;
  auto done = read(staging, begin, end, reading);
  // Which sample is named must not depend on how they were read together.
  if (!done && !split_.samples->takes_whole_batches())
    for (auto at = begin; at < end; ++at)
      if (auto alone = read(staging, at, at + 1, reading); !alone) {
        done = std::move(alone);
        break;
      }
  if (done) return;
  auto const& source = *split_.source;
  staging.problems[static_cast<std::size_t>(part)] =
      Problem{located(plan_.sources, source.reader.span,
                      "reader `" + source.reader.record.type + "`, " + done.problem().message)};
}

Result<Success> BatchStream::Workers::read(Staging const& staging, std::int64_t begin,
                                           std::int64_t end, Reading& reading) const {
  for (std::size_t i = 0; i < reading.columns.size(); ++i)
    reading.columns[i].first = staging.columns[i].at(begin);
  auto const indices =
      std::span(staging.batch.indices)
          .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  auto done = split_.samples->read_batch(indices, reading.columns);
  if (!done) return done;
  if (split_.halved_labels)
    for (auto i = begin; i < std::min(end, staging.batch.size / 2 - staging.first); ++i)
      set_one_hot(staging.columns[*split_.halved_labels].at(i), 1);
  return split_.mixing ? mix_partners(staging, begin, end, reading) : done;
}

/// Mixes samples that are read with those that stand at their places in the order of partners.
Result<Success> BatchStream::Workers::mix_partners(Staging const& staging, std::int64_t begin,
                                                   std::int64_t end, Reading& reading) const {
  auto const& batch = staging.batch;
  auto const partners =
      std::span(batch.partners)
          .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  auto done = split_.samples->read_batch(partners, reading.partners);
  if (!done) return done;
  for (auto i = begin; i < end; ++i) {
    auto const share =
        mixing_share(split_.mixing->alpha, share_key_, staging.epoch, batch.first_sample + i);
    for (auto const field : split_.mixing->fields)
      mix(staging.columns[field].at(i), reading.partners[field].at(i - begin), share);
  }
  return done;
}

/// Waits until `parts` parts of the buffer's ticket are done.
void BatchStream::Workers::await(Staging& staging, std::int64_t parts) {
  for (auto done = staging.done.load(std::memory_order_acquire); done < parts;
       done = staging.done.load(std::memory_order_acquire))
    staging.done.wait(done, std::memory_order_acquire);
}

/// Says what the buffer of `ticket`, which nobody uses, is to be filled with.
void BatchStream::Workers::prepare(std::int64_t ticket) {
  auto& staging = this->staging(ticket);
  auto& batch = staging.batch;
  batch.number = ticket - epoch_begin_;
  auto const begin = batch.number * mini_batch_;
  batch.size = std::min(mini_batch_, samples() - begin);
  auto const part = nested_part(batch.size, options_.cuts, options_.rank);
  batch.local_size = part.size;
  staging.first = part.begin;
  batch.first_sample = begin + staging.first;
  auto const indices = std::span(order_).subspan(static_cast<std::size_t>(batch.first_sample),
                                                 static_cast<std::size_t>(batch.local_size));
  batch.indices.assign(indices.begin(), indices.end());
  staging.epoch = epoch_;
  if (split_.mixing) {
    auto const mixed = std::span(partners_).subspan(static_cast<std::size_t>(batch.first_sample),
                                                    static_cast<std::size_t>(batch.local_size));
    batch.partners.assign(mixed.begin(), mixed.end());
  }
  for (auto& problem : staging.problems) problem.reset();
  staging.done.store(0, std::memory_order_relaxed);
  if (options_.exchange)
    options_.exchange->post(static_cast<std::size_t>(ticket) % ring_.size(),
                            std::span(order_).subspan(static_cast<std::size_t>(begin),
                                                      static_cast<std::size_t>(batch.size)));
}

bool BatchStream::Workers::arrived(std::int64_t ticket) {
  return !options_.exchange ||
         options_.exchange->arrived(static_cast<std::size_t>(ticket) % ring_.size());
}

void BatchStream::Workers::await_exchange() {
  for (; released_ < prepared_; ++released_)
    if (options_.exchange) wait_until([&] { return arrived(released_); });
}

/// Releases the buffers of all tickets before `ticket_`.
void BatchStream::Workers::allow() {
  auto const ahead = static_cast<std::int64_t>(ring_.size());
  auto const end = std::min(epoch_end_, ticket_ + ahead);
  for (; prepared_ < end; ++prepared_) prepare(prepared_);
  release();
}

/// Lets threads read prepared mini-batches as far as other ranks have sent what they need.
void BatchStream::Workers::release() {
  while (released_ < prepared_ && arrived(released_)) ++released_;
  allowed_.store(released_ * parts_, std::memory_order_release);
  allowed_.notify_all();
}

void BatchStream::Workers::start_epoch(std::int64_t epoch, std::int64_t mini_batch,
                                       std::int64_t first_batch) {
  // Claim the rest of the previous epoch, then wait for the parts that are being filled.
  auto const claimed = claimed_.exchange(epoch_end_ * parts_);
  for (; ticket_ * parts_ < claimed; ++ticket_)
    await(staging(ticket_), std::min(parts_, claimed - ticket_ * parts_));
  await_exchange();
  auto const put_in_order = [&](std::vector<std::int64_t>& order, std::string const& name) {
    std::ranges::copy(split_.indices, order.begin());
    auto const key = random_name(name + "/" + reader_role(split_.role));
    shuffle(order, random_key(options_.seed, key), epoch);
  };
  if (split_.shuffle) put_in_order(order_, "order");
  if (split_.mixing) put_in_order(partners_, "partners");
  epoch_ = epoch;
  split_.samples->start_epoch(options_.seed, epoch);
  mini_batch_ = mini_batch > 0 ? std::min(mini_batch, options_.mini_batch) : options_.mini_batch;
  if (options_.exchange) options_.exchange->begin_epoch(order_, mini_batch_);
  ticket_ = prepared_ = released_ = epoch_end_;
  epoch_begin_ = epoch_end_ - first_batch;
  epoch_end_ = epoch_begin_ + batches();
  allow();
}

Result<Batch const*> BatchStream::Workers::next() {
  // The caller no longer uses the previous buffer.
  allow();
  if (ticket_ == epoch_end_) return static_cast<Batch const*>(nullptr);
  auto& staging = this->staging(ticket_);
  staging.batch.waited = 0;
  if (staging.done.load(std::memory_order_acquire) < parts_) {
    auto const begin = std::chrono::steady_clock::now();
    if (released_ <= ticket_)
      wait_until([&] {
        release();
        return released_ > ticket_;
      });
    await(staging, parts_);
    staging.batch.waited =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  if (options_.exchange) options_.exchange->taken(static_cast<std::size_t>(ticket_) % ring_.size());
  ++ticket_;
  for (auto const& problem : staging.problems)
    if (problem) return *problem;
  return static_cast<Batch const*>(&staging.batch);
}

BatchStream::Memory BatchStream::allocate_on_host(std::int64_t bytes) {
  auto* const memory = std::aligned_alloc(buffer_alignment, static_cast<std::size_t>(bytes));
  return Memory(static_cast<std::byte*>(memory), [](std::byte* own) { std::free(own); });
}

Result<std::unique_ptr<BatchStream>> BatchStream::open(Plan const& plan, Split split,
                                                       Options options) {
  if (options.mini_batch < 1 || options.ranks < 1 || options.rank < 0 ||
      options.rank >= options.ranks)
    return Problem{"mini-batches of " + std::to_string(options.mini_batch) + " samples for rank " +
                   std::to_string(options.rank) + " of " + std::to_string(options.ranks)};
  if (options.cuts.empty()) options.cuts = {options.ranks};
  auto workers = std::make_unique<Workers>(plan, std::move(split), options);
  if (auto started = workers->start(); !started) return started.problem();
  return std::unique_ptr<BatchStream>(new BatchStream(std::move(workers)));
}

BatchStream::BatchStream(std::unique_ptr<Workers> workers) : workers_(std::move(workers)) {}
BatchStream::~BatchStream() = default;
std::int64_t BatchStream::samples() const { return workers_->samples(); }
std::int64_t BatchStream::batches() const { return workers_->batches(); }
std::vector<std::int64_t> BatchStream::field_bytes() const { return workers_->field_bytes(); }
bool BatchStream::at_end() const { return workers_->at_end(); }
std::int64_t BatchStream::parts() const { return workers_->parts(); }
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
