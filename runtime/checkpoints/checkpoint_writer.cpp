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
#include <utility>

#include "runtime/checkpoints/checkpoint_folder.hpp"
#include "runtime/checkpoints/local_parts.hpp"
#include "runtime/checkpoints/safetensors.hpp"
#include "runtime/checkpoints/saving_folder.hpp"
#include "runtime/checkpoints/state_arrays.hpp"
#include "runtime/communication/agreement.hpp"
#include "runtime/execution/whole_tensor.hpp"
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

/// Copies to the same places what the chunks have of arrays of which each rank holds a part.
/// Collective: one whole array after the other comes to all ranks, which then forget it.
void copy_split(Executor const& executor, std::span<StateArray const> arrays,
                std::vector<std::int64_t> const& chunks, std::int64_t total, std::byte* to) {
  std::vector<std::byte> whole;
  for (auto const& array : arrays) {
    if (!array.split_as.valid()) continue;
    whole.resize(static_cast<std::size_t>(array.bytes()));
    gather_parts(executor, array.split_as, {array.box, array.dims, array.type, array.memory.data()},
                 Wanted::everywhere, whole.data());
    StateArray const one{array.name, array.type, array.dims, array.begin, whole, {}, {}};
    copy_chunks({&one, 1}, chunks, total, to);
  }
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

FileNames const& part_files() {
  static FileNames const names = {manifest_file_name, chunks_file_name, plan_file_name};
  return names;
}

}  // namespace

struct CheckpointWriter::Writing {
  Manifest manifest;
  std::string header;                  ///< of the state file
  std::string plan;                    ///< on rank 0
  std::optional<SavingFolder> part;    ///< in the local folder; nothing: the shared one at once
  std::optional<SavingFolder> folder;  ///< on rank 0
  fs::path state_file;
  fs::path outputs;                  ///< folder with what else the run has written
  std::vector<std::int64_t> chunks;  ///< that this rank writes
  std::vector<std::uint64_t> digests;
  bool shared = false;  ///< whether it is written to the shared folder, or yet to the local one
  Result<Success> result = Success{};
  std::optional<Problem> part_problem;
  std::atomic<bool> done{false};
  std::thread thread;

  ~Writing() {
    if (thread.joinable()) thread.join();
  }

  /// Writes this rank's part.
  Result<Success> write_part(std::byte const* snapshot) {
    auto const path = part->path() / chunks_file_name;
    if (auto made = write_new(path, header, false); !made) return made;
    if (!plan.empty())
      if (auto made = write_new(part->path() / plan_file_name, plan, true); !made) return made;
    // A resume from it needs them.
    sync_file_system_of(outputs);
    return write_chunks(path, snapshot, true);
  }

  /// Puts the part in its place, after all ranks have written theirs: a resume finds it there.
  void place_part() {
    if (!part) return;
    auto placed = write_new(part->path() / manifest_file_name, to_text(manifest), true);
    if (placed) placed = part->replace_target(part_files());
    if (!placed) part_problem = placed.problem();
  }

  Result<Success> drain(std::byte const* snapshot) {
    place_part();
    return write_shared(snapshot);
  }

  Result<Success> write_shared(std::byte const* snapshot) {
    auto written = write_chunks(state_file, snapshot, false);
    auto const plan_file = state_file.parent_path() / plan_file_name;
    if (written && !plan.empty() && !sync_file(plan_file))
      written = system_problem(plan_file, "cannot be written");
    sync_file_system_of(outputs);
    sync_file_system_of(state_file.parent_path());
    return written;
  }

 private:
  /// Writes the chunks of `snapshot` into a file that holds the header: one after the other, or
  /// each where it belongs.
  Result<Success> write_chunks(fs::path const& path, std::byte const* snapshot, bool adjacent) {
    int const file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return system_problem(path, "cannot be opened");
    bool good = true;
    bool const has_digests = !digests.empty();
    auto next = manifest.header_bytes;
    for (auto const chunk : chunks) {
      auto const count = bytes_of_chunk(chunk, manifest.array_bytes);
      std::span const bytes(snapshot, static_cast<std::size_t>(count));
      if (!has_digests) digests.push_back(digest_of_bytes(bytes));
      auto const place = manifest.header_bytes + chunk * checkpoint_chunk_bytes;
      good = good && write_at(file, adjacent ? next : place, bytes);
      snapshot += count;
      next += count;
    }
    Result<Success> written = Success{};
    if (!good || ::fsync(file) != 0) written = system_problem(path, "cannot be written");
    if (::close(file) != 0 && written) written = system_problem(path, "cannot be written");
    return written;
  }
};

CheckpointWriter::CheckpointWriter(Plan const& plan, Executor const& executor, Communicator* ranks,
                                   CheckpointPlaces places, CheckpointKeep keep)
    : plan_(plan),
      executor_(executor),
      ranks_(ranks != nullptr && ranks->size() > 1 ? ranks : nullptr),
      places_(std::move(places)),
      keep_(keep) {}

CheckpointWriter::~CheckpointWriter() {
  writing_.reset();
  if (places_.local.empty()) return;
  if (remover_.joinable()) remover_.join();
  std::error_code error;  // folders that are not empty stay
  fs::remove(folder_of_rank(places_.local, executor_.rank()), error);
  fs::remove(places_.local, error);
}

/// The same on all ranks: without a problem anywhere.
Result<Success> CheckpointWriter::agree(Result<Success> mine) const {
  return ranks_ == nullptr ? mine : agree_on_status(*ranks_, std::move(mine));
}

/// Whether all ranks have a folder for their part.
bool CheckpointWriter::begin_local(Writing& writing) {
  if (places_.local.empty()) return false;
  auto const own = folder_of_rank(places_.local, executor_.rank());
  if (remover_.joinable()) remover_.join();
  remove_remains(own);
  auto part = SavingFolder::create(own / checkpoint_name(writing.manifest.position.steps));
  auto const made = agree(part ? Result<Success>(Success{}) : part.problem());
  if (made) {
    writing.part.emplace(std::move(part).value());
    return true;
  }
  local_problem_ = made.problem();
  return false;
}

Result<Success> CheckpointWriter::begin_shared(Writing& writing) {
  writing.shared = true;
  Result<Success> made = Success{};
  if (executor_.rank() == 0) made = make_files(writing);
  if (made = agree(std::move(made)); !made) return made;
  if (ranks_ != nullptr) writing.state_file = broadcast_text(*ranks_, writing.state_file.string());
  return made;
}

Result<Success> CheckpointWriter::make_files(Writing& writing) {
  remove_remains(places_.folder);
  auto folder =
      SavingFolder::create(places_.folder / checkpoint_name(writing.manifest.position.steps));
  if (!folder) return folder.problem();
  writing.folder.emplace(std::move(folder).value());
  auto const& path = writing.folder->path();
  // The thread that writes brings both to the disk: the step does not wait for it.
  if (auto written = write_new(path / plan_file_name, writing.plan, false); !written)
    return written;
  writing.state_file = path / state_file_name;
  return write_new(writing.state_file, writing.header, false);
}

void CheckpointWriter::start(Result<Success> (Writing::*write)(std::byte const*)) {
  OnAllCores const scope;
  writing_->done.store(false, std::memory_order_relaxed);
  writing_->thread = std::thread([&own = *writing_, write, snapshot = snapshot_.get()] {
    ::pthread_setname_np(::pthread_self(), "state writer");
    own.result = (own.*write)(snapshot);
    own.done.store(true, std::memory_order_release);
  });
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

  auto const total = manifest.array_bytes;
  writing->outputs = places_.plan_file.parent_path();
  writing->chunks = chunks_of(chunk_count(total), executor_.rank(), executor_.ranks());
  auto const own = bytes_of_chunks(total, executor_.rank(), executor_.ranks());
  if (snapshot_ == nullptr)
    snapshot_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(own)]);
  Result<Success> ready = Success{};
  if (snapshot_ == nullptr)
    ready = Problem{"no memory for a copy of " + bytes_text(own) + " of state"};
  if (executor_.rank() == 0 && ready) {
    auto plan = read_text(places_.plan_file);
    if (plan) {
      writing->plan = std::move(plan).value();
      manifest.plan_bytes = static_cast<std::int64_t>(writing->plan.size());
      manifest.plan_digest = digest_of_bytes(std::as_bytes(std::span(writing->plan)));
    } else {
      ready = plan.problem();
    }
  }
  writing->manifest = std::move(manifest);
  if (ready = agree(std::move(ready)); !ready) return ready;
  bool const local = begin_local(*writing);
  if (!local) ready = begin_shared(*writing);
  if (!ready) return ready;

  copy_chunks(arrays, writing->chunks, total, snapshot_.get());
  copy_split(executor_, arrays, writing->chunks, total, snapshot_.get());
  writing_ = std::move(writing);
  start(local ? &Writing::write_part : &Writing::write_shared);
  return Success{};
}

bool CheckpointWriter::busy() const {
  return writing_ != nullptr && !writing_->done.load(std::memory_order_acquire);
}

/// Brings the digests of all ranks' chunks to the manifest on rank 0.
void CheckpointWriter::gather_digests(Writing& writing) {
  auto& all = writing.manifest.chunk_digests;
  if (!all.empty()) return;
  if (ranks_ == nullptr) {
    all = writing.digests;
    return;
  }
  auto const parts = ranks_->gather(std::as_bytes(std::span(writing.digests)));
  all.resize(static_cast<std::size_t>(chunk_count(writing.manifest.array_bytes)));
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    for (std::size_t i = 0; i * sizeof(std::uint64_t) < parts[rank].size(); ++i)
      std::memcpy(&all[rank + i * parts.size()], parts[rank].data() + i * sizeof(std::uint64_t),
                  sizeof(std::uint64_t));
}

Result<Success> CheckpointWriter::start_to_drain(Writing& writing, Result<Success> const& parts) {
  if (parts) {
    gather_digests(writing);
    // The manifest of a part is that of the whole checkpoint.
    if (ranks_ != nullptr) {
      auto const text = broadcast_text(
          *ranks_, executor_.rank() == 0 ? to_text(writing.manifest) : std::string());
      writing.manifest = parse_manifest(text).value();
    }
  } else {
    writing.part.reset();
    local_problem_ = parts.problem();
  }
  auto begun = begin_shared(writing);
  if (begun)
    start(&Writing::drain);
  else
    writing.place_part();
  return begun;
}

Result<Success> CheckpointWriter::publish(Writing& writing) {
  auto const text = to_text(writing.manifest);
  auto written = write_new(writing.folder->path() / manifest_file_name, text, true);
  if (!written) return written;
  if (auto replaced = writing.folder->replace_target(checkpoint_files()); !replaced)
    return replaced;
  for (auto const& path : replaced_)
    if (path != places_.folder / checkpoint_name(writing.manifest.position.steps))
      remove_checkpoint(path);
  replaced_.clear();
  remove_old(places_.folder, keep_.newest, keep_.every);
  return Success{};
}

Result<std::optional<fs::path>> CheckpointWriter::advance() {
  writing_->thread.join();
  auto result = agree(std::move(writing_->result));
  if (!writing_->shared) {
    result = start_to_drain(*writing_, result);
    if (result) return std::optional<fs::path>();
  }
  auto const writing = std::move(writing_);
  if (writing->part_problem) local_problem_ = std::move(writing->part_problem);
  auto const own = folder_of_rank(places_.local, executor_.rank());
  if (!result) {
    // The parts stay, to be drained by a resume, but not more of them with each failure.
    if (!places_.local.empty()) remove_old(own, 2, 0);
    return result.problem();
  }
  gather_digests(*writing);
  if (executor_.rank() == 0) result = publish(*writing);
  if (result = agree(std::move(result)); !result) return result.problem();
  if (!places_.local.empty()) remover_ = std::jthread([own] { remove_old(own, 0, 0); });
  return std::optional(places_.folder / checkpoint_name(writing->manifest.position.steps));
}

Result<fs::path> CheckpointWriter::finish() {
  while (true) {
    auto path = advance();
    if (!path) return path.problem();
    if (path.value()) return *std::move(path).value();
  }
}

std::optional<Problem> CheckpointWriter::take_local_problem() {
  return std::exchange(local_problem_, std::nullopt);
}

}  // namespace lbann::runtime
