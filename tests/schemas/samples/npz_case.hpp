// Archives of arrays for the readers that take a list of them.
#pragma once

#include <zlib.h>

#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/npy_bytes.hpp"
#include "tests/support/zip_bytes.hpp"

namespace lbann::tests {

inline ZipMember npz_member(std::string const& name, std::vector<std::uint8_t> const& bytes) {
  auto const check = static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
  return {name + ".npy", bytes, static_cast<std::uint32_t>(bytes.size()), check};
}

/// A reader of the archives that `files.txt` names.
template <class Reader>
struct NpzCase : ReaderCase<Reader> {
  NpzCase() {
    this->reader.data_filedir = this->folder.path();
    this->reader.data_filename = "files.txt";
  }
  void archive(std::string const& name, std::vector<ZipMember> const& members) const {
    this->folder.write(name, zip_bytes(members));
  }
  void list(std::string const& text) const { this->folder.write_text("files.txt", text); }
  void says(std::string const& words) const {
    auto const found = this->problem();
    CAPTURE(found);
    CHECK(testing::contains(found, words));
  }
};

}  // namespace lbann::tests
