// The declarations asked once, for all records a plan can hold.
#include "schemas/plan/paths.hpp"

#include <set>
#include <utility>

#include "schemas/callbacks/list.hpp"
#include "schemas/data_readers/list.hpp"
#include "schemas/metrics/list.hpp"

namespace lbann {

namespace {

using Paths = std::set<std::pair<std::string_view, std::string_view>>;

template <class T>
void add_paths(Paths& paths) {
  static constexpr auto fields = T::fields();
  std::apply(
      [&](auto const&... each) {
        ((each.path ? void(paths.emplace(T::name, each.name)) : void()), ...);
      },
      fields);
}

template <class... Types>
void add_paths_of(std::variant<Types...> const*, Paths& paths) {
  (add_paths<Types>(paths), ...);
}

template <class... Lists>
Paths paths_of() {
  Paths paths;
  (add_paths_of(static_cast<Lists const*>(nullptr), paths), ...);
  return paths;
}

}  // namespace

bool is_path(std::string_view type, std::string_view field) {
  static Paths const paths = paths_of<DataReader, DeclaredCallback, ExternalMetric>();
  return paths.contains({type, field});
}

}  // namespace lbann
