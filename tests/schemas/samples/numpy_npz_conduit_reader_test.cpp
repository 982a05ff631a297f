// The reader numpy_npz_conduit_reader: archives of a sample each.
#include <filesystem>

#include "tests/schemas/samples/npz_case.hpp"

using namespace lbann;
using tests::npy_bytes;
using tests::npz_member;
using tests::numbers_of;

namespace {

using Numbers = std::vector<double>;
using Dims = std::vector<std::int64_t>;

struct Archives : tests::NpzCase<data_readers::numpy_npz_conduit_reader> {
  Archives() {
    reader.num_labels = 3;
    one("a.npz", 0.5f, 2);
    one("b.npz", 4.5f, 0);
    list("b.npz\na.npz\n");
  }
  /// Numbers from `first` on, and the class.
  void one(std::string const& name, float first, std::int32_t label) const {
    archive(name, {npz_member("data", npy_bytes<float>("<f4", "(1, 2, 2)",
                                                       {first, first + 1, first + 2, first + 3})),
                   npz_member("frm", npy_bytes<std::int32_t>("<i4", "(1,)", {label})),
                   npz_member("responses", npy_bytes<double>("<f8", "(1, 1)", {first * 2}))});
  }
};

}  // namespace

TEST_CASE("numpy_npz_conduit_reader gives a sample of each file that is listed") {
  Archives c;
  auto const samples = c.open();
  CHECK(samples->count() == 2);
  REQUIRE(samples->fields().size() == 3);
  CHECK(samples->fields()[0].dims == Dims{2, 2});
  CHECK(samples->fields()[1].dims == Dims{3});
  CHECK(samples->fields()[2].dims == Dims{1});
  CHECK(numbers_of(*samples, 0, 0).value() == Numbers{4.5, 5.5, 6.5, 7.5});
  CHECK(numbers_of(*samples, 0, 1).value() == Numbers{1, 0, 0});
  CHECK(numbers_of(*samples, 0, 2).value() == Numbers{9});
  CHECK(numbers_of(*samples, 1, 0).value() == Numbers{0.5, 1.5, 2.5, 3.5});
  CHECK(numbers_of(*samples, 1, 1).value() == Numbers{0, 0, 1});
  c.reader.max_files_to_load = 1;
  CHECK(c.open()->count() == 1);
}

TEST_CASE("numpy_npz_conduit_reader scales 16-bit integers, and needs no array that nobody takes") {
  Archives c;
  c.reader.scaling_factor_int16 = 0.5;
  c.archive("a.npz", {npz_member("data", npy_bytes<std::int16_t>("<i2", "(1, 3)", {1, -3, 6}))});
  c.list("a.npz");
  auto const samples = c.open();
  REQUIRE(samples->fields().size() == 1);
  CHECK(numbers_of(*samples, 0, 0).value() == Numbers{0.5, -1.5, 3});
  OpenContext context;
  context.wanted = {{{"samples", {3}}, {"labels", {3}}}};
  auto const opened = load_samples(c.reader, context, true);
  REQUIRE_FALSE(opened.good());
  CHECK(testing::contains(opened.problem().message, "a.npz`: it holds no array `frm`"));
}

TEST_CASE("numpy_npz_conduit_reader names the file and the line that lists it") {
  Archives c;
  c.list("a.npz\n\nc.npz\n");
  c.says("files.txt`:3: there is no file `");
  c.list("c.npz\n");
  c.says("files.txt`:1: there is no file `");
  c.list("\n");
  c.says("files.txt`: it names no file");
  c.list("b.npz\na.npz\n");
  c.one("a.npz", 0, 3);
  c.says("a.npz[frm]`: label 3");
  c.says("files.txt`:2)");
  auto const numbers = [](std::string const& shape, std::vector<float> const& values) {
    return npz_member("data", npy_bytes<float>("<f4", shape, values));
  };
  c.archive("a.npz", {numbers("(1, 4)", {1, 2, 3, 4})});
  c.says("a.npz`: its `samples` are [4], those of the first file [2, 2]");
  c.archive("a.npz", {numbers("(2, 2, 2)", {1, 2, 3, 4, 5, 6, 7, 8})});
  c.says("a.npz[data]`: it holds 2 samples, its first axis must be 1: one for each file");
  c.archive("a.npz", {npz_member("other", npy_bytes<float>("<f4", "(1,)", {1}))});
  c.says("a.npz`: it holds no array `data`");
  c.list("a.npz\n");
  c.says("a.npz`: it holds no array `data`");
  c.one("a.npz", 0, 1);
  auto const path = c.folder.path() + "/a.npz";
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  c.says("a.npz`: ");
  c.folder.write_text("a.npz", "no archive");
  c.says("a.npz`: ");
}
