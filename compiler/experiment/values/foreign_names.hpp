// What other frameworks call the layers and fields of this language.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lbann::compiler {

/// A name of PyTorch, Keras or Caffe. `ours` is empty where this language says it otherwise, which
/// `note` then tells.
struct ForeignName {
  std::string_view theirs;  ///< in lower case, without `_`
  std::string_view ours;
  std::string_view note = {};
};

/// The one table; several rows may have the same `theirs`.
std::span<ForeignName const> foreign_names();

/// Rows for a name as a user writes it (`Conv2d`, `batch_size`) whose `ours` is among `accepted` or
/// empty.
std::vector<ForeignName const*> translations(std::string_view name,
                                             std::vector<std::string_view> const& accepted);

}  // namespace lbann::compiler
