// The declared types of one kind, looked up by name.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace lbann::compiler {

/// Types of one kind, made once in `main` and passed on by reference. `Type` has a member
/// `declaration`, a `DeclarationType`. The entries come from the list in the `meson.build` of their
/// folder.
template <class Type>
class TypeTable {
 public:
  explicit TypeTable(std::vector<Type> types) : types_(std::move(types)) {}

  /// Null if there is none of this name.
  Type const* find(std::string_view name) const {
    for (auto const& type : types_)
      if (type.declaration.name == name) return &type;
    return nullptr;
  }

  /// In the order of the list.
  std::vector<Type const*> all() const {
    std::vector<Type const*> all;
    for (auto const& type : types_) all.push_back(&type);
    return all;
  }

 private:
  std::vector<Type> types_;
};

}  // namespace lbann::compiler
