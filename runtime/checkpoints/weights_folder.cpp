// Saving and loading of weights by name.
#include "runtime/checkpoints/weights_folder.hpp"

#include "runtime/checkpoints/npy.hpp"
#include "runtime/checkpoints/saving_folder.hpp"
#include "schemas/files/file_name.hpp"
#include "schemas/plan/location.hpp"

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
  auto const view = executor.view(weights.tensor, 0);
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
                                   executor.view(weights.tensor, 0).type, weights.dims,
                                   bytes_of_weights(executor, weights));
    if (!written) return written.problem();
  }
  return fresh.value().replace_target(files);
}

Result<Success> load_weights(std::vector<fs::path> const& folders, std::string const& extension,
                             bool partial, Executor const& executor, Plan const& plan) {
  std::string problems;
  auto const report = [&](Span span, std::string const& message) {
    if (!problems.empty()) problems += '\n';
    problems += located(plan.sources, span, message);
  };
  std::error_code error;
  for (auto const& folder : folders)
    if (!fs::is_directory(folder, error)) report({}, folder.string() + ": no such folder");
  if (!problems.empty()) return Problem{problems};

  struct Found {
    fs::path path;
    NpyHeader head;
    std::span<std::byte> bytes;
  };
  std::vector<Found> found;
  for (auto const& weights : plan.weights) {
    fs::path path;
    for (auto const& folder : folders)
      if (auto const file = folder / file_of(weights, extension); fs::exists(file, error))
        path = file;
    if (path.empty()) {
      if (!partial && !folders.empty()) {
        report(weights.span, "weights `" + weights.name + "`: no file " +
                                 (folders.back() / file_of(weights, extension)).string());
      }
      continue;
    }
    auto head = read_npy_head(path);
    if (!head) {
      report(weights.span, head.problem().message);
      continue;
    }
    auto const type = executor.view(weights.tensor, 0).type;
    auto const bytes = bytes_of_weights(executor, weights);
    auto const expected = describe(type, weights.dims);
    if (tensor_type(head.value().number) != type || head.value().dims != weights.dims) {
      report(weights.span, "weights `" + weights.name + "` are " + expected + ", " + path.string() +
                               " holds " + describe(head.value()));
    } else if (auto const size = fs::file_size(path, error);
               error || size != static_cast<std::uintmax_t>(head.value().begin) + bytes.size()) {
      report(weights.span,
             path.string() + ": has " + std::to_string(size) + " bytes, " + expected + " needs " +
                 std::to_string(static_cast<std::uintmax_t>(head.value().begin) + bytes.size()));
    } else {
      found.push_back({path, std::move(head).value(), bytes});
    }
  }
  if (!problems.empty()) return Problem{problems};
  for (auto const& file : found) {
    auto const read = read_npy_data(file.path, file.head, file.bytes);
    if (!read) return read.problem();
  }
  return Success{};
}

}  // namespace lbann::runtime
