// Saving and loading of weights by name.
#include "runtime/checkpoints/weights_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "runtime/checkpoints/npy.hpp"
#include "runtime/loading/location.hpp"

namespace lbann::runtime {

namespace {

namespace fs = std::filesystem;

/// A file name for weights of any name: `/` and a leading dot are written as in URLs.
std::string file_name(std::string const& weights, std::string const& extension) {
  std::string name;
  for (char c : weights) {
    if (c == '/')
      name += "%2F";
    else if (c == '%')
      name += "%25";
    else if (c == '.' && name.empty())
      name += "%2E";
    else
      name += c;
  }
  return name + '.' + extension;
}

std::span<std::byte> bytes_of_weights(Executor const& executor, WeightsInfo const& weights) {
  auto const view = executor.view(weights.tensor, 0);
  auto const count = view.data == nullptr ? 0 : static_cast<std::size_t>(view.elements());
  return {view.as<std::byte>(), count * bytes_of(view.type)};
}

/// What in `folder` no saving of weights has written.
std::optional<fs::path> foreign_entry(fs::path const& folder, std::string const& extension) {
  std::error_code error;
  for (auto const& entry : fs::directory_iterator(folder, error))
    if (!entry.is_regular_file(error) || entry.path().extension() != '.' + extension)
      return entry.path();
  return std::nullopt;
}

Problem refused(fs::path const& path, std::string const& what, std::error_code error) {
  return {path.string() + ": " + what + ": " + error.message()};
}

/// Puts `fresh` in the place of `folder`, of which nothing remains.
Result<Success> take_place(fs::path const& fresh, fs::path const& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    fs::rename(fresh, folder, error);
    if (error) return refused(folder, "cannot be put in place", error);
    return Success{};
  }
  if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) != 0) {
    // A file system without exchange: there is a moment with neither, but never with half of one.
    auto const old = fs::path(fresh.string() + ".old");
    fs::rename(folder, old, error);
    if (!error) fs::rename(fresh, folder, error);
    if (error) return refused(folder, "cannot be replaced", error);
    fs::remove_all(old, error);
    return Success{};
  }
  fs::remove_all(fresh, error);
  return Success{};
}

}  // namespace

Result<Success> save_weights(fs::path const& folder, std::string const& extension,
                             Executor const& executor, Plan const& plan) {
  std::error_code error;
  auto const target = fs::weakly_canonical(folder, error);
  if (error) return refused(folder, "cannot be written", error);
  if (fs::exists(target, error)) {
    if (!fs::is_directory(target, error)) return Problem{folder.string() + ": is not a folder"};
    if (auto const foreign = foreign_entry(target, extension)) {
      return Problem{folder.string() + ": holds " + foreign->filename().string() +
                     ", which saving weights would remove; name a folder of their own"};
    }
  }
  auto const fresh = fs::path(target.string() + ".saving-" + std::to_string(::getpid()));
  fs::remove_all(fresh, error);
  fs::create_directories(fresh, error);
  if (error) return refused(fresh, "cannot be created", error);
  for (auto const& weights : plan.weights) {
    auto const written =
        write_npy(fresh / file_name(weights.name, extension), executor.view(weights.tensor, 0).type,
                  weights.dims, bytes_of_weights(executor, weights));
    if (!written) {
      fs::remove_all(fresh, error);
      return written.problem();
    }
  }
  return take_place(fresh, target);
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
    NpyHead head;
    std::span<std::byte> bytes;
  };
  std::vector<Found> found;
  for (auto const& weights : plan.weights) {
    fs::path path;
    for (auto const& folder : folders)
      if (auto const file = folder / file_name(weights.name, extension); fs::exists(file, error))
        path = file;
    if (path.empty()) {
      if (!partial && !folders.empty()) {
        report(weights.span, "weights `" + weights.name + "`: no file " +
                                 (folders.back() / file_name(weights.name, extension)).string());
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
    if (head.value().type != type || head.value().dims != weights.dims) {
      report(weights.span, "weights `" + weights.name + "` are " + expected + ", " + path.string() +
                               " holds " + describe(head.value().type, head.value().dims));
    } else if (head.value().fortran_order && weights.dims.size() > 1) {
      report(weights.span, path.string() + ": is in Fortran order; save it in C order");
    } else if (auto const size = fs::file_size(path, error);
               error || size != head.value().data_offset + bytes.size()) {
      report(weights.span, path.string() + ": has " + std::to_string(size) + " bytes, " + expected +
                               " needs " + std::to_string(head.value().data_offset + bytes.size()));
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
