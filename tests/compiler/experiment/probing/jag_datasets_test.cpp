// `data_set_metadata` as the datasets of a sample: keys, slices, factors, and what contradicts.
#include <doctest/doctest.h>

#include "tests/compiler/experiment/probing/data_agreement.hpp"
#include "tests/support/jag_writer.hpp"

using namespace lbann;
using namespace lbann::compiler;
using data_readers::hdf5_dataset;

namespace {

using Words = std::vector<std::string>;
using Numbers = std::vector<double>;

/// Two simulations of an image of 2 x 3 pixels and 4 channels, three scalars and two inputs.
struct JagFolder : tests::DataFolder {
  JagFolder() {
    tests::Hdf5Writer file((path / "a.h5").string());
    for (int i = 0; i < 2; ++i) {
      tests::JagSimulation simulation{"r" + std::to_string(i), i};
      simulation.scalars = 3;
      simulation.write(file);
    }
    write("list.txt", "CONDUIT_HDF5_INCLUSION\n2 0 1\n.\na.h5 2 0 r0 r1\n");
  }
};

std::string const jag_reader = "jag_conduit: {role: train, sample_list: list.txt}";

std::string jag_text(std::string const& schema, std::string const& normalization = {},
                     std::string const& of = jag_reader) {
  return of + "\ndata_set_metadata:\n  schema: {scalar_prefix: /outputs/scalars/, image_prefix: " +
         "/outputs/images/, input_prefix: inputs" + (schema.empty() ? "" : ", ") + schema + "}\n" +
         (normalization.empty() ? "" : "  normalization: {" + normalization + "}\n");
}

std::vector<hdf5_dataset> datasets_of(ReaderEntry const& entry) {
  std::vector<hdf5_dataset> datasets;
  for (auto const& each : entry.datasets)
    datasets.push_back(*from_record<hdf5_dataset>(each.record));
  return datasets;
}

std::string const jag_image =
    "image_height: 2, image_width: 3, image_num_channels: 4, split_jag_image_channels: true, "
    "jag_image_keys: [\"(0.0, 0.0)/0.0/emi\"]";

Words jag_paths(std::string const& schema) {
  JagFolder const folder;
  tests::CompiledText const compiled(folder, jag_text(schema));
  CHECK(compiled.reading.rendered() == "");
  Words words;
  for (auto const& each : datasets_of(compiled.reading.experiment.readers.at(0)))
    words.push_back(each.data_field + ":" + each.path);
  return words;
}

void jag_says(std::string const& text, std::string const& words) {
  JagFolder const folder;
  auto const found = tests::CompiledText(folder, text).reading.rendered();
  CAPTURE(found);
  CHECK(found.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("data_set_metadata names what samples and responses are of, in the order of the slices") {
  JagFolder const folder;
  tests::CompiledText const compiled(
      folder,
      jag_text(jag_image + ", jag_scalar_keys: [out2, out0], jag_input_keys: [in1], independent: "
                           "[pieces: [JAG_Input, JAG_Image], pieces: [JAG_Scalar]], dependent: "
                           "[pieces: [JAG_Scalar]]",
               "jag_image_normalization_params: [{scale: 1}, {scale: 2}, {scale: 3, bias: 5}, "
               "{bias: 1}], jag_scalar_normalization_params: [{scale: 4}, {bias: 0.5}]"));
  CHECK(compiled.reading.rendered() == "");
  auto const& entry = compiled.reading.experiment.readers.at(0);
  auto const datasets = datasets_of(entry);
  REQUIRE(datasets.size() == 6);
  CHECK(datasets[0].path == "inputs/in1");
  CHECK(datasets[0].data_field == "samples");
  CHECK(datasets[0].packed);
  CHECK(datasets[0].dims == std::vector<std::int64_t>{1});
  CHECK(datasets[0].scale.empty());
  CHECK(datasets[1].path == "outputs/images/(0.0, 0.0)/0.0/emi");
  CHECK(datasets[1].dims == std::vector<std::int64_t>{2, 3});
  CHECK(datasets[1].channels == 4);
  CHECK(datasets[1].channels_last);
  CHECK(datasets[1].to_channels_first);
  CHECK(datasets[1].scale == Numbers{1, 2, 3, 1});
  CHECK(datasets[1].bias == Numbers{0, 0, 5, 1});
  CHECK(datasets[2].path == "outputs/scalars/out2");
  CHECK(datasets[2].scale == Numbers{4});
  CHECK(datasets[3].path == "outputs/scalars/out0");
  CHECK(datasets[3].bias == Numbers{0.5});
  CHECK(datasets[4].data_field == "responses");
  CHECK(datasets[5].path == "outputs/scalars/out0");
  REQUIRE(entry.fields.size() == 2);
  CHECK(entry.fields[0].dims == std::vector<std::int64_t>{27});
  CHECK(entry.fields[1].dims == std::vector<std::int64_t>{2});
  CHECK(entry.samples == 2);
  // A run finds the same.
  auto run = std::get<data_readers::jag_conduit>(compiled.reader);
  run.datasets = datasets;
  auto const opened = load_samples(run, {{folder.path.string()}}, true);
  REQUIRE(opened.good());
  Numbers numbers(27);
  REQUIRE(opened.value()->read(1, 0, {numbers.data(), DataType::f64, 27}).good());
  tests::JagSimulation const of{"", 1};
  CHECK(numbers[0] == of.input(1));
  CHECK(numbers[1] == of.pixel(0, 0, 0));
  CHECK(numbers[13] == of.pixel(0, 0, 2) * 3.0 + 5);
  CHECK(numbers[25] == of.scalar(2) * 4);
  CHECK(numbers[26] == of.scalar(0) + 0.5);
}

TEST_CASE("data_set_metadata takes all keys of the first sample that are not left out") {
  std::string const scalars = "independent: [pieces: [JAG_Scalar]]";
  CHECK(jag_paths(scalars) == Words{"samples:outputs/scalars/out0", "samples:outputs/scalars/out1",
                                    "samples:outputs/scalars/out2"});
  CHECK(jag_paths(scalars + ", jag_scalar_filters: [out1]") ==
        Words{"samples:outputs/scalars/out0", "samples:outputs/scalars/out2"});
  CHECK(
      jag_paths(scalars + ", jag_scalar_prefix_filters: [{key_prefix: out, min_len: 5}]").size() ==
      3);
  CHECK(jag_paths(scalars + ", jag_input_prefix_filters: [{key_prefix: out}]").size() == 3);
  jag_says(jag_text(scalars + ", jag_scalar_prefix_filters: [{key_prefix: out, min_len: 4}]"),
           "`/outputs/scalars/` has no number that is not left out");
  CHECK(jag_paths("dependent: [pieces: [JAG_Input]]") ==
        Words{"responses:inputs/in0", "responses:inputs/in1"});
  jag_says(
      jag_text(scalars, "", "jag_conduit: {role: train, sample_list: elsewhere.txt}"),
      "`jag_scalar_keys` is empty, which means all that the first sample has, and that cannot be "
      "looked at: there is no file");
  CHECK(jag_paths(jag_image + ", independent: [pieces: [JAG_Image]]") ==
        Words{"samples:outputs/images/(0.0, 0.0)/0.0/emi"});
}

TEST_CASE("data_set_metadata tells what contradicts or is not there") {
  std::string const images = ", independent: [pieces: [JAG_Image]]";
  jag_says(jag_text(""), "neither `independent` nor `dependent` says what is used");
  jag_says(jag_reader + "\ndata_set_metadata: {normalization: }\n",
           "error[data-set-metadata]: it has no "
           "`schema`");
  jag_says(jag_text("image_height: 2, jag_image_keys: [a]" + images),
           "`image_height` and `image_width` stand together or not at all");
  jag_says(jag_text("image_height: 2, image_width: 3" + images), "`jag_image_keys` names no image");
  jag_says(jag_text("image_num_channels: 4, split_jag_image_channels: true, jag_image_keys: [a]" +
                    images),
           "images of 4 channels need `image_height` and `image_width`");
  jag_says(jag_text("image_height: 2, image_width: 3, image_num_channels: 4, jag_image_keys: [a]" +
                    images),
           "images of 4 channels need `split_jag_image_channels: true`");
  jag_says(jag_text(jag_image + images, "jag_image_normalization_params: [{scale: 1}, {scale: 2}]"),
           "`jag_image_normalization_params` has 2 entries for 4 channels");
  jag_says(jag_text("jag_input_keys: [in0], independent: [pieces: [JAG_Input]]",
                    "jag_input_normalization_params: [{}, {}]"),
           "`jag_input_normalization_params` has 2 entries for 1 keys of `jag_input_keys`");
  jag_says(jag_text("independent: [pieces: [Undefined]]"), "`JAG_Image`");
  jag_says(jag_text("image_height: 1000000000000, image_width: 1000000000000, jag_image_keys: "
                    "[\"(0.0, 0.0)/0.0/emi\"]" +
                    images),
           "it holds [24], 1099511627776 numbers were expected");
  jag_says(jag_text("jag_input_keys: [in7], independent: [pieces: [JAG_Input]]"),
           "a.h5`: it has no `r0/inputs/in7`");
  jag_says(jag_reader, "warning[metadata-not-here]: `jag_conduit` needs `data_set_metadata`");
  jag_says("digits: {role: train, num_samples: 4}\ndata_set_metadata: {schema: }\n",
           "note[no-effect]: `data_set_metadata` has no effect: no data reader takes it");
  // What is wrong in them is told once, however many readers there are.
  JagFolder const folder;
  auto const twice =
      tests::CompiledText(folder,
                          jag_text("", "",
                                   jag_reader + "\n  - jag_conduit: {role: test, sample_list: "
                                                "list.txt}"))
          .reading.codes();
  CHECK(std::ranges::count(twice, "data-set-metadata@schema") == 1);
}

TEST_CASE("all simulations of a file are known to compiler and run alike") {
  JagFolder const folder;
  {
    tests::Hdf5Writer file((folder.path / "b.h5").string());
    tests::JagSimulation{"r0", 0, false}.write(file);
    tests::JagSimulation{"r1", 1}.write(file);
  }
  folder.write("files.txt", "a.h5\nb.h5\n");
  auto const metadata =
      jag_text("jag_input_keys: [in0], independent: [pieces: [JAG_Input]]", "", "");
  for (auto const* of : {"jag_conduit_hdf5: {role: train, data_filedir: \"?.h5\"}",
                         "jag_conduit_hdf5: {role: train, data_filename: files.txt}",
                         "multi_conduit: {role: train, data_file_pattern: \"*.h5\"}"}) {
    CAPTURE(of);
    tests::CompiledText const compiled(folder, of + metadata);
    CHECK(compiled.reading.rendered() == "");
    CHECK(compiled.reading.experiment.readers.at(0).samples == 3);
    CHECK(compiled.reading.experiment.readers.at(0).fields.at(0).dims ==
          std::vector<std::int64_t>{1});
  }
}
