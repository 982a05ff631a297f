// Saving of weights by name.
#include "runtime/checkpoints/weights_folder.hpp"

#include "runtime/checkpoints/npy.hpp"
#include "runtime/checkpoints/saving_folder.hpp"
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

std::span<std::byte> bytes_of_weights(Executor const& executor, WeightsInfo const& weights) {
  auto const view = executor.read(weights.tensor, 0);
  auto const count = view.data == nullptr ? 0 : static_cast<std::size_t>(view.elements());
  return {view.as<std::byte>(), count * bytes_of(view.type)};
}

Result<Success> check_weights_folder(fs::path const& folder, std::string const& extension,
                                     Plan const& plan) {
  auto const target = resolved(folder);
  if (!target) return target.problem();
  if (auto refusal = refusal_of_folder(target.value(), files_of(plan, extension))) return *refusal;
  auto const trial = SavingFolder::create(target.value());
  return trial ? Result<Success>(Success{}) : trial.problem();
}

Result<Success> save_weights(fs::path const& folder, std::string const& extension,
                             Executor const& executor, Plan const& plan) {
  auto const target = resolved(folder);
  if (!target) return target.problem();
  auto const files = files_of(plan, extension);
  if (auto refusal = refusal_of_folder(target.value(), files)) return *refusal;
  auto fresh = SavingFolder::create(target.value());
  if (!fresh) return fresh.problem();
  for (auto const& weights : plan.weights) {
    auto const written = write_npy(fresh.value().path() / file_of(weights, extension),
                                   executor.place(weights.tensor, 0).type, weights.dims,
                                   bytes_of_weights(executor, weights));
    if (!written) return written.problem();
  }
  return fresh.value().replace_target(files);
}

}  // namespace lbann::runtime
