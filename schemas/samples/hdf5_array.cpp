// Bytes from the file, from memory or from chunks, turned into numbers.
#include "schemas/samples/hdf5_array.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace lbann {

namespace {

/// Numbers that are turned at once.
constexpr std::int64_t longest_piece = 1024;

/// A number for each axis; HDF5 has 32 at most.
using Axes = std::array<std::int64_t, 32>;

/// Of a size whose numbers a float may not hold.
bool is_wide_integer(NpyNumber number) {
  return number == NpyNumber::i4 || number == NpyNumber::i8 || number == NpyNumber::u4 ||
         number == NpyNumber::u8;
}

/// IEEE 754 binary16.
double half_value(std::uint16_t bits) {
  auto const exponent = bits >> 10 & 31;
  auto const fraction = bits & 1023;
  double const size = exponent == 0    ? std::ldexp(fraction, -24)
                      : exponent == 31 ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                                       : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

template <class T>
void turn(std::uint8_t const* bytes, Hdf5Number number, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    std::array<std::uint8_t, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes + i * sizeof(T), sizeof(T));
    if (number.swapped) std::ranges::reverse(raw);
    auto const value = std::bit_cast<T>(raw);
    if constexpr (std::is_same_v<T, std::uint16_t>)
      to[i] = number.half ? half_value(value) : static_cast<double>(value);
    else
      to[i] = static_cast<double>(value);
  }
}

void turn_numbers(std::uint8_t const* bytes, Hdf5Number number, std::span<double> to) {
  switch (number.number) {
    case NpyNumber::f4:
      return turn<float>(bytes, number, to);
    case NpyNumber::f8:
      return turn<double>(bytes, number, to);
    case NpyNumber::i1:
      return turn<std::int8_t>(bytes, number, to);
    case NpyNumber::i2:
      return turn<std::int16_t>(bytes, number, to);
    case NpyNumber::i4:
      return turn<std::int32_t>(bytes, number, to);
    case NpyNumber::i8:
      return turn<std::int64_t>(bytes, number, to);
    case NpyNumber::u1:
      return turn<std::uint8_t>(bytes, number, to);
    case NpyNumber::u2:
      return turn<std::uint16_t>(bytes, number, to);
    case NpyNumber::u4:
      return turn<std::uint32_t>(bytes, number, to);
    case NpyNumber::u8:
      return turn<std::uint64_t>(bytes, number, to);
  }
}

/// Visits `count` numbers that lie at `bytes`.
void visit_bytes(std::uint8_t const* bytes, Hdf5Number number, std::int64_t at, std::int64_t count,
                 Hdf5Array::Visit const& visit) {
  std::array<double, longest_piece> piece;
  for (std::int64_t done = 0; done < count; done += longest_piece) {
    std::span const numbers(piece.data(),
                            static_cast<std::size_t>(std::min(longest_piece, count - done)));
    turn_numbers(bytes + done * number.bytes(), number, numbers);
    visit(at + done, numbers);
  }
}

/// What chunk and rows have in common, as a box whose last axis is contiguous in both.
class Overlap {
 public:
  Overlap(Hdf5Array const& array, Axes const& place, std::int64_t first, std::int64_t count)
      : dims_(array.dims), chunk_(array.chunks->dims), first_(first) {
    for (std::size_t axis = 0; axis < dims_.size(); ++axis) {
      auto const origin = place[axis] * chunk_[axis];
      auto const least = axis == 0 ? std::max(origin, first) : origin;
      auto const most = axis == 0 ? first + count : dims_[axis];
      begin_[axis] = least - origin;
      size_[axis] = std::min(origin + chunk_[axis], most) - least;
      origin_[axis] = origin;
    }
  }

  /// Calls `run(in_chunk, at, count)` for each run of numbers.
  template <class Run>
  void each_run(Run run) const {
    walk(0, 0, 0, run);
  }

 private:
  template <class Run>
  void walk(std::size_t axis, std::int64_t in_chunk, std::int64_t at, Run& run) const {
    auto const offset = origin_[axis] - (axis == 0 ? first_ : 0);
    if (axis + 1 == dims_.size()) {
      run(in_chunk * chunk_[axis] + begin_[axis], at * dims_[axis] + offset + begin_[axis],
          size_[axis]);
      return;
    }
    for (auto i = begin_[axis]; i < begin_[axis] + size_[axis]; ++i)
      walk(axis + 1, in_chunk * chunk_[axis] + i, at * dims_[axis] + offset + i, run);
  }

  std::vector<std::int64_t> const& dims_;
  std::vector<std::int64_t> const& chunk_;
  std::int64_t first_;
  Axes begin_{}, size_{}, origin_{};
};

/// Calls `run(bytes, at, count)` for each run of numbers of these rows that lies in one chunk.
template <class Run>
Result<Success> each_chunk_run(Hdf5Array const& array, std::int64_t first, std::int64_t count,
                               Run run) {
  auto const& chunks = *array.chunks;
  auto const axes = array.dims.size();
  Axes place{};
  auto const width = array.number.bytes();
  auto const last_row = (first + count - 1) / chunks.dims[0];
  for (place[0] = first / chunks.dims[0]; place[0] <= last_row;) {
    std::int64_t chunk = 0;
    for (std::size_t axis = 0; axis < axes; ++axis)
      chunk = chunk * chunks.counts[axis] + place[axis];
    auto const bytes = read_chunk(array.chunks, static_cast<std::size_t>(chunk), array.file);
    if (!bytes) return bytes.problem();
    Overlap(array, place, first, count)
        .each_run([&](std::int64_t in_chunk, std::int64_t at, std::int64_t numbers) {
          run(bytes.value().data() + in_chunk * width, at, numbers);
        });
    auto axis = axes - 1;
    while (++place[axis] == chunks.counts[axis] && axis > 0) place[axis--] = 0;
  }
  return Success{};
}

}  // namespace

Result<Success> Hdf5Array::load() {
  auto const bytes = numbers() * number.bytes();
  if (held) return Success{};
  if (!chunks) {
    if (bytes <= file.size() && begin <= file.size() - bytes) return Success{};
    return file.problem("it promises " + std::to_string(bytes) + " bytes from byte " +
                        std::to_string(begin) + " on, the file has " + std::to_string(file.size()) +
                        "; was it copied completely?");
  }
  if (bytes > largest_file_in_memory) return Success{};
  std::vector<std::uint8_t> all(static_cast<std::size_t>(bytes));
  auto copied = each_chunk_run(*this, 0, rows(),
                               [&](std::uint8_t const* from, std::int64_t at, std::int64_t count) {
                                 std::memcpy(all.data() + at * number.bytes(), from,
                                             static_cast<std::size_t>(count * number.bytes()));
                               });
  if (!copied) return copied;
  held = std::make_shared<std::vector<std::uint8_t> const>(std::move(all));
  return Success{};
}

Result<Success> Hdf5Array::each(std::int64_t first, std::int64_t count, Visit const& visit) const {
  auto const width = number.bytes();
  auto const begin_number = first * row(), wanted = count * row();
  if (held) {
    visit_bytes(held->data() + begin_number * width, number, 0, wanted, visit);
    return Success{};
  }
  if (chunks)
    return each_chunk_run(*this, first, count,
                          [&](std::uint8_t const* from, std::int64_t at, std::int64_t numbers) {
                            visit_bytes(from, number, at, numbers, visit);
                          });
  std::array<std::uint8_t, std::size_t{1} << 16> buffer;
  auto const longest = static_cast<std::int64_t>(buffer.size()) / width;
  for (std::int64_t done = 0; done < wanted; done += longest) {
    auto const piece = std::min(longest, wanted - done);
    auto const bytes =
        file.read(begin + (begin_number + done) * width, piece * width, buffer.data());
    if (!bytes) return bytes.problem();
    visit_bytes(bytes.value(), number, done, piece, visit);
  }
  return Success{};
}

Result<Success> Hdf5Array::read(std::int64_t first, std::int64_t count, FieldValues const& values,
                                double scale) const {
  auto const type = number.number;
  bool const as_they_are = scale == 1 && !number.swapped &&
                           ((type == NpyNumber::f4 && values.type == DataType::f32) ||
                            (type == NpyNumber::f8 && values.type == DataType::f64));
  if (as_they_are && !held && !chunks)
    return file.copy(begin + first * row() * number.bytes(), values.count * number.bytes(),
                     static_cast<std::uint8_t*>(values.data));
  // As of .npy files: a large integer that becomes its neighbour is another one.
  bool const counts = scale == 1 && values.type == DataType::f32 && is_wide_integer(type);
  double lost = 0;
  auto done = each(first, count, [&](std::int64_t at, std::span<double const> numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      values.set(at + static_cast<std::int64_t>(i), numbers[i] * scale);
      if (counts && static_cast<double>(static_cast<float>(numbers[i])) != numbers[i])
        lost = numbers[i];
    }
  });
  if (!done || lost == 0) return done;
  return file.problem("its number " + std::to_string(static_cast<std::int64_t>(lost)) +
                      " is not exact in 32 bits; give the layers that take it `datatype: double`");
}

}  // namespace lbann
