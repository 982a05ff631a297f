// What the library is not needed for.
#include "schemas/samples/hdf5_file.hpp"

namespace lbann {

Result<Hdf5Array> load_hdf5_array(std::string const& path, std::string const& name) {
  auto const file = Hdf5File::open(path);
  if (!file) return file.problem();
  auto array = file.value().array(name);
  if (!array) return array;
  if (auto found = file.value().find_chunks(name, array.value()); !found) return found.problem();
  if (auto loaded = array.value().load(); !loaded) return loaded.problem();
  return array;
}

}  // namespace lbann
