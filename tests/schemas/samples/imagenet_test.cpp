// Lists of images and labels.
#include "tests/schemas/samples/image_case.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;

namespace {

struct ListCase {
  tests::ScratchFolder folder;
  data_readers::imagenet reader;

  explicit ListCase(std::string const& list) {
    std::filesystem::create_directory(folder.path() + "/images");
    folder.write("images/a b.jpg", {3});
    folder.write("images/c.png", {4});
    folder.write_text("list.txt", list);
    reader.data_filedir = folder.path() + "/images";
    reader.data_filename = folder.path() + "/list.txt";
    reader.num_labels = 3;
  }
  std::string problem() const { return tests::image_problem(reader, folder); }
};

}  // namespace

TEST_CASE("imagenet reads the images of a list, each in its own size") {
  ListCase c("c.png 2\r\n\n  \na b.jpg\t 0");
  auto const samples = load_samples(c.reader, tests::image_context(), true).value();
  REQUIRE(samples->count() == 2);
  CHECK(samples->fields()[0].dims == SampleDims{3, 0, 0});
  SampleValues image;
  REQUIRE(samples->read_whole(1, 0, image).good());
  CHECK(image.dims == SampleDims{3, 2, 3});
  CHECK(image.values[6] == 10);
  REQUIRE(samples->read_whole(0, 0, image).good());
  CHECK(image.dims == SampleDims{3, 2, 4});
  CHECK(tests::numbers_of(*samples, 0, 1).value() == std::vector<double>{0, 0, 1});
  CHECK(contains(samples->place(1, 0), "images/a b.jpg`"));
  c.reader.scale = 0.5;
  c.reader.channels = 1;
  REQUIRE(
      load_samples(c.reader, tests::image_context(), true).value()->read_whole(0, 0, image).good());
  CHECK(image.dims == SampleDims{1, 2, 4});
}

TEST_CASE("imagenet names the line of a list that is wrong") {
  CHECK(ListCase("a b.jpg 0\nc.png 3").problem() ==
        "`list.txt`:2: label 3 is not one of 0 to num_labels - 1 = 2");
  CHECK(ListCase("c.png -1").problem() ==
        "`list.txt`:1: label -1 is not one of 0 to num_labels - 1 = 2");
  CHECK(ListCase("c.png two").problem() == "`list.txt`:1: `two` at its end is no label");
  CHECK(ListCase("c.png 1.5").problem() == "`list.txt`:1: `1.5` at its end is no label");
  CHECK(ListCase("c.png").problem() ==
        "`list.txt`:1: the line is not the path of an image, a blank and a label");
  CHECK(ListCase(" 1").problem() ==
        "`list.txt`:1: the line is not the path of an image, a blank and a label");
  CHECK(ListCase("\n \n").problem() == "`list.txt`: it lists no image");
  CHECK(ListCase(std::string(9000, 'a') + " 1").problem() ==
        "`list.txt`:1: the line has more than 8192 characters");
  CHECK(ListCase("c.png 1\nd.png 1").problem() ==
        "there is no file `images/d.png`, image of sample 1 (the first is 0)");
}

TEST_CASE("imagenet needs no folder of images to be opened, but to be loaded") {
  ListCase c("c.png 1");
  c.reader.data_filedir = c.folder.path() + "/nowhere";
  CHECK(open_samples(c.reader, {}).good());
  CHECK(contains(c.problem(), "there is no folder `nowhere`"));
  c.reader.channels = 2;
  CHECK(c.problem() == "an image is read with 1 channel or with 3");
}

TEST_CASE("imagenet does not read labels as other classes") {
  ListCase c("c.png 7");
  c.reader.num_labels = 0;
  auto const samples = load_samples(c.reader, tests::image_context(), true).value();
  std::vector<double> labels(3);
  CHECK_FALSE(samples->read(0, 1, {labels.data(), DataType::f64, 3}).good());
}

TEST_CASE("images that are on the node are read there") {
  ListCase c("c.png 2\na b.jpg 0");
  std::filesystem::create_directory(c.folder.path() + "/node");
  c.folder.write("node/c.png", {7});
  c.reader.data_local_filedir = c.folder.path() + "/node";
  auto const samples = load_samples(c.reader, tests::image_context(), true).value();
  SampleValues image;
  REQUIRE(samples->read_whole(0, 0, image).good());
  CHECK(image.dims == SampleDims{3, 2, 7});
  REQUIRE(samples->read_whole(1, 0, image).good());
  CHECK(image.dims == SampleDims{3, 2, 3});
}

TEST_CASE("imagenet takes the images of a sample list, and their labels from the file it names") {
  ListCase c("a b.jpg 0");
  auto const write = [&](std::string const& files) {
    c.folder.write_text("t1_list",
                        "SINGLE-SAMPLE\n2\n" + c.reader.data_filedir + "\nlabels.txt\n" + files);
  };
  std::filesystem::copy(c.folder.path() + "/images/c.png", c.folder.path() + "/images/d.png");
  write("d.png\nc.png\n");
  c.folder.write_text("labels.txt", "c.png 2\nx.png 1\nd.png 1\n");
  c.reader.data_filedir.clear();
  c.reader.data_filename.clear();
  c.reader.sample_list = c.folder.path() + "/list";
  c.reader.sample_list_per_trainer = true;
  auto context = tests::image_context();
  context.trainer = 1;
  auto const problem = [&] {
    auto const loaded = load_samples(c.reader, context, true);
    auto text = loaded ? std::string() : loaded.problem().message;
    auto const folder = c.folder.path() + "/";
    for (auto at = text.find(folder); at != text.npos; at = text.find(folder))
      text.erase(at, folder.size());
    return text;
  };
  auto const samples = load_samples(c.reader, context, true).value();
  REQUIRE(samples->count() == 2);
  CHECK(contains(samples->place(0, 0), "images/d.png`"));
  CHECK(tests::numbers_of(*samples, 0, 1).value() == std::vector<double>{0, 1, 0});
  CHECK(tests::numbers_of(*samples, 1, 1).value() == std::vector<double>{0, 0, 1});

  c.folder.write_text("labels.txt", "c.png 2\n");
  CHECK(problem() == "`t1_list`:5: `d.png` has no line in `labels.txt`, the file of the labels");
  context.wanted = {{"samples", {3, 2, 4}}};
  CHECK(problem() == "");  // labels are not asked for
  context.wanted.reset();
  std::filesystem::remove(c.folder.path() + "/labels.txt");
  CHECK(contains(problem(), "`t1_list`, the file of its labels: there is no file `labels.txt`"));
  c.folder.write_text("t1_list", "MULTI-SAMPLE_INCLUSION\n1 0 1\n.\nlabels.txt\nd.png 1 0 0\n");
  CHECK(problem() == "`t1_list`:1: an image is a file; lists of them begin with `SINGLE-SAMPLE`");
  context.trainer = 0;
  CHECK(contains(problem(), "there is no file `t0_list`"));
}

TEST_CASE("imagenet takes either a list of its own or a sample list") {
  ListCase c("c.png 1");
  c.reader.sample_list_per_model = true;
  CHECK(c.reader.conflict()->words == "there is no `sample_list`");
  c.reader.sample_list = "list";
  CHECK(c.reader.conflict()->words == "`sample_list` names the samples already");
  c.reader.data_filename.clear();
  CHECK_FALSE(c.reader.conflict());
  c.reader.max_files_to_load = 3;
  CHECK(c.reader.conflict()->words == "`sample_list` names the files");
  c.reader.sample_list.clear();
  CHECK(c.reader.conflict()->words == "neither it nor `sample_list` is given");
}
