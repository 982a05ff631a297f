// A snapshot, a thread that writes it, and the rename that makes it a checkpoint.
#include "runtime/checkpoints/checkpoint_writer.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <new>
#include <optional>
#include <thread>

#include "runtime/checkpoints/checkpoint_folder.hpp"
#include "runtime/checkpoints/safetensors.hpp"
#include "runtime/checkpoints/saving_folder.hpp"
#include "runtime/checkpoints/state_arrays.hpp"
#include "runtime/communication/agreement.hpp"
#include "schemas/plan/digest.hpp"
#include "schemas/processes/core_mask.hpp"

namespace lbann::runtime {

namespace fs = std::filesystem;

namespace {

std::uint64_t digest_of_bytes(std::span<std::byte const> bytes) {
  return digest({reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size()});
}

Problem system_problem(fs::path const& path, char const* what) {
  return {path.string() + ": " + what + ": " + std::strerror(errno)};
}

/// Chunk c belongs to rank c modulo the number of ranks.
std::vector<std::int64_t> chunks_of(std::int64_t chunks, std::int64_t rank, std::int64_t ranks) {
  std::vector<std::int64_t> own;
  for (auto chunk = rank; chunk < chunks; chunk += ranks) own.push_back(chunk);
  return own;
}

std::int64_t bytes_of_chunk(std::int64_t chunk, std::int64_t total) {
  return std::min(checkpoint_chunk_bytes, total - chunk * checkpoint_chunk_bytes);
}

/// Copies chunks one after the other to `to`, with several threads: one alone does not use all of
/// the memory's bandwidth.
void copy_chunks(std::span<StateArray const> arrays, std::vector<std::int64_t> const& chunks,
                 std::int64_t total, std::byte* to) {
  constexpr std::size_t most_threads = 4;
  auto const threads = std::min(
      chunks.size(), std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_threads));
  auto const copy_share = [&](std::size_t first) {
    for (auto i = first; i < chunks.size(); i += threads)
      read_state(arrays, chunks[i] * checkpoint_chunk_bytes,
                 {to + i * static_cast<std::size_t>(checkpoint_chunk_bytes),
                  static_cast<std::size_t>(bytes_of_chunk(chunks[i], total))});
  };
  std::vector<std::jthread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(copy_share, thread);
  if (threads > 0) copy_share(0);
}

Result<std::string> read_text(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file) return Problem{path.string() + ": cannot be read"};
  return text;
}

bool sync_file(fs::path const& path) {
  int const file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  bool const synced = file >= 0 && ::fsync(file) == 0;
  auto const error = errno;
  if (file >= 0) ::close(file);
  errno = error;
  return synced;
}

/// Makes durable what the run has written beside the state, such as metrics.jsonl and files of
/// callbacks, and the names of new folders. Errors are not told: they may be of files of others.
void sync_file_system_of(fs::path const& folder) {
  int const file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::syncfs(file);
  ::close(file);
}

}  // namespace

struct CheckpointWriter::Writing {
  Manifest manifest;
  std::string header;                  ///< of the state file
  std::optional<SavingFolder> folder;  ///< on rank 0
  fs::path plan_file;                  ///< on rank 0
  fs::path state_file;
  fs::path outputs;                  ///< folder with what else the run has written
  std::vector<std::int64_t> chunks;  ///< that this rank writes
  std::vector<std::uint64_t> digests;
  Result<Success> result = Success{};
  std::atomic<bool> done{false};
  std::thread thread;

  ~Writing() {
    if (thread.joinable()) thread.join();
  }

  /// Writes the chunks of `snapshot`.
  Result<Success> write(std::byte const* snapshot) {
    int const file = ::open(state_file.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return system_problem(state_file, "cannot be opened");
    bool good = true;
    for (auto const chunk : chunks) {
      auto const count = bytes_of_chunk(chunk, manifest.array_bytes);
      std::span const bytes(snapshot, static_cast<std::size_t>(count));
      digests.push_back(digest_of_bytes(bytes));
      auto const begin = manifest.header_bytes + chunk * checkpoint_chunk_bytes;
      good = good && write_at(file, begin, bytes);
      snapshot += count;
    }
    Result<Success> written = Success{};
    if (!good || ::fsync(file) != 0) written = system_problem(state_file, "cannot be written");
    if (::close(file) != 0 && written) written = system_problem(state_file, "cannot be written");
    if (written && !plan_file.empty() && !sync_file(plan_file))
      written = system_problem(plan_file, "cannot be written");
    sync_file_system_of(outputs);
    sync_file_system_of(state_file.parent_path());
    return written;
  }
};

CheckpointWriter::CheckpointWriter(Plan const& plan, Executor const& executor, Communicator* ranks,
                                   fs::path folder, fs::path plan_file, CheckpointKeep keep)
    : plan_(plan),
      executor_(executor),
      ranks_(ranks != nullptr && ranks->size() > 1 ? ranks : nullptr),
      folder_(std::move(folder)),
      plan_file_(std::move(plan_file)),
      keep_(keep) {}

CheckpointWriter::~CheckpointWriter() = default;

Result<Success> CheckpointWriter::make_files(Writing& writing) {
  auto& manifest = writing.manifest;
  auto const plan = read_text(plan_file_);
  if (!plan) return plan.problem();
  manifest.plan_bytes = static_cast<std::int64_t>(plan.value().size());
  manifest.plan_digest = digest_of_bytes(std::as_bytes(std::span(plan.value())));
  remove_remains(folder_);
  auto folder = SavingFolder::create(folder_ / checkpoint_name(manifest.position.steps));
  if (!folder) return folder.problem();
  writing.folder.emplace(std::move(folder).value());
  auto const& path = writing.folder->path();
  // The thread that writes brings both to the disk: the step does not wait for it.
  if (auto written = write_new(path / plan_file_name, plan.value(), false); !written)
    return written;
  writing.plan_file = path / plan_file_name;
  writing.state_file = path / state_file_name;
  return write_new(writing.state_file, writing.header, false);
}

Result<Success> CheckpointWriter::begin(Manifest manifest, std::span<StateArray const> arrays) {
  auto writing = std::make_unique<Writing>();
  std::vector<SafetensorsEntry> entries;
  for (auto const& array : arrays)
    entries.push_back({array.name, array.type, array.dims, array.begin, array.end()});
  auto header = compose_safetensors_header(entries);
  if (!header) return header.problem();  // the same on all ranks
  writing->header = std::move(header).value();
  manifest.experiment = plan_.experiment;
  manifest.written = std::time(nullptr);
  manifest.ranks = executor_.ranks();
  manifest.array_bytes = state_bytes(arrays);
  manifest.header_bytes = static_cast<std::int64_t>(writing->header.size());
  manifest.header_digest = digest_of_bytes(std::as_bytes(std::span(writing->header)));
  writing->manifest = std::move(manifest);

  auto const total = writing->manifest.array_bytes;
  writing->outputs = plan_file_.parent_path();
  writing->chunks = chunks_of(chunk_count(total), executor_.rank(), executor_.ranks());
  std::int64_t own = 0;
  for (auto const chunk : writing->chunks) own += bytes_of_chunk(chunk, total);
  if (snapshot_ == nullptr)
    snapshot_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(own)]);
  Result<Success> made = Success{};
  if (snapshot_ == nullptr)
    made = Problem{"no memory for a copy of " + bytes_text(own) + " of state"};
  else if (executor_.rank() == 0)
    made = make_files(*writing);
  if (ranks_ != nullptr) {
    if (made = agree_on_status(*ranks_, std::move(made)); !made) return made;
    writing->state_file = broadcast_text(*ranks_, writing->state_file.string());
  }
  if (!made) return made;

  copy_chunks(arrays, writing->chunks, total, snapshot_.get());
  writing_ = std::move(writing);
  OnAllCores const scope;
  writing_->thread = std::thread([&own_part = *writing_, snapshot = snapshot_.get()] {
    ::pthread_setname_np(::pthread_self(), "state writer");
    own_part.result = own_part.write(snapshot);
    own_part.done.store(true, std::memory_order_release);
  });
  return Success{};
}

bool CheckpointWriter::busy() const {
  return writing_ != nullptr && !writing_->done.load(std::memory_order_acquire);
}

Result<Success> CheckpointWriter::publish(Writing& writing, std::vector<std::uint64_t> digests) {
  writing.manifest.chunk_digests = std::move(digests);
  auto const text = to_text(writing.manifest);
  auto written = write_new(writing.folder->path() / manifest_file_name, text, true);
  if (!written) return written;
  if (auto replaced = writing.folder->replace_target(checkpoint_files()); !replaced)
    return replaced;
  remove_old(folder_, keep_.newest, keep_.every);
  return Success{};
}

Result<fs::path> CheckpointWriter::finish() {
  auto const writing = std::move(writing_);
  writing->thread.join();
  auto result = std::move(writing->result);
  std::vector<std::uint64_t> digests = writing->digests;
  if (ranks_ != nullptr) {
    if (result = agree_on_status(*ranks_, std::move(result)); !result) return result.problem();
    auto const parts = ranks_->gather(std::as_bytes(std::span(writing->digests)));
    digests.resize(static_cast<std::size_t>(chunk_count(writing->manifest.array_bytes)));
    for (std::size_t rank = 0; rank < parts.size(); ++rank)
      for (std::size_t i = 0; i * sizeof(std::uint64_t) < parts[rank].size(); ++i)
        std::memcpy(&digests[rank + i * parts.size()],
                    parts[rank].data() + i * sizeof(std::uint64_t), sizeof(std::uint64_t));
  }
  if (result && executor_.rank() == 0) result = publish(*writing, std::move(digests));
  if (ranks_ != nullptr) result = agree_on_status(*ranks_, std::move(result));
  if (!result) return result.problem();
  return folder_ / checkpoint_name(writing->manifest.position.steps);
}

}  // namespace lbann::runtime
