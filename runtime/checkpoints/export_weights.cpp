// Writes weights as a safetensors file or a NumPy archive.
#include "runtime/checkpoints/export_weights.hpp"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/checkpoints/npy.hpp"
#include "runtime/checkpoints/replacing_file.hpp"
#include "runtime/checkpoints/safetensors.hpp"
#include "runtime/execution/whole_tensor.hpp"
#include "schemas/data_formats/zip_headers.hpp"

namespace lbann::runtime {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view safetensors_ending = ".safetensors", npz_ending = ".npz";

struct ExportedWeights {
  std::string name;
  DataType type = DataType::f32;
  std::vector<std::int64_t> dims;
  TensorId tensor;
  std::int64_t bytes = 0;  ///< 0 for weights without memory
};

/// Wider types first, so that each begins at a multiple of its width.
std::vector<ExportedWeights> exported_weights(Executor const& executor, Plan const& plan) {
  std::vector<ExportedWeights> all;
  for (auto const& weights : plan.weights) {
    auto const part = part_of(executor, weights.tensor);
    all.push_back({weights.name, part.type, weights.dims, weights.tensor,
                   part.memory == nullptr ? 0 : part.bytes_of_whole()});
  }
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](auto const& weights) { return bytes_of(weights.type); });
  return all;
}

Result<std::string> safetensors_head(std::vector<ExportedWeights> const& all) {
  std::vector<SafetensorsEntry> entries;
  std::int64_t at = 0;
  for (auto const& weights : all) {
    entries.push_back({weights.name, weights.type, weights.dims, at, at + weights.bytes});
    at += weights.bytes;
  }
  return compose_safetensors_header(entries);
}

std::uint32_t crc_of(std::string_view head, std::span<std::byte const> data) {
  auto check = ::crc32_z(0, nullptr, 0);
  check = ::crc32_z(check, reinterpret_cast<Bytef const*>(head.data()), head.size());
  if (data.empty()) return static_cast<std::uint32_t>(check);  // null would begin again
  return static_cast<std::uint32_t>(
      ::crc32_z(check, reinterpret_cast<Bytef const*>(data.data()), data.size()));
}

/// A file that is written weights by weights.
class WeightsFile {
 public:
  static Result<std::unique_ptr<WeightsFile>> create(fs::path const& path,
                                                     std::vector<ExportedWeights> const& all) {
    auto file = ReplacingFile::create(path);
    if (!file) return file.problem();
    std::unique_ptr<WeightsFile> made(
        new WeightsFile(std::move(file).value(), path.extension() == npz_ending));
    if (made->is_npz_) return made;
    auto const head = safetensors_head(all);
    if (!head) return head.problem();
    if (auto done = made->file_.write(head.value()); !done) return done.problem();
    return made;
  }

  Result<Success> add(ExportedWeights const& weights, std::span<std::byte const> bytes) {
    if (!is_npz_) return file_.write(bytes);
    auto const head = npy_head(weights.type, weights.dims);
    if (!head) return Problem{"weights `" + weights.name + "`: " + head.problem().message};
    auto const size = static_cast<std::int64_t>(head.value().size() + bytes.size());
    entries_.push_back(
        {weights.name + ".npy", false, crc_of(head.value(), bytes), at_, size, size});
    auto const local = zip_local_header(entries_.back());
    if (auto done = file_.write(local + head.value()); !done) return done;
    if (auto done = file_.write(bytes); !done) return done;
    at_ += static_cast<std::int64_t>(local.size()) + size;
    return Success{};
  }

  Result<Success> finish() {
    if (is_npz_)
      if (auto done = file_.write(zip_directory(entries_, at_)); !done) return done;
    return file_.replace_target();
  }

 private:
  WeightsFile(ReplacingFile file, bool is_npz) : file_(std::move(file)), is_npz_(is_npz) {}

  ReplacingFile file_;
  bool is_npz_;
  std::vector<ZipEntry> entries_;  ///< of an archive
  std::int64_t at_ = 0;
};

/// Whether the format can say types and names of all weights.
Result<Success> check_weights(fs::path const& path, Executor const& executor, Plan const& plan) {
  auto const all = exported_weights(executor, plan);
  auto const head = safetensors_head(all);
  if (path.extension() == safetensors_ending && !head) return head.problem();
  constexpr std::size_t longest_name = 65535 - 4;
  for (auto const& weights : all) {
    if (auto const npy = npy_head(weights.type, weights.dims); !npy)
      return Problem{"weights `" + weights.name + "`: " + npy.problem().message};
    if (weights.name.size() > longest_name)
      return Problem{"weights with a name too long for an archive"};
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
  bool const writes = executor.rank() == 0;
  auto const all = exported_weights(executor, plan);
  Result<Success> result = Success{};
  std::unique_ptr<WeightsFile> file;
  if (writes) {
    auto created = WeightsFile::create(path, all);
    if (created)
      file = std::move(created).value();
    else
      result = created.problem();
  }
  for (auto const& weights : all) {
    // Collective: also after the file could not be written.
    WholeTensor const values(executor, weights.tensor);
    if (writes && result) result = file->add(weights, values.bytes());
  }
  if (writes && result) result = file->finish();
  return result;
}

}  // namespace lbann::runtime
