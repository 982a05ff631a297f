// The header, and that the file is as long as it says.
#include "schemas/samples/npy_file.hpp"

namespace lbann {

Result<Success> NpyFile::read(std::int64_t first, FieldValues const& values, double scale) const {
  bool const as_they_are = scale == 1 && ((number == Number::f4 && values.type == DataType::f32) ||
                                          (number == Number::f8 && values.type == DataType::f64));
  auto const width = bytes_of(number);
  if (as_they_are)
    return file.copy(begin + first * width, values.count * width,
                     static_cast<std::uint8_t*>(values.data));
  return each(first, values.count,
              [&](std::int64_t i, double value) { values.set(i, value * scale); });
}

Result<Success> NpyFile::load(bool checks_all) {
  if (auto loaded = file.load(bytes()); !loaded) return loaded;
  if (checksum && (file.in_memory() || checks_all)) return file.check(*checksum);
  return Success{};
}

Result<NpyFile> open_npy_file(DataFile file) {
  auto const first = file.first(longest_npy_header);
  if (!first) return first.problem();
  auto header = parse_npy_header(first.value());
  if (!header) return file.problem(header.problem().message);
  auto& [dims, number, begin, numbers] = header.value();
  return NpyFile{std::move(dims), number, std::move(file), begin, numbers};
}

Result<NpyFile> open_npy_file(std::string const& path) {
  auto file = DataFile::open(path);
  if (!file) return file.problem();
  return open_npy_file(std::move(file).value());
}

}  // namespace lbann
