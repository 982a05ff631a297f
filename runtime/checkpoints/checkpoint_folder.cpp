// Lists, removes and reads checkpoints. Everything read is compared with a digest.
#include "runtime/checkpoints/checkpoint_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <thread>

#include "runtime/checkpoints/local_parts.hpp"
#include "runtime/checkpoints/npy.hpp"
#include "runtime/checkpoints/safetensors.hpp"
#include "schemas/files/regular_file.hpp"
#include "schemas/plan/digest.hpp"

namespace lbann::runtime {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view name_start = "step_";
constexpr std::size_t name_digits = 12;
constexpr std::size_t most_readers = 4;
constexpr std::int64_t longest_manifest = std::int64_t{1} << 30;

Problem of_file(fs::path const& path, std::string const& what) {
  return {path.string() + ": " + what};
}

/// The step in the name of a checkpoint; -1 for other names.
std::int64_t step_of(std::string const& name) {
  if (!name.starts_with(name_start) || name.size() < name_start.size() + name_digits ||
      name.size() > name_start.size() + 18)
    return -1;
  std::int64_t step = 0;
  for (char const c : std::string_view(name).substr(name_start.size())) {
    if (c < '0' || c > '9') return -1;
    step = 10 * step + (c - '0');
  }
  return step;
}

std::vector<fs::path> entries_of(fs::path const& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error))
    paths.push_back(entry->path());
  return paths;
}

/// All bytes of a file of so many, of this digest.
Result<std::vector<std::uint8_t>> read_whole(fs::path const& path, std::int64_t bytes,
                                             std::uint64_t wanted) {
  auto const file = RegularFile::open(path.string());
  if (!file) return of_file(path, file.problem().message);
  if (file.value().size() != bytes)
    return of_file(path, fmt::format("has {} bytes instead of {}", file.value().size(), bytes));
  auto content = file.value().read_all(bytes);
  if (!content) return of_file(path, content.problem().message);
  if (digest(content.value()) != wanted) return of_file(path, "is damaged: its digest differs");
  return content;
}

/// Callbacks may have been added or removed since a checkpoint.
bool is_of_callback(std::string_view name) { return name.starts_with("callback `"); }

/// The arrays in the order of the file, where each lies; problems name what does not fit.
Result<std::vector<StateArray>> arrays_of_file(std::vector<StateArray> arrays,
                                               std::vector<SafetensorsEntry> const& entries) {
  std::map<std::string, StateArray*, std::less<>> by_name;
  for (auto& array : arrays) by_name[array.name] = &array;
  std::vector<StateArray> found;
  for (auto const& entry : entries) {
    auto const own = by_name.find(entry.name);
    if (own == by_name.end()) {
      if (is_of_callback(entry.name)) continue;
      return Problem{"holds `" + entry.name + "`, which the plan has not"};
    }
    auto const& array = *own->second;
    if (array.type != entry.type || array.dims != entry.dims)
      return Problem{"`" + entry.name + "` is " + describe(entry.type, entry.dims) +
                     ", in the plan " + describe(array.type, array.dims)};
    found.push_back(array);
    found.back().begin = entry.begin;
    by_name.erase(own);
  }
  for (auto const& [name, array] : by_name)
    if (!is_of_callback(name)) return Problem{"holds no `" + name + "`"};
  return found;
}

}  // namespace

FileNames const& checkpoint_files() {
  static FileNames const names = {manifest_file_name, state_file_name, plan_file_name};
  return names;
}

std::string checkpoint_name(std::int64_t steps) {
  return fmt::format("{}{:0{}}", name_start, steps, name_digits);
}

std::vector<fs::path> list_checkpoints(fs::path const& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (auto& path : entries_of(folder))
    if (step_of(path.filename().string()) >= 0 && fs::exists(path / manifest_file_name, error))
      found.push_back(std::move(path));
  std::ranges::sort(found, [](auto const& a, auto const& b) {
    return step_of(a.filename().string()) > step_of(b.filename().string());
  });
  return found;
}

void remove_checkpoint(fs::path const& path) {
  std::error_code error;
  // First of all: from then on the rest is no checkpoint. If it stays, the whole is left as it is.
  fs::remove(path / manifest_file_name, error);
  if (error) return;
  for (auto const& name : checkpoint_files()) fs::remove(path / name, error);
  fs::remove(path / chunks_file_name, error);
  fs::remove(path, error);  // not if it holds files of others
}

void remove_old(fs::path const& folder, std::int64_t newest, std::int64_t every) {
  auto const all = list_checkpoints(folder);
  for (std::size_t i = static_cast<std::size_t>(newest); i < all.size(); ++i) {
    auto const step = step_of(all[i].filename().string());
    if (every == 0 || step % every != 0) remove_checkpoint(all[i]);
  }
}

void remove_remains(fs::path const& folder) {
  std::error_code error;
  for (auto const& path : entries_of(folder)) {
    auto const name = path.filename().string();
    auto const infix = name.find(".saving-");
    if (infix != name.npos && step_of(name.substr(0, infix)) >= 0)
      remove_abandoned(folder / name.substr(0, infix), folder);
    else if (step_of(name) >= 0 && !fs::exists(path / manifest_file_name, error))
      remove_checkpoint(path);
  }
}

Result<Manifest> read_manifest(fs::path const& checkpoint) {
  auto const path = checkpoint / manifest_file_name;
  auto const file = RegularFile::open(path.string());
  if (!file) return of_file(path, file.problem().message);
  auto const bytes = file.value().read_all(longest_manifest);
  if (!bytes) return of_file(path, bytes.problem().message);
  auto manifest =
      parse_manifest({reinterpret_cast<char const*>(bytes.value().data()), bytes.value().size()});
  if (!manifest) return of_file(checkpoint, manifest.problem().message);
  auto const step = step_of(checkpoint.filename().string());
  if (step >= 0 && step != manifest.value().position.steps)
    return of_file(checkpoint,
                   fmt::format("its manifest is of step {}", manifest.value().position.steps));
  return manifest;
}

bool looks_whole(fs::path const& checkpoint) {
  auto const manifest = read_manifest(checkpoint);
  if (!manifest) return false;
  auto const has = [&](char const* name, std::int64_t bytes) {
    std::error_code error;
    auto const size = fs::file_size(checkpoint / name, error);
    return !error && static_cast<std::int64_t>(size) == bytes;
  };
  return has(plan_file_name, manifest.value().plan_bytes) &&
         has(state_file_name, manifest.value().header_bytes + manifest.value().array_bytes);
}

Result<std::vector<std::uint8_t>> read_plan_bytes(fs::path const& checkpoint,
                                                  Manifest const& manifest) {
  return read_whole(checkpoint / plan_file_name, manifest.plan_bytes, manifest.plan_digest);
}

Result<Success> load_state(fs::path const& checkpoint, Manifest const& manifest,
                           std::vector<StateArray> arrays) {
  auto const path = checkpoint / state_file_name;
  auto const file = RegularFile::open(path.string());
  if (!file) return of_file(path, file.problem().message);
  auto const total = manifest.array_bytes, head = manifest.header_bytes;
  if (total < 0 || head < safetensors_prefix || head > longest_safetensors_header ||
      static_cast<std::int64_t>(manifest.chunk_digests.size()) != chunk_count(total))
    return of_file(checkpoint, "its manifest contradicts itself");
  if (file.value().size() != head + total)
    return of_file(path,
                   fmt::format("has {} bytes instead of {}", file.value().size(), head + total));

  auto const read = [&](std::int64_t begin, std::span<std::byte> to,
                        std::uint64_t wanted) -> Result<Success> {
    auto const count = static_cast<std::int64_t>(to.size());
    auto const got = file.value().read(begin, count, to.data());
    if (!got) return of_file(path, got.problem().message);
    if (got.value() != count) return of_file(path, "ends too early");
    if (digest({reinterpret_cast<std::uint8_t const*>(to.data()), to.size()}) != wanted)
      return of_file(path, fmt::format("is damaged in bytes {} to {}", begin, begin + count));
    return Success{};
  };
  std::vector<std::byte> header(static_cast<std::size_t>(head));
  if (auto got = read(0, header, manifest.header_digest); !got) return got;
  auto const entries =
      parse_safetensors_header({reinterpret_cast<char const*>(header.data()) + safetensors_prefix,
                                header.size() - safetensors_prefix},
                               total);
  if (!entries) return of_file(path, entries.problem().message);
  auto const placed = arrays_of_file(std::move(arrays), entries.value());
  if (!placed) return of_file(path, placed.problem().message);

  // Several threads: comparing digests takes as long as reading from a fast disk.
  auto const chunks = manifest.chunk_digests.size();
  auto const most = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_readers);
  auto const readers = std::min(chunks, most);
  auto const chunk = static_cast<std::size_t>(std::min(checkpoint_chunk_bytes, total));
  auto const buffers = std::make_unique_for_overwrite<std::byte[]>(readers * chunk);
  std::vector<Result<Success>> results(readers, Success{});
  auto const read_share = [&](std::size_t reader) {
    for (auto i = reader; i < chunks && results[reader]; i += readers) {
      auto const begin = static_cast<std::int64_t>(i) * checkpoint_chunk_bytes;
      std::span const bytes(buffers.get() + reader * chunk,
                            std::min(chunk, static_cast<std::size_t>(total - begin)));
      results[reader] = read(head + begin, bytes, manifest.chunk_digests[i]);
      if (results[reader]) write_state(placed.value(), begin, bytes);
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t reader = 1; reader < readers; ++reader)
      others.emplace_back(read_share, reader);
    if (readers > 0) read_share(0);
  }
  for (auto& result : results)
    if (!result) return std::move(result);
  return Success{};
}

}  // namespace lbann::runtime
