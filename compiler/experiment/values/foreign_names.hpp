// What other frameworks call the layers, fields and values of this language.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lbann::compiler {

/// What becomes of the value of a field with another name.
enum class ValueChange : std::uint8_t {
  none,
  complement,  ///< 1 minus it
  negation,    ///< `true` of `false`
  left_out     ///< the field has no counterpart, and none is needed
};

/// A name of PyTorch, Keras or Caffe. `ours` is empty where this language says it otherwise, which
/// `note` then tells.
struct ForeignName {
  std::string_view theirs;  ///< in lower case, without `_`
  std::string_view ours;
  std::string_view note = {};
  std::string_view adds = {};  ///< a field that says what else is in their name: `pool_mode: max`
  ValueChange change = ValueChange::none;
};

/// The one table; several rows may have the same `theirs`.
std::span<ForeignName const> foreign_names();

/// Rows for a name as a user writes it (`nn.Conv2d`, `ReLU()`, `batch_size`) whose `ours` is among
/// `accepted`; where there are none, those whose `ours` is empty.
std::vector<ForeignName const*> translations(std::string_view name,
                                             std::vector<std::string_view> const& accepted);

/// A name without the modules before it and without `()`: `nn.ReLU()` as `ReLU`.
std::string_view bare_name(std::string_view name);

/// A key that is often looked for in another section than its own.
struct OwnedField {
  std::string_view field;    ///< ours
  std::string_view section;  ///< the one that it is a key of, in words or with an example
};
/// That of a key of ours or theirs, or null.
OwnedField const* owner_of(std::string_view name);

/// What is to be said of a field of ours that is 1 minus theirs; empty for others.
std::string_view complement_note(std::string_view field);

/// What a word of another framework is as the value of a field: `val` of `role` is `validate`.
/// Empty if it is none.
std::string_view translated_value(std::string_view field, std::string_view word);

}  // namespace lbann::compiler
