// What the compiler says of data, and what a run finds in them, is the same: both open the samples.
#include <doctest/doctest.h>
#include <zlib.h>

#include "tests/compiler/experiment/probing/data_agreement.hpp"
#include "tests/support/npy_bytes.hpp"
#include "tests/support/zip_bytes.hpp"

using namespace lbann;
using namespace lbann::compiler;
using namespace lbann::tests;

namespace {

std::string idx_bytes(std::vector<std::uint32_t> const& sizes) {
  std::string bytes{0, 0, 8, static_cast<char>(sizes.size())};
  std::size_t values = 1;
  for (auto size : sizes) {
    values *= size;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> shift);
  }
  return bytes + std::string(values, '\1');
}

ZipMember member(std::string const& name, std::vector<std::uint8_t> const& bytes) {
  auto const check = static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
  return {name, bytes, static_cast<std::uint32_t>(bytes.size()), check};
}

}  // namespace

TEST_CASE("compiler and run agree on tables of numbers") {
  DataFolder const folder;
  auto const csv = [](std::string const& more) {
    return "csv: {role: train, data_filename: a.csv, num_labels: 2" + more + "}";
  };
  std::string const table = "x,y,class\n1,2,0\n\n3,4,1\n5,6,1";
  folder.write("a.csv", table);
  both_take(folder, csv(""), 3);
  both_take(folder, csv(", disable_responses: false, response_col: 0"), 3);
  // The last column by both its names.
  both_refuse(folder, csv(", disable_responses: false, label_col: -1, response_col: 2"),
              "label and response stand in the same column 2");
  both_refuse(folder, csv(", label_col: 3"), "there are 3 columns, column 3 was asked for");
  both_refuse(folder, csv(", skip_cols: 2"), "none of the 3 columns is left");
  both_refuse(folder, csv(", skip_rows: 9"), "no line of numbers before the end");
  both_take(folder, csv(", columns: {samples: [y, x], labels: class, twice: [x, x]}"), 3);
  both_refuse(folder, csv(", columns: {samples: z}"), "there is no column `z`");
  both_refuse(folder, csv(", columns: {samples: x}, label_col: 1"), "`columns` says which columns");
  both_take(folder, csv(", sample_range: [1, 3]"), 2);
  both_refuse(folder, csv(", sample_range: [1, 4]"), "sample_range ends at 4, the data holds 3");
  // A byte order mark and two characters at the end of a line are no part of a number.
  folder.write("a.csv",
               "\xef\xbb\xbf"
               "1,2,0\r\n3,4,1\r\n");
  both_take(folder, csv(", has_header: false"), 2);
  both_refuse(folder, csv(""), "this line would be left out");
  std::filesystem::remove(folder.path / "a.csv");
  folder.write_gzip("a.csv", table);
  both_take(folder, csv(""), 3);
}

TEST_CASE("compiler and run agree on texts") {
  DataFolder const folder;
  auto const text = [](std::string const& more) {
    return "text: {role: train, data_filenames: [a.txt, b.txt], sequence_length: 2" + more + "}";
  };
  folder.write("a.txt", "abc\xc3\xa4");
  folder.write_gzip("b.txt", "abc");
  both_take(folder, text(""), 3);
  both_take(folder, text(", symbol: byte"), 3);
  both_take(folder, text(", stride: 1, symbol: byte"), 6);
  both_take(folder, text(", vocabulary_size: 4"), 3);
  both_refuse(folder, text(", vocabulary_size: 5"), "the vocabulary has 4 characters");
  folder.write("b.txt", "a\nb\xff");
  both_take(folder, text(", symbol: byte"), 4);
  both_refuse(folder, text(""), "b.txt`:2:2: byte 3 is no character of UTF-8");
  // A character that the pieces of a file are cut in.
  folder.write("a.txt", std::string((1 << 20) - 1, 'a') + "\xc3\xa4");
  folder.write("b.txt", "a");
  both_take(folder, text(""), (1 << 19));
}

TEST_CASE("compiler and run agree on features of several files") {
  DataFolder const folder;
  auto const merged = [](std::string const& more) {
    return "merge_features: {role: train, data_file_pattern: \"part?.csv\", format: csv" + more +
           "}";
  };
  folder.write("part1.csv", "x,y\n1,2\n3,4\n");
  folder.write("part2.csv", "z\n5\n6\n");
  folder.write("kinds.csv", "kind\n1\n0\n");
  both_take(folder, merged(""), 2);
  both_take(folder, merged(", label_filename: kinds.csv, num_labels: 2"), 2);
  both_take(folder, merged(", max_files_to_load: 1"), 2);
  both_refuse(folder, merged(", label_filename: part1.csv, num_labels: 2"), "it has more columns");
  folder.write("part2.csv", "z\n5\n");
  both_refuse(folder, merged(""), "it holds 1 samples, the files before it 2");
}

TEST_CASE("compiler and run agree on cells, meshes and molecules") {
  DataFolder const folder;
  folder.write("n.txt", "header\nC D 0.5 nr x 1 2\n");
  both_take(folder, "nci: {role: train, data_filename: n.txt}", 1);
  folder.write("n.txt", "header\nC D\n");
  both_refuse(folder, "nci: {role: train, data_filename: n.txt}", "there are 2 columns");
  std::string const mesh =
      "mesh: {role: train, data_filedir: ., channels: [a], data_height: 1, "
      "data_width: 1, suffix: \"\", target_name: m}";
  for (auto const* name : {"a", "m"}) std::filesystem::create_directories(folder.path / name);
  both_refuse(folder, mesh, "there is no .bin file");
  folder.write("a/a0000.bin", "four");
  folder.write("m/m0000.bin", "four");
  both_take(folder, mesh, 1);
  auto const archive = tests::zip_bytes(
      {member("features.npy", tests::npy_bytes<float>("<f4", "(1, 2, 1, 2)", {1, 2, 3, 4})),
       member("neighbors.npy", tests::npy_bytes<float>("<f4", "(1, 2, 2)", {0, 1, 1, -1}))});
  folder.write("a.npz", archive);
  std::string const pilot = "pilot2_molecular_reader: {role: train, data_filename: a.npz, ";
  both_take(folder, pilot + "num_neighbors: 1}", 2);
  both_refuse(folder, pilot + "num_neighbors: 2}", "it holds 1 neighbours of a molecule");
}

TEST_CASE("compiler and run agree on walks") {
  DataFolder const folder;
  folder.write_gzip("edges", "0 1\n1 2\n");
  both_take(folder, "node2vec: {role: train, graph_file: edges, epoch_size: 7, walk_length: 3}", 7);
}

TEST_CASE("compiler and run agree on molecules") {
  DataFolder const folder;
  auto const smiles = [](std::string const& more) {
    return "smiles: {role: train, vocab: v, " + more + "}";
  };
  folder.write("v", "C 0\n<pad> 1\n<unk> 2\n<bos> 3\n<eos> 4\n");
  folder.write_gzip("a.csv", "id,smiles\n1,CCO\n2,C\n");
  folder.write("a.smi", "CCO\nC\n");
  folder.write("p", std::string("\0\0\0\0\0\0\0\0\3\0", 10));
  folder.write("m", "1 a.smi p\n");
  both_take(folder, smiles("sequence_length: 3, data_filename: a.csv, column: smiles"), 2);
  both_take(folder, smiles("sequence_length: 9, data_filename: a.smi"), 2);
  both_take(folder, smiles("sequence_length: 3, metadata_filename: m"), 1);
  both_refuse(folder, smiles("sequence_length: 2, data_filename: a.smi"), "the molecule has 3");
  both_refuse(folder, smiles("sequence_length: 3, data_filename: a.csv, column: x"),
              "there is no column `x`");
  folder.write("m", "2 a.smi p\n");
  both_refuse(folder, smiles("sequence_length: 3, metadata_filename: m"), "it has 10 bytes");
}

TEST_CASE("compiler and run agree on arrays") {
  DataFolder const folder;
  auto const numpy = [](std::string const& more) {
    return "numpy: {role: train, data_filename: x.npy" + more + "}";
  };
  folder.write("x.npy", tests::npy_bytes<float>("<f4", "(2, 3)", {1, 2, 1, 4, 5, 0}));
  folder.write("y.npy", tests::npy_bytes<std::int64_t>("<i8", "(2,)", {0, 1}));
  both_take(folder, numpy(""), 2);
  both_take(folder, numpy(", disable_labels: false, num_labels: 2"), 2);
  both_take(folder, numpy(", label_filename: y.npy, response_filename: y.npy, num_labels: 2"), 2);
  both_refuse(folder, numpy(", label_filename: x.npy, num_labels: 2"), "not class numbers");
  folder.write("y.npy", tests::npy_bytes<std::int64_t>("<i8", "(3,)", {0, 1, 1}));
  both_refuse(folder, numpy(", response_filename: y.npy"),
              "it holds 3 samples, but the files before it 2");
  folder.write("x.npy", tests::npy_bytes<float>("<f4", "(2, 0)", {}));
  both_refuse(folder, numpy(""), "an axis of its samples is empty");
  folder.write("x.npy", tests::npy_bytes<float>("<f4", "()", {1}));
  both_refuse(folder, numpy(""), "it holds a single number");
  folder.write("x.npy", tests::npy_bytes<float>("<f4", "(2,)", {1, 2}));
  both_refuse(folder, numpy(", disable_labels: false"), "none is left beside the label");
}

TEST_CASE("compiler and run agree on archives of arrays") {
  DataFolder const folder;
  auto const member = [](std::string const& name, std::vector<std::uint8_t> const& bytes) {
    auto const check = static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
    return tests::ZipMember{name, bytes, static_cast<std::uint32_t>(bytes.size()), check};
  };
  auto const data =
      member("data.npy", tests::npy_bytes<float>("<f4", "(2, 3)", {1, 2, 3, 4, 5, 6}));
  std::string const npz = "numpy_npz: {role: train, data_filename: a.npz, num_labels: 2";
  folder.write(
      "a.npz",
      tests::zip_bytes(
          {data, member("labels.npy", tests::npy_bytes<std::int64_t>("<i8", "(2,)", {0, 1})),
           member("responses.npy", tests::npy_bytes<float>("<f4", "(2, 1)", {3, 4}))}));
  both_take(folder, npz + "}", 2);
  folder.write("a.npz",
               tests::zip_bytes({data, member("labels.npy", tests::npy_bytes<std::int64_t>(
                                                                "<i8", "(3,)", {0, 1, 1}))}));
  both_take(folder, npz + ", disable_labels: true, disable_responses: true}", 2);
  both_refuse(folder, npz + ", disable_responses: true}",
              "it holds 3 samples, but the files before it 2");
  folder.write("a.npz", tests::zip_bytes({}));
  both_refuse(folder, npz + "}", "it holds no array `data`");
  both_refuse(folder, npz + ", arrays: {samples: x}}", "it holds no array `x`, nor any other");
  folder.write("a.npz", tests::zip_bytes({data}));
  both_take(folder, npz + ", arrays: {samples: data, more: data}}", 2);
}

TEST_CASE("compiler and run agree on images") {
  DataFolder const folder;
  std::string const mnist = "mnist: {role: train, data_filename: images, label_filename: labels}";
  folder.write("images", idx_bytes({2, 3, 4}));
  folder.write_gzip("labels", idx_bytes({2}));
  both_take(folder, mnist, 2);
  auto const begin = mnist.substr(0, mnist.size() - 1);
  both_take(folder, begin + ", first_n: 1}", 1);
  both_refuse(folder, begin + ", first_n: 3}", "it holds 2 samples, first_n asks for 3");
  folder.write("images", idx_bytes({2, 3, 4, 5}));
  both_refuse(folder, mnist, "an IDX file of 3 axes was expected, this one has 4");
  folder.write("images", idx_bytes({2, 0, 4}));
  both_refuse(folder, mnist, "an axis of its samples is empty");
  folder.write("images", idx_bytes({3, 3, 4}));
  both_refuse(folder, mnist, "it holds 2 samples, but the files before it 3");
  std::string const cifar = "cifar10: {role: train, data_filename: c.bin}";
  folder.write_gzip("c.bin", std::string(2 * 3073, '\1'));
  both_take(folder, cifar, 2);
  folder.write("c.bin", std::string(3074, '\1'));
  both_refuse(folder, cifar, "it has 3074 bytes, which is no multiple of the 3073");
  std::string const cifar100 = "cifar100: {role: train, data_filename: c.bin, label: coarse}";
  both_take(folder, cifar100, 1);
  folder.write("c.bin", std::string(3073, '\1'));
  both_refuse(folder, cifar100, "it has 3073 bytes, which is no multiple of the 3074");
}

TEST_CASE("compiler and run agree on files that are merged") {
  DataFolder const folder;
  std::string const merged =
      "merge_samples: {role: train, data_file_pattern: \"part?.csv\", format: csv, num_labels: 2}";
  folder.write("part1.csv", "x,y,class\n1,2,0\n3,4,1\n");
  folder.write("part2.csv", "x,y,class\n5,6,1\n");
  both_take(folder, merged, 3);
  folder.write("part2.csv", "x,class\n5,1\n");
  both_refuse(folder, merged, "its samples have other dims than those of the files before");
}

TEST_CASE("compiler and run agree on images") {
  DataFolder const folder;
  std::filesystem::create_directories(folder.path / "pictures" / "cat");
  std::filesystem::create_directories(folder.path / "pictures" / "dog");
  for (auto const* name : {"pictures/cat/1.jpg", "pictures/cat/2.png", "pictures/dog/1.jpg"})
    folder.write(name, "no picture");
  auto const samples_of = [&](std::string const& text) {
    CompiledText const compiled(folder, text);
    CHECK(compiled.reading.rendered() == "");
    auto const& entry = compiled.reading.experiment.readers.at(0);
    for (auto const& field : entry.fields)
      CHECK(field.dims == std::vector<std::int64_t>(field.name.text == "labels"
                                                        ? std::vector<std::int64_t>{2}
                                                        : std::vector<std::int64_t>{3, 4, 5}));
    CHECK(open_samples(compiled.reader, {{folder.path.string()}}).value()->count() ==
          entry.samples);
    return entry.samples;
  };
  CHECK(samples_of("image_folder: {role: train, data_filedir: pictures, "
                   "transforms: [resize: {height: 4, width: 5}]}") == 3);
  folder.write("list.txt", "cat/1.jpg 0\ncat/1.jpg 1\n");
  CHECK(samples_of("imagenet: {role: train, data_filedir: pictures, data_filename: list.txt, "
                   "num_labels: 2, transforms: [resize: {height: 4, width: 5}]}") == 2);
  both_refuse(
      folder,
      "imagenet: {role: train, data_filedir: pictures, data_filename: list.txt, num_labels: "
      "1, transforms: [resize: {height: 4, width: 5}]}",
      "label 1 is not one of 0 to num_labels - 1 = 0");
  folder.write("pictures/dog/notes.txt", "");
  both_refuse(
      folder,
      "image_folder: {role: train, data_filedir: pictures, transforms: [resize: {height: 4, "
      "width: 5}]}",
      "the name ends like neither a JPEG");
}

TEST_CASE("compiler and run agree on archives that a text names") {
  DataFolder const folder;
  auto const array = [](std::string const& name, std::string const& shape,
                        std::vector<double> const& numbers) {
    return member(name + ".npy", npy_bytes<double>("<f8", shape, numbers));
  };
  folder.write("a.npz", zip_bytes({array("data", "(1, 2)", {1, 2}), array("frm", "(1,)", {1}),
                                   array("responses", "(1, 1)", {3})}));
  folder.write("files.txt", "a.npz\na.npz\n");
  std::string const one =
      "numpy_npz_conduit_reader: {role: train, data_filename: files.txt, num_labels: 2}";
  both_take(folder, one, 2);
  folder.write("b.npz", zip_bytes({array("density_sig1", "(3, 2)", {1, 2, 3, 4, 5, 6}),
                                   array("states", "(3,)", {0, 1, 2})}));
  std::string const ras = "ras_lipid: {role: train, data_filename: files.txt";
  both_refuse(folder, ras + "}", "a.npz`: it holds no array `density_sig1`");
  folder.write("files.txt", "b.npz\nb.npz\n");
  both_refuse(folder, one, "b.npz`: it holds no array `data`");
  both_take(folder, ras + "}", 6);
  both_take(folder, ras + ", sequence_length: 2}", 2);
  both_refuse(folder, ras + ", z_score: true}", "it needs the means and deviations");
  // Files that are not here are an error of the run alone.
  folder.write("files.txt", "b.npz\nc.npz\n");
  CompiledText const absent(folder, ras + "}");
  CHECK(absent.reading.rendered() == "");
  CHECK(absent.reading.experiment.readers.at(0).samples == -1);
  auto const run = load_samples(absent.reader, {{folder.path.string()}}, true);
  REQUIRE_FALSE(run.good());
  CHECK(run.problem().message.find("files.txt`:2: there is no file") != std::string::npos);
}
