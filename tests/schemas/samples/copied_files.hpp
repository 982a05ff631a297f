// Copies of data files as a run makes them while samples are read.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <vector>

#include "schemas/samples/file_staging.hpp"

namespace lbann::tests {

/// The copy of a file is what lies in a folder `copies` beside it under the same name; a test that
/// writes another file there tells what is read from it.
struct CopiedFiles final : FileStaging {
  std::vector<std::string> announced;

  std::int64_t add(std::int64_t count, std::function<std::string(std::int64_t)> path) override {
    auto const first = std::ssize(announced);
    for (std::int64_t i = 0; i < count; ++i) announced.push_back(path(i));
    return first;
  }
  std::string place(std::int64_t number, std::string const& path) override {
    CHECK(announced[static_cast<std::size_t>(number)] == path);
    std::filesystem::path const file(path);
    auto const copy = file.parent_path() / "copies" / file.filename();
    return std::filesystem::exists(copy) ? copy.string() : path;
  }
};

}  // namespace lbann::tests
