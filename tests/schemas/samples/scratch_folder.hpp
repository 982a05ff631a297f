// A folder for the files of one test, removed behind it.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace lbann::tests {

class ScratchFolder {
 public:
  ScratchFolder() {
    auto pattern = (std::filesystem::temp_directory_path() / "lbann-data-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(ScratchFolder const&) = delete;

  std::string path() const { return path_; }
  void write(std::string const& name, std::vector<std::uint8_t> const& bytes) const {
    std::ofstream(path_ + "/" + name, std::ios::binary)
        .write(reinterpret_cast<char const*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  void write_text(std::string const& name, std::string const& text) const {
    write(name, std::vector<std::uint8_t>(text.begin(), text.end()));
  }

 private:
  std::string path_;
};

}  // namespace lbann::tests
