// Each sample is a head, its dims, and its values.
#include "schemas/samples/packed_values.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace lbann {

namespace {

struct PackedHead {
  std::int64_t axes = 0;
  std::int64_t values = 0;
  std::int64_t width = 0;  ///< bytes of a value: 1, 4 or 8
};

template <class T>
bool holds_all(std::vector<double> const& values) {
  for (auto const value : values) {
    if constexpr (std::is_integral_v<T>)
      if (!(value >= 0 && value <= 255)) return false;
    if (std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<T>(value))) !=
        std::bit_cast<std::uint64_t>(value))
      return false;
  }
  return true;
}

template <class T>
void append(std::vector<double> const& values, std::vector<std::byte>& bytes) {
  auto const begin = bytes.size();
  bytes.resize(begin + values.size() * sizeof(T));
  auto* to = bytes.data() + begin;
  for (auto const value : values) {
    auto const narrow = static_cast<T>(value);
    std::memcpy(to, &narrow, sizeof narrow);
    to += sizeof narrow;
  }
}

template <class T>
void take(std::byte const* from, std::vector<double>& values) {
  for (auto& value : values) {
    T narrow;
    std::memcpy(&narrow, from, sizeof narrow);
    value = static_cast<double>(narrow);
    from += sizeof narrow;
  }
}

}  // namespace

void pack_values(SampleValues const& sample, std::vector<std::byte>& bytes) {
  PackedHead head{static_cast<std::int64_t>(sample.dims.size()),
                  static_cast<std::int64_t>(sample.values.size()), 8};
  if (holds_all<std::uint8_t>(sample.values))
    head.width = 1;
  else if (holds_all<float>(sample.values))
    head.width = 4;
  auto const begin = bytes.size(), of_dims = sample.dims.size() * sizeof(std::int64_t);
  bytes.resize(begin + sizeof head + of_dims);
  std::memcpy(bytes.data() + begin, &head, sizeof head);
  if (of_dims > 0) std::memcpy(bytes.data() + begin + sizeof head, sample.dims.data(), of_dims);
  if (head.width == 1)
    append<std::uint8_t>(sample.values, bytes);
  else if (head.width == 4)
    append<float>(sample.values, bytes);
  else
    append<double>(sample.values, bytes);
}

void unpack_values(std::span<std::byte const> bytes, std::size_t position, SampleValues& sample) {
  PackedHead head;
  for (std::size_t number = 0;; ++number) {
    std::memcpy(&head, bytes.data(), sizeof head);
    bytes = bytes.subspan(sizeof head);
    auto const of_dims = static_cast<std::size_t>(head.axes) * sizeof(std::int64_t);
    if (number == position) {
      sample.dims.resize(static_cast<std::size_t>(head.axes));
      if (of_dims > 0) std::memcpy(sample.dims.data(), bytes.data(), of_dims);
      bytes = bytes.subspan(of_dims);
      break;
    }
    bytes = bytes.subspan(of_dims + static_cast<std::size_t>(head.values * head.width));
  }
  sample.values.resize(static_cast<std::size_t>(head.values));
  if (head.width == 1)
    take<std::uint8_t>(bytes.data(), sample.values);
  else if (head.width == 4)
    take<float>(bytes.data(), sample.values);
  else
    take<double>(bytes.data(), sample.values);
}

}  // namespace lbann
