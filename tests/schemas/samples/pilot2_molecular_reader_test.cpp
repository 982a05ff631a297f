// Molecules and their neighbours in two arrays of an archive.
#include <zlib.h>

#include <cmath>

#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/npy_bytes.hpp"
#include "tests/support/zip_bytes.hpp"

using namespace lbann;
using testing::contains;
using tests::numbers_of;

namespace {

using Bytes = std::vector<std::uint8_t>;

tests::ZipMember member(std::string const& name, Bytes const& bytes) {
  auto const check = static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
  return {name, bytes, static_cast<std::uint32_t>(bytes.size()), check};
}

/// Two frames of three molecules of one bead; feature k of molecule i is 320 * i + k.
Bytes features(std::string const& shape = "(2, 3, 1, 20)") {
  std::vector<float> numbers;
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 20; ++k) numbers.push_back(static_cast<float>(320 * i + k));
  return tests::npy_bytes<float>("<f4", shape, numbers);
}

std::vector<double> const near = {0, 1, 2, -1, 1, 0, -1, -1, 2, 0, 1, -1,
                                  0, 2, 1, -1, 1, 2, 0,  -1, 2, 1, 0, -1};

struct MoleculesCase : tests::FileCase<data_readers::pilot2_molecular_reader> {
  explicit MoleculesCase(std::vector<double> const& neighbors = near,
                         std::string const& shape = "(2, 3, 4)", Bytes const& other = features())
      : FileCase("a.npz", "") {
    folder.write("a.npz",
                 tests::zip_bytes(
                     {member("features.npy", other),
                      member("neighbors.npy", tests::npy_bytes<double>("<f8", shape, neighbors))}));
    reader.data_filename = "a.npz";
    reader.num_neighbors = 2;
    reader.max_neighborhood = 2;
  }
};

/// What feature `k` of molecule `i` becomes.
double scaled(int i, int k) {
  double const value = 320 * i + k;
  return k <= 2 ? value / 320 : k >= 8 ? value / 10 : value;
}

}  // namespace

TEST_CASE("pilot2_molecular_reader gives a molecule and its neighbours of the same frame") {
  MoleculesCase const c;
  auto const samples = c.open();
  CHECK(samples->count() == 6);
  CHECK(samples->fields()[0].dims == std::vector<std::int64_t>{3, 1, 20});
  // Molecule 1 has one neighbour, molecule 3 is the first of the second frame.
  for (auto const& [index, molecules] : {std::pair{1, std::vector{1, 0, -1}}, {3, {3, 5, 4}}}) {
    auto const numbers = numbers_of(*samples, index, 0).value();
    for (int place = 0; place < 3; ++place)
      for (int k = 0; k < 20; ++k) {
        auto const molecule = molecules[static_cast<std::size_t>(place)];
        CHECK(numbers[static_cast<std::size_t>(20 * place + k)] ==
              doctest::Approx(molecule < 0 ? 0 : scaled(molecule, k)));
      }
  }
}

TEST_CASE("pilot2_molecular_reader tells what does not fit") {
  auto const with = [](double number) {
    auto neighbors = near;
    neighbors[5] = number;
    return MoleculesCase(neighbors).problem();
  };
  for (double const bad : {3.0, -2.0, 0.5, 1e300})
    CHECK(contains(with(bad), "neighbour 1 of molecule 1 is"));
  CHECK(contains(with(std::nan("")), "neither -1 nor one of the 3 molecules of a frame"));
  MoleculesCase c;
  c.reader.max_neighborhood = 3;
  CHECK(contains(c.problem(), "it holds 4 neighbours of a molecule, 2 * max_neighborhood are 6"));
  c.reader.max_neighborhood = 0;
  c.reader.num_neighbors = 4;
  CHECK(contains(c.problem(), "it holds 3 neighbours of a molecule, num_neighbors is 4"));
  CHECK(contains(MoleculesCase(near, "(3, 2, 4)").problem(), "not of as many frames"));
  CHECK(contains(MoleculesCase(near, "(24,)").problem(), "it has 1 axes, not 3"));
  CHECK(contains(MoleculesCase(near, "(2, 3, 4)", features("(2, 3, 20)")).problem(), "a.npz"));
  c.folder.write("a.npz", tests::zip_bytes({member("features.npy", features())}));
  CHECK(contains(c.problem(), "it holds no array `neighbors`"));
}
