// Looking names up from the inside out.
#include "compiler/experiment/expanding/scope.hpp"

namespace lbann::compiler {

void Scope::add(std::string const& name, Node const& value, Span key_span, State state) {
  bindings_.emplace(name, Binding{value, key_span, state, false});
  for (auto const& entry : value.entries)
    add(name + "." + entry.key, entry.value, entry.key_span, state);
}

Scope::Binding* Scope::find(std::string_view name) {
  auto const found = bindings_.find(name);
  if (found != bindings_.end()) {
    found->second.used = true;
    auto const whole = bindings_.find(name.substr(0, name.find('.')));
    if (whole != bindings_.end()) whole->second.used = true;
    return &found->second;
  }
  return outer_ == nullptr ? nullptr : outer_->find(name);
}

bool Scope::holds(std::string_view name) const {
  return bindings_.contains(name) || (outer_ != nullptr && outer_->holds(name));
}

std::vector<std::string_view> Scope::names() const {
  std::vector<std::string_view> names;
  for (auto const& [name, binding] : bindings_) names.push_back(name);
  if (outer_ != nullptr)
    for (auto const name : outer_->names()) names.push_back(name);
  return names;
}

}  // namespace lbann::compiler
