// What the library is not needed for.
#include "schemas/samples/hdf5_file.hpp"

namespace lbann {

Result<double> Hdf5File::number(std::string const& name) const {
  auto array = this->array(name);
  if (!array) return array.problem();
  if (array.value().numbers() != 1)
    return array.value().file.problem("it holds " + std::to_string(array.value().numbers()) +
                                      " numbers, one was expected");
  if (auto found = find_chunks(name, array.value()); !found) return found.problem();
  if (auto loaded = array.value().load(); !loaded) return loaded.problem();
  double number = 0;
  auto read = array.value().each(
      0, array.value().rows(),
      [&](std::int64_t, std::span<double const> numbers) { number = numbers[0]; });
  if (!read) return read.problem();
  return number;
}

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
