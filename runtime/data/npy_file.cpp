// The header, and that the file is as long as it says.
#include "runtime/data/npy_file.hpp"

namespace lbann::runtime {

PromisedSize const npy_size{
    longest_npy_header, [](std::span<std::uint8_t const> first) -> Result<std::int64_t> {
      auto const header = parse_npy_header(first);
      if (!header) return header.problem();
      return header.value().begin + header.value().numbers * bytes_of(header.value().number);
    }};

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

Result<NpyFile> read_npy_file(DataFile file) {
  auto const first = file.bytes(0, std::min(file.size(), longest_npy_header));
  if (!first) return first.problem();
  auto header = parse_npy_header(first.value());
  if (!header) return file.problem(header.problem().message);
  auto& [dims, number, begin, numbers] = header.value();
  auto const expected = numbers * bytes_of(number), there = file.size() - begin;
  if (there < expected)
    return file.problem("it ends after " + std::to_string(there) + " of " +
                        std::to_string(expected) + " bytes of numbers; was it copied completely?");
  if (there > expected) return file.problem("it is longer than its header says");
  return NpyFile{std::move(dims), number, std::move(file), begin};
}

Result<NpyFile> read_npy_file(std::string const& path) {
  auto file = DataFile::open(path, npy_size);
  if (!file) return file.problem();
  return read_npy_file(std::move(file).value());
}

}  // namespace lbann::runtime
