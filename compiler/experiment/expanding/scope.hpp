// Names that `${...}` may use, and what they stand for.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Variables, parameters of a module, or the index of a `repeat`; what is not found here is looked
/// for outside.
class Scope {
 public:
  enum class State : std::uint8_t { untouched, under_way, good, bad };
  struct Binding {
    Node value;     ///< as written while untouched, without `${...}` once good
    Span key_span;  ///< where the name was given
    State state = State::good;
    bool used = false;
  };

  explicit Scope(Scope* outer = nullptr) : outer_(outer) {}

  /// Adds `name`, and `name.key` for every key of a mapping.
  void add(std::string const& name, Node const& value, Span key_span, State state);

  /// The innermost binding of a name, or null; it and what it lies in count as used.
  Binding* find(std::string_view name);

  /// Whether there is a binding of a name; it does not count as used.
  bool holds(std::string_view name) const;

  /// The scope of the outermost names, the variables.
  Scope& outermost() { return outer_ == nullptr ? *this : outer_->outermost(); }

  /// All names that can be used here, innermost first.
  std::vector<std::string_view> names() const;

  std::map<std::string, Binding, std::less<>>& bindings() { return bindings_; }

 private:
  Scope* outer_;
  std::map<std::string, Binding, std::less<>> bindings_;
};

}  // namespace lbann::compiler
