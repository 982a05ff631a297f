// Finds parts of checkpoints on the disks of all nodes and brings them together.
#include "runtime/checkpoints/local_parts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>
#include <tuple>

#include "runtime/checkpoints/checkpoint_folder.hpp"
#include "runtime/checkpoints/safetensors.hpp"
#include "runtime/checkpoints/saving_folder.hpp"
#include "runtime/communication/agreement.hpp"
#include "schemas/files/regular_file.hpp"
#include "schemas/plan/digest.hpp"

namespace lbann::runtime {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view rank_start = "rank_";

/// A part as a rank sees it.
struct SeenPart {
  std::string folder;
  std::int64_t steps = 0, written = 0, ranks = 0, part = 0;
  std::uint64_t digest = 0;  ///< of the manifest, the same for all parts of a checkpoint
};

std::vector<fs::path> folders_in(fs::path const& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error))
    if (fs::is_directory(entry->symlink_status(error))) paths.push_back(entry->path());
  return paths;
}

/// The number in the name of a rank's folder; -1 for other names.
std::int64_t rank_of(fs::path const& folder) {
  auto const name = folder.filename().string();
  if (!name.starts_with(rank_start)) return -1;
  std::int64_t rank = -1;
  auto const* const end = name.data() + name.size();
  auto const [rest, error] = std::from_chars(name.data() + rank_start.size(), end, rank);
  return error == std::errc() && rest == end && rank >= 0 ? rank : -1;
}

std::uint64_t digest_of_manifest(Manifest const& manifest) {
  auto const text = to_text(manifest);
  return digest({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()});
}

std::vector<SeenPart> parts_in(fs::path const& local) {
  std::vector<SeenPart> parts;
  for (auto const& run : folders_in(local))
    for (auto const& rank : folders_in(run)) {
      if (rank_of(rank) < 0) continue;
      for (auto const& checkpoint : list_checkpoints(rank))
        if (auto const manifest = read_manifest(checkpoint))
          parts.push_back({run.filename(), manifest.value().position.steps,
                           manifest.value().written, manifest.value().ranks, rank_of(rank),
                           digest_of_manifest(manifest.value())});
    }
  return parts;
}

std::span<std::byte const> bytes_of(std::string const& text) {
  return std::as_bytes(std::span(text));
}

/// One line; the name of the folder, which may hold blanks, comes last.
std::string to_line(SeenPart const& part) {
  return fmt::format("{} {} {} {} {} {}\n", part.steps, part.written, part.ranks, part.part,
                     part.digest, part.folder);
}

std::vector<SeenPart> from_lines(std::span<std::byte const> bytes) {
  std::istringstream lines(std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size()));
  std::vector<SeenPart> parts;
  for (SeenPart part; lines >> part.steps >> part.written >> part.ranks >> part.part >> part.digest;
       parts.push_back(part)) {
    lines.get();
    std::getline(lines, part.folder);
  }
  return parts;
}

/// Reads bytes of a file and compares their digest.
Result<Success> read_digested(RegularFile const& file, fs::path const& path, std::int64_t begin,
                              std::span<std::byte> to, std::uint64_t wanted) {
  auto const count = static_cast<std::int64_t>(to.size());
  auto const got = file.read(begin, count, to.data());
  if (!got) return Problem{path.string() + ": " + got.problem().message};
  if (got.value() != count) return Problem{path.string() + ": ends too early"};
  if (digest({reinterpret_cast<std::uint8_t const*>(to.data()), to.size()}) != wanted)
    return Problem{
        fmt::format("{}: is damaged in bytes {} to {}", path.string(), begin, begin + count)};
  return Success{};
}

/// Copies the chunks of one part into the open state file.
Result<Success> copy_part(fs::path const& part, std::int64_t number, Manifest const& manifest,
                          int state_file, fs::path const& state_path) {
  auto const path = part / chunks_file_name;
  auto const file = RegularFile::open(path.string());
  if (!file) return Problem{path.string() + ": " + file.problem().message};
  auto const buffer =
      std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(checkpoint_chunk_bytes));
  auto at = manifest.header_bytes;
  for (auto const chunk : chunks_of(chunk_count(manifest.array_bytes), number, manifest.ranks)) {
    auto const count = bytes_of_chunk(chunk, manifest.array_bytes);
    std::span const bytes(buffer.get(), static_cast<std::size_t>(count));
    auto read = read_digested(file.value(), path, at, bytes,
                              manifest.chunk_digests[static_cast<std::size_t>(chunk)]);
    if (!read) return read;
    if (!write_at(state_file, manifest.header_bytes + chunk * checkpoint_chunk_bytes, bytes))
      return Problem{state_path.string() + ": cannot be written: " + std::strerror(errno)};
    at += count;
  }
  return Success{};
}

/// Writes what is not in chunks: the plan, the header of the state, the manifest.
Result<Success> write_frame(fs::path const& part, Manifest const& manifest, fs::path const& to) {
  auto const path = part / chunks_file_name;
  auto const file = RegularFile::open(path.string());
  if (!file) return Problem{path.string() + ": " + file.problem().message};
  if (manifest.header_bytes < 0 || manifest.header_bytes > longest_safetensors_header ||
      manifest.array_bytes < 0 || manifest.ranks < 1 ||
      static_cast<std::int64_t>(manifest.chunk_digests.size()) != chunk_count(manifest.array_bytes))
    return Problem{part.string() + ": its manifest contradicts itself"};
  std::string header(static_cast<std::size_t>(manifest.header_bytes), '\0');
  if (auto read = read_digested(file.value(), path, 0, std::as_writable_bytes(std::span(header)),
                                manifest.header_digest);
      !read)
    return read;
  auto const plan = read_plan_bytes(part, manifest);
  if (!plan) return plan.problem();
  if (auto written = write_new(to / state_file_name, header, false); !written) return written;
  std::string_view const plan_text(reinterpret_cast<char const*>(plan.value().data()),
                                   plan.value().size());
  if (auto written = write_new(to / plan_file_name, plan_text, true); !written) return written;
  return write_new(to / manifest_file_name, to_text(manifest), true);
}

/// The parts that this rank brings.
std::vector<std::int64_t> parts_of(LocalCheckpoint const& found, std::int64_t rank) {
  std::vector<std::int64_t> own;
  for (std::size_t part = 0; part < found.holders.size(); ++part)
    if (found.holders[part] == rank) own.push_back(static_cast<std::int64_t>(part));
  return own;
}

/// The checkpoint that rank 0 has found, on all ranks.
std::optional<LocalCheckpoint> broadcast_found(Communicator& ranks, LocalCheckpoint const* found) {
  std::string text;
  if (ranks.rank() == 0 && found != nullptr)
    text = fmt::format("{} {} {} {}\n{}", found->steps, found->written, found->digest,
                       fmt::join(found->holders, " "), found->folder);
  text = broadcast_text(ranks, text);
  if (text.empty()) return std::nullopt;
  LocalCheckpoint all;
  auto const line = text.find('\n');
  all.folder = text.substr(line + 1);
  std::istringstream numbers(text.substr(0, line));
  numbers >> all.steps >> all.written >> all.digest;
  for (std::int64_t holder = 0; numbers >> holder;) all.holders.push_back(holder);
  return all;
}

/// Copies what this rank holds of `found` into the new folder `to`.
Result<Success> bring_parts(LocalCheckpoint const& found, std::vector<std::int64_t> const& own,
                            fs::path const& parts, fs::path const& to) {
  auto const path = to / state_file_name;
  int const file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  Result<Success> done = Success{};
  if (file < 0) done = Problem{path.string() + ": cannot be opened: " + std::strerror(errno)};
  for (auto const number : own) {
    if (!done) break;
    auto const part = folder_of_rank(parts, number) / checkpoint_name(found.steps);
    auto const manifest = read_manifest(part);
    if (!manifest)
      done = manifest.problem();
    else if (digest_of_manifest(manifest.value()) != found.digest)
      done = Problem{part.string() + ": has changed while it was read"};
    else
      done = copy_part(part, number, manifest.value(), file, path);
  }
  if (done && ::fsync(file) != 0)
    done = Problem{path.string() + ": cannot be written: " + std::strerror(errno)};
  if (file >= 0) ::close(file);
  return done;
}

}  // namespace

fs::path local_folder(fs::path const& local, fs::path const& run, std::string const& trainer) {
  auto const path = run.string();
  auto const place = digest({reinterpret_cast<std::uint8_t const*>(path.data()), path.size()});
  return local / fmt::format("{}{}{}-{:016x}", run.filename().string(), trainer.empty() ? "" : "_",
                             trainer, place);
}

fs::path folder_of_rank(fs::path const& local_folder, std::int64_t rank) {
  return local_folder / fmt::format("{}{}", rank_start, rank);
}

std::vector<LocalCheckpoint> find_local_checkpoints(Communicator& ranks, fs::path const& local) {
  std::string lines;
  for (auto const& part : parts_in(local)) lines += to_line(part);
  auto all = std::vector<std::vector<std::byte>>(1);
  if (ranks.size() > 1)
    all = ranks.gather(bytes_of(lines));
  else
    all.front().assign(bytes_of(lines).begin(), bytes_of(lines).end());
  // By folder and manifest; ranks in their order, so that the lowest that sees a part is first.
  std::map<std::tuple<std::string, std::int64_t, std::uint64_t>, LocalCheckpoint> found;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (auto const& part : from_lines(all[rank])) {
      if (part.part >= part.ranks) continue;  // of no checkpoint
      auto& one = found[{part.folder, part.steps, part.digest}];
      if (one.holders.empty())
        one = {part.folder, part.steps, part.written, part.digest,
               std::vector<std::int64_t>(static_cast<std::size_t>(part.ranks), -1)};
      auto& holder = one.holders[static_cast<std::size_t>(part.part)];
      if (holder < 0) holder = static_cast<std::int64_t>(rank);
    }
  std::vector<LocalCheckpoint> newest;
  for (auto& [key, one] : found) {
    if (std::ranges::find(one.holders, -1) != one.holders.end()) continue;
    if (!newest.empty() && newest.back().folder == one.folder)
      newest.back() = std::move(one);  // of a later step, or the same
    else
      newest.push_back(std::move(one));
  }
  return newest;
}

Result<std::optional<fs::path>> drain_local(Communicator& ranks, LocalCheckpoint const* found,
                                            fs::path const& local, fs::path const& folder) {
  auto const all = broadcast_found(ranks, found);
  if (!all) return std::optional<fs::path>();
  auto const target = folder / checkpoint_name(all->steps);
  auto const parts = local / all->folder;
  auto const own = parts_of(*all, ranks.rank());
  std::optional<SavingFolder> saving;
  Result<Success> done = Success{};
  if (ranks.rank() == 0) {
    auto created = SavingFolder::create(target);
    if (created)
      saving.emplace(std::move(created).value());
    else
      done = created.problem();
  }
  if (done = agree_on_status(ranks, std::move(done)); !done) return done.problem();
  fs::path const to = broadcast_text(ranks, saving ? saving->path().string() : "");
  if (!own.empty() && own.front() == 0) {
    auto const first = folder_of_rank(parts, 0) / checkpoint_name(all->steps);
    auto const manifest = read_manifest(first);
    done = manifest ? write_frame(first, manifest.value(), to) : manifest.problem();
  }
  if (done = agree_on_status(ranks, std::move(done)); !done) return done.problem();
  if (!own.empty()) done = bring_parts(*all, own, parts, to);
  if (done = agree_on_status(ranks, std::move(done)); !done) return done.problem();
  if (saving) done = saving->replace_target(checkpoint_files());
  if (done = agree_on_status(ranks, std::move(done)); !done) return done.problem();
  return std::optional(target);
}

void remove_parts(fs::path const& local_folder) {
  std::error_code error;
  for (auto const& rank : folders_in(local_folder)) {
    if (rank_of(rank) < 0) continue;
    remove_remains(rank);
    remove_old(rank, 0, 0);
    fs::remove(rank, error);  // not if it holds files of others
  }
  fs::remove(local_folder, error);
}

}  // namespace lbann::runtime
