// The reader ras_lipid: frames of densities and states, normalised and in sequences.
#include <filesystem>

#include "tests/schemas/samples/npz_case.hpp"

using namespace lbann;
using tests::npy_bytes;
using tests::npz_member;
using tests::numbers_of;

namespace {

using Numbers = std::vector<double>;
using Dims = std::vector<std::int64_t>;

/// Densities of frame `i` in 1 x 2 places, of 2 kinds.
double density(int i, int k) { return 10 * i + k; }

struct RasCase : tests::NpzCase<data_readers::ras_lipid> {
  RasCase() {
    frames("a.npz", 0, 5);
    frames("b.npz", 5, 2);
    list("a.npz\nb.npz\n");
  }
  void frames(std::string const& name, int first, int count) const {
    Numbers densities, states;
    for (int i = first; i < first + count; ++i) {
      for (int k = 0; k < 4; ++k) densities.push_back(density(i, k));
      states.push_back(i % 3);
    }
    write(name, "(" + std::to_string(count) + ", 1, 2, 2)", densities, states);
  }
  void write(std::string const& name, std::string const& shape, Numbers const& densities,
             Numbers const& states) const {
    archive(name,
            {npz_member("density_sig1", npy_bytes<double>("<f8", shape, densities)),
             npz_member("states", npy_bytes<double>(
                                      "<f8", "(" + std::to_string(states.size()) + ",)", states))});
  }
};

}  // namespace

TEST_CASE("ras_lipid gives frames of all files with their states") {
  RasCase const c;
  auto const samples = c.open();
  CHECK(samples->count() == 7);
  REQUIRE(samples->fields().size() == 2);
  CHECK(samples->fields()[0].dims == Dims{1, 2, 2});
  CHECK(samples->fields()[1].dims == Dims{3});
  for (int i = 0; i < 7; ++i) {
    CHECK(numbers_of(*samples, i, 0).value() ==
          Numbers{density(i, 0), density(i, 1), density(i, 2), density(i, 3)});
    CHECK(numbers_of(*samples, i, 1).value() ==
          Numbers{i % 3 == 0 ? 1.0 : 0, i % 3 == 1 ? 1.0 : 0, i % 3 == 2 ? 1.0 : 0});
  }
}

TEST_CASE("ras_lipid joins frames of a file that follow each other") {
  RasCase c;
  c.reader.sequence_length = 2;
  auto const samples = c.open();
  CHECK(samples->count() == 3);  // 0 1, 2 3 and 5 6: frame 4 is left over
  CHECK(samples->fields()[0].dims == Dims{2, 1, 2, 2});
  CHECK(samples->fields()[1].dims == Dims{6});
  CHECK(numbers_of(*samples, 2, 0).value() == Numbers{50, 51, 52, 53, 60, 61, 62, 63});
  CHECK(numbers_of(*samples, 2, 1).value() == Numbers{0, 0, 1, 1, 0, 0});
  c.reader.sequence_length = 6;
  CHECK(c.open()->count() == 0);
}

TEST_CASE("ras_lipid normalises each kind of lipids") {
  RasCase c;
  c.reader.normalization = c.folder.path() + "/n.txt";
  c.folder.write_text("n.txt", "max min mean std\n60 10 3 4\n 51 1\t-1 0.5 \n");
  auto const scaled = c.open();
  CHECK(numbers_of(*scaled, 2, 0).value() ==
        Numbers{(20 - 10) / 50.0, (21 - 1) / 50.0, (22 - 10) / 50.0, (23 - 1) / 50.0});
  c.reader.z_score = true;
  auto const scored = c.open();
  CHECK(numbers_of(*scored, 2, 0).value() ==
        Numbers{(20 - 3) / 4.0, (21 + 1) / 0.5, (22 - 3) / 4.0, (23 + 1) / 0.5});
  c.folder.write_text("n.txt", "max min mean std\n60 10 3 4\n");
  c.says("a.npz[density_sig1]`: its frames are [1, 2, 2], but `");
  c.says("n.txt` has lines for 1 kinds of lipids");
  c.folder.write_text("n.txt", "max min mean std\n60 10 3 0\n1 0 1 1\n");
  c.says("n.txt`:2: maximum, minimum, mean and standard deviation were expected");
  c.folder.write_text("n.txt", "max min mean std\n60 10 3\n");
  c.says("n.txt`:2: maximum");
  c.folder.write_text("n.txt", "max min mean std\n60 10 3 4 5\n");
  c.says("n.txt`:2: maximum");
  c.folder.write_text("n.txt", "max min mean std\n");
  c.says("n.txt`: it has no line for a kind of lipids");
  c.reader.normalization.clear();
  c.says("it needs the means and deviations of `normalization`");
}

TEST_CASE("ras_lipid names file and frame of what does not fit") {
  RasCase const c;
  c.write("b.npz", "(1, 1, 2, 2)", {1, 2, 3, 4}, {3});
  c.says("b.npz[states]`: label 3 of sample 0 (the first is 0) is not one of 0 to num_labels - 1");
  c.write("b.npz", "(1, 1, 2, 2)", {1, 2, 3, 4}, {0.5});
  c.says("b.npz[states]`: label 0.5 of sample 0");
  c.write("b.npz", "(1, 1, 2, 2)", {1, 2, 3, 4}, {1, 2});
  c.says("b.npz[states]`: it holds 2 states, there are densities of 1 frames");
  c.write("b.npz", "(1, 1, 1, 4)", {1, 2, 3, 4}, {1});
  c.says("b.npz[density_sig1]`: its frames are [1, 1, 4], those of the files before [1, 2, 2]");
  c.archive("b.npz", {npz_member("density_sig1", npy_bytes<double>("<f8", "(1, 1)", {1}))});
  c.says("b.npz`: it holds no array `states`");
  c.archive("b.npz", {npz_member("density_sig1", npy_bytes<double>("<f8", "()", {1}))});
  c.says("b.npz[density_sig1]`: it holds a single number, not one for each frame");
  c.list("a.npz\nc.npz\n");
  c.says("files.txt`:2: there is no file `");
  c.list("a.npz\n");
  auto const path = c.folder.path() + "/a.npz";
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 7);
  c.says("a.npz`: ");
}
