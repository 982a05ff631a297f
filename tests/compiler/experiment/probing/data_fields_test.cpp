// Shapes of samples: probed from files, given on the command line, declared, unknown.
#include "compiler/experiment/probing/data_fields.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/compiler/experiment/read_text.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

using List = std::vector<std::string>;
using Dims = std::vector<std::int64_t>;

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("lbann_data_fields_test_" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(std::string const& name, std::string const& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
    return (path / name).string();
  }
};

std::string idx(std::vector<std::uint32_t> const& sizes) {
  std::string bytes{0, 0, 8, static_cast<char>(sizes.size())};
  for (auto size : sizes)
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> shift);
  return bytes;
}

std::string npy(std::string const& dictionary, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  bytes += static_cast<char>(dictionary.size() % 256);
  bytes += static_cast<char>(dictionary.size() / 256);
  if (version != 1) bytes += std::string(2, '\0');
  return bytes + dictionary;
}

std::string experiment_with(std::string const& readers) {
  return "trainer: {mini_batch_size: 1, training_algorithm: {sgd: {max_epochs: 1}}}\n"
         "model: {layers: [relu: ]}\ndata_reader:\n" +
         readers;
}

std::string const mnist =
    "  - mnist: {role: train, data_filedir: d, data_filename: images, label_filename: labels}\n";

}  // namespace

TEST_CASE("complete_data_fields probes files in every place they may lie") {
  Folder const folder;
  std::filesystem::create_directory(folder.path / "d");
  folder.write("d/images", idx({50, 20, 30}));
  folder.write("d/labels", idx({50}));
  for (auto const& places :
       {DataPlaces{folder.path.string(), ""}, DataPlaces{"", folder.path.string()}}) {
    Reading const r(experiment_with(mnist), {}, {}, {places});
    CHECK(r.rendered() == "");
    CHECK(r.experiment.readers[0].samples == 50);
    CHECK(r.experiment.readers[0].fields[0].dims == Dims{1, 20, 30});
    CHECK(r.experiment.readers[0].fields[1].dims == Dims{10});
  }
  Reading const declared(
      experiment_with(
          "  - mnist: {role: train, data_filedir: d, data_filename: images, label_filename: "
          "labels, fields: {samples: {dims: [1, 30, 20]}}}\n"),
      {}, {}, {{folder.path.string()}});
  CHECK(declared.codes() == List{"field-dims-differ@[1, 30, 20]"});

  folder.write("d/labels", idx({49}));
  CHECK(Reading(experiment_with(mnist), {}, {}, {{folder.path.string()}}).codes() ==
        List{"data-header@labels"});
  folder.write("d/labels", idx({50, 3}));
  CHECK(Reading(experiment_with(mnist), {}, {}, {{folder.path.string()}}).codes() ==
        List{"data-header@labels"});
  folder.write("d/images", "no idx");
  CHECK(Reading(experiment_with(mnist), {}, {}, {{folder.path.string()}}).codes() ==
        List{"data-header@images", "data-header@labels"});
}

TEST_CASE("complete_data_fields probes files that have no header") {
  Folder const folder;
  OpenContext const context{{folder.path.string()}};
  auto const read = [&](std::string const& reader) {
    return Reading(experiment_with("  - " + reader + "\n"), {}, {}, context);
  };
  folder.write("a.csv", "x,y,class\n1,2,0\n\n3,4,1\n5,6,1");
  std::string const csv = "csv: {role: train, data_filename: a.csv, num_labels: 2";
  auto const table = read(csv + "}");
  CHECK(table.rendered() == "");
  CHECK(table.experiment.readers[0].samples == 3);
  CHECK(table.experiment.readers[0].fields[0].dims == Dims{2});
  CHECK(read(csv + ", skip_cols: 1}").experiment.readers[0].fields[0].dims == Dims{1});
  CHECK(read(csv + ", has_header: false, disable_labels: true}").experiment.readers[0].samples ==
        4);
  // What ends the run ends the compiler as well: one function tells what lines and columns are.
  CHECK(read(csv + ", disable_responses: false, label_col: -1, response_col: 2}").codes() ==
        List{"data-header@a.csv"});
  folder.write("n.csv", "\n1,2,0\n3,4,1\n");
  auto const lost = read("csv: {role: train, data_filename: n.csv, num_labels: 2}").rendered();
  CHECK(lost.find("n.csv`:2:1: this line would be left out") != lost.npos);
  CHECK(lost.find("`has_header: false`") != lost.npos);
  CHECK(read(csv + ", label_col: 3}").codes() == List{"data-header@a.csv"});
  CHECK(read(csv + ", skip_cols: 2}").codes() == List{"data-header@a.csv"});
  CHECK(read(csv + ", separator: ';'}").codes() == List{"data-header@a.csv"});
  CHECK(read(csv + ", skip_rows: 9}").codes() == List{"data-header@a.csv"});
  CHECK(read("csv: {role: train, data_filename: a.csv}")
            .experiment.readers[0]
            .fields[1]
            .unknown_because.find("num_labels") != std::string::npos);

  folder.write("c.bin", std::string(2 * 3073, '\1'));
  auto const images = read("cifar10: {role: train, data_filename: c.bin}");
  CHECK(images.rendered() == "");
  CHECK(images.experiment.readers[0].samples == 2);
  folder.write("c.bin", std::string(3074, '\1'));
  CHECK(read("cifar10: {role: train, data_filename: c.bin}").codes() == List{"data-header@c.bin"});
  CHECK(read("cifar10: {role: train}").experiment.readers[0].samples == -1);

  folder.write("t.txt",
               "abc\xc3\xa4"
               "abc");
  std::string const text = "text: {role: train, data_filenames: [t.txt], sequence_length: 2";
  CHECK(read(text + "}").experiment.readers[0].samples == 3);
  CHECK(read(text + ", stride: 1, symbol: byte}").experiment.readers[0].samples == 6);
  CHECK(read(text + ", vocabulary_size: 4}").rendered() == "");
  CHECK(read(text + ", vocabulary_size: 5}").codes() == List{"data-header@[t.txt]"});
  CHECK(read(text + ", vocabulary: abc, vocabulary_filenames: [t.txt]}").codes() ==
        List{"contradicting-fields@[t.txt]"});
  CHECK(read("text: {role: train, data_filenames: [t.txt], sequence_length: 8}").codes() ==
        List{"data-header@[t.txt]"});
}

TEST_CASE("complete_data_fields takes the last number of a sample away") {
  Folder const folder;
  folder.write("a.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9, 3, 4), }\n"));
  auto const read = [&](std::string const& rest) {
    return Reading(
        experiment_with("  - numpy: {role: train, data_filename: a.npy, " + rest + "}\n"), {}, {},
        {{folder.path.string()}});
  };
  auto const labelled = read("disable_labels: false, num_labels: 4");
  CHECK(labelled.rendered() == "");
  CHECK(labelled.experiment.readers[0].fields[0].dims == Dims{11});
  CHECK(labelled.experiment.readers[0].fields[1].dims == Dims{4});
  CHECK(read("disable_responses: false").experiment.readers[0].fields[1].dims == Dims{1});
  CHECK(read("disable_labels: false, label_filename: a.npy").codes()[0] ==
        "contradicting-fields@a.npy");
  for (auto const* disabled : {"true", "false"}) {
    auto const placed = read(std::string("gan_labelling: true, disable_labels: ") + disabled);
    CHECK(placed.rendered() == "");
    bool has_two = false;
    for (auto const& field : placed.experiment.readers[0].fields)
      if (field.name.text == "labels") has_two = field.dims == Dims{2};
    CHECK(has_two);
  }
}

TEST_CASE("complete_data_fields asks modules of Python only when told to") {
  Folder const folder;
  folder.write("probed_by_test.py",
               "def num_samples(): return 12\ndef sample_dims(): return [3, 4]\n");
  std::string const reader = "  - python: {role: train, module: probed_by_test, module_dir: \"" +
                             folder.path.string() + "\"}\n";
  Reading const silent(experiment_with(reader));
  CHECK(silent.rendered() == "");
  CHECK(silent.experiment.readers[0].fields[0].unknown_because ==
        "`--probe-python` asks the module `probed_by_test`");
  // The functions are imported with the module, so that it must have all three.
  Reading const lacking(experiment_with(reader), {}, {}, {{}, {}, nullptr, true});
  CHECK(lacking.codes() == List{"module-failed@probed_by_test"});
  CHECK(lacking.rendered().find("has no attribute 'get_sample'") != std::string::npos);
  folder.write("probed_by_test.py",
               "def num_samples(): return 12\ndef sample_dims(): return [3, 4]\n"
               "def get_sample(i): return i\nprint('hello')\n");
  Reading const asked(experiment_with(reader), {}, {}, {{}, {}, nullptr, true});
  CHECK(asked.rendered() == "");
  CHECK(asked.experiment.readers[0].samples == 12);
  CHECK(asked.experiment.readers[0].fields[0].dims == Dims{3, 4});
  Reading const nobody(experiment_with(reader), {}, {}, {{}, "/no/such/python", nullptr, true});
  CHECK(nobody.codes() == List{"module-failed@probed_by_test"});
}

TEST_CASE("complete_data_fields leaves unknown what nobody tells, and takes --field") {
  Reading const unknown(experiment_with(mnist));
  CHECK(unknown.rendered() == "");
  REQUIRE(unknown.experiment.readers[0].fields.size() == 2);
  CHECK(unknown.experiment.readers[0].fields[0].dims.empty());
  CHECK(unknown.experiment.readers[0].fields[0].unknown_because ==
        "there is no file `d/images` here to tell");
  CHECK(unknown.experiment.readers[0].samples == -1);

  Reading const given(experiment_with(mnist), {}, {"samples=1x28x28"});
  CHECK(given.rendered() == "");
  CHECK(given.experiment.readers[0].fields[0].dims == Dims{1, 28, 28});

  auto const codes = [](std::string const& argument) {
    return Reading(experiment_with(mnist), {}, {argument}).codes();
  };
  CHECK(codes("samples") == List{"field-syntax@samples"});
  CHECK(codes("=3") == List{"field-syntax@=3"});
  CHECK(codes("samples=3x") == List{"field-syntax@samples=3x"});
  CHECK(codes("samples=0") == List{"field-syntax@samples=0"});
  CHECK(codes("samples=-1x3") == List{"field-syntax@samples=-1x3"});
  CHECK(codes("samples=99999999999x99999999999") ==
        List{"field-syntax@samples=99999999999x99999999999"});
  CHECK(codes("sample=3") == List{"unknown-field@sample=3"});
  CHECK(codes("labels=9") == List{"field-dims-differ@labels=9"});
}
