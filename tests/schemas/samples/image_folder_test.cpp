// Folders of images, one for each class.
#include "tests/schemas/samples/image_case.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;

namespace {

struct FolderCase {
  tests::ScratchFolder folder;
  data_readers::image_folder reader;

  FolderCase() {
    for (auto const* name : {"dog/more", "cat", ".hidden"})
      std::filesystem::create_directories(folder.path() + "/" + name);
    for (auto const* name : {"dog/more/1.JPEG", "dog/2.png", "cat/1.jpg", "cat/.DS_Store"})
      folder.write(name, {5});
    reader.data_filedir = folder.path();
  }
  std::string problem() const { return tests::image_problem(reader, folder); }
};

}  // namespace

TEST_CASE("image_folder takes its classes in the order of their names") {
  FolderCase c;
  auto const samples = load_samples(c.reader, tests::image_context(), true).value();
  REQUIRE(samples->count() == 3);
  CHECK(samples->fields()[1].dims == SampleDims{2});
  CHECK(contains(samples->place(0, 0), "/cat/1.jpg"));
  CHECK(contains(samples->place(1, 0), "/dog/2.png"));
  CHECK(contains(samples->place(2, 0), "/dog/more/1.JPEG"));
  CHECK(tests::numbers_of(*samples, 2, 1).value() == std::vector<double>{0, 1});
}

TEST_CASE("image_folder takes the classes that are named") {
  FolderCase c;
  c.reader.classes = {"dog", "cat"};
  auto const samples = load_samples(c.reader, tests::image_context(), true).value();
  CHECK(tests::numbers_of(*samples, 0, 1).value() == std::vector<double>{1, 0});
  CHECK(contains(samples->place(0, 0), "/dog/2.png"));
  c.reader.classes = {"dog", "bird"};
  CHECK(contains(c.problem(), "`bird`: "));
  c.reader.num_labels = 3;
  CHECK(c.problem() == "`classes` names 2 classes, `num_labels` says 3");
}

TEST_CASE("image_folder leaves no file out unsaid") {
  FolderCase c;
  c.folder.write("cat/2.webp", {5});
  CHECK(contains(c.problem(), "`cat/2.webp`: the name ends like neither a JPEG"));
  c.reader.classes = {"dog"};
  CHECK(c.problem() == "");
}

TEST_CASE("image_folder names folders that are wrong") {
  FolderCase c;
  std::filesystem::create_directory(c.folder.path() + "/mouse");
  CHECK(c.problem() == "`mouse`: the class has no image");
  c.reader.num_labels = 4;
  CHECK(contains(c.problem(), "it has 3 folders, `num_labels` says 4 classes"));
  c.reader.data_filedir += "/mouse";
  CHECK(contains(c.problem(), "it has no folders"));
  c.reader.data_filedir = c.folder.path() + "/nowhere";
  CHECK(contains(c.problem(), "there is no folder"));
}
