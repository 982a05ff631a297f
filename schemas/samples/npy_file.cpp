// The header, and that the file is as long as it says.
#include "schemas/samples/npy_file.hpp"

namespace lbann {

namespace {

/// Of a size whose numbers a float may not hold.
bool is_integer(NpyNumber number) {
  return number == NpyNumber::i4 || number == NpyNumber::i8 || number == NpyNumber::u4 ||
         number == NpyNumber::u8;
}

}  // namespace

Result<Success> NpyFile::read(std::int64_t first, FieldValues const& values, double scale) const {
  bool const as_they_are = scale == 1 && ((number == Number::f4 && values.type == DataType::f32) ||
                                          (number == Number::f8 && values.type == DataType::f64));
  auto const width = bytes_of(number);
  if (as_they_are)
    return file.copy(begin + first * width, values.count * width,
                     static_cast<std::uint8_t*>(values.data));
  // A large number of a list or a vocabulary that becomes its neighbour is another one.
  bool const counts = scale == 1 && values.type == DataType::f32 && is_integer(number);
  std::int64_t rounded = -1;
  double lost = 0;
  auto done = each(first, values.count, [&](std::int64_t i, double value) {
    values.set(i, value * scale);
    if (!counts || static_cast<double>(static_cast<float>(value)) == value || rounded >= 0) return;
    rounded = i;
    lost = value;
  });
  if (!done || rounded < 0) return done;
  return file.problem("its number " + std::to_string(first + rounded) + ", " +
                      std::to_string(static_cast<std::int64_t>(lost)) +
                      ", is not exact in 32 bits; give the layers that take it `datatype: double`");
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
