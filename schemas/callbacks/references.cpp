// References of callbacks by their names.
#include "schemas/callbacks/references.hpp"

#include "schemas/callbacks/list.hpp"

namespace lbann::callbacks {

namespace {

template <class... Ts>
std::span<Reference const> find(std::string_view callback, std::variant<Ts...> const*) {
  std::span<Reference const> found;
  (void)((Ts::name == callback ? (found = references_of<Ts>(), true) : false) || ...);
  return found;
}

}  // namespace

std::span<Reference const> references_of(std::string_view callback) {
  return find(callback, static_cast<DeclaredCallback const*>(nullptr));
}

}  // namespace lbann::callbacks
