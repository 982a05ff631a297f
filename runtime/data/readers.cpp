// What readers share: finding files, one-hot labels.
#include "runtime/data/readers.hpp"

#include <filesystem>

namespace lbann::runtime {

namespace fs = std::filesystem;

Result<std::string> Lookup::find(std::string const& folder, std::string const& name) const {
  auto const path = fs::path(folder) / name;
  std::string tried;
  std::error_code error;
  std::vector<fs::path> candidates = {path};
  if (!data_root.empty() && path.is_relative())
    candidates.insert(candidates.begin(), fs::path(data_root) / path);
  for (auto const& candidate : candidates) {
    if (fs::is_regular_file(candidate, error)) return candidate.string();
    tried += (tried.empty() ? "`" : " or `") + candidate.string() + "`";
  }
  return Problem{"there is no file " + tried +
                 (path.is_absolute() ? ""
                                     : "; relative paths are looked up in --data-root, then in "
                                       "the working directory")};
}

std::int64_t elements_of(std::vector<std::int64_t> const& dims) {
  std::int64_t product = 1;
  for (auto size : dims) product *= size;
  return product;
}

void set_one_hot(FieldValues const& values, std::int64_t label) {
  for (std::int64_t i = 0; i < values.count; ++i) values.set(i, i == label ? 1 : 0);
}

}  // namespace lbann::runtime
