// Arrays in NumPy's .npy format made for a test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lbann::tests {

/// A file of version 1; the letters of the type, the shape and the order as Python writes them.
template <class T>
std::vector<std::uint8_t> npy_bytes(std::string const& descr, std::string const& shape,
                                    std::vector<T> const& values,
                                    std::string const& order = "False") {
  auto header =
      "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  header.resize(118, ' ');
  header.back() = '\n';
  std::string const start = "\x93NUMPY\x01" + std::string(1, '\0') +
                            static_cast<char>(header.size()) + std::string(1, '\0') + header;
  std::vector<std::uint8_t> bytes(start.begin(), start.end());
  auto const* const first = reinterpret_cast<std::uint8_t const*>(values.data());
  bytes.insert(bytes.end(), first, first + values.size() * sizeof(T));
  return bytes;
}

}  // namespace lbann::tests
