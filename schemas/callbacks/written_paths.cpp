// Asks every declaration.
#include "schemas/callbacks/written_paths.hpp"

#include <variant>

#include "schemas/callbacks/list.hpp"

namespace lbann::callbacks {

namespace {

template <class Declared>
void look(std::string_view callback, std::span<std::string_view const>& found) {
  if constexpr (requires { Declared::written_paths; })
    if (callback == Declared::name) found = Declared::written_paths;
}

template <class... Declared>
void look_at_all(std::string_view callback, std::span<std::string_view const>& found,
                 std::variant<Declared...> const*) {
  (look<Declared>(callback, found), ...);
}

}  // namespace

std::span<std::string_view const> written_paths(std::string_view callback) {
  std::span<std::string_view const> found;
  look_at_all(callback, found, static_cast<DeclaredCallback const*>(nullptr));
  return found;
}

}  // namespace lbann::callbacks
