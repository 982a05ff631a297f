// Where data are looked for at compile time.
#pragma once

#include <optional>
#include <string>

namespace lbann::compiler {

/// Places in their order: `root` (`--data-root`), the working directory, `beside` (the folder of
/// the experiment). An absolute path is taken as it is. Modules of Python are run only with
/// `probe_python`, by the interpreter `python` (empty: $LBANN_PYTHON, or `python3`).
struct DataPlaces {
  std::string root;
  std::string beside;
  bool probe_python = false;
  std::string python = {};

  /// The first place where a file is, or nothing.
  std::optional<std::string> find_file(std::string const& path) const;
  /// The first place where a folder is, or nothing; the working directory if `path` is empty.
  std::optional<std::string> find_folder(std::string const& path) const;
  /// What runs modules of Python.
  std::string interpreter() const;
};

}  // namespace lbann::compiler
