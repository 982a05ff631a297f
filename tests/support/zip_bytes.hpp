// Zip archives made for a test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lbann::tests {

/// A file of the archive as it lies in there.
struct ZipMember {
  std::string name;
  std::vector<std::uint8_t> packed;
  std::uint32_t size = 0, check = 0;
  std::uint16_t method = 0;  ///< 0 stored, 8 deflated
  bool zip64 = false;        ///< sizes and place stand in the zip64 field, as NumPy may write them
};

inline std::vector<std::uint8_t> zip_bytes(std::vector<ZipMember> const& members) {
  std::vector<std::uint8_t> bytes, directory;
  auto const put = [](std::vector<std::uint8_t>& to, std::uint64_t number, int count) {
    for (int i = 0; i < count; ++i, number >>= 8) to.push_back(static_cast<std::uint8_t>(number));
  };
  auto const sizes = [&](std::vector<std::uint8_t>& to, ZipMember const& member, bool wide) {
    put(to, 20, 2);
    put(to, 0, 2);
    put(to, member.method, 2);
    put(to, 0, 4);
    put(to, member.check, 4);
    put(to, wide ? 0xffffffff : member.packed.size(), 4);
    put(to, wide ? 0xffffffff : member.size, 4);
    put(to, member.name.size(), 2);
  };
  for (auto const& member : members) {
    auto const at = bytes.size();
    put(bytes, 0x04034b50, 4);
    sizes(bytes, member, false);
    put(bytes, 3, 2);  // a field of the local header alone
    bytes.insert(bytes.end(), member.name.begin(), member.name.end());
    put(bytes, 0, 3);
    bytes.insert(bytes.end(), member.packed.begin(), member.packed.end());
    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    sizes(directory, member, member.zip64);
    put(directory, member.zip64 ? 28 : 0, 2);
    put(directory, 0, 2 + 2 + 2 + 4);
    put(directory, member.zip64 ? 0xffffffff : at, 4);
    directory.insert(directory.end(), member.name.begin(), member.name.end());
    if (member.zip64) {
      put(directory, 1, 2);
      put(directory, 24, 2);
      put(directory, member.size, 8);
      put(directory, member.packed.size(), 8);
      put(directory, at, 8);
    }
  }
  auto const begin = bytes.size();
  bytes.insert(bytes.end(), directory.begin(), directory.end());
  put(bytes, 0x06054b50, 4);
  put(bytes, 0, 4);
  put(bytes, members.size(), 2);
  put(bytes, members.size(), 2);
  put(bytes, directory.size(), 4);
  put(bytes, begin, 4);
  put(bytes, 0, 2);
  return bytes;
}

}  // namespace lbann::tests
