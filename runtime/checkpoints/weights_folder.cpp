// Saving of weights by name.
#include "runtime/checkpoints/weights_folder.hpp"

#include <optional>

#include "runtime/checkpoints/npy.hpp"
#include "runtime/checkpoints/saving_folder.hpp"
#include "runtime/execution/whole_tensor.hpp"
#include "schemas/files/file_name.hpp"

namespace lbann::runtime {

namespace {

namespace fs = std::filesystem;

std::string file_of(WeightsInfo const& weights, std::string const& extension) {
  return file_name(weights.name + '.' + extension);
}

FileNames files_of(Plan const& plan, std::string const& extension) {
  FileNames names;
  for (auto const& weights : plan.weights) names.insert(file_of(weights, extension));
  return names;
}

/// The folder with links resolved, so that the target of a link is replaced, not the link.
Result<fs::path> resolved(fs::path const& folder) {
  std::error_code error;
  auto target = fs::weakly_canonical(folder, error);
  if (error) return Problem{folder.string() + ": cannot be written: " + error.message()};
  // A path with a slash at its end has no file name.
  return target.has_filename() ? target : target.parent_path();
}

}  // namespace

Result<Success> check_weights_folder(fs::path const& folder, std::string const& extension,
                                     Plan const& plan) {
  auto const target = resolved(folder);
  if (!target) return target.problem();
  if (auto refusal = refusal_of_folder(target.value(), files_of(plan, extension))) return *refusal;
  auto const trial = SavingFolder::create(target.value());
  return trial ? Result<Success>(Success{}) : trial.problem();
}

namespace {

/// Weights to be written to a folder, one after the other.
class Saving {
 public:
  static Result<Saving> begin(fs::path const& folder, std::string const& extension,
                              Plan const& plan) {
    auto const target = resolved(folder);
    if (!target) return target.problem();
    auto files = files_of(plan, extension);
    if (auto refusal = refusal_of_folder(target.value(), files)) return *refusal;
    auto fresh = SavingFolder::create(target.value());
    if (!fresh) return fresh.problem();
    return Saving(std::move(fresh).value(), std::move(files), extension);
  }

  Result<Success> write(WeightsInfo const& weights, WholeTensor const& values) {
    return write_npy(fresh_.path() / file_of(weights, extension_), values.view().type, weights.dims,
                     values.bytes());
  }
  Result<Success> finish() { return fresh_.replace_target(files_); }

 private:
  Saving(SavingFolder fresh, FileNames files, std::string extension)
      : fresh_(std::move(fresh)), files_(std::move(files)), extension_(std::move(extension)) {}

  SavingFolder fresh_;
  FileNames files_;
  std::string extension_;
};

}  // namespace

Result<Success> save_weights(fs::path const& folder, std::string const& extension,
                             Executor const& executor, Plan const& plan) {
  bool const writes = executor.rank() == 0;
  std::optional<Saving> saving;
  Result<Success> result = Success{};
  if (writes) {
    auto begun = Saving::begin(folder, extension, plan);
    if (begun)
      saving.emplace(std::move(begun).value());
    else
      result = begun.problem();
  }
  for (auto const& weights : plan.weights) {
    // Collective: also after a file could not be written.
    WholeTensor const values(executor, weights.tensor);
    if (writes && result) result = saving->write(weights, values);
  }
  if (writes && result) result = saving->finish();
  return result;
}

}  // namespace lbann::runtime
