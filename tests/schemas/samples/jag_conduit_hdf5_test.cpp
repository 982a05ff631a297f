// The readers jag_conduit_hdf5 and multi_conduit: all simulations of files that ended well.
#include <filesystem>

#include "tests/schemas/samples/jag_case.hpp"

using namespace lbann;
using tests::numbers_of;

namespace {

/// Three files: one with a failure, one of failures alone, and one of a simulation.
template <class Reader>
struct Files : tests::JagCase<Reader> {
  Files() {
    this->write("a.h5", {{"r0", 0}, {"r1", 1, false}, {"r2", 2}});
    this->write("b.h5", {{"r3", 3, false}});
    this->write("c.h5", {{"r4", 4}});
  }
  void gives(std::vector<int> const& numbers) const {
    auto const samples = this->open();
    REQUIRE(samples->count() == std::ssize(numbers));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      CHECK(numbers_of(*samples, static_cast<std::int64_t>(i), 0).value() ==
            this->expected({"", numbers[i]}));
  }
};

}  // namespace

TEST_CASE("jag_conduit_hdf5 gives the simulations that ended well, by a pattern or a list") {
  Files<data_readers::jag_conduit_hdf5> c;
  c.reader.data_filedir = c.folder.path() + "/*.h5";
  c.gives({0, 2, 4});
  c.reader.max_files_to_load = 2;
  c.gives({0, 2});
  c.reader.data_filedir = c.folder.path() + "/c.h5";
  c.gives({4});
  // A copy on the node, with another simulation.
  std::filesystem::create_directories(c.folder.path() + "/local");
  c.write("local/c.h5", {{"r4", 9}});
  c.reader.data_local_filedir = c.folder.path() + "/local";
  c.gives({9});
  c.reader.max_files_to_load = 0;
  c.reader.data_filedir = c.folder.path();
  c.reader.data_filename = c.folder.path() + "/files.txt";
  c.folder.write_text("files.txt", "\nc.h5\r\n\n  a.h5 \nb.h5");
  c.gives({9, 0, 2});
  c.reader.data_local_filedir.clear();
  c.gives({4, 0, 2});
  c.reader.max_files_to_load = 1;
  c.gives({4});
}

TEST_CASE("jag_conduit_hdf5 tells what is wrong with its files") {
  Files<data_readers::jag_conduit_hdf5> c;
  c.says("it or `data_filename` says which files there are");
  c.reader.data_filedir = c.folder.path() + "/*.hdf5";
  c.says("there is no file `*.hdf5`");
  c.reader.data_filedir = c.folder.path() + "/b.h5";
  c.says("b.h5`: no simulation of it ended well, all `performance/success` are 0");
  c.reader.data_filedir = c.folder.path() + "/a.h5";
  {
    tests::Hdf5Writer file(c.folder.path() + "/a.h5");
    file.write<double>("r0/inputs/in0", {1}, {1});
  }
  c.says(
      "a.h5`: it has no `r0/performance`; there is `inputs`; each group at the top of the file "
      "must be a sample that says by this number whether it ended well");
  { tests::Hdf5Writer const file(c.folder.path() + "/a.h5"); }
  c.says("a.h5`: it holds no sample");
  c.folder.write_text("a.h5", "{\"r0\": {}}");
  c.says("of what Conduit writes only HDF5 is read");
  c.reader.data_filename = c.folder.path() + "/files.txt";
  c.reader.data_filedir = c.folder.path();
  c.folder.write_text("files.txt", "c.h5\n\nd.h5\n");
  c.says("files.txt`:3: there is no file `");
  c.folder.write_text("files.txt", "\n \n");
  c.says("files.txt`: it names no file");
  c.folder.write("files.txt", std::vector<std::uint8_t>{'a', 0, 'b', '\n'});
  c.says("files.txt`:1: it is no text");
}

TEST_CASE("multi_conduit gives the samples of one file after the other") {
  Files<data_readers::multi_conduit> c;
  c.reader.data_filedir = c.folder.path();
  c.reader.data_file_pattern = "[ac].h5";
  c.gives({0, 2, 4});
  c.reader.max_files_to_load = 1;
  c.gives({0, 2});
  c.reader.max_files_to_load = 0;
  {  // A file whose image is another one.
    tests::JagSimulation wide{"r4", 4};
    wide.width = 4;
    c.write("c.h5", {wide});
  }
  c.says("c.h5[r4/outputs/images/(0.0, 0.0)/0.0/emi]`: it holds [32], 24 numbers were expected");
  c.reader.data_file_pattern = "[b].h5";
  c.says("no simulation of it ended well");
}
