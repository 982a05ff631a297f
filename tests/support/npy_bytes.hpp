// Arrays in NumPy's .npy format made for a test.
#pragma once

#include <cstdint>
#include <cstring>
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
  std::vector<std::uint8_t> bytes(start.size() + values.size() * sizeof(T));
  std::memcpy(bytes.data(), start.data(), start.size());
  std::memcpy(bytes.data() + start.size(), values.data(), values.size() * sizeof(T));
  return bytes;
}

}  // namespace lbann::tests
