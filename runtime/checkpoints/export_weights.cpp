// Writes weights as a safetensors file or a NumPy archive.
#include "runtime/checkpoints/export_weights.hpp"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "runtime/checkpoints/npy.hpp"
#include "runtime/checkpoints/replacing_file.hpp"
#include "runtime/checkpoints/safetensors.hpp"
#include "schemas/data_formats/zip_headers.hpp"

namespace lbann::runtime {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view safetensors_ending = ".safetensors", npz_ending = ".npz";

struct ExportedWeights {
  std::string name;
  DataType type = DataType::f32;
  std::vector<std::int64_t> dims;
  std::span<std::byte const> bytes;
};

/// Wider types first, so that each begins at a multiple of its width.
std::vector<ExportedWeights> exported_weights(Executor const& executor, Plan const& plan) {
  std::vector<ExportedWeights> all;
  for (auto const& weights : plan.weights) {
    auto const view = executor.read(weights.tensor, 0);
    auto const count = view.data == nullptr ? 0 : static_cast<std::size_t>(view.elements());
    all.push_back({weights.name,
                   view.type,
                   weights.dims,
                   {view.as<std::byte>(), count * bytes_of(view.type)}});
  }
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](auto const& weights) { return bytes_of(weights.type); });
  return all;
}

Result<std::string> safetensors_head(std::vector<ExportedWeights> const& all) {
  std::vector<SafetensorsEntry> entries;
  std::int64_t at = 0;
  for (auto const& [name, type, dims, bytes] : all) {
    auto const end = at + static_cast<std::int64_t>(bytes.size());
    entries.push_back({name, type, dims, at, end});
    at = end;
  }
  return compose_safetensors_header(entries);
}

Result<Success> write_safetensors(ReplacingFile& file, std::vector<ExportedWeights> const& all) {
  auto const head = safetensors_head(all);
  if (!head) return head.problem();
  if (auto done = file.write(head.value()); !done) return done;
  for (auto const& weights : all)
    if (auto done = file.write(weights.bytes); !done) return done;
  return Success{};
}

std::uint32_t crc_of(std::string_view head, std::span<std::byte const> data) {
  auto check = ::crc32_z(0, nullptr, 0);
  check = ::crc32_z(check, reinterpret_cast<Bytef const*>(head.data()), head.size());
  if (data.empty()) return static_cast<std::uint32_t>(check);  // null would begin again
  return static_cast<std::uint32_t>(
      ::crc32_z(check, reinterpret_cast<Bytef const*>(data.data()), data.size()));
}

Result<Success> write_npz(ReplacingFile& file, std::vector<ExportedWeights> const& all) {
  std::vector<ZipEntry> entries;
  std::int64_t at = 0;
  for (auto const& [name, type, dims, bytes] : all) {
    auto const head = npy_head(type, dims);
    if (!head) return Problem{"weights `" + name + "`: " + head.problem().message};
    auto const size = static_cast<std::int64_t>(head.value().size() + bytes.size());
    entries.push_back({name + ".npy", false, crc_of(head.value(), bytes), at, size, size});
    auto const local = zip_local_header(entries.back());
    if (auto done = file.write(local + head.value()); !done) return done;
    if (auto done = file.write(bytes); !done) return done;
    at += static_cast<std::int64_t>(local.size()) + size;
  }
  return file.write(zip_directory(entries, at));
}

/// Whether the format can say types and names of all weights.
Result<Success> check_weights(fs::path const& path, Executor const& executor, Plan const& plan) {
  auto const all = exported_weights(executor, plan);
  auto const head = safetensors_head(all);
  if (path.extension() == safetensors_ending && !head) return head.problem();
  constexpr std::size_t longest_name = 65535 - 4;
  for (auto const& [name, type, dims, bytes] : all) {
    if (auto const npy = npy_head(type, dims); !npy)
      return Problem{"weights `" + name + "`: " + npy.problem().message};
    if (name.size() > longest_name) return Problem{"weights with a name too long for an archive"};
  }
  return Success{};
}

}  // namespace

bool can_export(fs::path const& path) {
  return path.extension() == safetensors_ending || path.extension() == npz_ending;
}

fs::path path_of_trainer(fs::path const& path, std::int64_t trainer, std::int64_t trainers) {
  if (trainers == 1) return path;
  return path.parent_path() / ("trainer" + std::to_string(trainer)) / path.filename();
}

Result<Success> check_export(fs::path const& path, std::int64_t trainer, std::int64_t trainers,
                             Executor const& executor, Plan const& plan) {
  std::error_code error;
  auto const folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    return Problem{path.string() + ": there is no folder " + folder.string()};
  if (auto good = check_weights(path, executor, plan); !good)
    return Problem{path.string() + ": " + good.problem().message};
  auto const own = path_of_trainer(path, trainer, trainers);
  if (trainers > 1) fs::create_directory(own.parent_path(), error);
  if (error) return Problem{own.parent_path().string() + ": cannot be made: " + error.message()};
  auto const trial = ReplacingFile::create(own);
  return trial ? Result<Success>(Success{}) : trial.problem();
}

Result<Success> export_weights(fs::path const& path, Executor const& executor, Plan const& plan) {
  auto file = ReplacingFile::create(path);
  if (!file) return file.problem();
  auto const all = exported_weights(executor, plan);
  bool const npz = path.extension() == npz_ending;
  auto written = npz ? write_npz(file.value(), all) : write_safetensors(file.value(), all);
  if (!written) return written;
  return file.value().replace_target();
}

}  // namespace lbann::runtime
