// The reader jag_conduit against numbers worked out one by one.
#include <filesystem>

#include "tests/schemas/samples/copied_files.hpp"
#include "tests/schemas/samples/jag_case.hpp"

using namespace lbann;
using tests::numbers_of;

namespace {

using Numbers = std::vector<double>;
using Dims = std::vector<std::int64_t>;

struct Listed : tests::JagCase<data_readers::jag_conduit> {
  Listed() {
    reader.sample_list = folder.path() + "/list.txt";
    write("a.h5", {{"r0", 0}, {"r1", 1}, {"r2", 2, false}});
    write("b.h5", {{"r3", 3}});
    list("CONDUIT_HDF5_INCLUSION\n3 1 2\n" + folder.path() + "\na.h5 2 1 r1 r0\nb.h5 1 0 r3\n");
  }
  void list(std::string const& text) const { folder.write_text("list.txt", text); }
  /// The list of all but what `line` says of a.h5.
  void only(std::string const& line) const {
    list("CONDUIT_HDF5_INCLUSION\n1 0 1\n" + folder.path() + "\na.h5 1 0 " + line + "\n");
  }
};

}  // namespace

TEST_CASE("jag_conduit gives images, scalars and inputs of the simulations that are listed") {
  Listed const c;
  auto const samples = c.open();
  CHECK(samples->count() == 3);
  REQUIRE(samples->fields().size() == 2);
  CHECK(samples->fields()[0].name == "samples");
  CHECK(samples->fields()[0].dims == Dims{28});
  CHECK(samples->fields()[1].name == "responses");
  CHECK(samples->fields()[1].dims == Dims{1});
  int const numbers[] = {1, 0, 3};
  for (int again = 0; again < 2; ++again)  // the second time past the library
    for (std::int64_t i = 0; i < 3; ++i) {
      tests::JagSimulation const of{"", numbers[i]};
      CHECK(numbers_of(*samples, i, 0).value() == c.expected(of));
      CHECK(numbers_of(*samples, i, 1).value() == Numbers{of.input(1)});
    }
  c.list("CONDUIT_HDF5_INCLUSION\n0 4 1\n" + c.folder.path() + "\na.h5 0 4\n");
  CHECK(c.open()->count() == 0);
  c.only("r1");
  CHECK(c.open()->count() == 1);
  CHECK(numbers_of(*c.open(), 0, 0).value() == c.expected({"", 1}));
}

TEST_CASE("jag_conduit reads copies that a run makes as soon as there are some") {
  Listed const c;
  tests::CopiedFiles copies;
  OpenContext context;
  context.staging = &copies;
  auto const samples = load_samples(c.reader, context, true).value();
  REQUIRE(copies.announced.size() == 2);
  CHECK(numbers_of(*samples, 0, 0).value() == c.expected({"", 1}));
  std::filesystem::create_directories(c.folder.path() + "/copies");
  c.write("copies/a.h5", {{"r0", 5}, {"r1", 6}, {"r2", 2, false}});
  for (int again = 0; again < 2; ++again) {
    CHECK(numbers_of(*samples, 0, 0).value() == c.expected({"", 6}));
    CHECK(numbers_of(*samples, 2, 0).value() == c.expected({"", 3}));
  }
}

TEST_CASE("jag_conduit reads copies on the node where there are some") {
  Listed c;
  auto const local = c.folder.path() + "/local";
  std::filesystem::create_directories(local);
  c.write("local/a.h5", {{"r0", 7}, {"r1", 8}});
  c.reader.data_local_filedir = local;
  auto const samples = c.open();
  CHECK(numbers_of(*samples, 0, 0).value() == c.expected({"", 8}));
  CHECK(numbers_of(*samples, 1, 0).value() == c.expected({"", 7}));
  CHECK(numbers_of(*samples, 2, 0).value() == c.expected({"", 3}));
}

TEST_CASE("jag_conduit takes an image without dims as a row of numbers") {
  Listed c;
  auto& image = c.reader.datasets[0];
  image.dims.clear();
  image.channels = 0;
  image.channels_last = image.to_channels_first = false;
  image.scale = image.bias = {};
  auto const samples = c.open();
  CHECK(samples->fields()[0].dims == Dims{28});
  tests::JagSimulation const of{"", 1};
  auto const numbers = numbers_of(*samples, 0, 0).value();
  CHECK(numbers[0] == of.pixel(0, 0, 0));
  CHECK(numbers[1] == of.pixel(0, 0, 1));
  CHECK(numbers[23] == of.pixel(1, 2, 3));
}

TEST_CASE("jag_conduit names file, sample and what to do") {
  Listed c;
  c.only("r2");
  c.says(
      "a.h5`: it has no `r2/outputs`; there is `inputs`, `performance`; its simulation failed, "
      "`performance/success` is 0: leave it out");
  c.only("r7");
  c.says("a.h5`: it has no `r7`");
  c.only("r0");
  c.reader.datasets[0].dims = {3, 3};
  c.says("a.h5[r0/outputs/images/(0.0, 0.0)/0.0/emi]`: it holds [24], 36 numbers were expected");
  c.reader.datasets[0].dims = {2, 3};
  c.reader.datasets[1].path = "outputs/scalars/none";
  c.says("a.h5`: it has no `r0/outputs/scalars/none`");
  c.reader.datasets[1].path = "outputs/images/(0.0, 0.0)/0.0/emi";
  c.says("it holds [24], 1 numbers were expected");
  c.reader.datasets.clear();
  c.says("compile the experiment again where `data_set_metadata` is");
}

TEST_CASE("jag_conduit refuses files that are cut or not HDF5") {
  Listed const c;
  c.only("r0");
  auto const path = c.folder.path() + "/a.h5";
  auto const size = std::filesystem::file_size(path);
  for (auto const part : {size - 1, size / 2, size / 4, std::uintmax_t{64}, std::uintmax_t{4}}) {
    std::filesystem::resize_file(path, part);
    CAPTURE(part);
    CHECK(testing::contains(c.problem(), "a.h5"));
  }
  c.folder.write_text("a.h5", "conduit_bin bytes");
  c.says("it cannot be opened as an HDF5 file");
  c.says("of what Conduit writes only HDF5 is read: `conduit.relay.io.save(node, path, \"hdf5\")`");
}
