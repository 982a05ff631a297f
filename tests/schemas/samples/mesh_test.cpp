// Channels of meshes, each image in a file of its own.
#include <filesystem>

#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;
using tests::numbers_of;

namespace {

struct MeshCase {
  tests::ScratchFolder folder;
  data_readers::mesh reader;

  MeshCase() {
    reader.data_filedir = folder.path();
    reader.channels = {"a", "b"};
    reader.target_name = "m";
    reader.suffix = "_3";
    reader.data_height = 2;
    reader.data_width = 3;
    reader.index_length = 2;
    for (auto const* name : {"a_3", "b_3", "m_3"})
      std::filesystem::create_directories(folder.path() + "/" + name);
    for (int i = 0; i < 2; ++i) {
      write("a", i, 10 * i);
      write("b", i, 10 * i + 100);
      write("m", i, -10 * i);
    }
  }
  /// Six numbers from `first` on.
  void write(std::string const& channel, int number, int first) const {
    std::vector<std::uint8_t> bytes;
    for (int k = 0; k < 6; ++k) {
      auto const value = static_cast<float>(first) + static_cast<float>(k) / 4;
      auto const* const from = reinterpret_cast<std::uint8_t const*>(&value);
      bytes.insert(bytes.end(), from, from + sizeof(value));
    }
    folder.write(channel + "_3/" + channel + "0" + std::to_string(number) + ".bin", bytes);
  }
  std::string problem() const {
    auto const opened = load_samples(reader, {}, true);
    return opened ? "" : opened.problem().message;
  }
};

}  // namespace

TEST_CASE("mesh gives channels row by row, and the target as responses") {
  MeshCase const c;
  auto const opened = load_samples(c.reader, {}, true);
  if (!opened) FAIL(opened.problem().message);
  auto const& samples = *opened.value();
  CHECK(samples.count() == 2);
  CHECK(samples.fields()[0].dims == std::vector<std::int64_t>{2, 2, 3});
  CHECK(samples.fields()[1].dims == std::vector<std::int64_t>{6});
  CHECK(numbers_of(samples, 1, 0).value() == std::vector<double>{10, 10.25, 10.5, 10.75, 11, 11.25,
                                                                 110, 110.25, 110.5, 110.75, 111,
                                                                 111.25});
  CHECK(numbers_of(samples, 0, 1).value() == std::vector<double>{0, 0.25, 0.5, 0.75, 1, 1.25});
  std::vector<float> single(12);
  CHECK(samples.read(0, 0, {single.data(), DataType::f32, 12}).good());
  CHECK(single[7] == 100.25f);
  CHECK(samples.place(1, 1).ends_with("m_3/m01.bin`"));
}

TEST_CASE("mesh tells of files that are missing or of another size") {
  MeshCase c;
  for (std::size_t size = 0; size < 30; ++size) {
    c.folder.write("b_3/b01.bin", std::vector<std::uint8_t>(size));
    if (size != 24)
      CHECK(
          contains(c.problem(), "b_3/b01.bin`: it has " + std::to_string(size) + " bytes, 2 x 3"));
  }
  std::filesystem::remove(c.folder.path() + "/b_3/b01.bin");
  CHECK(contains(c.problem(), "b_3/b01.bin`: No such file"));
  MeshCase digits;
  digits.reader.index_length = 1;
  CHECK(contains(digits.problem(), "m_3/m0.bin`: No such file"));
  for (int i = 2; i < 11; ++i) digits.folder.write("m_3/m" + std::to_string(i) + ".bin", {});
  CHECK(contains(digits.problem(), "numbers of 11 files have more digits than index_length"));
  MeshCase empty;
  for (auto const* name : {"00", "01"})
    std::filesystem::remove(empty.folder.path() + "/m_3/m" + name + ".bin");
  CHECK(contains(empty.problem(), "m_3`: there is no .bin file"));
  MeshCase gone;
  gone.reader.target_name = "n";
  CHECK(contains(gone.problem(), "n_3"));
}
